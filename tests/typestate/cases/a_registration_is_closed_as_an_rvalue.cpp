// EXPECT: close() consumes the registration; write std::move(tensor).close()
#include "qnnpp/context/registered_tensor.hpp"

using namespace qnnpp;

Result<void> end(RegisteredTensor tensor) {
#ifdef MISUSE
  return tensor.close();
#else
  return std::move(tensor).close();
#endif
}
