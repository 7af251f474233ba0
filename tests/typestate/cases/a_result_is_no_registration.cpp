// EXPECT: this is a Result; test it and pass *tensors, or use value_or_throw()
#include "qnnpp/graph/binding.hpp"

using namespace qnnpp;

std::string_view name(Result<RegisteredTensors> tensors) {
#ifdef MISUSE
  return registered(tensors, "x").name();
#else
  return tensors ? registered(*tensors, "x").name() : std::string_view();
#endif
}
