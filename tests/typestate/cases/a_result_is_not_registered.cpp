// EXPECT: an argument is a Result; test it and pass *result, or use value_or_throw()
#include "qnnpp/context/registered_tensors.hpp"

using namespace qnnpp;

bool add(const Context<Finalized>& context, Result<SharedBuffer<PerTensor>> buffer) {
#ifdef MISUSE
  return RegisteredTensors::create(context, buffer).has_value();
#else
  return buffer && RegisteredTensors::create(context, *buffer).has_value();
#endif
}
