// Every call of a job with dynamic dimensions fails, once and permanently. Nothing is left, and the
// error names the call that failed.
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"

#include "faults.hpp"
#include "job.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class dynamic_faults : public FaultsTest {
 protected:
  void SetUp() override {
    FaultsTest::SetUp();
    if (!HasFatalFailure()) set(&sim::Config::dynamic_dimensions, 1);
  }

  static TensorSpec spec(const char* name, c_api::TensorType kind) {
    return {.name = name,
            .kind = kind,
            .dimensions = {8, 4},
            .dynamic_dimensions = {1, 0},
            .mem_type = c_api::TensorMemType::memhandle};
  }
  /// Composes y = relu(x).
  static Result<Context<Composed>> composed(const Backend<Htp>& backend) {
    auto context = Context<Composing>::create(backend);
    if (!context) return fail(std::move(context).error());
    auto graph = Graph<Composing>::create(*context, "relu");
    if (!graph) return fail(std::move(graph).error());
    auto x = graph->add_tensor(spec("x", c_api::TensorType::app_write));
    if (!x) return fail(std::move(x).error());
    auto y = graph->add_tensor(spec("y", c_api::TensorType::app_read));
    if (!y) return fail(std::move(y).error());
    auto added = graph->add_node({.name = "relu", .type = "Relu", .inputs = {*x}, .outputs = {*y}});
    if (!added) return fail(std::move(added).error());
    auto final = std::move(*graph).finalize();
    if (!final) return fail(std::move(final).error());
    return std::move(*context).finalize();
  }
  /// Composes, serialises, restores and binds the graph, and executes it with 3 of 8 rows.
  Result<float> run() const override {
    auto backend = Backend<Htp>::load({.library = QNNPP_RECORDER,
                                       .system_library = system_library,
                                       .log = log_to<log_nothing>(c_api::LogLevel::error)});
    if (!backend) return fail(std::move(backend).error());
    auto rpcmem = RpcmemAllocator::load(rpcmem_library);
    if (!rpcmem) return fail(std::move(rpcmem).error());
    const auto context = composed(*backend);  // freed at the end, as all releases are
    if (!context) return fail(context.error());
    auto bytes = context->serialize();
    if (!bytes) return fail(std::move(bytes).error());
    auto bound = ContextBinary::own(std::move(*bytes), "relu.bin")
                     .and_then([&](ContextBinary binary) {
                       return Context<Finalized>::restore(*backend, std::move(binary));
                     })
                     .and_then([](const Context<Finalized>& restored) {
                       return Graph<Retrieved, RegisteredIo>::retrieve(restored, "relu");
                     })
                     .and_then([&](Graph<Retrieved, RegisteredIo> graph) {
                       return std::move(graph).bind(*rpcmem);
                     });
    if (!bound) return fail(std::move(bound).error());
    const std::vector<float> rows(12, 2.0f);
    if (auto done = bound->set_extents("x", {3, 4}); !done) return fail(std::move(done).error());
    if (auto done = write_elements(bound->input<float>("x"), rows); !done)
      return fail(std::move(done).error());
    if (auto done = bound->execute(); !done) return fail(std::move(done).error());
    const auto y = bound->output<float>("y");
    if (!y) return fail(y.error());
    return largest_difference(*y, rows);
  }
};

TEST_F(dynamic_faults, the_job_asks_for_the_capability_once_and_executes_once) {
  run_clean();
  EXPECT_EQ(count(Slot::tensor_create_graph_tensor), 2);
  EXPECT_EQ(count(Slot::property_has_capability), 1) << "the backend keeps the answer";
  EXPECT_EQ(count(Slot::graph_execute), 1);
}

TEST_F(dynamic_faults, the_job_fails_at_any_call_with_1002_and_leaves_nothing) {
  run_clean();
  fail_each_call(1002);
}

TEST_F(dynamic_faults, SSR_01_the_job_fails_at_any_call_with_a_restart_and_leaves_nothing) {
  run_clean();
  expect_misuse();
  fail_each_call(1007);
}

TEST_F(dynamic_faults, ALC_02_every_allocation_fails_and_nothing_is_left) {
  run_clean();
  fail_each_call(sim::RpcmemCall::alloc2, rpcmem_control().counters().allocations);
}

}}  // namespace support
