// EXPECT: native() of a temporary would dangle; name the tensors first
#include "qnnpp/context/registered_tensors.hpp"

using namespace qnnpp;

Result<c_api::MemHandle> handle_of(RegisteredTensors& tensors) {
#ifdef MISUSE
  return std::move(tensors).native("image");
#else
  return tensors.native("image");
#endif
}
