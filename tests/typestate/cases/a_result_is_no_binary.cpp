// EXPECT: this is a Result; test it and pass *std::move(binary), or use value_or_throw()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool create(const Backend<Htp>& backend) {
#ifdef MISUSE
  return Context<Deferred>::create(backend, ContextBinary::map("a.bin")).has_value();
#else
  auto binary = ContextBinary::map("a.bin");
  return binary && Context<Deferred>::create(backend, *std::move(binary)).has_value();
#endif
}
