// EXPECT: a path is no backend; pass *Backend<Htp>::load({.library = path})
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool create(ContextBinary binary) {
#ifdef MISUSE
  return Context<Deferred>::create("libQnnHtp.so", std::move(binary)).has_value();
#else
  const auto backend = Backend<Htp>::load({.library = "libQnnHtp.so"});
  return backend && Context<Deferred>::create(*backend, std::move(binary)).has_value();
#endif
}
