// EXPECT: sizes are not known yet; call std::move(context).query() first
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Result<Context<Registered>> step(Context<Deferred> context, MemRegion<Weights> weights) {
#ifdef MISUSE
  return std::move(context).register_buffers({.weights = std::move(weights)});
#else
  auto queried = std::move(context).query();
  if (!queried) return fail(std::move(queried).error());
  return std::move(*queried).register_buffers({.weights = std::move(weights)});
#endif
}
