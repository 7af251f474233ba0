// EXPECT: a region is not shared yet; use SharedSpillFill::from_region()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool give(Context<Queried> context, MemRegion<SpillFill> region) {
#ifdef MISUSE
  return std::move(context).register_buffers({.spill_fill = std::move(region)}).has_value();
#else
  const auto spill_fill = SharedSpillFill::from_region(std::move(region), 4096);
  return std::move(context).register_buffers({.spill_fill = spill_fill}).has_value();
#endif
}
