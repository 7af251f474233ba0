// EXPECT: query() consumes the context; write std::move(context).query()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Result<Context<Queried>> step(Context<Deferred> context) {
#ifdef MISUSE
  return context.query();
#else
  return std::move(context).query();
#endif
}
