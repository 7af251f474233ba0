// EXPECT: the context is not finalized; register tensors after finalize()
#include "qnnpp/context/registered_tensor.hpp"

using namespace qnnpp;

bool add(Context<Registered>& early, Context<Finalized>& final, MemRegion<TensorIo> memory, TensorSpec spec) {
#ifdef MISUSE
  return RegisteredTensor::create(early, std::move(memory), std::move(spec)).has_value() || final.name().empty();
#else
  return RegisteredTensor::create(final, std::move(memory), std::move(spec)).has_value() || early.name().empty();
#endif
}
