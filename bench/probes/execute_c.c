#include "execute_c.h"

int measured_c(const c_graph* graph, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const int code = c_graph_execute(graph);
    if (code != 0) return code;
  }
  return 0;
}

#define CALL(i)                                    \
  do {                                             \
    const int code = c_graph_execute(&graphs[i]);  \
    if (code != 0) return code;                    \
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
