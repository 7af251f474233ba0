// EXPECT: a registration has one owner; write std::move(tensor)
#include "qnnpp/context/registered_tensor.hpp"

using namespace qnnpp;

RegisteredTensor take(RegisteredTensor& tensor) {
#ifdef MISUSE
  return RegisteredTensor(tensor);
#else
  return RegisteredTensor(std::move(tensor));
#endif
}
