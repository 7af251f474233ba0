#include "execute_c.h"

int measured_c(const c_graph* graph, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int code = c_graph_execute(graph);
    if (code != 0) return code;
  }
  return 0;
}

typedef struct {
  c_execute_function execute;
  c_graph graph;
} kept_graph;

static __attribute__((noinline)) int run_kept(const kept_graph* kept, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const c_graph* const graph = &kept->graph;
    const qnn_error error = kept->execute(graph->handle, graph->inputs, graph->num_inputs,
                                          graph->outputs, graph->num_outputs, NULL, NULL);
    if ((error & 0xFFFF) == 0) continue;
    const int code = c_failed(error, "QnnGraph_execute", graph->name);
    if (code != 0) return code;
  }
  return 0;
}

int measured_kept(const c_graph* graph, size_t count) {
  const kept_graph kept = {(c_execute_function)graph->api->slots[21], *graph};
  return run_kept(&kept, count);
}

#define CALL(i)                                   \
  do {                                            \
    const int code = c_graph_execute(&graphs[i]); \
    if (code != 0) return code;                   \
  } while (0)

int one_call_c(const c_graph* graphs) {
  CALL(0);
  return 0;
}

int five_calls_c(const c_graph* graphs) {
  CALL(0);
  CALL(1);
  CALL(2);
  CALL(3);
  CALL(4);
  return 0;
}

int measured_sites_c(const c_graph* graphs, size_t rounds) {
  for (size_t i = 0; i < rounds; ++i) {
    const int code = five_calls_c(graphs);
    if (code != 0) return code;
  }
  return 0;
}
