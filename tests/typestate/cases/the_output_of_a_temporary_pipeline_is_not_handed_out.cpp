// EXPECT: output() of a temporary would dangle; name the pipeline first
#include "qnnpp/graph/pipeline.hpp"

using namespace qnnpp;

Result<TensorAccess<const float>> output_of(Pipeline& pipeline) {
#ifdef MISUSE
  return std::move(pipeline).output<float>("scores");
#else
  return pipeline.output<float>("scores");
#endif
}
