// A second execution of a graph allocates nothing on the heap, including the device's part.
#include "fixture.hpp"
#include "heap.hpp"

namespace sim_test { namespace {

/// How a graph is prepared and executed.
struct Way {
  const char* name;
  bool prepared_memhandle;
  bool registered_in;
  bool registered_out;
};

class sim_allocations : public SimTest, public ::testing::WithParamInterface<Way> {
 protected:
  /// Executes once. Returns the number of allocations during the call.
  static std::uint64_t execute(c_api::GraphHandle graph, const c_api::Tensor& input,
                               c_api::Tensor& output) {
    const support::HeapWatch watch;
    const c_api::ErrorHandle error =
        qnn().graph_execute(graph, &input, 1, &output, 1, nullptr, nullptr);
    const std::uint64_t made = support::HeapWatch::allocations();
    EXPECT_EQ(code(error), 0u);
    return made;
  }
};

TEST_P(sim_allocations, an_execution_allocates_the_first_time_only) {
  const Way way = GetParam();
  const Chain chain{.memhandle_io = way.prepared_memhandle};
  const auto binary = binary_of({chain});
  DeferredConfig deferred;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, deferred.configs(), context), 0u);
  Dma shared{piece_bytes};
  ExternalDescriptor spill_fill{c_api::HtpMemType::shared_spillfill_buffer, shared.fd, piece_bytes};
  c_api::MemHandle ignored = nullptr;
  ASSERT_EQ(code(qnn().mem_register(context, &spill_fill.descriptor, 1, &ignored)), 0u);
  ASSERT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);

  Dma in{256};
  Dma out{256};
  TensorDescriptor first{in.fd, 64};
  TensorDescriptor second{out.fd, 64};
  const c_api::MemDescriptor both[2] = {first.descriptor, second.descriptor};
  c_api::MemHandle handles[2];
  ASSERT_EQ(code(qnn().mem_register(context, both, 2, handles)), 0u);
  std::vector<float> values = chain.input();
  std::vector<float> result(64);
  std::memcpy(in.data, values.data(), 256);
  const ChainIds ids = ids_of(chain);
  const c_api::Tensor input = way.registered_in
                                  ? registered(ids.in, c_api::TensorType::app_write, handles[0])
                                  : raw(ids.in, c_api::TensorType::app_write, values.data(), 256);
  c_api::Tensor output = way.registered_out
                             ? registered(ids.out, c_api::TensorType::app_read, handles[1])
                             : raw(ids.out, c_api::TensorType::app_read, result.data(), 256);
  const c_api::GraphHandle graph = graph_of(context);
  EXPECT_GT(execute(graph, input, output), 0u) << "the counter misses the library's allocations";
  for (int round = 0; round < 10; ++round) EXPECT_EQ(execute(graph, input, output), 0u) << round;
  EXPECT_LT(largest_difference(chain.reference(values),
                               way.registered_out ? out.floats() : result.data()),
            1e-5f);
  ASSERT_EQ(code(qnn().mem_de_register(handles, 2)), 0u);
}

INSTANTIATE_TEST_SUITE_P(
    of, sim_allocations,
    ::testing::Values(Way{"QMEM_01_prepared_raw_executed_raw", false, false, false},
                      Way{"QMEM_02_prepared_raw_executed_registered", false, true, true},
                      Way{"QMEM_03_prepared_registered_executed_raw", true, false, false},
                      Way{"QMEM_04_prepared_registered_executed_registered", true, true, true},
                      Way{"prepared_registered_executed_mixed", true, false, true}),
    [](const auto& row) { return std::string(row.param.name); });

}}  // namespace sim_test
