// EXPECT: native() of a temporary would dangle; name the tensor first
#include "qnnpp/context/registered_tensor.hpp"

using namespace qnnpp;

abi::MemHandle handle_of(RegisteredTensor& tensor) {
#ifdef MISUSE
  return std::move(tensor).native();
#else
  return tensor.native();
#endif
}
