// What a client does wrong with rpcmem, by counter: libcdsprpc.so says it at once, the report of
// libQnnHtp.so at the end.
#pragma once

#include <cstdint>

#include "qnnpp/sim/control.hpp"

namespace qnnpp::sim {

struct RpcmemMisuse {
  std::uint64_t RpcmemCounters::* count;
  const char* function;
  const char* rule;  ///< of docs/rules.md
  const char* what;
};

inline constexpr RpcmemMisuse rpcmem_misuses[] = {
    {&RpcmemCounters::refused_sizes, "rpcmem_alloc", "ALC-01",
     "a size that is not above 0, as one of 2 GiB or more is after it was cast to int"},
    {&RpcmemCounters::ignored_frees, "rpcmem_free", "ALC-02",
     "an address that rpcmem has not allocated"},
    {&RpcmemCounters::refused_to_fd, "rpcmem_to_fd", "ALC-02",
     "an address that rpcmem has not allocated"},
};

}  // namespace qnnpp::sim
