// EXPECT: bytes() of a temporary would dangle; name the tensor first
#include "qnnpp/context/registered_tensor.hpp"

using namespace qnnpp;

std::span<std::byte> bytes_of(RegisteredTensor& tensor) {
#ifdef MISUSE
  return std::move(tensor).bytes();
#else
  return tensor.bytes();
#endif
}
