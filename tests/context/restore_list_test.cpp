// restore_list(): many contexts in one call, each with a separate report (ASY-01).
#include "qnnpp/context/restore_list.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"

#include "contracts.hpp"
#include "fixture.hpp"
#include "recorder.hpp"
#include "sealed_binary.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class a_list_of_binaries : public LoadedTest {
 protected:
  std::vector<ContextBinary> binaries() const {
    std::vector<ContextBinary> all;
    for (const Network& network : networks) all.push_back(binary(network));
    return all;
  }
  /// Returns the binary of the entry that the device creates last.
  static std::string last_made() {
    const auto order =
        static_cast<sim::ListNotifications>(drawn(sim::Unconfirmed::list_notifications));
    return order == sim::ListNotifications::reversed ? "one.bin" : "four.bin";
  }
  const std::vector<Network> networks = four_networks();
};

TEST_F(a_list_of_binaries, is_restored_in_one_call) {
  auto list = binaries();
  control().reset_counters();
  const auto contexts = must(restore_list(backend(), std::move(list)));
  ASSERT_EQ(contexts.size(), networks.size());
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 1u);
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    EXPECT_EQ(contexts[i].name(), networks[i].name + ".bin");
    EXPECT_LT(difference(contexts[i], networks[i]), tolerance);
  }
}

/// Makes a load fail for lack of a process domain; the next `lacking` contexts of lists then lack
/// their graphs.
void fail_a_load(const Backend<Htp>& backend, ContextBinary from, std::uint32_t lacking) {
  sim::Config config = control().config();
  const std::uint64_t room_bytes = std::exchange(config.pd_budget_bytes, 1);
  config.undefined_loads = lacking;
  ASSERT_TRUE(control().set_config(config));
  EXPECT_EQ(error_of(Context<Finalized>::restore(backend, std::move(from))).code, 1002);
  config.pd_budget_bytes = room_bytes;
  ASSERT_TRUE(control().set_config(config));
}

TEST_F(a_list_of_binaries, RES_03_whose_contexts_lack_a_graph_is_restored_again) {
  for (const std::uint32_t lacking : {1u, 4u, 5u}) {
    auto list = binaries();
    fail_a_load(backend(), binary(networks[0]), lacking);
    control().reset_counters();
    const auto contexts = must(restore_list(backend(), std::move(list)));
    EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), lacking > 4 ? 3u : 2u);
    EXPECT_EQ(control().counters().live_contexts, networks.size());
    for (std::size_t i = 0; i < contexts.size(); ++i)
      EXPECT_LT(difference(contexts[i], networks[i]), tolerance);
  }
}

TEST_F(a_list_of_binaries, RES_03_whose_contexts_still_lack_a_graph_at_the_third_try_is_undefined) {
  auto list = binaries();
  fail_a_load(backend(), binary(networks[0]), 12);
  control().reset_counters();
  const Error error = error_of(restore_list(backend(), std::move(list)));
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, c_api::code_of(c_api::CommonError::undefined));
  EXPECT_STREQ(error.step, "QnnContext_createFromBinaryListAsync");
  EXPECT_EQ(error.object, "one.bin");
  EXPECT_NE(error.detail.find("lacks graph one of its binary"), std::string::npos) << error.detail;
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 3u);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_list_of_binaries, that_cannot_be_asked_for_its_graphs_is_not_restored_again) {
  auto list = binaries();
  control().reset_counters();
  control().fail_call(Slot::graph_retrieve, 2, 6001);
  const Error error = error_of(restore_list(backend(), std::move(list)));
  EXPECT_EQ(error.code, 6001);
  EXPECT_EQ(error.object, "two.bin");
  EXPECT_EQ(error.detail.find("graph two"), 0u) << error.detail;
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 1u);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_list_of_binaries, may_be_written_in_place) {
  const auto contexts = must(restore_list(backend(), {binary(networks[0]), binary(networks[1])}));
  ASSERT_EQ(contexts.size(), 2u);
  EXPECT_LT(difference(contexts[0], networks[0]), tolerance);
  EXPECT_LT(difference(contexts[1], networks[1]), tolerance);
}

TEST_F(a_list_of_binaries, may_share_resources_and_then_has_one_lease) {
  set(&sim::Config::shared_resources, 1);
  const auto contexts = must(restore_list(backend(), binaries(), {.share_resources = true}));
  EXPECT_TRUE(qnnpp::detail::covers(must(contexts[0].spill_fill().lease()),
                                    qnnpp::detail::Access::block(contexts[3])->lock));
  EXPECT_TRUE(qnnpp::detail::Access::block(contexts[0])->lock);
}

TEST_F(a_list_of_binaries, shares_no_resources_where_the_device_does_not) {
  const Error error = error_of(restore_list(backend(), binaries(), {.share_resources = true}));
  EXPECT_EQ(error.code, 1000);
  EXPECT_STREQ(error.step, "QnnContext_createFromBinaryListAsync");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_list_of_binaries, ORD_09_with_one_that_was_moved_from_is_refused_before_any_call) {
  const auto owned = [&] {
    std::vector<ContextBinary> all;
    for (const Network& network : networks) all.push_back(own(binary_of(backend(), {network})));
    return all;
  };
  for (const std::size_t place : {0u, 2u, 3u}) {
    auto list = owned();
    const auto kept = [&] { return std::move(list[place]); }();
    control().reset_counters();
    const Error error = error_of(restore_list(backend(), std::move(list)));
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_EQ(error.object, "list of binaries");
    EXPECT_NE(error.detail.find("binary " + std::to_string(place) +
                                " of 4, counted from 0: the "
                                "context binary was moved from"),
              std::string::npos)
        << error.detail;
    EXPECT_EQ(control().counters().calls, 0u);
  }
}

TEST_F(a_list_of_binaries, ORD_09_of_a_backend_that_was_moved_from_is_refused_before_all_else) {
  auto gone = must(load());
  const auto kept = [&] { return std::move(gone); }();
  auto list = binaries();
  control().reset_counters();
  for (const Error& error :
       {error_of(restore_list(gone, {})), error_of(restore_list(gone, std::move(list)))}) {
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_NE(error.detail.find("the backend was moved from"), std::string::npos) << error.detail;
  }
  EXPECT_EQ(control().counters().calls, 0u);
}

TEST_F(a_list_of_binaries, with_enabled_graphs_for_more_or_fewer_binaries_is_refused_with_both) {
  for (const std::size_t lists : {2u, 5u}) {
    auto list = binaries();
    control().reset_counters();
    const std::vector<std::vector<std::string>> enabled(lists);
    const Error error = error_of(restore_list(backend(), std::move(list), {}, enabled));
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_EQ(error.needed, 4u);
    EXPECT_EQ(error.found, lists);
    EXPECT_NE(error.message().find(std::to_string(lists) + " lists for 4 binaries"),
              std::string::npos)
        << error.message();
    EXPECT_EQ(control().counters().calls, 0u);
  }
}

TEST_F(a_list_of_binaries, brings_up_the_graphs_that_are_enabled) {
  std::vector<ContextBinary> both;
  both.push_back(own(binary_of(backend(), {networks[0], networks[1]})));
  const auto contexts = must(restore_list(backend(), std::move(both), {}, {{"two"}}));
  EXPECT_LT(difference(contexts[0], networks[1]), tolerance);
  EXPECT_EQ(contexts[0].graphs().size(), 1u);
}

TEST_F(a_list_of_binaries, CFG_03_with_an_unknown_enabled_graph_is_refused_before_any_call) {
  std::vector<std::vector<std::string>> enabled(networks.size());
  enabled[1] = {"nope"};
  auto list = binaries();
  const Error error = error_of(restore_list(backend(), std::move(list), {}, enabled));
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "nope");
  EXPECT_EQ(error.detail, "two.bin has: two");
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 0u);
}

TEST_F(a_list_of_binaries, ASY_01_with_one_that_fails_names_it_and_leaves_no_other) {
  auto list = binaries();
  auto bytes = binary_of(backend(), {networks[2]});
  bytes.back() ^= std::byte{1};  // the metadata is correct; the weights are not
  list[2] = own(std::move(bytes), "three.bin");
  const Error error = error_of(restore_list(backend(), std::move(list)));
  EXPECT_EQ(error.object, "three.bin");
  EXPECT_EQ(error.code, 5005);
  EXPECT_STREQ(error.step, "QnnContext_createFromBinaryListAsync");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_list_of_binaries,
       ASY_02_with_a_file_that_is_no_context_binary_is_refused_before_the_call) {
  const auto bytes = binary_of(backend(), {networks[2]});
  for (const std::vector<std::byte>& wrong :
       {std::vector<std::byte>(bytes.begin(), bytes.begin() + 200),
        std::vector<std::byte>(4096, std::byte{0x5A})}) {
    auto list = binaries();
    list[2] = own(wrong, "three.bin");
    control().reset_counters();
    const Error error = error_of(restore_list(backend(), std::move(list)));
    EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 0u);
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, 30010);
    EXPECT_STREQ(error.step, "QnnSystemContext_getMetadata");
    EXPECT_EQ(error.object, "three.bin");
  }
}

TEST_F(a_list_of_binaries, BIN_01_with_one_of_a_newer_SDK_names_it) {
  auto list = binaries();
  list[2] =
      own(made_by(binary_of(backend(), {networks[2]}), "v2.51.0.260929181845", 51), "three.bin");
  const Error error = error_of(restore_list(backend(), std::move(list)));
  EXPECT_EQ(error.kind, Errc::version_unsupported) << error.message();
  EXPECT_EQ(error.object, "three.bin");
  EXPECT_EQ(error.detail.find("SDK 2.51.0 made the binary, "), 0u) << error.detail;
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_list_of_binaries, ASY_02_without_a_system_library_is_refused_before_the_call) {
  TemporaryFolder folder;
  const std::string lonely = folder.file("libQnnHtp.so");
  ASSERT_EQ(::symlink(htp_library, lonely.c_str()), 0);
  const auto alone = must(Backend<Htp>::load({.library = lonely}));
  auto list = binaries();
  control().reset_counters();
  const Error error = error_of(restore_list(alone, std::move(list)));
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 0u);
  EXPECT_EQ(error.kind, Errc::no_metadata);
  EXPECT_EQ(error.object, "one.bin");
  EXPECT_NE(error.message().find("libQnnSystem.so"), std::string::npos) << error.message();
}

TEST_F(a_list_of_binaries, ASY_02_with_one_that_finds_no_room_names_it_and_the_log_says_why) {
  auto list = binaries();
  set(&sim::Config::max_contexts, 3u);
  const Error error = error_of(restore_list(backend(), std::move(list)));
  EXPECT_EQ(error.object, last_made());
  EXPECT_EQ(error.code, 5005);
  EXPECT_NE(error.detail.find("log: "), std::string::npos) << error.detail;
  EXPECT_NE(error.detail.find("the device holds no more contexts"), std::string::npos)
      << error.detail;
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_list_of_binaries, ASY_02_RES_04_with_one_for_a_newer_architecture_names_both) {
  auto list = binaries();
  set(&sim::Config::arch, control().config().arch - 4);
  const Error error = error_of(restore_list(backend(), std::move(list)));
  EXPECT_EQ(error.kind, Errc::wrong_architecture);
  EXPECT_EQ(error.needed, error.found + 4);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_list_of_binaries, ASY_02_that_fails_without_a_line_of_the_log_is_named_all_the_same) {
  const auto silent = must(
      Backend<Htp>::load({.library = htp_library, .log = log_to_platform(c_api::LogLevel::error)}));
  auto list = binaries();
  set(&sim::Config::max_contexts, 3u);
  const Error error = error_of(restore_list(silent, std::move(list)));
  EXPECT_EQ(error.object, last_made());
  EXPECT_EQ(error.detail.find("3 other live contexts: "), 0u) << error.detail;
  EXPECT_EQ(error.detail.find("log: "), std::string::npos) << error.detail;
  EXPECT_EQ(error.log, "");
}

/// Lines that a test's log sink received.
struct LinesOfALog {
  static inline std::vector<std::string> lines;
  void operator()(c_api::LogLevel, std::string_view text) const { lines.emplace_back(text); }
};
constinit LinesOfALog lines_of_a_log;

TEST_F(a_list_of_binaries, ASY_02_keeps_lines_for_errors_beside_a_sink_that_gets_all_of_them) {
  const auto logged = must(Backend<Htp>::load(
      {.library = htp_library, .log = log_to<lines_of_a_log>(c_api::LogLevel::info)}));
  auto list = binaries();
  set(&sim::Config::max_contexts, 3u);
  LinesOfALog::lines.clear();
  const Error error = error_of(restore_list(logged, std::move(list)));
  EXPECT_NE(error.detail.find("the device holds no more contexts"), std::string::npos)
      << error.detail;
  const auto count = [](const char* words) {
    return std::ranges::count_if(LinesOfALog::lines, [&](const std::string& line) {
      return line.find(words) != std::string::npos;
    });
  };
  EXPECT_EQ(count("the device holds no more contexts"), 1);
  EXPECT_EQ(count("created, weights"), 3);
}

/// Options of the entries of a list and of the list itself.
struct OptionsOfAList {
  static inline std::vector<c_api::ContextConfigOption> options;
  static void read(const c_api::ContextConfig** configs) {
    for (; configs != nullptr && *configs != nullptr; ++configs)
      options.push_back((*configs)->option);
  }
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering || slot != static_cast<std::size_t>(Slot::context_create_from_binary_list_async))
      return;
    for (auto params = argument<const c_api::ContextParams**>(arguments, 2); *params != nullptr;
         ++params)
      read((*params)->v1.config);
    read(argument<const c_api::ContextConfig**>(arguments, 3));
  }
};

TEST_F(a_list_of_binaries, ASY_03_defers_no_entry_and_gives_every_option_to_the_entries) {
  const auto recorder = must(load_recorder());
  auto list = binaries();
  OptionsOfAList::options.clear();
  const Recording recording(&OptionsOfAList::hook);
  (void)must(restore_list(recorder, std::move(list),
                          {.priority = c_api::Priority::high, .persistent_binary = true}));
  using Option = c_api::ContextConfigOption;
  // Each of the four entries has the option. The list has none, because QNN ignores its options.
  EXPECT_EQ(std::ranges::count(OptionsOfAList::options, Option::priority), 4);
  EXPECT_EQ(std::ranges::count(OptionsOfAList::options, Option::persistent_binary), 4);
  EXPECT_EQ(std::ranges::count(OptionsOfAList::options, Option::defer_graph_init), 0);
  EXPECT_EQ(OptionsOfAList::options.size(), 8u);
}

TEST_F(a_list_of_binaries, that_is_empty_is_refused) {
  EXPECT_EQ(error_of(restore_list(backend(), {})).kind, Errc::empty);
}

TEST_F(a_list_of_binaries, that_the_backend_refuses_is_its_error) {
  auto list = binaries();
  control().fail_call(Slot::context_create_from_binary_list_async, 1, 1002);
  EXPECT_EQ(error_of(restore_list(backend(), std::move(list))).code, 1002);
}

/// Delays, repeats or drops the reports of contexts that QNN makes for one list.
struct Reports {
  struct Kept {
    c_api::ContextNotifyFn notify;
    void* parameter;
    c_api::ContextHandle context;
    c_api::ErrorHandle status;
  };
  static inline std::mutex mutex;
  static inline std::vector<Kept> kept;

  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering || slot != static_cast<std::size_t>(Slot::context_create_from_binary_list_async))
      return;
    const std::scoped_lock lock(mutex);
    kept.clear();
    const auto params = argument<const c_api::ContextParams**>(arguments, 2);
    for (std::size_t i = 0; params[i] != nullptr; ++i)
      kept.push_back({params[i]->v1.notify_func, params[i]->v1.notify_param, nullptr, 0});
    for (std::size_t i = 0; params[i] != nullptr; ++i) {
      auto& mine = const_cast<c_api::ContextParams*>(params[i])->v1;
      mine.notify_func = &Reports::keep;
      mine.notify_param = &kept[i];
    }
  }
  static void keep(c_api::ContextHandle context, c_api::GraphHandle, const char*,
                   c_api::ContextNotifyType type, void* parameter, c_api::ErrorHandle status) {
    if (type != c_api::ContextNotifyType::context_init) return;
    const std::scoped_lock lock(mutex);
    static_cast<Kept*>(parameter)->context = context;
    static_cast<Kept*>(parameter)->status = status;
  }
  /// Waits until QNN has reported every context. Returns the reports.
  static std::vector<Kept> wait() {
    for (;;) {
      const std::scoped_lock lock(mutex);
      if (kept.size() == 4 && kept[3].context != nullptr) return kept;
    }
  }
  static void tell(const Kept& report) {
    report.notify(report.context, nullptr, nullptr, c_api::ContextNotifyType::context_init,
                  report.parameter, report.status);
  }
  static void tell_of_a_graph(const Kept& report, c_api::ErrorHandle status = 0) {
    report.notify(nullptr, nullptr, "graph", c_api::ContextNotifyType::graph_init, report.parameter,
                  status);
  }
};

class reports_on_a_list : public a_list_of_binaries {
 protected:
  void SetUp() override {
    a_list_of_binaries::SetUp();
    without_seed();  // Reports replaces the device's timing and delays reports made inside the call
  }
  Result<std::vector<Context<Finalized>>> restore(std::chrono::milliseconds patience) const {
    return restore_list(must(load_recorder()), binaries(), {.patience = patience});
  }
  static constexpr auto long_enough = std::chrono::minutes(5);
};

TEST_F(reports_on_a_list, ASY_01_may_come_after_the_call_on_other_threads_and_in_any_order) {
  const Recording recording(&Reports::hook);
  // All data that QNN received lives until the last report.
  Reports::kept.clear();
  std::thread late([] {
    const auto reports = Reports::wait();
    for (std::size_t i = 4; i-- > 0;) {
      Reports::tell_of_a_graph(reports[i]);
      Reports::tell(reports[i]);
    }
  });
  const auto contexts = must(restore(long_enough));
  late.join();
  for (std::size_t i = 0; i < contexts.size(); ++i)
    EXPECT_LT(difference(contexts[i], networks[i]), tolerance);
  for (const Reports::Kept& report : Reports::kept) Reports::tell_of_a_graph(report);
}

TEST_F(reports_on_a_list, ASY_01_are_waited_for_without_a_limit_if_the_clock_knows_none_so_long) {
  for (const auto patience :
       {std::chrono::milliseconds::max(), std::chrono::milliseconds::max() / 1000,
        std::chrono::milliseconds::max() / 1'000'000}) {
    const Recording recording(&Reports::hook);
    Reports::kept.clear();
    std::thread late([] {
      for (const Reports::Kept& report : Reports::wait()) Reports::tell(report);
    });
    EXPECT_TRUE(succeeds(restore(patience)));
    late.join();
  }
}

TEST_F(reports_on_a_list, ASY_01_that_come_twice_count_once) {
  const Recording recording(&Reports::hook);
  Reports::kept.clear();
  std::thread twice([] {
    const auto reports = Reports::wait();
    for (std::size_t i = 0; i < 4; ++i) {
      Reports::Kept report = reports[i];
      Reports::tell(report);
      report.context = nullptr;
      report.status = 1002;
      if (i != 3) Reports::tell(report);
    }
  });
  EXPECT_TRUE(succeeds(restore(long_enough)));
  twice.join();
}

TEST_F(reports_on_a_list, ASY_01_of_a_graph_that_failed_are_those_of_its_context) {
  const Recording recording(&Reports::hook);
  Reports::kept.clear();
  std::thread late([] {
    const auto reports = Reports::wait();
    Reports::tell_of_a_graph(reports[2], 6020);
    for (const Reports::Kept& report : reports) Reports::tell(report);
  });
  const Error error = error_of(restore(long_enough));
  late.join();
  EXPECT_EQ(error.code, 6020);
  EXPECT_EQ(error.object, "three.bin");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(reports_on_a_list, ASY_01_that_never_come_are_an_error_that_names_the_binary) {
  {
    const Recording recording(&Reports::hook);
    Reports::kept.clear();
    const Error error = error_of(restore(std::chrono::milliseconds(1)));
    EXPECT_EQ(error.kind, Errc::timed_out);
    EXPECT_EQ(error.object, "one.bin");
    EXPECT_STREQ(error.step, "QnnContext_createFromBinaryListAsync");
  }
  EXPECT_EQ(control().counters().live_contexts, 4u);
  // The late reports arrive now. The test frees the list, which nothing owns.
  for (const Reports::Kept& report : Reports::kept) {
    auto& list = *static_cast<detail::ContextList::Entry*>(report.parameter)->list;
    Reports::tell(report);
    if (&report != &Reports::kept.back()) continue;
    const auto free = *backend().provider().find<&c_api::InterfaceTable::context_free>();
    const auto last = Ref<detail::ContextList>::adopt(&list);
    list.own(list.blocks, free);
  }
}

}}  // namespace support
