// Misuses of rpcmem, by counter. libcdsprpc.so prints them at once, the report of libQnnHtp.so at
// the end.
#pragma once

#include <cstdint>

#include "qnnpp/sim/control.hpp"

namespace qnnpp::sim {

/// One kind of misuse, and the counter that detects it.
struct RpcmemMisuse {
  std::uint64_t RpcmemCounters::* count;
  const char* function;
  const char* rule;  ///< id in docs/rules.md
  const char* what;
  const char* of_null;  ///< text for a NULL address; NULL: same as `what`
};

inline constexpr RpcmemMisuse rpcmem_misuses[] = {
    {&RpcmemCounters::refused_sizes, "rpcmem_alloc", "ALC-01",
     "a negative size; a cast to int makes sizes of 2 GiB or more negative", nullptr},
    {&RpcmemCounters::refused_zero_sizes, "rpcmem_alloc", "ALC-01",
     "a size of 0: it was never set, or a cast to int has cut 4 GiB or a multiple of it", nullptr},
    {&RpcmemCounters::ignored_frees, "rpcmem_free", "ALC-02",
     "an address that rpcmem has not allocated", nullptr},
    {&RpcmemCounters::refused_to_fd, "rpcmem_to_fd", "ALC-02",
     "an address that rpcmem has not allocated",
     "rpcmem_to_fd of NULL: the allocation failed before"},
};

}  // namespace qnnpp::sim
