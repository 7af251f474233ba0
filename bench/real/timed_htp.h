/* Time inside and outside QnnGraph_execute, in ticks of the processor's clock. */
#ifndef QNNPP_BENCH_REAL_TIMED_HTP_H
#define QNNPP_BENCH_REAL_TIMED_HTP_H

#include <stdint.h>
#include <x86intrin.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Begin and end of the last call of QnnGraph_execute. */
typedef struct {
  uint64_t begin, end;
} timed_execution;

/* Exported by the library timed_htp.c under the name "timed_last_execution". */
typedef const timed_execution* (*timed_last_execution_function)(void);

/* A client's whole call, and the code that the client reports. */
typedef struct {
  uint64_t begin, end;
  int code;
} timed_call;

/* Reads the clock after all earlier instructions and before all later ones. Touches no memory. */
static inline uint64_t ticks(void) {
  _mm_lfence();
  const uint64_t now = __rdtsc();
  _mm_lfence();
  return now;
}

#ifdef __cplusplus
}
#endif
#endif
