// EXPECT: report() of a temporary would dangle; name the model first
#include "qnnpp/model/model.hpp"

using namespace qnnpp;

const model::MemoryReport& report_of(model::Model& loaded) {
#ifdef MISUSE
  return std::move(loaded).report();
#else
  return loaded.report();
#endif
}
