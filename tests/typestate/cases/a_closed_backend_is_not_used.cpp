// CLANG-CONSUMED: while it is in the 'consumed' state
#include "qnnpp/backend/backend.hpp"

using namespace qnnpp;

bool end(Backend<Htp> backend) {
#ifdef MISUSE
  const bool closed = std::move(backend).close().has_value();
  return closed && backend.build_id().has_value();
#else
  const bool identified = backend.build_id().has_value();
  return std::move(backend).close().has_value() && identified;
#endif
}
