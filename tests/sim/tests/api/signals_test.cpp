// What signals stop, by the host library: executions, creations, lists; and the time of loads.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <utility>

#include "fixture.hpp"

namespace sim_test { namespace {

using sim::HostLibrary;

/// A list of two contexts, and what it notifies.
struct TwoContexts {
  const std::vector<std::byte>& binary;
  std::vector<c_api::ContextHandle> contexts;
  std::vector<std::uint32_t> codes;

  static void notify(c_api::ContextHandle context, c_api::GraphHandle, const char*,
                     c_api::ContextNotifyType type, void* parameter, c_api::ErrorHandle status) {
    if (type != c_api::ContextNotifyType::context_init) return;
    auto& list = *static_cast<TwoContexts*>(parameter);
    if (context != nullptr) list.contexts.push_back(context);
    list.codes.push_back(code(status));
  }
  std::uint32_t create(c_api::BackendHandle backend, c_api::SignalHandle signal) {
    const c_api::ContextParams entry{
        c_api::ContextParamsVersion::v1,
        {{nullptr, binary.data(), binary.size(), nullptr, notify, this}}};
    const c_api::ContextParams* entries[] = {&entry, &entry, nullptr};
    return code(
        qnn().context_create_from_binary_list_async(backend, nullptr, entries, nullptr, signal));
  }
};

class sim_signals : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    binary = binary_of({chain});
  }
  void TearDown() override {
    for (const c_api::SignalHandle each : signals) EXPECT_EQ(code(qnn().signal_free(each)), 0u);
    SimTest::TearDown();
  }

  template <class Value>
  static void set(Value sim::Config::* member, Value value) {
    sim::Config config = control().config();
    config.*member = value;
    ASSERT_TRUE(control().set_config(config));
  }
  static void set_load_delay(std::chrono::microseconds delay) {
    set(&sim::Config::load_delay_us, static_cast<std::uint32_t>(delay.count()));
  }
  static void set_node_delay(std::chrono::microseconds delay) {
    set(&sim::Config::node_delay_us, static_cast<std::uint32_t>(delay.count()));
  }
  static void be(HostLibrary library) {
    set(&sim::Config::host_library, static_cast<std::uint32_t>(library));
  }

  /// Creates a signal; the end of the test frees it.
  c_api::SignalHandle signal_of(c_api::SignalConfigOption option, std::uint64_t timeout_us = 0) {
    c_api::SignalConfig config{};
    config.option = option;
    config.timeout_duration_us = timeout_us;
    const c_api::SignalConfig* configs[] = {&config, nullptr};
    c_api::SignalHandle signal = nullptr;
    EXPECT_EQ(code(qnn().signal_create(backend, configs, &signal)), 0u);
    signals.push_back(signal);
    return signal;
  }
  c_api::SignalHandle abort_signal() { return signal_of(c_api::SignalConfigOption::abort); }
  c_api::SignalHandle timeout(std::chrono::microseconds after) {
    return signal_of(c_api::SignalConfigOption::timeout, static_cast<std::uint64_t>(after.count()));
  }

  /// Creates a context under a signal. The end of the test frees it.
  std::uint32_t create_under(c_api::SignalHandle signal,
                             const c_api::ContextConfig** configs = nullptr) {
    c_api::ContextHandle context = reinterpret_cast<c_api::ContextHandle>(this);
    const std::uint32_t result = code(qnn().context_create_from_binary_with_signal(
        backend, nullptr, configs, binary.data(), binary.size(), &context, nullptr, signal));
    if (result == 0)
      contexts.push_back(context);
    else
      EXPECT_EQ(context, nullptr);
    return result;
  }

  /// Makes a call on another thread, and triggers its signal until it is heeded or the call has
  /// ended. Returns the codes of the call and of the last trigger that the call could heed.
  template <class Call>
  std::pair<std::uint32_t, std::uint32_t> abort(c_api::SignalHandle signal, Call call) {
    std::atomic<bool> is_done{false};
    std::uint32_t result = 0;
    std::thread caller{[&] {
      result = call();
      is_done = true;
    }};
    std::uint32_t triggered = 9001;
    while (triggered == 9001 && !is_done) {
      triggered = code(qnn().signal_trigger(signal));
      std::this_thread::yield();
    }
    caller.join();
    return {result, triggered};
  }

  /// Checks that nothing of a creation is left.
  static void expect_nothing_left() {
    const sim::Counters left = control().counters();
    EXPECT_EQ(left.live_contexts + left.live_graphs, 0u);
    EXPECT_EQ(left.internal_bytes + left.io_preallocated_bytes, 0u);
    EXPECT_EQ(left.pd_used_bytes[0], 0u);
  }

  const Chain chain{};
  std::vector<std::byte> binary;
  std::vector<c_api::SignalHandle> signals;
  std::vector<float> out;
};

using std::chrono::milliseconds;
using CallAndTrigger = std::pair<std::uint32_t, std::uint32_t>;
constexpr CallAndTrigger no_effect{0, 9001};

// ---- the time of a load ---------------------------------------------------------------------

/// Returns the time of a call in milliseconds.
template <class Call>
std::int64_t time_of(Call call) {
  const auto start = std::chrono::steady_clock::now();
  call();
  return std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start).count();
}

TEST_F(sim_signals, a_load_lasts_as_long_as_configured) {
  set_load_delay(milliseconds{10});
  c_api::ContextHandle context = nullptr;
  EXPECT_GE(time_of([&] { EXPECT_EQ(create(binary, nullptr, context), 0u); }), 10);
  TwoContexts list{binary, {}, {}};
  EXPECT_GE(time_of([&] { EXPECT_EQ(list.create(backend, nullptr), 0u); }), 20);
  contexts.insert(contexts.end(), list.contexts.begin(), list.contexts.end());
  set_load_delay(std::chrono::hours{1});
  DeferredConfig deferred;
  ASSERT_EQ(create(binary, deferred.configs(), context), 0u) << "this takes no time";
  set_load_delay(milliseconds{10});
  EXPECT_GE(time_of([&] { EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u); }), 10);
  EXPECT_EQ(run_raw(graph_of(context), chain, out), 0u);
}

TEST_F(sim_signals, a_load_lets_other_threads_execute) {
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const c_api::GraphHandle graph = graph_of(context);
  const c_api::SignalHandle signal = abort_signal();
  set_load_delay(milliseconds{500});
  std::thread loader{[&] { EXPECT_EQ(create_under(signal), 5012u); }};
  while (control().calls(sim::Slot::context_create_from_binary_with_signal) == 0)
    std::this_thread::yield();
  EXPECT_EQ(run_raw(graph, chain, out), 0u);
  EXPECT_EQ(control().counters().executions, 1u);
  EXPECT_EQ(code(qnn().signal_trigger(signal)), 0u);
  loader.join();
}

TEST_F(sim_signals, ORD_08_a_context_that_is_freed_while_its_finalize_lasts_is_counted) {
  DeferredConfig deferred;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, deferred.configs(), context), 0u);
  set_load_delay(milliseconds{500});
  std::thread loader{[&] { EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5002u); }};
  while (control().calls(sim::Slot::context_finalize) == 0) std::this_thread::yield();
  EXPECT_EQ(free_context(context), 0u);
  loader.join();
  EXPECT_EQ(control().misuses("ORD-08"), 1u);
  expect_nothing_left();
}

// ---- executions -----------------------------------------------------------------------------

TEST_F(sim_signals, a_dsp_that_does_not_abort_ends_an_execution_in_its_own_time) {
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const c_api::GraphHandle graph = graph_of(context);
  set_node_delay(milliseconds{5});
  set(&sim::Config::dsp_aborts, 0u);
  const c_api::SignalHandle signal = abort_signal();
  EXPECT_EQ(abort(signal, [&] { return run_raw(graph, chain, out, 1, nullptr, signal); }),
            no_effect);
  EXPECT_EQ(run_raw(graph, chain, out, 1, nullptr, timeout(milliseconds{1})), 0u);
  EXPECT_EQ(control().counters().executions, 2u);
  set(&sim::Config::dsp_aborts, 1u);
  EXPECT_EQ(run_raw(graph, chain, out, 1, nullptr, timeout(milliseconds{1})), 6033u);
  EXPECT_EQ(abort(signal, [&] { return run_raw(graph, chain, out, 1, nullptr, signal); }),
            (CallAndTrigger{6031, 0}));
}

TEST_F(sim_signals, a_trigger_waits_for_the_end_of_an_execution_that_it_does_not_abort) {
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const c_api::GraphHandle graph = graph_of(context);
  set_node_delay(milliseconds{20});
  set(&sim::Config::dsp_aborts, 0u);
  const std::pair<c_api::SignalHandle, std::uint32_t> waits[] = {{abort_signal(), 9001},
                                                                 {timeout(milliseconds{1}), 9005}};
  for (const auto& [signal, expected] : waits) {
    control().reset_counters();
    std::thread runner{
        [&, used = signal] { EXPECT_EQ(run_raw(graph, chain, out, 1, nullptr, used), 0u); }};
    while (control().calls(sim::Slot::graph_execute) == 0) std::this_thread::yield();
    EXPECT_EQ(code(qnn().signal_trigger(signal)), expected);
    EXPECT_EQ(control().counters().executions, 1u);
    runner.join();
  }
}

TEST_F(sim_signals, a_second_execution_under_a_signal_waits_for_the_first) {
  c_api::ContextHandle first = nullptr;
  c_api::ContextHandle second = nullptr;
  ASSERT_EQ(create(binary, nullptr, first), 0u);
  ASSERT_EQ(create(binary, nullptr, second), 0u);
  const c_api::GraphHandle graphs[] = {graph_of(first), graph_of(second)};
  set_node_delay(milliseconds{20});
  const c_api::SignalHandle signal = abort_signal();
  std::uint32_t results[2] = {1, 1};
  std::vector<float> outs[2];
  std::thread runner{[&] { results[0] = run_raw(graphs[0], chain, outs[0], 1, nullptr, signal); }};
  while (control().calls(sim::Slot::graph_execute) == 0) std::this_thread::yield();
  EXPECT_EQ(code(qnn().signal_free(signal)), 9000u);
  std::thread waiter{[&] { results[1] = run_raw(graphs[1], chain, outs[1], 1, nullptr, signal); }};
  while (control().calls(sim::Slot::graph_execute) == 1) std::this_thread::yield();
  EXPECT_EQ(control().counters().executions, 0u);
  EXPECT_EQ(code(qnn().signal_trigger(signal)), 0u) << "ends the first one only";
  runner.join();
  waiter.join();
  EXPECT_EQ(results[0], 6031u);
  EXPECT_EQ(results[1], 0u);
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(sim_signals, THR_02_two_executions_of_a_graph_under_one_signal_succeed_and_are_counted) {
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const c_api::GraphHandle graph = graph_of(context);
  set_node_delay(milliseconds{20});
  const c_api::SignalHandle signal = abort_signal();
  std::vector<float> other;
  std::thread runner{[&] { EXPECT_EQ(run_raw(graph, chain, other, 1, nullptr, signal), 0u); }};
  while (control().calls(sim::Slot::graph_execute) == 0) std::this_thread::yield();
  EXPECT_EQ(run_raw(graph, chain, out, 1, nullptr, signal), 0u);
  runner.join();
  EXPECT_EQ(control().misuses("THR-02"), 1u);
}

TEST_F(sim_signals, a_trigger_of_an_idle_signal_is_not_remembered) {
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const c_api::SignalHandle signal = abort_signal();
  EXPECT_EQ(code(qnn().signal_trigger(signal)), 9001u);
  EXPECT_EQ(run_raw(graph_of(context), chain, out, 1, nullptr, signal), 0u);
  EXPECT_EQ(code(qnn().signal_trigger(signal)), 9001u);
  EXPECT_EQ(create_under(signal), 0u);
  EXPECT_EQ(code(qnn().signal_trigger(signal)), 9001u);
}

// ---- creations ------------------------------------------------------------------------------

TEST_F(sim_signals, an_abort_ends_a_creation_in_every_library) {
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    binary = binary_of({chain});
    set_load_delay(milliseconds{300});
    const c_api::SignalHandle signal = abort_signal();
    EXPECT_EQ(abort(signal, [&] { return create_under(signal); }), (CallAndTrigger{5012, 0}));
    expect_nothing_left();
    set_load_delay(milliseconds{0});
    EXPECT_EQ(create_under(signal), 0u) << "the next creation works";
    for (const c_api::ContextHandle made : std::exchange(contexts, {}))
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
  }
}

TEST_F(sim_signals,
       an_abort_during_the_first_remote_call_of_a_creation_has_no_effect_from_2_46_on) {
  be(HostLibrary::v2_46_0);
  binary = binary_of({chain});
  set_load_delay(milliseconds{2000});
  const c_api::SignalHandle signal = abort_signal();
  std::thread creator{[&] { EXPECT_EQ(create_under(signal), 0u); }};
  while (control().calls(sim::Slot::context_create_from_binary_with_signal) == 0)
    std::this_thread::yield();
  EXPECT_EQ(code(qnn().signal_trigger(signal)), 9001u);
  creator.join();
}

TEST_F(sim_signals, a_timeout_ends_a_creation_in_every_library) {
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    binary = binary_of({chain});
    set_load_delay(milliseconds{20});
    const c_api::SignalHandle signal = timeout(milliseconds{1});
    const std::int64_t time = time_of([&] { EXPECT_EQ(create_under(signal), 5013u); });
    // The older libraries notice the time only after the last remote call.
    if (answers_of(library).htp_api.minor < 46) {
      EXPECT_GE(time, 20);
    }
    expect_nothing_left();
    EXPECT_EQ(create_under(nullptr), 0u) << "the next creation works";
    EXPECT_EQ(create_under(timeout(std::chrono::hours{1})), 0u);
    for (const c_api::ContextHandle made : std::exchange(contexts, {}))
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
  }
}

TEST_F(sim_signals, a_timeout_that_is_noticed_on_the_way_does_not_wait_for_the_end) {
  be(HostLibrary::v2_46_0);
  binary = binary_of({chain});
  set_load_delay(milliseconds{3000});
  EXPECT_LT(time_of([&] { EXPECT_EQ(create_under(timeout(milliseconds{1})), 5013u); }), 2700);
}

TEST_F(sim_signals, nothing_ends_a_deferred_creation) {
  DeferredConfig deferred;
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    binary = binary_of({chain});
    set_load_delay(milliseconds{10});
    const c_api::SignalHandle at_once = timeout(milliseconds{0});
    EXPECT_EQ(create_under(at_once, deferred.configs()), 0u);
    for (const c_api::ContextHandle made : std::exchange(contexts, {}))
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
  }
}

// ---- lists ----------------------------------------------------------------------------------

/// What becomes of a list of two contexts.
struct Ending {
  std::uint32_t result;
  std::vector<std::uint32_t> codes;  ///< of the notifications
};
constexpr std::uint32_t list_failed = 5005;

TEST_F(sim_signals, an_abort_ends_one_entry_of_a_list_or_the_whole_list) {
  const Ending one{list_failed, {list_failed, 0}}, whole{5012, {5012, 5012}};
  const Ending* const endings[] = {&one, &one, &one, &whole, &one};
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    binary = binary_of({chain});
    const Ending& expected = *endings[static_cast<std::size_t>(library)];
    set_load_delay(milliseconds{300});
    const c_api::SignalHandle signal = abort_signal();
    TwoContexts list{binary, {}, {}};
    EXPECT_EQ(abort(signal, [&] { return list.create(backend, signal); }),
              (CallAndTrigger{expected.result, 0}));
    EXPECT_EQ(list.codes, expected.codes);
    EXPECT_EQ(list.contexts.size(), std::count(list.codes.begin(), list.codes.end(), 0u));
    for (const c_api::ContextHandle made : list.contexts) {
      EXPECT_EQ(run_raw(graph_of(made), chain, out), 0u);
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    }
    expect_nothing_left();
  }
}

TEST_F(sim_signals, a_timeout_ends_one_entry_of_a_list_or_each_or_the_whole_list) {
  const Ending one{list_failed, {list_failed, 0}}, each{list_failed, {list_failed, list_failed}},
      whole{5013, {5013, 5013}};
  const Ending* const endings[] = {&each, &one, &one, &whole, &one};
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    binary = binary_of({chain});
    const Ending& expected = *endings[static_cast<std::size_t>(library)];
    set_load_delay(milliseconds{20});
    TwoContexts list{binary, {}, {}};
    EXPECT_EQ(list.create(backend, timeout(milliseconds{1})), expected.result);
    EXPECT_EQ(list.codes, expected.codes);
    EXPECT_EQ(list.contexts.size(), std::count(list.codes.begin(), list.codes.end(), 0u));
    for (const c_api::ContextHandle made : list.contexts)
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    expect_nothing_left();
  }
}

TEST_F(sim_signals, a_list_that_a_signal_ends_as_a_whole_keeps_no_entry_that_was_made) {
  be(HostLibrary::v2_51_0);
  binary = binary_of({chain});
  set_load_delay(milliseconds{100});
  TwoContexts list{binary, {}, {}};
  // The first entry is made in time, or the machine is slow and it is not: the list ends alike.
  EXPECT_EQ(list.create(backend, timeout(milliseconds{150})), 5013u);
  EXPECT_EQ(list.codes, (std::vector<std::uint32_t>{5013, 5013}));
  EXPECT_TRUE(list.contexts.empty());
  expect_nothing_left();
}

}}  // namespace sim_test
