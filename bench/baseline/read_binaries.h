/* Other ways in which C programs get at their binaries than the twin's, which maps them: contexts
   over weights buffers of their own and one spill-fill buffer of the largest need. */
#ifndef QNNPP_BENCH_BASELINE_READ_BINARIES_H
#define QNNPP_BENCH_BASELINE_READ_BINARIES_H

#include "qnn_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All binaries are read first and kept until the last context is finalized: the order of QNN's
   calls as it comes. 0, or another number after a line to stderr, with what was made left over. */
int c_read_all_keep(c_device* device, const char* const* paths, size_t count);

/* One binary in memory at a time. Each is read twice: to ask for its needs, and again once the
   largest spill-fill is known. The same result. */
int c_read_free_each(c_device* device, const char* const* paths, size_t count);

/* Mapped as by the twin, but each binary's pages are dropped once its needs are known, until it is
   finalized. The same result. */
int c_map_drop_each(c_device* device, const char* const* paths, size_t count);

#ifdef __cplusplus
}
#endif
#endif
