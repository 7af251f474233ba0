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
  const char* of_null;  ///< instead, where the address was NULL; NULL for no other words
};

inline constexpr RpcmemMisuse rpcmem_misuses[] = {
    {&RpcmemCounters::refused_sizes, "rpcmem_alloc", "ALC-01",
     "a size that is not above 0, as one of 2 GiB or more is after it was cast to int", nullptr},
    {&RpcmemCounters::ignored_frees, "rpcmem_free", "ALC-02",
     "an address that rpcmem has not allocated", nullptr},
    {&RpcmemCounters::refused_to_fd, "rpcmem_to_fd", "ALC-02",
     "an address that rpcmem has not allocated",
     "rpcmem_to_fd of NULL: the allocation failed before"},
};

}  // namespace qnnpp::sim
