// EXPECT: buffers are registered before finalize; use Context<Deferred>::create()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool step(Context<Finalized> finalized, Context<Queried> queried) {
#ifdef MISUSE
  return finalized.register_buffers({}).has_value() || queried.requirements().weights_bytes > 0;
#else
  return std::move(queried).register_buffers({}).has_value() || finalized.native() != nullptr;
#endif
}
