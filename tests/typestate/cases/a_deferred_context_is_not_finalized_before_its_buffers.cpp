// EXPECT: a deferred context has no buffers yet; query() and register_buffers() first
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool step(Context<Deferred> context) {
#ifdef MISUSE
  return std::move(context).finalize().has_value();
#else
  return std::move(context)
      .query()
      .and_then([](Context<Queried> queried) { return std::move(queried).register_buffers({}); })
      .and_then(step::finalize)
      .has_value();
#endif
}
