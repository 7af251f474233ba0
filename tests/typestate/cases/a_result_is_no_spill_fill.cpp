// EXPECT: this is a Result; test it and pass *spill_fill, or use value_or_throw()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool give(Context<Queried> context, Result<SharedSpillFill> spill_fill) {
#ifdef MISUSE
  return std::move(context).register_buffers({.spill_fill = spill_fill}).has_value();
#else
  return spill_fill && std::move(context).register_buffers({.spill_fill = *spill_fill}).has_value();
#endif
}
