// EXPECT: external buffers exclude groups and switching; use Context<Finalized>::restore()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool create(const Backend<Htp>& backend, ContextBinary binary) {
#ifdef MISUSE
  const ContextGroup group = ContextGroup::head(1024);
  return Context<Deferred>::create(backend, std::move(binary), {.group = group}).has_value();
#else
  const ContextGroup group = ContextGroup::head(1024);
  return Context<Finalized>::restore(backend, std::move(binary), {.group = group}).has_value();
#endif
}
