/* A network in C++ for an app in C that has a backend and a context of its own. */
#ifndef QNNPP_TESTS_ADOPT_NETWORK_H
#define QNNPP_TESTS_ADOPT_NETWORK_H

#ifdef __cplusplus
extern "C" {
#endif

enum { IMAGE = 4 * 28 * 28, SCORES = 4 * 10 }; /* four images */

/* The app's objects. */
struct app {
  const void* interface; /* the QnnInterface_t that QnnInterface_getProviders has returned */
  void *log, *backend, *device;
  void* stem;           /* context made from stem.bin */
  const char* binaries; /* folder of the binaries, with its final slash */
  const char *system_library, *rpcmem;
};

struct network;

/* Makes the network over the app's objects. With `owned` they belong to it from then on. Returns
   NULL after an error, which it prints. */
struct network* network_create(const struct app* app, int owned);
/* Classifies four images. Returns 0, or 1 after an error, which it prints. */
int network_run(struct network* network, const float image[IMAGE], float scores[SCORES]);
/* Destroys the network, and the app's objects if it owns them. */
void network_destroy(struct network* network);
/* Destroys the network; the app's objects are the app's again. Returns 0, or 1 after an error. */
int network_give_back(struct network* network);

#ifdef __cplusplus
}
#endif

#endif
