// EXPECT: external buffers exclude groups and switching; use Context<Finalized>::restore()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool create(const Backend<Htp>& backend, ContextBinary binary) {
#ifdef MISUSE
  const RestoreOptions options{.persistent_binary = true, .memory_limit_hint_mb = 64};
  return Context<Deferred>::create(backend, std::move(binary), options).has_value();
#else
  const RestoreOptions options{.persistent_binary = true, .memory_limit_hint_mb = 64};
  return Context<Finalized>::restore(backend, std::move(binary), options).has_value();
#endif
}
