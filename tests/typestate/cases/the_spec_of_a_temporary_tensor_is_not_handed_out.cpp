// EXPECT: spec() of a temporary would dangle; name the tensor first
#include "qnnpp/context/registered_tensor.hpp"

using namespace qnnpp;

const TensorSpec& spec_of(RegisteredTensor& tensor) {
#ifdef MISUSE
  return std::move(tensor).spec();
#else
  return tensor.spec();
#endif
}
