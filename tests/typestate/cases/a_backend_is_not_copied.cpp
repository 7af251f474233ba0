// EXPECT: a backend has one owner; write std::move(backend)
#include "qnnpp/backend/backend.hpp"

using namespace qnnpp;

Backend<Htp> take(Backend<Htp>& backend) {
#ifdef MISUSE
  return Backend<Htp>(backend);
#else
  return Backend<Htp>(std::move(backend));
#endif
}
