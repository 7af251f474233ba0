/* The loops and call sites of the plain C twin. */
#ifndef QNNPP_BENCH_PROBES_EXECUTE_C_H
#define QNNPP_BENCH_PROBES_EXECUTE_C_H

#include "baseline/qnn_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs a graph `count` times. */
int measured_c(const c_graph* graph, size_t count);

/* The same in a program that stores the function's pointer with the graph, not with the library. */
int measured_kept(const c_graph* graph, size_t count);

/* One and five calls: the difference is the code of four call sites. */
int one_call_c(const c_graph* graphs);
int five_calls_c(const c_graph* graphs);
int measured_sites_c(const c_graph* graphs, size_t rounds);

#ifdef __cplusplus
}
#endif
#endif
