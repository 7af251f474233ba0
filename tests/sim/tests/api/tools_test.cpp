// What a client sets up before its contexts, and what it reads afterwards: logs, devices, profiles,
// signals, lists of contexts, error texts.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <thread>

#include "fixture.hpp"
#include "sim/objects/device.hpp"

namespace sim_test { namespace {

struct Line {
  c_api::LogLevel level;
  std::string text;
};
std::vector<Line>& lines() {
  // Never destroyed: the library logs until the process has ended.
  static auto& kept = *new std::vector<Line>;
  return kept;
}
void keep(const char* format, c_api::LogLevel level, std::uint64_t, std::va_list arguments) {
  char line[512];
  std::vsnprintf(line, sizeof line, format, arguments);
  lines().push_back({level, line});
}

class sim_tools : public SimTest {};

TEST_F(sim_tools, a_logger_gets_lines_up_to_its_level) {
  lines().clear();
  c_api::LogHandle logger = nullptr;
  ASSERT_EQ(code(qnn().log_create(keep, c_api::LogLevel::error, &logger)), 0u);
  c_api::BackendHandle logged = nullptr;
  ASSERT_EQ(code(qnn().backend_create(logger, nullptr, &logged)), 0u);
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(code(qnn().context_create_from_binary(logged, nullptr, nullptr, "nonsense", 8, &context,
                                                  nullptr)),
            30001u);
  ASSERT_EQ(lines().size(), 1u);
  EXPECT_EQ(lines()[0].level, c_api::LogLevel::error);
  EXPECT_NE(lines()[0].text.find("QnnContext_createFromBinary failed with 30001"),
            std::string::npos)
      << lines()[0].text;
  ASSERT_EQ(code(qnn().log_set_log_level(logger, c_api::LogLevel::info)), 0u);
  const auto binary = binary_of({Chain{}});
  ASSERT_EQ(code(qnn().context_create_from_binary(logged, nullptr, nullptr, binary.data(),
                                                  binary.size(), &context, nullptr)),
            0u);
  EXPECT_EQ(lines().back().level, c_api::LogLevel::info);
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
  EXPECT_EQ(code(qnn().backend_free(logged)), 0u);
  EXPECT_EQ(code(qnn().log_free(logger)), 0u);
  EXPECT_EQ(control().counters().misuses, 0u);
}

/// Calls the backend from inside the callback.
void call_back(const char*, c_api::LogLevel, std::uint64_t, std::va_list) {
  const char* id = nullptr;
  EXPECT_EQ(code(qnn().backend_get_build_id(&id)), 0u);
}

TEST_F(sim_tools, a_log_callback_may_call_the_backend) {
  c_api::LogHandle logger = nullptr;
  EXPECT_EQ(code(qnn().log_create(call_back, c_api::LogLevel::debug, &logger)), 0u);
  EXPECT_EQ(code(qnn().log_free(logger)), 0u);
}

TEST_F(sim_tools, a_logger_that_is_freed_before_its_backend_is_a_misuse) {
  c_api::LogHandle logger = nullptr;
  ASSERT_EQ(code(qnn().log_create(keep, c_api::LogLevel::error, &logger)), 0u);
  c_api::BackendHandle logged = nullptr;
  ASSERT_EQ(code(qnn().backend_create(logger, nullptr, &logged)), 0u);
  EXPECT_EQ(code(qnn().log_free(logger)), 0u);
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_NE(control().misuse_text(0).find("logger"), std::string::npos);
  EXPECT_EQ(control().misuse_text(1), "");
  lines().clear();
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(
      code(qnn().context_create_from_binary(logged, nullptr, nullptr, "x", 1, &context, nullptr)),
      30001u);
  EXPECT_TRUE(lines().empty()) << "a dead logger is not called";
  EXPECT_EQ(code(qnn().backend_free(logged)), 0u);
}

/// Returns the data of a profile's events at the top level.
std::vector<c_api::ProfileEventData> events_of(c_api::ProfileHandle profile,
                                               std::vector<c_api::ProfileEventId>* ids = nullptr) {
  const c_api::ProfileEventId* events = nullptr;
  std::uint32_t count = 0;
  EXPECT_EQ(code(qnn().profile_get_events(profile, &events, &count)), 0u);
  std::vector<c_api::ProfileEventData> data(count);
  for (std::uint32_t i = 0; i < count; ++i)
    EXPECT_EQ(code(qnn().profile_get_event_data(events[i], &data[i])), 0u);
  if (ids != nullptr) ids->assign(events, events + count);
  return data;
}

/// Returns the types of events.
std::vector<std::uint32_t> types_of(const std::vector<c_api::ProfileEventData>& events) {
  std::vector<std::uint32_t> types;
  for (const c_api::ProfileEventData& event : events) types.push_back(event.type);
  return types;
}
using Types = std::vector<std::uint32_t>;

TEST_F(sim_tools, a_basic_profile_has_the_events_of_the_last_call) {
  const Chain chain;
  const auto binary = binary_of({chain});
  c_api::ProfileHandle profile = nullptr;
  ASSERT_EQ(code(qnn().profile_create(backend, 1, &profile)), 0u);
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(code(qnn().context_create_from_binary(backend, nullptr, nullptr, binary.data(),
                                                  binary.size(), &context, profile)),
            0u);
  EXPECT_EQ(types_of(events_of(profile)), (Types{1002, 1003, 100}));
  std::vector<float> out;
  ASSERT_EQ(run_raw(graph_of(context), chain, out, 1, profile), 0u);
  const auto events = events_of(profile);
  EXPECT_EQ(types_of(events), (Types{8001, 3001, 3002, 3004, 3012, 400}));
  EXPECT_STREQ(events.back().identifier, "QNN (execute) time");
  EXPECT_GE(events.back().value, events[3].value) << "the accelerator's time is a part of it";
  ASSERT_EQ(code(qnn().context_free(context, profile)), 0u);
  EXPECT_EQ(types_of(events_of(profile)), (Types{4001, 4002, 500}));
  EXPECT_EQ(code(qnn().profile_free(profile)), 0u);
}

TEST_F(sim_tools, a_detailed_profile_has_an_event_for_each_node_and_real_times) {
  sim::Config config = control().config();
  config.node_delay_us = 500;
  ASSERT_TRUE(control().set_config(config));
  const Chain chain;
  const auto binary = binary_of({chain});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const std::uint32_t nodes = 2 * chain.layers - 1;
  for (const c_api::ProfileLevel level : {2u, 7001u}) {
    SCOPED_TRACE(level);
    c_api::ProfileHandle profile = nullptr;
    ASSERT_EQ(code(qnn().profile_create(backend, level, &profile)), 0u);
    std::vector<float> out;
    ASSERT_EQ(run_raw(graph_of(context), chain, out, 1, profile), 0u);
    std::vector<c_api::ProfileEventId> ids;
    const auto events = events_of(profile, &ids);
    ASSERT_EQ(types_of(events), (Types{8001, 3001, 3002, 3009, 3010, 3011,
                                       level == 2 ? 3003u : 6001u, 3004, 3012, 400}));
    EXPECT_GE(events.back().value, nodes * 500u);
    c_api::ProfileExtendedEventData extended{};
    ASSERT_EQ(code(qnn().profile_get_extended_event_data(ids.back(), &extended)), 0u);
    EXPECT_EQ(extended.v1.value.uint64_value, events.back().value);
    EXPECT_EQ(extended.v1.timestamp, 0u);
    const c_api::ProfileEventId* each = nullptr;
    std::uint32_t count = 0;
    ASSERT_EQ(code(qnn().profile_get_sub_events(ids[6], &each, &count)), 0u);
    ASSERT_EQ(count, nodes);
    std::uint64_t sum = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      c_api::ProfileEventData node;
      ASSERT_EQ(code(qnn().profile_get_event_data(each[i], &node)), 0u);
      EXPECT_EQ(node.type, 404u);
      EXPECT_EQ(node.unit, 3u) << "cycles";
      EXPECT_GE(node.value, 500'000u) << "one a nanosecond";
      sum += node.value;
      const c_api::ProfileEventId* parts = nullptr;
      std::uint32_t of_node = 0;
      ASSERT_EQ(code(qnn().profile_get_sub_events(each[i], &parts, &of_node)), 0u);
      EXPECT_EQ(of_node, level == 2 ? 0u : 4u);
    }
    EXPECT_EQ(sum, events[6].value);
    const c_api::ProfileEventId one_node = each[0];
    ASSERT_EQ(run_raw(graph_of(context), chain, out, 1, profile), 0u);
    EXPECT_EQ(events_of(profile).size(), 10u) << "the next call resets a profile";
    EXPECT_EQ(code(qnn().profile_free(profile)), 0u);
    c_api::ProfileEventData gone;
    EXPECT_EQ(code(qnn().profile_get_event_data(one_node, &gone)), 1004u);
  }
}

TEST_F(sim_tools, an_op_trace_is_an_event_with_bytes) {
  const Chain chain;
  const auto binary = binary_of({chain});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  c_api::ProfileHandle profile = nullptr;
  ASSERT_EQ(code(qnn().profile_create(backend, 2, &profile)), 0u);
  c_api::ProfileConfig trace{};
  trace.option = c_api::ProfileConfigOption::enable_optrace;
  trace.enable_optrace = 1;
  const c_api::ProfileConfig* configs[] = {&trace, nullptr};
  ASSERT_EQ(code(qnn().profile_set_config(profile, configs)), 0u);
  std::vector<float> out;
  ASSERT_EQ(run_raw(graph_of(context), chain, out, 1, profile), 0u);
  std::vector<c_api::ProfileEventId> ids;
  const auto events = events_of(profile, &ids);
  ASSERT_EQ(events.size(), 11u);
  EXPECT_EQ(events[9].type, 600u);
  EXPECT_EQ(events[9].unit, 5u);
  c_api::ProfileExtendedEventData extended{};
  ASSERT_EQ(code(qnn().profile_get_extended_event_data(ids[9], &extended)), 0u);
  const c_api::OpaqueObject object = extended.v1.backend_opaque_object.opaque_object;
  const std::string text(static_cast<const char*>(object.data), object.len);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2 * chain.layers - 1) << text;
  EXPECT_EQ(code(qnn().profile_free(profile)), 0u);
}

TEST_F(sim_tools, a_continuous_profile_is_bound_to_one_graph) {
  const Chain chain;
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
  contexts.push_back(context);
  c_api::GraphHandle graph = nullptr;
  c_api::GraphHandle second = nullptr;
  ASSERT_EQ(compose(context, chain, &graph), 0u);
  ASSERT_EQ(compose(context, Chain{.name = "second"}, &second), 0u);
  c_api::ProfileHandle profile = nullptr;
  ASSERT_EQ(code(qnn().profile_create(backend, 1, &profile)), 0u);
  c_api::GraphConfig bind{};
  bind.option = c_api::GraphConfigOption::profile_handle;
  bind.profile_handle = profile;
  const c_api::GraphConfig* configs[] = {&bind, nullptr};
  ASSERT_EQ(code(qnn().graph_set_config(graph, configs)), 0u);
  EXPECT_EQ(code(qnn().graph_set_config(second, configs)), 6032u);
  EXPECT_EQ(code(qnn().profile_free(profile)), 12001u);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph, chain, out, 1, profile), 6032u)
      << "no profile besides the continuous one";
  EXPECT_EQ(run_raw(graph, chain, out), 0u);
  const c_api::ProfileEventId* events = nullptr;
  std::uint32_t count = 0;
  EXPECT_EQ(code(qnn().profile_get_events(profile, &events, &count)), 0u);
  EXPECT_EQ(count, 6u);
  bind.profile_handle = nullptr;
  ASSERT_EQ(code(qnn().graph_set_config(graph, configs)), 0u);
  EXPECT_EQ(code(qnn().profile_free(profile)), 0u);
}

TEST_F(sim_tools, profiles_are_of_any_level_and_only_detailed_ones_take_an_op_trace) {
  c_api::ProfileConfig trace{};
  trace.option = c_api::ProfileConfigOption::enable_optrace;
  trace.enable_optrace = 1;
  const c_api::ProfileConfig* configs[] = {&trace, nullptr};
  for (const c_api::ProfileLevel level : {0u, 1u, 2u, 77u}) {
    c_api::ProfileHandle profile = nullptr;
    ASSERT_EQ(code(qnn().profile_create(backend, level, &profile)), 0u);
    EXPECT_EQ(code(qnn().profile_set_config(profile, configs)), level == 2 ? 0u : 1004u);
    EXPECT_EQ(code(qnn().profile_set_config(profile, nullptr)), 0u);
    EXPECT_EQ(code(qnn().profile_free(profile)), 0u);
  }
}

TEST_F(sim_tools, ORD_09_a_dead_handle_that_the_library_answers_0_to_is_a_misuse) {
  const auto dead = reinterpret_cast<c_api::ProfileHandle>(std::uintptr_t{0x1234});
  EXPECT_EQ(code(qnn().profile_set_config(dead, nullptr)), 0u);
  EXPECT_EQ(control().misuses("ORD-09"), 1u);
  EXPECT_EQ(code(qnn().backend_set_config(
                reinterpret_cast<c_api::BackendHandle>(std::uintptr_t{0x1234}), nullptr)),
            0u);
  EXPECT_EQ(control().misuses("ORD-09"), 2u);
  const c_api::DevicePlatformInfo mine{};
  EXPECT_EQ(code(qnn().device_free_platform_info(nullptr, &mine)), 0u);
  EXPECT_EQ(control().misuses("ORD-09"), 3u);
  EXPECT_EQ(code(qnn().backend_set_config(backend, nullptr)), 0u);
  EXPECT_EQ(control().counters().misuses, 3u) << "a live handle is no misuse";
}

/// How an object of each kind is freed, the code for a freed object, and another use of it.
struct FreedKind {
  const char* words;
  std::function<std::uint64_t()> free;
  std::uint64_t code;
  std::function<std::uint64_t()> use;
  std::uint64_t use_code;
};

TEST_F(sim_tools, ORD_09_an_object_of_any_kind_that_is_freed_twice_or_used_then_is_a_misuse) {
  c_api::LogHandle log = nullptr;
  c_api::BackendHandle other = nullptr;
  c_api::DeviceHandle device = nullptr;
  c_api::ContextHandle context = nullptr;
  c_api::ContextHandle unused = nullptr;
  c_api::ProfileHandle profile = nullptr;
  c_api::SignalHandle signal = nullptr;
  c_api::GraphHandle graph = nullptr;
  const c_api::ProfileEventId* events = nullptr;
  std::uint32_t count = 0;
  ASSERT_EQ(code(qnn().log_create(nullptr, c_api::LogLevel::error, &log)), 0u);
  ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &other)), 0u);
  ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
  ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
  ASSERT_EQ(code(qnn().profile_create(backend, 1, &profile)), 0u);
  ASSERT_EQ(code(qnn().signal_create(backend, nullptr, &signal)), 0u);
  const FreedKind kinds[] = {
      {"context", [&] { return code(qnn().context_free(context, nullptr)); }, 5002,
       [&] { return code(qnn().graph_retrieve(context, "g", &graph)); }, 5002},
      {"profile", [&] { return code(qnn().profile_free(profile)); }, 12000,
       [&] { return code(qnn().profile_get_events(profile, &events, &count)); }, 12000},
      {"signal", [&] { return code(qnn().signal_free(signal)); }, 9003,
       [&] { return code(qnn().signal_trigger(signal)); }, 9003},
      {"device", [&] { return code(qnn().device_free(device)); }, 14000,
       [&] { return code(qnn().context_create(backend, device, nullptr, &unused)); }, 5002},
      {"backend", [&] { return code(qnn().backend_free(other)); }, 4011,
       [&] { return code(qnn().context_create(other, nullptr, nullptr, &unused)); }, 1100},
      {"logger", [&] { return code(qnn().log_free(log)); }, 11003,
       [&] { return code(qnn().backend_create(log, nullptr, &other)); }, 4004}};
  std::uint64_t misuses = 0;
  for (const FreedKind& kind : kinds) {
    EXPECT_EQ(kind.free(), 0u) << kind.words;
    EXPECT_EQ(control().misuses("ORD-09"), misuses) << kind.words;
    EXPECT_EQ(kind.free(), kind.code) << kind.words;
    EXPECT_EQ(control().misuses("ORD-09"), ++misuses) << kind.words;
    EXPECT_EQ(kind.use(), kind.use_code) << kind.words;
    EXPECT_EQ(control().misuses("ORD-09"), ++misuses) << kind.words;
  }
  EXPECT_EQ(control().counters().misuses, misuses);
}

TEST_F(sim_tools, ORD_09_numbers_of_no_object_and_frees_that_fail_by_order_are_no_misuse) {
  const auto nonsense = [](std::uint64_t number) { return reinterpret_cast<void*>(number); };
  c_api::SignalHandle signal = nullptr;
  ASSERT_EQ(code(qnn().signal_create(backend, nullptr, &signal)), 0u);
  for (const std::uint64_t number :
       {std::uint64_t{0}, std::uint64_t{0x1234}, reinterpret_cast<std::uint64_t>(&signal)}) {
    EXPECT_NE(code(qnn().signal_free(static_cast<c_api::SignalHandle>(nonsense(number)))), 0u);
    EXPECT_NE(code(qnn().backend_free(static_cast<c_api::BackendHandle>(nonsense(number)))), 0u);
  }
  control().fail_call(c_api::Slot::signal_free, 1, 1002);
  EXPECT_EQ(code(qnn().signal_free(signal)), 1002u);
  EXPECT_EQ(code(qnn().signal_free(signal)), 9003u) << "the client may try again";
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
  control().restart_subsystem(false);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 5002u)
      << "the context is dead, but not freed";
  EXPECT_EQ(control().counters().misuses, 0u);
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
}

TEST_F(sim_tools, ORD_08_profiles_and_signals_outlive_their_backend_as_a_misuse) {
  c_api::BackendHandle other = nullptr;
  ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &other)), 0u);
  c_api::ProfileHandle profile = nullptr;
  c_api::SignalHandle signal = nullptr;
  ASSERT_EQ(code(qnn().profile_create(other, 1, &profile)), 0u);
  ASSERT_EQ(code(qnn().signal_create(other, nullptr, &signal)), 0u);
  EXPECT_EQ(code(qnn().backend_free(other)), 0u);
  EXPECT_EQ(control().misuses("ORD-08"), 1u);
  const c_api::ProfileEventId* events = nullptr;
  std::uint32_t count = 7;
  EXPECT_EQ(code(qnn().profile_get_events(profile, &events, &count)), 0u);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(code(qnn().profile_free(profile)), 0u);
  EXPECT_EQ(code(qnn().signal_free(signal)), 0u);
}

TEST_F(sim_tools, CFG_01_a_zeroed_config_that_the_library_ignores_is_a_misuse) {
  c_api::BackendConfig zeroed{};
  const c_api::BackendConfig* configs[] = {&zeroed, nullptr};
  c_api::BackendHandle other = nullptr;
  EXPECT_EQ(code(qnn().backend_create(nullptr, configs, &other)), 0u);
  EXPECT_EQ(control().misuses("CFG-01"), 1u);
  EXPECT_EQ(code(qnn().backend_free(other)), 0u);
}

TEST_F(sim_tools, an_op_package_is_remembered_and_its_ops_stay_unknown) {
  EXPECT_EQ(code(qnn().backend_register_op_package(backend, "/no/such.so", "provider", nullptr)),
            0u)
      << "the file is opened when its ops are needed";
  EXPECT_EQ(code(qnn().backend_register_op_package(backend, "/no/such.so", "provider", "HTP")),
            4009u);
  c_api::OpConfig op{};
  op.version = c_api::OpConfigVersion::v1;
  op.v1.name = "mine";
  op.v1.package_name = "provider";
  op.v1.type_name = "Mine";
  EXPECT_NE(code(qnn().backend_validate_op_config(backend, op)), 0u);
}

/// Returns a signal that can abort calls.
c_api::SignalHandle abort_signal(c_api::BackendHandle backend) {
  c_api::SignalConfig abort{};
  abort.option = c_api::SignalConfigOption::abort;
  const c_api::SignalConfig* configs[] = {&abort, nullptr};
  c_api::SignalHandle signal = nullptr;
  EXPECT_EQ(code(qnn().signal_create(backend, configs, &signal)), 0u);
  return signal;
}

TEST_F(sim_tools, a_signal_is_what_the_first_of_its_configs_says) {
  c_api::SignalConfig abort{};
  abort.option = c_api::SignalConfigOption::abort;
  c_api::SignalConfig timeout{};
  timeout.option = c_api::SignalConfigOption::timeout;
  const c_api::SignalConfig* configs[] = {&timeout, &abort, nullptr};
  c_api::SignalHandle signal = nullptr;
  ASSERT_EQ(code(qnn().signal_create(backend, configs, &signal)), 0u);
  EXPECT_EQ(code(qnn().signal_trigger(signal)), 9005u);
  EXPECT_EQ(code(qnn().signal_set_config(signal, nullptr)), 0u);
  EXPECT_EQ(code(qnn().signal_set_config(signal, &configs[1])), 0u);
  EXPECT_EQ(code(qnn().signal_trigger(signal)), 9001u)
      << "the signal is configured to abort, and idle";
  c_api::SignalConfig unknown{};
  const c_api::SignalConfig* others[] = {&unknown, nullptr};
  EXPECT_EQ(code(qnn().signal_set_config(signal, others)), 0u);
  EXPECT_EQ(control().misuses("CFG-01"), 1u) << "the option is ignored";
  EXPECT_EQ(code(qnn().signal_free(signal)), 0u);
}

TEST_F(sim_tools, a_signal_aborts_an_execution_from_another_thread) {
  sim::Config config = control().config();
  config.node_delay_us = 20000;
  ASSERT_TRUE(control().set_config(config));
  const Chain chain;
  const auto binary = binary_of({chain});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  const c_api::GraphHandle graph = graph_of(context);
  const c_api::SignalHandle signal = abort_signal(backend);
  std::atomic<std::uint32_t> result{0};
  std::vector<float> out;
  std::thread runner{[&] { result = run_raw(graph, chain, out, 1, nullptr, signal); }};
  std::uint32_t triggered = 9001;
  while (triggered == 9001) triggered = code(qnn().signal_trigger(signal));
  EXPECT_EQ(triggered, 0u);
  runner.join();
  EXPECT_EQ(result.load(), 6031u);
  EXPECT_EQ(control().counters().executions, 0u);
  config.node_delay_us = 0;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(run_raw(graph, chain, out, 1, nullptr, signal), 0u) << "the signal can be used again";
  EXPECT_EQ(code(qnn().signal_free(signal)), 0u);
}

struct Notified {
  std::vector<c_api::ContextHandle> contexts;
  std::vector<std::uint32_t> codes;
  std::vector<std::string> graphs;
};
void notify(c_api::ContextHandle context, c_api::GraphHandle graph, const char* name,
            c_api::ContextNotifyType type, void* parameter, c_api::ErrorHandle status) {
  auto& notified = *static_cast<Notified*>(parameter);
  if (type == c_api::ContextNotifyType::graph_init) {
    EXPECT_NE(graph, nullptr);
    EXPECT_EQ(context, nullptr);
    notified.graphs.emplace_back(name);
  } else {
    EXPECT_EQ(graph, nullptr);
    EXPECT_EQ(name, nullptr);
    notified.contexts.push_back(context);
    notified.codes.push_back(code(status));
  }
}

TEST_F(sim_tools, ASY_01_a_list_of_contexts_notifies_each_graph_and_each_context) {
  const Chain chain;
  const auto first = binary_of({chain, Chain{.name = "second", .seed = 2}});
  const auto second = binary_of({chain});
  auto damaged = second;
  damaged.back() ^= std::byte{1};  // in its weights
  Notified notified;
  c_api::ContextParams good{c_api::ContextParamsVersion::v1,
                            {{nullptr, first.data(), first.size(), nullptr, notify, &notified}}};
  c_api::ContextParams bad{c_api::ContextParamsVersion::v1,
                           {{nullptr, damaged.data(), damaged.size(), nullptr, notify, &notified}}};
  c_api::ContextParams also{c_api::ContextParamsVersion::v1,
                            {{nullptr, second.data(), second.size(), nullptr, notify, &notified}}};
  const c_api::ContextParams* list[] = {&good, &bad, &also, nullptr};
  // The call fails because of one entry; the other contexts exist nevertheless.
  ASSERT_EQ(
      code(qnn().context_create_from_binary_list_async(backend, nullptr, list, nullptr, nullptr)),
      5005u);
  EXPECT_EQ(control().counters().misuses, 0u);
  EXPECT_EQ(notified.graphs, (std::vector<std::string>{"chain", "second", "chain"}));
  EXPECT_EQ(notified.codes, (std::vector<std::uint32_t>{0, 5005, 0}));
  ASSERT_EQ(notified.contexts.size(), 3u);
  EXPECT_EQ(notified.contexts[1], nullptr);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph_of(notified.contexts[2]), chain, out), 0u);
  EXPECT_LT(largest_difference(chain.reference(chain.input()), out.data()), 1e-4f);
  contexts = {notified.contexts[0], notified.contexts[2]};

  c_api::ContextParams mute{c_api::ContextParamsVersion::v1,
                            {{nullptr, first.data(), first.size(), nullptr, nullptr, nullptr}}};
  const c_api::ContextParams* silent[] = {&mute, nullptr};
  EXPECT_EQ(
      code(qnn().context_create_from_binary_list_async(backend, nullptr, silent, nullptr, nullptr)),
      5000u);
}

TEST_F(sim_tools, RES_03_a_list_after_a_failed_load_succeeds_and_a_context_lacks_its_graphs) {
  const auto binary = binary_of({Chain{}});
  sim::Config config = control().config();
  config.undefined_loads = 1;
  config.pd_budget_bytes = 1;
  ASSERT_TRUE(control().set_config(config));
  c_api::ContextHandle refused = nullptr;
  EXPECT_EQ(create(binary, nullptr, refused), 1002u);
  config.pd_budget_bytes = sim::default_config().pd_budget_bytes;
  ASSERT_TRUE(control().set_config(config));
  Notified notified;
  c_api::ContextParams one{c_api::ContextParamsVersion::v1,
                           {{nullptr, binary.data(), binary.size(), nullptr, notify, &notified}}};
  const c_api::ContextParams* list[] = {&one, &one, nullptr};
  ASSERT_EQ(
      code(qnn().context_create_from_binary_list_async(backend, nullptr, list, nullptr, nullptr)),
      0u);
  EXPECT_EQ(notified.codes, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(notified.graphs.size(), 1u);
  contexts = notified.contexts;
  c_api::GraphHandle graph = nullptr;
  EXPECT_EQ(code(qnn().graph_retrieve(contexts.at(0), "chain", &graph)), 6003u);
  EXPECT_EQ(code(qnn().graph_retrieve(contexts.at(1), "chain", &graph)), 0u);
}

TEST_F(sim_tools, ASY_02_an_entry_of_a_list_fails_with_5005_whatever_the_cause) {
  const auto binary = binary_of({Chain{}});
  sim::Config config = control().config();
  config.max_contexts = 1;
  ASSERT_TRUE(control().set_config(config));
  Notified notified;
  c_api::ContextParams one{c_api::ContextParamsVersion::v1,
                           {{nullptr, binary.data(), binary.size(), nullptr, notify, &notified}}};
  const c_api::ContextParams* list[] = {&one, &one, nullptr};
  EXPECT_EQ(
      code(qnn().context_create_from_binary_list_async(backend, nullptr, list, nullptr, nullptr)),
      5005u);
  EXPECT_EQ(notified.codes, (std::vector<std::uint32_t>{0, 5005}));
  contexts = {notified.contexts.at(0)};
}

TEST_F(sim_tools, ASY_02_an_entry_of_a_list_that_is_no_context_binary_is_a_misuse) {
  const auto binary = binary_of({Chain{}});
  const std::string junk(100, 'x');
  Notified notified;
  c_api::ContextParams good{c_api::ContextParamsVersion::v1,
                            {{nullptr, binary.data(), binary.size(), nullptr, notify, &notified}}};
  c_api::ContextParams bad{c_api::ContextParamsVersion::v1,
                           {{nullptr, junk.data(), junk.size(), nullptr, notify, &notified}}};
  const c_api::ContextParams* list[] = {&good, &bad, nullptr};
  EXPECT_EQ(
      code(qnn().context_create_from_binary_list_async(backend, nullptr, list, nullptr, nullptr)),
      5005u);
  EXPECT_EQ(notified.codes, (std::vector<std::uint32_t>{0, 5005}));
  contexts = {notified.contexts.at(0)};
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_NE(control().misuse_text(0).find("ASY-02"), std::string::npos);
  bad.v1.notify_func = nullptr;
  EXPECT_EQ(
      code(qnn().context_create_from_binary_list_async(backend, nullptr, list, nullptr, nullptr)),
      5000u);
  EXPECT_EQ(control().counters().misuses, 2u);
}

TEST_F(sim_tools, EXT_01_a_deferred_context_of_a_list_is_never_finalized) {
  const auto binary = binary_of({Chain{}});
  Notified notified;
  DeferredConfig config;
  c_api::ContextParams one{
      c_api::ContextParamsVersion::v1,
      {{config.configs(), binary.data(), binary.size(), nullptr, notify, &notified}}};
  const c_api::ContextParams* list[] = {&one, nullptr};
  EXPECT_EQ(
      code(qnn().context_create_from_binary_list_async(backend, nullptr, list, nullptr, nullptr)),
      0u);
  EXPECT_TRUE(notified.graphs.empty());
  contexts = {notified.contexts.at(0)};
  EXPECT_EQ(control().misuses("ASY-03"), 1u);
  EXPECT_GT(ask(contexts[0]).weights, 0u);
  EXPECT_EQ(code(qnn().context_finalize(contexts[0], nullptr)), 5002u);
}

TEST_F(sim_tools, ASY_03_options_of_the_list_itself_are_ignored_and_named) {
  const auto binary = binary_of({Chain{}});
  Notified notified;
  DeferredConfig config;
  c_api::ContextParamsV2 params{nullptr, binary.data(), binary.size(), nullptr,
                                notify,  &notified,     nullptr};
  c_api::ContextParams one{c_api::ContextParamsVersion::v2, {}};
  std::memcpy(static_cast<void*>(&one.v2), std::array{&params}.data(), sizeof one.v2);
  const c_api::ContextParams* list[] = {&one, nullptr};
  EXPECT_EQ(code(qnn().context_create_from_binary_list_async(backend, nullptr, list,
                                                             config.configs(), nullptr)),
            0u);
  EXPECT_EQ(notified.graphs, (std::vector<std::string>{"chain"}));
  EXPECT_EQ(control().misuses("ASY-03"), 1u);
  contexts = {notified.contexts.at(0)};

  c_api::HtpContextCustomConfig shares{};
  shares.option = c_api::HtpContextConfigOption::share_resources;
  c_api::ContextConfig option{};
  option.custom_config = &shares;
  const c_api::ContextConfig* configs[] = {&option, nullptr};
  EXPECT_EQ(
      code(qnn().context_create_from_binary_list_async(backend, nullptr, list, configs, nullptr)),
      1000u)
      << "the device lacks the feature";
}

TEST_F(sim_tools, a_binary_is_not_had_in_pieces) {
  const void* piece = nullptr;
  c_api::ContextBinarySize offset = 0;
  c_api::ContextBinarySize size = 0;
  EXPECT_EQ(code(qnn().context_get_incremental_binary(nullptr, &piece, &offset, &size)), 1000u);
  EXPECT_EQ(code(qnn().context_release_incremental_binary(nullptr, piece, offset)), 1000u);
}

TEST_F(sim_tools, ASY_04_a_refused_creation_by_callback_blocks_device_and_backend_for_ever) {
  const auto binary = binary_of({Chain{}});
  c_api::DeviceHandle device = nullptr;
  ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
  c_api::ContextBinaryCallback callback{};
  callback.type = c_api::ContextBinaryCallbackType::dma_buffer;
  auto context = reinterpret_cast<c_api::ContextHandle>(std::uintptr_t{0x4711});
  EXPECT_EQ(code(qnn().context_create_from_binary_with_callback(backend, device, nullptr, &callback,
                                                                binary.data(), binary.size(),
                                                                &context, nullptr, nullptr)),
            5010u);
  EXPECT_EQ(context, nullptr);
  EXPECT_EQ(code(qnn().device_free(device)), 14003u);
  EXPECT_EQ(code(qnn().backend_free(backend)), 4011u);
  control().reset_config();
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
}

TEST_F(sim_tools, a_buffer_that_is_too_small_for_the_binary_is_refused) {
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
  ASSERT_EQ(compose(context, Chain{}), 0u);
  c_api::ContextBinarySize size = 0;
  ASSERT_EQ(code(qnn().context_get_binary_size(context, &size)), 0u);
  std::vector<std::byte> buffer(size);
  c_api::ContextBinarySize written = 0;
  EXPECT_EQ(code(qnn().context_get_binary(context, buffer.data(), size - 1, &written)), 5000u);
  EXPECT_EQ(code(qnn().context_get_binary(context, buffer.data(), size, &written)), 0u);
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
}

TEST_F(sim_tools, an_online_graph_runs_where_it_was_composed_unless_prepared_only) {
  const Chain chain;
  c_api::ContextHandle context = nullptr;
  c_api::GraphHandle graph = nullptr;
  ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
  ASSERT_EQ(compose(context, chain, &graph), 0u);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph, chain, out), 0u);
  EXPECT_LT(largest_difference(chain.reference(chain.input()), out.data()), 1e-4f);
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);

  c_api::HtpContextCustomConfig custom{};
  custom.option = c_api::HtpContextConfigOption::prepare_only;
  custom.is_prepare_only = true;
  c_api::ContextConfig option{};
  option.custom_config = &custom;
  const c_api::ContextConfig* configs[] = {&option, nullptr};
  ASSERT_EQ(code(qnn().context_create(backend, nullptr, configs, &context)), 0u);
  ASSERT_EQ(compose(context, chain, &graph), 0u);
  EXPECT_EQ(control().counters().pd_used_bytes[0], 0u);
  EXPECT_EQ(run_raw(graph, chain, out), 6000u);
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
}

TEST_F(sim_tools, the_settings_of_a_composed_graph_are_read_by_its_handle) {
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
  contexts.push_back(context);
  c_api::HtpGraphCustomConfig weights{};
  weights.option = c_api::HtpGraphConfigOption::optimization;
  weights.optimization_option = {c_api::HtpGraphOptimizationType::enable_dlbc_weights, 1.0f};
  c_api::HtpGraphCustomConfig half{};
  half.option = c_api::HtpGraphConfigOption::precision;
  half.precision = c_api::Precision::float16;
  c_api::GraphConfig options[3] = {};
  options[0].custom_config = &weights;
  options[1].custom_config = &half;
  options[2].option = c_api::GraphConfigOption::priority;
  options[2].priority = c_api::Priority::low;
  const c_api::GraphConfig* configs[] = {&options[0], &options[1], &options[2], nullptr};
  c_api::GraphHandle graph = nullptr;
  ASSERT_EQ(code(qnn().graph_create(context, "given", configs, &graph)), 0u);
  EXPECT_EQ(control().graph_settings(graph),
            (sim::GraphSettings{c_api::Priority::low, c_api::Precision::float16, 1}));
  options[2].priority = c_api::Priority::high;
  ASSERT_EQ(code(qnn().graph_set_config(graph, &configs[2])), 0u);
  EXPECT_EQ(control().graph_settings(graph)->priority, c_api::Priority::high);
  ASSERT_EQ(code(qnn().graph_create(context, "default", nullptr, &graph)), 0u);
  EXPECT_EQ(control().graph_settings(graph),
            (sim::GraphSettings{c_api::Priority::normal, c_api::Precision::undefined, 0}));

  c_api::ContextHandle restored = nullptr;
  const auto binary = binary_of({Chain{}});
  ASSERT_EQ(create(binary, nullptr, restored), 0u);
  EXPECT_FALSE(control().graph_settings(graph_of(restored))) << "a graph from a binary";
  EXPECT_FALSE(control().graph_settings(nullptr));
}

TEST_F(sim_tools, there_are_no_verbose_texts) {
  const char* text = nullptr;
  EXPECT_EQ(code(qnn().error_get_verbose_message(5005, &text)), 1000u);
  EXPECT_EQ(text, nullptr);
  EXPECT_EQ(code(qnn().error_free_verbose_message(nullptr)), 1000u);
}

TEST_F(sim_tools, power_configs_need_a_device_and_end_with_the_sub_system) {
  c_api::DeviceInfrastructure out = nullptr;
  ASSERT_EQ(code(qnn().device_get_infrastructure(&out)), 0u);
  const auto& perf = reinterpret_cast<c_api::HtpDeviceInfrastructure*>(out)->perf_infra;
  std::uint32_t id = 0;
  EXPECT_EQ(code(perf.create_power_config_id(0, 0, &id)), 13001u);
  c_api::DeviceHandle device = nullptr;
  ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
  ASSERT_EQ(code(perf.create_power_config_id(0, 0, &id)), 0u);
  EXPECT_EQ(code(perf.create_power_config_id(0, 9, &id)), 13001u);
  EXPECT_EQ(code(perf.create_power_config_id(0, 0, nullptr)), 13006u);
  EXPECT_EQ(control().counters().live_power_configs, 1u);
  control().restart_subsystem(false);
  EXPECT_EQ(control().counters().live_power_configs, 0u);
  EXPECT_EQ(code(perf.destroy_power_config_id(id)), 0u);
  EXPECT_EQ(code(perf.destroy_power_config_id(0)), 0u) << "tools cancel the default vote with 0";
  EXPECT_EQ(control().counters().misuses, 0u);
  EXPECT_EQ(code(perf.destroy_power_config_id(id)), 0u);
  EXPECT_EQ(control().misuses("ORD-09"), 1u) << "the second destruction is a misuse";
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
}

/// Starts a device and creates a power configuration.
struct Power {
  Power() {
    EXPECT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
    c_api::DeviceInfrastructure out = nullptr;
    EXPECT_EQ(code(qnn().device_get_infrastructure(&out)), 0u);
    perf = &reinterpret_cast<c_api::HtpDeviceInfrastructure*>(out)->perf_infra;
    EXPECT_EQ(code(perf->create_power_config_id(0, 0, &id)), 0u);
  }
  ~Power() {
    EXPECT_EQ(code(perf->destroy_power_config_id(id)), 0u);
    EXPECT_EQ(code(qnn().device_free(device)), 0u);
  }
  using Config = c_api::HtpPerfInfrastructurePowerConfig;
  using Option = c_api::HtpPerfInfrastructurePowerConfigOption;

  static Config dcvs(std::uint32_t context_id, std::uint32_t corner) {
    Config config{};
    config.option = Option::dcvs_v3;
    config.dcvs_v3_config.context_id = context_id;
    config.dcvs_v3_config.set_core_params = 1;
    config.dcvs_v3_config.core_voltage_corner_target =
        static_cast<c_api::HtpPerfInfrastructureVoltageCorner>(corner);
    return config;
  }
  static Config highest_bus(std::uint32_t context_id) {
    Config config = dcvs(context_id, 160);
    constexpr auto highest = c_api::HtpPerfInfrastructureVoltageCorner::max_voltage_corner;
    config.dcvs_v3_config.set_bus_params = 1;
    config.dcvs_v3_config.bus_voltage_corner_min = highest;
    config.dcvs_v3_config.bus_voltage_corner_target = highest;
    config.dcvs_v3_config.bus_voltage_corner_max = highest;
    return config;
  }
  static Config number(Option option, std::uint32_t value) {
    Config config{};
    config.option = option;
    config.rpc_polling_time_config = value;
    return config;
  }
  static Config hmx() { return number(Option::hmx_v2, 1); }
  std::uint64_t vote(std::uint32_t of, const std::vector<Config>& configs) const {
    std::vector<const Config*> list;
    for (const Config& config : configs) list.push_back(&config);
    list.push_back(nullptr);
    return code(perf->set_power_config(of, list.data()));
  }

  c_api::DeviceHandle device = nullptr;
  const c_api::HtpDevicePerfInfrastructure* perf = nullptr;
  std::uint32_t id = 0;
};

TEST_F(sim_tools, a_vote_is_held_until_its_id_is_destroyed) {
  const Power power;
  std::uint32_t second = 0;
  ASSERT_EQ(code(power.perf->create_power_config_id(0, 0, &second)), 0u);
  EXPECT_GT(second, power.id);
  EXPECT_EQ(control().counters().live_power_votes, 0u) << "an id has not voted yet";
  EXPECT_EQ(power.vote(power.id, {Power::dcvs(power.id, 96)}), 0u);
  EXPECT_EQ(power.vote(second, {Power::dcvs(second, 160),
                                Power::number(Power::Option::rpc_polling_time, 9999)}),
            0u);
  EXPECT_EQ(control().counters().live_power_votes, 2u);
  EXPECT_EQ(control().counters().power_core_corner, 160u) << "the highest one";
  EXPECT_EQ(control().counters().power_polling_us, 9999u);
  EXPECT_EQ(control().counters().power_calls, 2u);
  ASSERT_EQ(code(power.perf->destroy_power_config_id(second)), 0u);
  EXPECT_EQ(control().counters().live_power_votes, 1u);
  EXPECT_EQ(control().counters().power_core_corner, 96u);
  EXPECT_EQ(control().counters().power_polling_us, 0u);
  EXPECT_EQ(power.vote(second, {Power::dcvs(second, 160)}), 13001u) << "the id is destroyed";
  std::uint32_t third = 0;
  ASSERT_EQ(code(power.perf->create_power_config_id(0, 0, &third)), 0u);
  EXPECT_GT(third, second) << "no id is given out twice";
  EXPECT_EQ(code(power.perf->destroy_power_config_id(third)), 0u);
}

TEST_F(sim_tools, a_list_of_votes_fails_as_a_whole) {
  const Power power;
  EXPECT_EQ(power.vote(power.id, {Power::dcvs(0, 160)}), 13001u) << "context_id is not the id";
  EXPECT_EQ(power.vote(power.id, {Power::dcvs(power.id, 160), Power::number(Power::Option{77}, 1)}),
            13002u);
  EXPECT_EQ(control().counters().power_core_corner, 0u) << "nothing of the list applies";
  EXPECT_EQ(control().counters().live_power_votes, 0u);
  control().fail_call(sim::Slot::perf_set_power_config, 1, 13003);
  EXPECT_EQ(power.vote(power.id, {Power::dcvs(power.id, 160)}), 13003u);
  EXPECT_EQ(control().counters().power_core_corner, 0u);
  EXPECT_EQ(power.vote(power.id, {}), 0u);
}

TEST_F(sim_tools, the_chip_decides_which_votes_it_has) {
  using Option = Power::Option;
  const Power power;
  const std::uint32_t id = power.id;
  EXPECT_EQ(power.vote(id, {Power::hmx()}), 13001u) << "no DCVS vote before";
  EXPECT_EQ(power.vote(id, {Power::hmx(), Power::dcvs(id, 160)}), 13001u);
  EXPECT_EQ(power.vote(id, {Power::dcvs(id, 160), Power::hmx()}), 0u);
  EXPECT_EQ(power.vote(id, {Power::number(Option::rpc_polling_time, 10000)}), 13006u);
  EXPECT_EQ(power.vote(id, {Power::number(Option::hmx_timeout_interval_us, 99)}), 13001u);
  EXPECT_EQ(power.vote(id, {Power::number(Option::hmx_timeout_interval_us, 100)}), 0u);
  EXPECT_EQ(power.vote(id, {Power::number(Option::hmx_timeout_interval_us, 1000001)}), 13001u);
  EXPECT_EQ(power.vote(id, {Power::number(Option::ddr_perf_mode, 1)}), 13004u);
  sim::Config config = control().config();
  config.power_options = 0xFE;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(power.vote(id, {Power::number(Option::ddr_perf_mode, 1)}), 13001u)
      << "no vote for the bus at its highest corner before";
  EXPECT_EQ(power.vote(id, {Power::highest_bus(id), Power::number(Option::ddr_perf_mode, 1)}), 0u);
  config.power_options = 0;
  config.arch = 73;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(power.vote(id, {Power::hmx()}), 13004u);
  EXPECT_EQ(power.vote(id, {Power::number(Option::rpc_polling_time, 10000)}), 0u);
}

TEST_F(sim_tools, only_a_configured_device_has_a_secure_process_domain) {
  c_api::HtpDeviceCustomConfig custom{};
  custom.option = c_api::HtpDeviceConfigOption::securepd;
  c_api::DeviceConfig option{};
  option.custom_config = &custom;
  const c_api::DeviceConfig* configs[] = {&option, nullptr};
  c_api::DeviceHandle device = nullptr;
  EXPECT_EQ(code(qnn().device_create(nullptr, configs, &device)), 1000u);
  sim::Config config = control().config();
  config.secure_domains = 1;
  ASSERT_TRUE(control().set_config(config));
  ASSERT_EQ(code(qnn().device_create(nullptr, configs, &device)), 0u);
  EXPECT_EQ(code(qnn().device_set_config(device, configs)), 14001u) << "only at the creation";
  EXPECT_EQ(code(qnn().device_set_config(device, nullptr)), 0u);
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
}

TEST_F(sim_tools, the_platform_is_the_chip_that_is_configured) {
  const auto soc_and_arch = [] {
    const c_api::DevicePlatformInfo* info = nullptr;
    EXPECT_EQ(code(qnn().device_get_platform_info(nullptr, &info)), 0u);
    const auto* const extension = reinterpret_cast<const c_api::HtpDeviceDeviceInfoExtension*>(
        info->v1.hw_devices[0].v1.device_info_extension);
    const std::pair found{extension->on_chip_device.soc_model,
                          static_cast<std::uint32_t>(extension->on_chip_device.arch)};
    EXPECT_EQ(code(qnn().device_free_platform_info(nullptr, info)), 0u);
    return found;
  };
  EXPECT_EQ(soc_and_arch(), (std::pair{69u, 79u}));
  sim::Config config = control().config();
  config.arch = 73;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(soc_and_arch(), (std::pair{43u, 73u})) << "SM8550";
  config = control().config();
  config.soc_model = 57;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(soc_and_arch(), (std::pair{57u, 75u})) << "SM8650";
  config = control().config();
  config.arch = 85;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(soc_and_arch(), (std::pair{57u, 85u})) << "the architecture has no known chip";
}

TEST_F(sim_tools, LOAD_04_a_capability_is_there_or_not_or_unknown) {
  using enum c_api::PropertyKey;
  const auto answer = [](c_api::PropertyKey key) {
    return code(qnn().property_has_capability(key));
  };
  for (const auto key : {context_support_deferred_graph_init, memory_support_mem_type_custom,
                         graph_support_async_execution, backend_support_op_package})
    EXPECT_EQ(answer(key), 0u) << static_cast<std::uint32_t>(key);
  for (const auto key : {context_support_custom_property, tensor_support_memhandle_type,
                         graph_support_finalize_signal, graph_support_continuous_profiling,
                         tensor_support_dynamic_dimensions, error_get_verbose_message})
    EXPECT_EQ(answer(key), 1000u) << static_cast<std::uint32_t>(key);
  for (const auto key :
       {group_context, tensor_support_quantization_encoding_scale_offset, c_api::PropertyKey{4711}})
    EXPECT_EQ(answer(key), 2000u) << static_cast<std::uint32_t>(key);
  sim::Config config = control().config();
  config.deferred_init = 0;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(
      code(qnn().property_has_capability(c_api::PropertyKey::context_support_deferred_graph_init)),
      1000u);
  const auto binary = binary_of({Chain{}});
  DeferredConfig deferred;
  c_api::ContextHandle context = nullptr;
  EXPECT_EQ(create(binary, deferred.configs(), context), 1000u) << "a missing feature is refused";
}

TEST(sim_environment, numbers_overlay_the_configuration_and_nonsense_changes_nothing) {
  ::setenv("QNNPP_SIM_VTCM_BYTES", "0x10000", 1);
  ::setenv("QNNPP_SIM_PD_COUNT", "2", 1);
  ::setenv("QNNPP_SIM_PD_BUDGET_BYTES", "many", 1);
  ::setenv("QNNPP_SIM_START_ALIGNMENT_BYTES", "100", 1);
  ::setenv("QNNPP_SIM_ARCH", "", 1);
  ::setenv("QNNPP_SIM_MAX_CONTEXTS", "99999999999", 1);
  ::setenv("QNNPP_SIM_DMA_BUF", "1", 1);
  ::setenv("QNNPP_SIM_MAX_IO_COPY_BYTES", "1024", 1);
  ::setenv("QNNPP_SIM_DYNAMIC_DIMENSIONS", "1", 1);
  ::setenv("QNNPP_SIM_START_FAILURE", "no_skel", 1);
  ::setenv("QNNPP_SIM_HOST_LIBRARY", "2.48.40", 1);
  const sim::Config plain = sim::default_config();
  testing::internal::CaptureStderr();
  const sim::Config config = sim::config_from_environment(plain);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "simulated HTP: QNNPP_SIM_START_ALIGNMENT_BYTES: '100' describes no possible device, "
            "ignored; docs/simulated-htp.md has its values\n"
            "simulated HTP: QNNPP_SIM_PD_BUDGET_BYTES: 'many' is no number, ignored; "
            "docs/simulated-htp.md has its values\n"
            "simulated HTP: QNNPP_SIM_MAX_CONTEXTS: '99999999999' is too large, ignored; "
            "docs/simulated-htp.md has its values\n");
  for (const char* name : {"START_ALIGNMENT_BYTES", "PD_BUDGET_BYTES", "MAX_CONTEXTS"})
    ::unsetenv((std::string("QNNPP_SIM_") + name).c_str());
  EXPECT_EQ(config.vtcm_bytes, 65536u);
  EXPECT_EQ(config.pd_count, 2u);
  EXPECT_EQ(config.pd_budget_bytes, plain.pd_budget_bytes);
  EXPECT_EQ(config.start_alignment_bytes, plain.start_alignment_bytes);
  EXPECT_EQ(config.arch, plain.arch);
  EXPECT_EQ(config.max_contexts, plain.max_contexts);
  EXPECT_EQ(plain.dma_buf, 0u);
  EXPECT_EQ(config.dma_buf, 1u);
  EXPECT_EQ(plain.max_io_copy_bytes, 0u);
  EXPECT_EQ(config.max_io_copy_bytes, 1024u);
  EXPECT_EQ(plain.dynamic_dimensions, 0u);
  EXPECT_EQ(config.dynamic_dimensions, 1u);
  EXPECT_EQ(config.start_failure, static_cast<std::uint32_t>(sim::StartFailure::no_skel));
  ::setenv("QNNPP_SIM_START_FAILURE", "5", 1);
  EXPECT_EQ(sim::config_from_environment(plain).start_failure,
            static_cast<std::uint32_t>(sim::StartFailure::other_sdk));
  ::setenv("QNNPP_SIM_START_FAILURE", "other_stub", 1);
  EXPECT_EQ(sim::config_from_environment(plain).start_failure,
            static_cast<std::uint32_t>(sim::StartFailure::other_stub));
  ::setenv("QNNPP_SIM_START_FAILURE", "no_luck", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(sim::config_from_environment(plain).start_failure, 0u);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "simulated HTP: QNNPP_SIM_START_FAILURE: no such failure: 'no_luck'; use one of none, "
            "no_stub, no_skel, no_fastrpc, unknown_soc, other_sdk, other_stub\n");
  EXPECT_EQ(plain.host_library, static_cast<std::uint32_t>(sim::HostLibrary::v2_43_1));
  EXPECT_EQ(config.host_library, static_cast<std::uint32_t>(sim::HostLibrary::v2_48_40));
  ::setenv("QNNPP_SIM_HOST_LIBRARY", "2.44.0", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(sim::config_from_environment(plain).host_library, plain.host_library);
  EXPECT_NE(testing::internal::GetCapturedStderr().find(
                "simulated HTP: QNNPP_SIM_HOST_LIBRARY: no such host library: '2.44.0'; use one of "
                "2.43.1, 2.46.0, 2.48.40, 2.51.0, 2.43.1-android\n"),
            std::string::npos);
  for (const char* name : {"VTCM_BYTES", "PD_COUNT", "ARCH", "DMA_BUF", "MAX_IO_COPY_BYTES",
                           "START_FAILURE", "DYNAMIC_DIMENSIONS", "HOST_LIBRARY"})
    ::unsetenv((std::string("QNNPP_SIM_") + name).c_str());
}

}}  // namespace sim_test
