// EXPECT: a path is no binary; pass what ContextBinary::map(path) returns
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool restore(const Backend<Htp>& backend) {
#ifdef MISUSE
  return Context<Finalized>::restore(backend, "a.bin").has_value();
#else
  auto binary = ContextBinary::map("a.bin");
  return binary && Context<Finalized>::restore(backend, *std::move(binary)).has_value();
#endif
}
