// EXPECT: input() of a temporary would dangle; name the pipeline first
#include "qnnpp/graph/pipeline.hpp"

using namespace qnnpp;

Result<TensorAccess<float>> input_of(Pipeline& pipeline) {
#ifdef MISUSE
  return std::move(pipeline).input<float>("image");
#else
  return pipeline.input<float>("image");
#endif
}
