// Every call of a job with a cache fails, once and permanently: two graphs of a context use one
// KvCache, and exchange a whole state. Nothing is left.
#include <cstdint>
#include <utility>
#include <vector>

#include "qnnpp/memory/kv_cache.hpp"

#include "copies.hpp"
#include "faults.hpp"
#include "job.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class kv_cache_faults : public FaultsTest {
 protected:
  void SetUp() override {
    FaultsTest::SetUp();
    if (HasFatalFailure()) return;
    const auto backend = must(load());
    binary_ = binary_of_copies(backend, {graph_of("prefill", 3, 6), graph_of("decode", 1, 9)});
  }
  Result<float> run() const override {
    auto backend = Backend<Htp>::load({.library = QNNPP_RECORDER,
                                       .system_library = system_library,
                                       .log = log_to<log_nothing>(c_api::LogLevel::error)});
    if (!backend) return fail(std::move(backend).error());
    const auto rpcmem = RpcmemAllocator::load(rpcmem_library);
    if (!rpcmem) return fail(rpcmem.error());
    const auto context =
        ContextBinary::borrow(binary_, "copies.bin").and_then([&](ContextBinary binary) {
          return Context<Finalized>::restore(*backend, std::move(binary));
        });
    if (!context) return fail(context.error());
    auto prefill = Graph<Retrieved, RegisteredIo>::retrieve(*context, "prefill");
    if (!prefill) return fail(std::move(prefill).error());
    auto decode = Graph<Retrieved, RegisteredIo>::retrieve(*context, "decode");
    if (!decode) return fail(std::move(decode).error());
    auto cache = KvCache::allocate(*rpcmem, {{.cache = "keys", .next = "new_keys", .axis = 1}},
                                   *prefill, *decode);
    if (!cache) return fail(std::move(cache).error());
    const auto tensors = RegisteredTensors::create(*context, cache->memory());
    if (!tensors) return fail(tensors.error());

    const auto bind =
        [&](Graph<Retrieved, RegisteredIo> graph) -> Result<Graph<Bound, RegisteredIo>> {
      std::vector<TensorSpec> own;
      for (const auto* const list : {&graph.inputs(), &graph.outputs()})
        for (const TensorSpec& spec : *list)
          if (spec.name != "keys" && spec.name != "new_keys") own.push_back(spec);
      auto memory = SharedBuffer<MultiTensor>::allocate(*rpcmem, own);
      if (!memory) return fail(std::move(memory).error());
      const auto own_tensors = RegisteredTensors::create(*context, *memory);
      if (!own_tensors) return fail(own_tensors.error());
      return std::move(graph).bind(*own_tensors, *tensors);
    };
    auto many = bind(std::move(*prefill));
    if (!many) return fail(std::move(many).error());
    auto one = bind(std::move(*decode));
    if (!one) return fail(std::move(one).error());

    auto done = many->execute();
    if (done) done = cache->append(3);
    if (done) done = cache->use(1);
    for (int token = 0; done && token < 2; ++token) {
      done = one->execute();
      if (done) done = cache->append(1);
      if (done) done = one->exchange("x", "y");
    }
    if (!done) return fail(std::move(done).error());
    return cache->length() == 5 ? 0.0f : 1.0f;
  }

 private:
  /// `keys` is the cache, and `x` is as large as `y`.
  static GraphSpec graph_of(const char* name, std::uint32_t tokens, std::uint32_t positions) {
    const auto spec = [](const char* tensor, c_api::TensorType kind, std::uint32_t extent) {
      return TensorSpec{.name = tensor,
                        .kind = kind,
                        .data_type = c_api::DataType::uint_8,
                        .dimensions = {2, extent, 4}};
    };
    return {.name = name,
            .inputs = {spec("x", c_api::TensorType::app_write, tokens),
                       spec("keys", c_api::TensorType::app_write, positions),
                       spec("x2", c_api::TensorType::app_write, tokens)},
            .outputs = {spec("new_keys", c_api::TensorType::app_read, tokens),
                        spec("seen", c_api::TensorType::app_read, positions),
                        spec("y", c_api::TensorType::app_read, tokens)}};
  }

  std::vector<std::byte> binary_;
};

TEST_F(kv_cache_faults, the_job_registers_the_cache_once_for_both_graphs) {
  run_clean();
  EXPECT_EQ(count(Slot::mem_register), 3);
  EXPECT_EQ(count(Slot::mem_de_register), 3);
  EXPECT_EQ(count(Slot::graph_execute), 3);
}

TEST_F(kv_cache_faults, SHB_03_the_job_fails_at_any_call_and_leaves_nothing) {
  run_clean();
  for (const std::uint32_t code : {1002u, 8003u}) fail_each_call(code);
}

TEST_F(kv_cache_faults, SSR_01_the_job_fails_at_any_call_with_a_restart_and_leaves_nothing) {
  run_clean();
  expect_misuse();
  fail_each_call(1007);
}

TEST_F(kv_cache_faults, two_calls_fail_in_one_run_and_nothing_is_left) {
  run_clean();
  fail_two_calls(1, 3);
}

TEST_F(kv_cache_faults, ALC_02_any_allocation_fails_and_nothing_is_left) {
  run_clean();
  const auto allocations = rpcmem_control().counters().allocations;
  ASSERT_EQ(allocations, 3u);
  expect_nothing_left(descriptors());
  fail_each_call(sim::RpcmemCall::alloc2, allocations);
  fail_each_call(sim::RpcmemCall::to_fd, allocations);
}

TEST_F(kv_cache_faults, the_job_runs_again_after_every_failure) {
  run_clean();
  succeed_after_failures(1);
}

}}  // namespace support
