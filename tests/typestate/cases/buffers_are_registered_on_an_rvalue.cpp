// EXPECT: register_buffers() consumes the context; write std::move(context).register_buffers()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Result<Context<Registered>> step(Context<Queried> context, SharedSpillFill spill_fill) {
#ifdef MISUSE
  return context.register_buffers({.spill_fill = spill_fill});
#else
  return std::move(context).register_buffers({.spill_fill = spill_fill});
#endif
}
