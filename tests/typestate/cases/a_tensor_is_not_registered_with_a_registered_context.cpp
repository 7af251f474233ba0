// EXPECT: the context is not finalized; register tensors after finalize()
#include "qnnpp/context/registered_tensors.hpp"

using namespace qnnpp;

bool add(Context<Registered>& early, Context<Finalized>& final, SharedBuffer<DmaBuf>& buffer) {
#ifdef MISUSE
  return RegisteredTensors::create(early, buffer).has_value() || final.name().empty();
#else
  return RegisteredTensors::create(final, buffer).has_value() || early.name().empty();
#endif
}
