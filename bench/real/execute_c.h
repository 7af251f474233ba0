/* One timed execution in plain C. */
#ifndef QNNPP_BENCH_REAL_EXECUTE_C_H
#define QNNPP_BENCH_REAL_EXECUTE_C_H

#include "baseline/qnn_c.h"
#include "real/timed_htp.h"

#ifdef __cplusplus
extern "C" {
#endif

timed_call timed_c(const c_graph* graph);

#ifdef __cplusplus
}
#endif
#endif
