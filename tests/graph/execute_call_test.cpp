// ExecuteCall: the arguments that it passes to QnnGraph_execute, and the memory that it fills.
#include "qnnpp/graph/detail/execute_call.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace {

namespace c_api = qnnpp::c_api;
using qnnpp::detail::Epoch;
using qnnpp::detail::ExecuteCall;
using qnnpp::detail::RestartLog;

/// Arguments of the last call.
struct Passed {
  c_api::GraphHandle graph = nullptr;
  const c_api::Tensor* inputs = nullptr;
  std::uint32_t input_count = 0;
  c_api::Tensor* outputs = nullptr;
  std::uint32_t output_count = 0;
};
Passed passed;

std::uint64_t execute(c_api::GraphHandle graph, const c_api::Tensor* inputs,
                      std::uint32_t input_count, c_api::Tensor* outputs, std::uint32_t output_count,
                      c_api::ProfileHandle profile, c_api::SignalHandle signal) {
  EXPECT_EQ(profile, nullptr);
  EXPECT_EQ(signal, nullptr);
  passed = {graph, inputs, input_count, outputs, output_count};
  return 6001;
}

TEST(execute_call, passes_the_graph_and_its_tensors_and_returns_the_error_as_it_is) {
  int object = 0;
  RestartLog log;
  ExecuteCall call(execute, reinterpret_cast<c_api::GraphHandle>(&object),
                   Epoch::of_new_context(log), {});
  EXPECT_EQ(call(), 6001u);
  EXPECT_EQ(passed.graph, call.graph());
  EXPECT_EQ(passed.input_count, 0u);
  EXPECT_EQ(passed.output_count, 0u);

  const std::vector<c_api::Tensor> inputs(3);
  std::vector<c_api::Tensor> outputs(2);
  call.use(inputs, outputs);
  EXPECT_EQ(call(), 6001u);
  EXPECT_EQ(passed.graph, reinterpret_cast<c_api::GraphHandle>(&object));
  EXPECT_EQ(passed.inputs, inputs.data());
  EXPECT_EQ(passed.input_count, 3u);
  EXPECT_EQ(passed.outputs, outputs.data());
  EXPECT_EQ(passed.output_count, 2u);
}

// Each further line is one more read of the memory after an inference, which evicts all of them.
TEST(execute_call, fills_one_cache_line_with_all_that_an_execution_reads_of_graph_and_context) {
  EXPECT_EQ(alignof(ExecuteCall), 64u);
  EXPECT_EQ(sizeof(ExecuteCall), 64u);
}

}  // namespace
