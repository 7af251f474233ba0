// EXPECT: context() of a temporary would dangle; name the model first
#include "qnnpp/model/model.hpp"

using namespace qnnpp;

const Context<Finalized>& first_of(model::Model& loaded) {
#ifdef MISUSE
  return std::move(loaded).context(0);
#else
  return loaded.context(0);
#endif
}
