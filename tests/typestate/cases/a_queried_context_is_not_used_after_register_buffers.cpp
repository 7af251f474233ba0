// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

std::uint64_t step(Context<Queried> context) {
#ifdef MISUSE
  const auto registered = std::move(context).register_buffers({});
  return registered ? context.requirements().spill_fill_bytes : 0;
#else
  const std::uint64_t bytes = context.requirements().spill_fill_bytes;
  const auto registered = std::move(context).register_buffers({});
  return registered ? bytes : 0;
#endif
}
