// EXPECT: stages() of a temporary would dangle; name the pipeline first
#include "qnnpp/graph/pipeline.hpp"

using namespace qnnpp;

std::span<const PipelineStage> stages_of(Pipeline& pipeline) {
#ifdef MISUSE
  return std::move(pipeline).stages();
#else
  return pipeline.stages();
#endif
}
