#include "execute_c.h"

timed_call timed_c(const c_graph* graph) {
  timed_call call;
  call.begin = ticks();
  call.code = c_graph_execute(graph);
  call.end = ticks();
  return call;
}
