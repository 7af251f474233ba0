// EXPECT: close() consumes the backend; write std::move(backend).close()
#include "qnnpp/backend/backend.hpp"

using namespace qnnpp;

Result<void> close(Backend<Htp> backend) {
#ifdef MISUSE
  return backend.close();
#else
  return std::move(backend).close();
#endif
}
