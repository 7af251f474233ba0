// EXPECT: weights memory holds no tensors; allocate a MemRegion<TensorIo>
#include "qnnpp/context/registered_tensor.hpp"

using namespace qnnpp;

bool add(Context<Finalized>& context, MemRegion<Weights>& weights, MemRegion<TensorIo> memory, TensorSpec spec) {
#ifdef MISUSE
  return RegisteredTensor::create(context, weights, std::move(spec)).has_value() || !memory;
#else
  return RegisteredTensor::create(context, std::move(memory), std::move(spec)).has_value() || !weights;
#endif
}
