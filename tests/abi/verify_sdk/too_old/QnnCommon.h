/* An invented SDK as old as SDK 2.13. It has the version numbers of the real SDK only. */
#define QNN_API_VERSION_MAJOR 2
#define QNN_API_VERSION_MINOR 7
#define QNN_API_VERSION_PATCH 2
