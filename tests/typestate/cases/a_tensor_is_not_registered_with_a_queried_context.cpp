// EXPECT: the context is not finalized; register tensors after finalize()
#include "qnnpp/context/registered_tensors.hpp"

using namespace qnnpp;

bool add(Context<Queried>& early, Context<Finalized>& final, SharedBuffer<MultiTensor>& buffer) {
#ifdef MISUSE
  return RegisteredTensors::create(early, buffer).has_value() || final.name().empty();
#else
  return RegisteredTensors::create(final, buffer).has_value() || early.name().empty();
#endif
}
