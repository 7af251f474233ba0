// EXPECT: this context is already queried; see requirements()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

std::uint64_t spill_fill_bytes(Context<Queried> context) {
#ifdef MISUSE
  return std::move(context).query()->requirements().spill_fill_bytes;
#else
  return context.requirements().spill_fill_bytes;
#endif
}
