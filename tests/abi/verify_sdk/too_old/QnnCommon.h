/* A made-up SDK that is as old as SDK 2.13: of the real one it has the versions and no more. */
#define QNN_API_VERSION_MAJOR 2
#define QNN_API_VERSION_MINOR 7
#define QNN_API_VERSION_PATCH 2
