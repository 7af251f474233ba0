// EXPECT: weights memory is not spill-fill; use SharedSpillFill::allocate()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool step(Context<Queried> context, MemRegion<Weights> weights) {
#ifdef MISUSE
  return std::move(context).register_buffers({.spill_fill = std::move(weights)}).has_value();
#else
  return std::move(context).register_buffers({.weights = std::move(weights)}).has_value();
#endif
}
