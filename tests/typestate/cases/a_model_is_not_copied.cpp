// EXPECT: a model has one owner; write std::move(model)
#include "qnnpp/model/model.hpp"

using namespace qnnpp;

model::Model take(model::Model& loaded) {
#ifdef MISUSE
  return model::Model(loaded);
#else
  return model::Model(std::move(loaded));
#endif
}
