// EXPECT: this memory is for something else; allocate a MemRegion<Weights>
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool give(Context<Queried> context, MemRegion<Weights> weights, MemRegion<SpillFill> spill_fill) {
#ifdef MISUSE
  return weights && std::move(context)
                        .register_buffers(ExternalBuffers{.weights = std::move(spill_fill)})
                        .has_value();
#else
  return spill_fill && std::move(context)
                           .register_buffers(ExternalBuffers{.weights = std::move(weights)})
                           .has_value();
#endif
}
