// EXPECT: this memory is for something else; allocate a MemRegion<Weights>
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool give(Context<Queried> context, SharedSpillFill spill_fill) {
#ifdef MISUSE
  return std::move(context).register_buffers({.weights = spill_fill}).has_value();
#else
  return std::move(context).register_buffers({.spill_fill = spill_fill}).has_value();
#endif
}
