/* Other ways in which C programs read their binaries; the twin in qnn_c.h maps them. Each context
   has a weights buffer, and all share one spill-fill buffer of the largest need. */
#ifndef QNNPP_BENCH_BASELINE_READ_BINARIES_H
#define QNNPP_BENCH_BASELINE_READ_BINARIES_H

#include "qnn_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads all binaries first and keeps them until the last context is finalized, as the order of
   QNN's calls suggests. Returns 0. On failure returns another number, prints a line to stderr and
   leaks. */
int c_read_all_keep(c_device* device, const char* const* paths, size_t count);

/* Keeps one binary in memory at a time. Reads each twice: to query its needs, and again after the
   largest spill-fill is known. Returns as above. */
int c_read_free_each(c_device* device, const char* const* paths, size_t count);

/* Maps the binaries as the twin does, but drops each binary's pages after its needs are known;
   finalize reads them again. Returns as above. */
int c_map_drop_each(c_device* device, const char* const* paths, size_t count);

#ifdef __cplusplus
}
#endif
#endif
