// EXPECT: provider() of a temporary would dangle; name the backend first
#include "qnnpp/backend/backend.hpp"

using namespace qnnpp;

const Interface& provider_of(const Backend<Htp>& backend) {
#ifdef MISUSE
  return std::move(backend).provider();
#else
  return backend.provider();
#endif
}
