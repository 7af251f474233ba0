// EXPECT: a path is no binary; pass what ContextBinary::map(path) returns
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool create(const Backend<Htp>& backend, const std::string& path) {
#ifdef MISUSE
  return Context<Deferred>::create(backend, path).has_value();
#else
  auto binary = ContextBinary::map(path);
  return binary && Context<Deferred>::create(backend, *std::move(binary)).has_value();
#endif
}
