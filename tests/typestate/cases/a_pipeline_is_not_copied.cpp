// EXPECT: a pipeline has one owner; write std::move(pipeline)
#include "qnnpp/graph/pipeline.hpp"

using namespace qnnpp;

Pipeline take(Pipeline& pipeline) {
#ifdef MISUSE
  return Pipeline(pipeline);
#else
  return Pipeline(std::move(pipeline));
#endif
}
