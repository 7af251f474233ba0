// EXPECT: this is a Result; test it and pass *backend, or use value_or_throw()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool create(Result<Backend<Htp>> backend, ContextBinary binary) {
#ifdef MISUSE
  return Context<Deferred>::create(backend, std::move(binary)).has_value();
#else
  return backend && Context<Deferred>::create(*backend, std::move(binary)).has_value();
#endif
}
