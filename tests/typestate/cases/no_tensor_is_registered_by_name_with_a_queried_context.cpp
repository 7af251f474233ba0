// EXPECT: the context is not finalized; register tensors after finalize()
#include "qnnpp/context/registered_tensors.hpp"

using namespace qnnpp;

bool add(Context<Queried>& early, Context<Finalized>& final, SharedBuffer<MultiTensor>& buffer) {
#ifdef MISUSE
  const std::vector<std::string> names = {"image"};
  return RegisteredTensors::create(early, buffer, names).has_value() || final.name().empty();
#else
  const std::vector<std::string> names = {"image"};
  return RegisteredTensors::create(final, buffer, names).has_value() || early.name().empty();
#endif
}
