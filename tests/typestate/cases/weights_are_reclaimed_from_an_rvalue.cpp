// EXPECT: reclaim() consumes the context; write std::move(context).reclaim()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Result<MemRegion<Weights>> weights_of(Context<Finalized> context) {
#ifdef MISUSE
  return context.reclaim();
#else
  return std::move(context).reclaim();
#endif
}
