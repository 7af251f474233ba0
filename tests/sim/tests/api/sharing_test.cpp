// Spill-fill memory that contexts share, in an external buffer or in a group, one after the other
// and at the same time.
#include <thread>

#include "fixture.hpp"

namespace sim_test { namespace {

class sim_sharing : public SimTest {
 protected:
  /// Creates and finalizes a deferred context that uses the shared buffer, and another one unless
  /// that is NULL.
  c_api::ContextHandle over(const Dma& shared, const std::vector<std::byte>& binary,
                            const c_api::MemDescriptor* other = nullptr) {
    DeferredConfig config;
    c_api::ContextHandle context = nullptr;
    EXPECT_EQ(create(binary, config.configs(), context), 0u);
    ExternalDescriptor descriptor{c_api::HtpMemType::shared_spillfill_buffer, shared.fd,
                                  shared.bytes};
    c_api::MemHandle handle = nullptr;
    EXPECT_EQ(code(qnn().mem_register(context, &descriptor.descriptor, 1, &handle)), 0u);
    if (other != nullptr) {
      EXPECT_EQ(code(qnn().mem_register(context, other, 1, &handle)), 0u);
    }
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
    return context;
  }
  static void meet(std::uint32_t executions, std::uint32_t timeout_ms) {
    sim::Config config = control().config();
    config.lockstep_executions = executions;
    config.lockstep_timeout_ms = timeout_ms;
    ASSERT_TRUE(control().set_config(config));
  }
  /// Executes chains a and b on separate threads. Returns which results are right.
  std::pair<bool, bool> both(c_api::GraphHandle first, c_api::GraphHandle second) {
    std::vector<float> out_a;
    std::vector<float> out_b;
    std::thread one{[&] { EXPECT_EQ(run_raw(first, a, out_a), 0u); }};
    std::thread two{[&] { EXPECT_EQ(run_raw(second, b, out_b), 0u); }};
    one.join();
    two.join();
    return {largest_difference(a.reference(a.input()), out_a.data()) < 1e-4f,
            largest_difference(b.reference(b.input()), out_b.data()) < 1e-4f};
  }

  const Chain a{.seed = 5};
  const Chain b{.seed = 6};
};

TEST_F(sim_sharing, BUF_12_sharers_that_run_at_the_same_time_spoil_each_other_every_time) {
  const auto first = binary_of({a});
  const auto second = binary_of({b});
  Dma shared{piece_bytes};
  const c_api::GraphHandle graph_a = graph_of(over(shared, first));
  const c_api::GraphHandle graph_b = graph_of(over(shared, second));
  meet(2, 2000);
  for (int round = 0; round < 5; ++round) {
    const auto [right_a, right_b] = both(graph_a, graph_b);
    EXPECT_FALSE(right_a && right_b);
  }
  EXPECT_EQ(control().counters().parallel_sharers, 5u);
  EXPECT_EQ(control().counters().misuses, 5u);
}

TEST_F(sim_sharing, BUF_12_BUF_19_sharers_of_a_vtcm_backup_that_run_at_the_same_time_are_counted) {
  sim::Config config = control().config();
  config.host_library = static_cast<std::uint32_t>(sim::HostLibrary::v2_48_40);
  ASSERT_TRUE(control().set_config(config));
  const auto first = binary_of({a});
  const auto second = binary_of({b});
  Dma one{piece_bytes};
  Dma two{piece_bytes};
  Dma shared{config.vtcm_bytes};
  ExternalDescriptor backup{c_api::HtpMemType::shared_vtcmbackup_buffer, shared.fd,
                            config.vtcm_bytes};
  const c_api::GraphHandle graph_a = graph_of(over(one, first, &backup.descriptor));
  const c_api::GraphHandle graph_b = graph_of(over(two, second, &backup.descriptor));
  meet(2, 2000);
  (void)both(graph_a, graph_b);
  EXPECT_EQ(control().misuses("BUF-12"), 1u);
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_EQ(control().counters().parallel_sharers, 1u);
}

TEST_F(sim_sharing, contexts_with_memory_of_their_own_run_at_the_same_time_and_are_right) {
  const auto first = binary_of({a});
  const auto second = binary_of({b});
  Dma one{piece_bytes};
  Dma two{piece_bytes};
  const c_api::GraphHandle graph_a = graph_of(over(one, first));
  const c_api::GraphHandle graph_b = graph_of(over(two, second));
  meet(2, 2000);
  const auto [right_a, right_b] = both(graph_a, graph_b);
  EXPECT_TRUE(right_a);
  EXPECT_TRUE(right_b);
  EXPECT_EQ(control().counters().parallel_sharers, 0u);
}

TEST_F(sim_sharing, executions_of_one_context_never_overlap) {
  const Chain other{.name = "other", .seed = 9};
  const auto binary = binary_of({a, other});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  meet(2, 5);
  std::vector<float> out_a;
  std::vector<float> out_b;
  const std::uint32_t ids_of_second = ids_of(a).out + 1;
  std::thread one{[&] { EXPECT_EQ(run_raw(graph_of(context), a, out_a), 0u); }};
  std::thread two{
      [&] { EXPECT_EQ(run_raw(graph_of(context, "other"), other, out_b, ids_of_second), 0u); }};
  one.join();
  two.join();
  EXPECT_LT(largest_difference(a.reference(a.input()), out_a.data()), 1e-4f);
  EXPECT_LT(largest_difference(other.reference(other.input()), out_b.data()), 1e-4f);
  EXPECT_EQ(control().counters().misuses, 0u) << "executions of one context wait for each other";
}

TEST_F(sim_sharing, THR_02_two_executions_of_one_graph_at_a_time_are_counted_and_right) {
  const auto binary = binary_of({a});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const c_api::GraphHandle graph = graph_of(context);
  std::vector<float> out;
  ASSERT_EQ(run_raw(graph, a, out), 0u);
  ASSERT_EQ(run_raw(graph, a, out), 0u);
  EXPECT_EQ(control().misuses("THR-02"), 0u) << "executions in sequence are allowed";
  meet(2, 200);
  std::thread other{[&] {
    std::vector<float> result;
    EXPECT_EQ(run_raw(graph, a, result), 0u);
    EXPECT_LT(largest_difference(a.reference(a.input()), result.data()), 1e-4f);
  }};
  EXPECT_EQ(run_raw(graph, a, out), 0u);
  other.join();
  EXPECT_LT(largest_difference(a.reference(a.input()), out.data()), 1e-4f);
  EXPECT_EQ(control().misuses("THR-02"), 1u);
}

/// Setup calls of large contexts, which last long enough to overlap.
class sim_setup_calls : public sim_sharing {
 protected:
  void SetUp() override {
    sim_sharing::SetUp();
    binary = binary_of({Chain{.width = 512, .layers = 8, .seed = 5}});
  }
  /// Calls `first` and `second` repeatedly on two threads. Returns how often they overlapped.
  template <class First, class Second>
  static std::uint64_t overlaps(First first, Second second) {
    for (int round = 0; round < 200 && control().misuses("THR-01") == 0; ++round) {
      std::thread one{first};
      std::thread two{second};
      one.join();
      two.join();
    }
    return control().misuses("THR-01");
  }
  void create_and_free() {
    c_api::ContextHandle context = nullptr;
    EXPECT_EQ(code(qnn().context_create_from_binary(backend, nullptr, nullptr, binary.data(),
                                                    binary.size(), &context, nullptr)),
              0u);
    EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
  }
  std::vector<std::byte> binary;
};

TEST_F(sim_setup_calls, THR_01_two_creations_on_one_backend_at_a_time_are_counted) {
  create_and_free();
  create_and_free();
  EXPECT_EQ(control().misuses("THR-01"), 0u) << "creations in sequence are allowed";
  EXPECT_NE(overlaps([&] { create_and_free(); }, [&] { create_and_free(); }), 0u);
}

TEST_F(sim_setup_calls,
       THR_01_creations_on_two_backends_and_finalizes_of_two_contexts_may_overlap) {
  c_api::BackendHandle other = nullptr;
  ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &other)), 0u);
  DeferredConfig config;
  c_api::ContextHandle first = nullptr;
  c_api::ContextHandle second = nullptr;
  ASSERT_EQ(create(binary, config.configs(), first), 0u);
  ASSERT_EQ(create(binary, config.configs(), second), 0u);
  std::thread one{[&] { EXPECT_EQ(code(qnn().context_finalize(first, nullptr)), 0u); }};
  std::thread two{[&] { EXPECT_EQ(code(qnn().context_finalize(second, nullptr)), 0u); }};
  std::thread three{[&] {
    c_api::ContextHandle context = nullptr;
    EXPECT_EQ(code(qnn().context_create(other, nullptr, nullptr, &context)), 0u);
    EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
  }};
  one.join();
  two.join();
  three.join();
  EXPECT_EQ(control().misuses("THR-01"), 0u);
  EXPECT_EQ(code(qnn().backend_free(other)), 0u);
}

TEST_F(sim_setup_calls, THR_01_tensors_are_registered_while_other_contexts_are_made) {
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  Dma dma{4096};
  const auto take_and_give = [&] {
    for (int i = 0; i < 50; ++i) {
      TensorDescriptor tensor{dma.fd, 64};
      c_api::MemHandle handle = nullptr;
      EXPECT_EQ(code(qnn().mem_register(context, &tensor.descriptor, 1, &handle)), 0u);
      EXPECT_EQ(code(qnn().mem_de_register(&handle, 1)), 0u);
    }
  };
  std::thread one{take_and_give};
  std::thread two{[&] { create_and_free(); }};
  one.join();
  two.join();
  EXPECT_EQ(control().misuses("THR-01"), 0u);
}

/// A config array with REGISTER_MULTI_CONTEXTS.
struct GroupConfig {
  c_api::HtpContextCustomConfig custom{};
  c_api::ContextConfig option{};
  const c_api::ContextConfig* array[2] = {&option, nullptr};
  GroupConfig(c_api::ContextHandle head, std::uint64_t most) {
    custom.option = c_api::HtpContextConfigOption::register_multi_contexts;
    custom.group_registration = {head, most};
    option.option = c_api::ContextConfigOption::custom;
    option.custom_config = &custom;
  }
  GroupConfig(const GroupConfig&) = delete;
  GroupConfig& operator=(const GroupConfig&) = delete;
};

TEST_F(sim_sharing, GRP_02_a_group_has_one_buffer_of_the_size_its_head_gave) {
  const Chain large{.width = 128, .seed = 7};
  const auto big = binary_of({large});
  const auto small = binary_of({a});
  c_api::ContextHandle head = nullptr;
  c_api::ContextHandle member = nullptr;
  GroupConfig first{nullptr, 8192};
  ASSERT_EQ(create(big, first.array, head), 0u);
  GroupConfig second{head, 0};
  ASSERT_EQ(create(small, second.array, member), 0u);
  EXPECT_EQ(control().counters().internal_spill_fill_bytes, 8192u);
  std::vector<float> out;
  ASSERT_EQ(run_raw(graph_of(member), a, out), 0u);
  EXPECT_LT(largest_difference(a.reference(a.input()), out.data()), 1e-4f);
  ASSERT_EQ(run_raw(graph_of(head), large, out), 0u);
  EXPECT_LT(largest_difference(large.reference(large.input()), out.data()), 1e-4f);
  EXPECT_EQ(free_context(member), 0u);
  EXPECT_EQ(free_context(head), 0u);
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(sim_sharing, GRP_01_a_group_that_is_too_small_for_a_member_is_refused) {
  const Chain large{.width = 128, .seed = 7};
  const auto big = binary_of({large});
  const auto small = binary_of({a});
  c_api::ContextHandle head = nullptr;
  c_api::ContextHandle member = nullptr;
  GroupConfig too_small{nullptr, 16};
  EXPECT_EQ(create(small, too_small.array, head), 5010u);
  EXPECT_EQ(free_context(head), 0u);
  GroupConfig first{nullptr, 256};
  ASSERT_EQ(create(small, first.array, head), 0u);
  GroupConfig second{head, 1u << 20};
  EXPECT_EQ(create(big, second.array, member), 5010u) << "the head's size counts, not the member's";
  EXPECT_EQ(free_context(member), 0u);
  EXPECT_EQ(control().counters().misuses, 2u);
}

TEST_F(sim_sharing, GRP_03_a_member_whose_head_is_gone_does_not_run) {
  const auto small = binary_of({a});
  c_api::ContextHandle head = nullptr;
  c_api::ContextHandle member = nullptr;
  GroupConfig first{nullptr, 4096};
  ASSERT_EQ(create(small, first.array, head), 0u);
  GroupConfig second{head, 0};
  ASSERT_EQ(create(small, second.array, member), 0u);
  const c_api::GraphHandle graph = graph_of(member);
  EXPECT_EQ(free_context(head), 0u);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph, a, out), 6039u);
  c_api::ContextHandle late = nullptr;
  EXPECT_EQ(create(small, second.array, late), 5010u) << "the head's handle is stale";
  EXPECT_EQ(control().counters().misuses, 3u);
}

}}  // namespace sim_test
