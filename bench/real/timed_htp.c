/* A libQnnHtp.so that forwards to the library which BENCH_QNN_HTP in the environment names, and
   records the time of each QnnGraph_execute. So any client can be timed. */
#include "real/timed_htp.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "baseline/qnn_c.h"

/* The core API of QNN 2.51.0 and the number of its functions. */
enum { CORE_MINOR = 40, FUNCTIONS = 75, GRAPH_EXECUTE = 21 };

typedef struct {
  qnn_provider provider;
  qnn_slot later_functions[FUNCTIONS - 71];
} timed_provider;

static timed_execution last;
static c_execute_function execute;
static timed_provider timed;
static const qnn_provider* providers[1];

__attribute__((visibility("default"))) const timed_execution* timed_last_execution(void) {
  return &last;
}

static qnn_error timed_execute(qnn_handle graph, const qnn_tensor* inputs, uint32_t num_inputs,
                               qnn_tensor* outputs, uint32_t num_outputs, qnn_handle profile,
                               qnn_handle signal) {
  last.begin = ticks();
  const qnn_error error = execute(graph, inputs, num_inputs, outputs, num_outputs, profile, signal);
  last.end = ticks();
  return error;
}

__attribute__((visibility("default"))) qnn_error
QnnInterface_getProviders(const qnn_provider*** list, uint32_t* count) {
  if (providers[0] == NULL) {
    const char* const path = getenv("BENCH_QNN_HTP");
    void* const library = path == NULL ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
      fprintf(stderr, "BENCH_QNN_HTP: %s\n", path == NULL ? "not set" : dlerror());
      return 1;
    }
    void* const symbol = dlsym(library, "QnnInterface_getProviders");
    if (symbol == NULL) return 1;
    qnn_error (*get_providers)(const qnn_provider***, uint32_t*);
    memcpy(&get_providers, &symbol, sizeof symbol);
    const qnn_provider** real = NULL;
    uint32_t real_count = 0;
    const qnn_error error = get_providers(&real, &real_count);
    if ((error & 0xFFFF) != 0) return error;
    if (real_count == 0 || real[0]->version.core.major != 2 ||
        real[0]->version.core.minor != CORE_MINOR) {
      fprintf(stderr, "%s: not of core API 2.%d\n", path, CORE_MINOR);
      return 1;
    }
    memcpy(&timed, real[0], sizeof timed);
    execute = (c_execute_function)timed.provider.slots[GRAPH_EXECUTE];
    timed.provider.slots[GRAPH_EXECUTE] = (qnn_slot)timed_execute;
    providers[0] = &timed.provider;
  }
  *list = providers;
  *count = 1;
  return 0;
}
