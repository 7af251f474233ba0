// EXPECT: close() consumes the registration; write std::move(tensors).close()
#include "qnnpp/context/registered_tensors.hpp"

using namespace qnnpp;

Result<void> end(RegisteredTensors tensors) {
#ifdef MISUSE
  return tensors.close();
#else
  return std::move(tensors).close();
#endif
}
