// EXPECT: a registration has one owner; write std::move(tensors)
#include "qnnpp/context/registered_tensors.hpp"

using namespace qnnpp;

RegisteredTensors take(RegisteredTensors& tensors) {
#ifdef MISUSE
  return RegisteredTensors(tensors);
#else
  return RegisteredTensors(std::move(tensors));
#endif
}
