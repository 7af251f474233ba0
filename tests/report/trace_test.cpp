// Trace: calls and memory as a file that the viewers of Chrome and Perfetto read.
#include "qnnpp/report/trace.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "qnnpp/context/restore_list.hpp"

#include "../model/model_fixture.hpp"
#include "temporary_folder.hpp"
#include "trace_format.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::SpillFillSharing;
using model::Trace;
using TraceJson = nlohmann::json;

/// Events of a trace, which has no faults.
std::vector<TraceJson> trace_events(const Trace& trace) {
  const std::string text = trace.text();
  for (const std::string& fault : faults_of_trace(text)) ADD_FAILURE() << fault;
  const TraceJson json = TraceJson::parse(text, nullptr, false);
  if (json.is_discarded()) return {};
  return json["traceEvents"].get<std::vector<TraceJson>>();
}
/// Events of a phase.
std::vector<TraceJson> trace_events(const Trace& trace, const char* phase) {
  std::vector<TraceJson> found;
  for (const TraceJson& event : trace_events(trace))
    if (event["ph"] == phase) found.push_back(event);
  return found;
}

ProfileRecord record_of_execution() {
  return {
      .call = "QnnGraph_execute",
      .object = "decoder",
      .start_ns = 5'000'001,
      .end_ns = 5'800'000,
      .thread = 7,
      .events = {{.type = 3001, .unit = 1, .value = 790},
                 {.type = 3003, .unit = 3, .value = 12345},
                 {.type = 404, .unit = 3, .value = 1000, .node = "conv", .depth = 1, .parent = 1},
                 {.type = 404, .unit = 3, .value = 2000, .node = "conv", .depth = 1, .parent = 1},
                 {.type = 4711, .unit = 4, .value = 3}}};
}

TEST(a_trace, without_calls_is_valid) {
  EXPECT_EQ(trace_events(Trace()).size(), 1u) << "the name of the process";
}

TEST(a_trace, has_a_slice_for_each_call_with_its_events_as_arguments) {
  Trace trace;
  trace.add(record_of_execution());
  const auto slices = trace_events(trace, "X");
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0]["name"], "QnnGraph_execute decoder");
  EXPECT_EQ(slices[0]["pid"], ::getpid());
  EXPECT_EQ(slices[0]["tid"], 7);
  EXPECT_DOUBLE_EQ(slices[0]["ts"], 5000.001);
  EXPECT_DOUBLE_EQ(slices[0]["dur"], 799.999);
  const TraceJson expected = {{"RPC time (host) [us]", 790},
                              {"accelerator cycles [cycles]", 12345},
                              {"accelerator cycles: conv [cycles]", 1000},
                              {"accelerator cycles: conv [cycles] #2", 2000},
                              {"unknown event 4711", 3}};
  EXPECT_EQ(slices[0]["args"], expected);
  EXPECT_TRUE(trace_events(trace, "i").empty()) << "no event has a time";
  std::set<std::string> names;
  for (const TraceJson& event : trace_events(trace, "M")) names.insert(event["args"]["name"]);
  EXPECT_EQ(names, (std::set<std::string>{"qnnpp", "thread 7"}));
}

TEST(a_trace, has_a_different_argument_for_each_event_of_any_names) {
  ProfileRecord record = record_of_execution();
  record.succeeded = false;
  record.events.clear();
  for (const char* node : {"failed", "events are missing", "x", "x #2", "x", "x", "\x80", "\xff"})
    record.events.push_back({.type = 404, .unit = 4, .node = node});
  Trace trace;
  trace.add(record);
  const TraceJson arguments = trace_events(trace, "X").at(0)["args"];
  EXPECT_EQ(arguments.size(), record.events.size() + 1);
  for (const char* name : {"failed", "failed #2", "events are missing #2", "x", "x #2", "x #3",
                           "x #4", "\uFFFD", "\uFFFD #2"})
    EXPECT_TRUE(arguments.contains(name)) << name;
}

TEST(a_trace, names_an_argument_after_its_event_and_the_one_above) {
  ProfileRecord record = record_of_execution();
  record.events = {{.type = 404, .unit = 4, .node = "a"},
                   {.type = 404, .unit = 4, .node = "b", .depth = 1, .parent = 0},
                   {.type = 404, .unit = 4, .node = "c", .depth = 2, .parent = 1},
                   {.type = 404, .unit = 4, .node = "no parent", .depth = 9, .parent = 77}};
  Trace trace;
  trace.add(record);
  EXPECT_EQ(trace_events(trace, "X").at(0)["args"],
            (TraceJson{{"a", 0}, {"a: b", 0}, {"b: c", 0}, {"no parent", 0}}));
}

TEST(a_trace, is_moved_with_its_phases_and_not_used_afterwards) {
  static_assert(!std::is_copy_constructible_v<Trace> && !std::is_copy_assignable_v<Trace>);
  Trace trace;
  const auto progress = trace.on_progress();
  Trace moved = std::move(trace);
  EXPECT_TRUE(progress({.binary = "a.bin", .phase = model::LoadPhase::creating}));
  EXPECT_EQ(trace_events(moved, "i").size(), 1u);
  EXPECT_DEATH((void)trace.text(), "the trace was moved from");
  EXPECT_DEATH((void)trace.on_progress(), "the trace was moved from");
  EXPECT_DEATH(trace.add_memory(model::MemoryReport()), "the trace was moved from");
}

TEST(a_trace, has_phases_that_several_threads_report) {
  Trace trace;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([progress = trace.on_progress()] {
      for (std::size_t context = 0; context < 100; ++context)
        for (const auto phase : {model::LoadPhase::creating, model::LoadPhase::loaded})
          EXPECT_TRUE(progress({.binary = "a.bin", .context = context, .phase = phase}));
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(trace_events(trace, "X").size(), 400u) << "each creation has an end";
}

TEST(a_trace, shows_a_failed_call_and_missing_events) {
  ProfileRecord record = record_of_execution();
  record.succeeded = false;
  record.error = Error::make(Errc::malformed, "QnnProfile_getEvents", "decoder");
  Trace trace;
  trace.add(record);
  const TraceJson arguments = trace_events(trace, "X").at(0)["args"];
  EXPECT_EQ(arguments["failed"], true);
  EXPECT_EQ(arguments["events are missing"], record.error->message());
}

TEST(a_trace, places_an_event_by_its_time_only_inside_its_call) {
  ProfileRecord record = record_of_execution();
  record.events[0].time = 5000;  // The microsecond in which the call began.
  record.events[1].time = 5400;
  record.events[2].time = 4999;
  record.events[3].time = 5801;
  Trace trace;
  trace.add(record);
  const auto instants = trace_events(trace, "i");
  ASSERT_EQ(instants.size(), 2u);
  EXPECT_EQ(instants[0]["name"], "RPC time (host)");
  EXPECT_DOUBLE_EQ(instants[0]["ts"], 5000.001);
  EXPECT_DOUBLE_EQ(instants[1]["ts"], 5400.0);
}

TEST(a_trace, has_counters_that_the_program_adds) {
  Trace trace;
  trace.add_memory("heap", 2'000, 10);
  trace.add_memory("heap", 3'500, 20);
  const auto points = trace_events(trace, "C");
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[1]["name"], "heap");
  EXPECT_DOUBLE_EQ(points[1]["ts"], 3.5);
  EXPECT_EQ(points[1]["args"], (TraceJson{{"bytes", 20}}));
}

TEST(a_trace, is_valid_for_any_name) {
  ProfileRecord record = record_of_execution();
  record.object = "a \"name\"\n with \x01 and \xff";
  record.events[2].node = "\\ \x80";
  Trace trace;
  trace.add(record);
  trace.add_memory(record.object, 1, 1);
  EXPECT_EQ(trace_events(trace, "X").size(), 1u);
}

TEST(a_trace, is_written_to_a_file) {
  const TemporaryFolder folder;
  Trace trace;
  trace.add(record_of_execution());
  ASSERT_TRUE(succeeds(trace.write(folder.file("run.json"))));
  std::ifstream file(folder.file("run.json"));
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), trace.text());
  EXPECT_EQ(error_of(trace.write(folder.file("no/such/folder"))).kind, Errc::file_unwritable);
}

TEST(the_check_of_traces, finds_each_fault) {
  const auto faults = [](const std::string& event) {
    return faults_of_trace("{\"traceEvents\":[" + event + "],\"displayTimeUnit\":\"ns\"}");
  };
  const std::string head = R"("name":"a","pid":1,"tid":1)";
  EXPECT_TRUE(faults(R"({"ph":"X","ts":1,"dur":2,)" + head + "}").empty());
  EXPECT_TRUE(faults(R"({"ph":"C","ts":1,"args":{"b":1},)" + head + "}").empty());
  EXPECT_EQ(faults_of_trace("{"), std::vector<std::string>{"no JSON"});
  EXPECT_EQ(faults_of_trace("{}"), std::vector<std::string>{"no traceEvents"});
  EXPECT_EQ(faults_of_trace("{\"traceEvents\":[]}").size(), 1u);
  for (const char* event : {R"({"ph":"X","ts":1,"dur":2,"name":"a","pid":1})",
                            R"({"ph":"X","ts":1,"dur":2,"pid":1,"tid":1})",
                            R"({"ph":"X","ts":1,"name":"a","pid":1,"tid":1})",
                            R"({"ph":"X","ts":1,"dur":-2,"name":"a","pid":1,"tid":1})",
                            R"({"ph":"X","ts":"1","dur":2,"name":"a","pid":1,"tid":1})",
                            R"({"ph":"Y","ts":1,"name":"a","pid":1,"tid":1})",
                            R"({"ph":"C","ts":1,"args":{"b":"1"},"name":"a","pid":1,"tid":1})",
                            R"({"ph":"C","ts":1,"name":"a","pid":1,"tid":1})",
                            R"({"ph":"i","ts":1,"name":"a","pid":1,"tid":1})",
                            R"({"ph":"i","ts":1,"s":"x","name":"a","pid":1,"tid":1})",
                            R"({"ph":"M","name":"a","pid":1,"tid":1,"args":{"name":"b"}})",
                            R"({"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{}})"})
    EXPECT_EQ(faults(event).size(), 1u) << event;
  EXPECT_EQ(faults(R"({"ph":"X","ts":1,"dur":2,"args":{"b":1,"b":2},)" + head + "}").size(), 1u);
  EXPECT_EQ(
      faults(R"({"ph":"X","ts":1,"dur":2,)" + head + R"(},{"ph":"X","ts":2,"dur":2,)" + head + "}")
          .size(),
      1u)
      << "the slices overlap";
}

class a_traced_model : public ModelTest {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    if (!HasFatalFailure()) add_four_networks();
  }

  /// Values of a counter after its last point.
  static TraceJson last_of(const Trace& trace, const std::string& counter) {
    TraceJson last;
    double time = 0;
    for (const TraceJson& point : trace_events(trace, "C")) {
      if (point["name"] != counter) continue;
      EXPECT_GE(point["ts"].get<double>(), time) << counter;
      time = point["ts"];
      last = point["args"];
    }
    return last;
  }
};

TEST_F(a_traced_model, shows_calls_phases_and_memory_of_each_way_of_sharing) {
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                             SpillFillSharing::none}) {
    SCOPED_TRACE(name_of(sharing));
    auto profile = must(Profile::create(backend()));
    Trace trace;
    {
      const auto loaded = must(
          model::load(backend(), allocator(), sources,
                      {.sharing = sharing, .progress = trace.on_progress(), .profile = &profile}));
      trace.add_memory(loaded.report());
      trace.add(profile);
      const TraceJson memory = last_of(trace, "memory");
      EXPECT_EQ(memory["weights"], loaded.report().sum_of(&ContextMemory::weights).bytes);
      EXPECT_EQ(memory["spill-fill"], loaded.report().spill_fill(sharing).bytes);
      EXPECT_EQ(memory["binaries"], 0) << "all are dropped";
      for (const model::ContextMemory& context : loaded.report().contexts) {
        const TraceJson own = last_of(trace, "memory of " + context.name);
        EXPECT_EQ(own["weights"], context.weights.or_zero());
        EXPECT_EQ(own["spill-fill"],
                  sharing == SpillFillSharing::none ? context.spill_fill.or_zero() : 0);
      }
    }
    std::map<std::string, int> slices;
    for (const TraceJson& slice : trace_events(trace, "X")) ++slices[slice["name"]];
    for (const Network& network : networks) {
      EXPECT_EQ(slices["QnnContext_createFromBinary " + network.name + ".bin"], 1);
      EXPECT_EQ(slices["QnnContext_finalize " + network.name + ".bin"],
                sharing == SpillFillSharing::external_buffer ? 1 : 0);
      EXPECT_EQ(slices["creating " + network.name + ".bin"], 1);
    }
  }
}

TEST_F(a_traced_model, shows_binaries_that_stay) {
  Trace trace;
  const auto loaded = must(model::load(backend(), allocator(), sources,
                                       {.sharing = SpillFillSharing::none,
                                        .contexts = {.persistent_binaries = true},
                                        .progress = trace.on_progress()}));
  trace.add_memory(loaded.report(), true);
  std::uint64_t bytes = 0;
  for (const auto& context : loaded.report().contexts) bytes += context.file_bytes;
  EXPECT_EQ(last_of(trace, "memory")["binaries"], bytes);
}

TEST_F(a_traced_model, shows_the_phase_at_which_a_load_stopped) {
  Trace trace;
  std::size_t reports = 0;
  const auto loaded = model::load(
      backend(), allocator(), sources,
      {.sharing = SpillFillSharing::none,
       .progress = trace.on_progress([&](const model::Progress&) { return ++reports < 3; })});
  EXPECT_EQ(error_of(loaded).kind, Errc::cancelled);
  const auto instants = trace_events(trace, "i");
  ASSERT_EQ(instants.size(), 2u) << "one context is loaded, and a phase has no end";
  EXPECT_EQ(instants[1]["name"], "creating " + sources[1].name);
}

TEST_F(a_traced_model, has_a_phase_without_end_where_another_load_follows_a_failed_one) {
  Trace trace;
  control().fail_call(sim::Slot::context_finalize, 2, 1100);
  EXPECT_FALSE(
      model::load(backend(), allocator(), sources,
                  {.sharing = SpillFillSharing::external_buffer, .progress = trace.on_progress()}));
  (void)must(model::load(backend(), allocator(), sources, {.progress = trace.on_progress()}));
  std::vector<std::string> instants;
  for (const TraceJson& instant : trace_events(trace, "i"))
    if (instant["name"].get<std::string>().find("loaded ") != 0)
      instants.push_back(instant["name"]);
  EXPECT_EQ(instants, std::vector<std::string>{"finalizing " + sources[1].name});
}

TEST_F(a_traced_model, is_added_to_the_memory_of_another_in_any_order) {
  const std::vector<model::BinarySource> firsts(sources.begin(), sources.begin() + 2);
  const std::vector<model::BinarySource> others(sources.begin() + 2, sources.end());
  Trace trace;
  const auto first =
      must(model::load(backend(), allocator(), firsts, {.progress = trace.on_progress()}));
  const auto second =
      must(model::load(backend(), allocator(), others, {.progress = trace.on_progress()}));
  trace.add_memory(second.report());
  trace.add_memory(first.report());
  const auto all = [](std::uint64_t weights, std::uint64_t spill_fill) {
    return TraceJson{{"weights", weights}, {"spill-fill", spill_fill}, {"binaries", 0}};
  };
  EXPECT_EQ(last_of(trace, "memory"),
            all(first.report().sum_of(&ContextMemory::weights).bytes +
                    second.report().sum_of(&ContextMemory::weights).bytes,
                first.report().spill_fill().bytes + second.report().spill_fill().bytes));
  for (const auto* loaded : {&first, &second})
    for (const model::ContextMemory& context : loaded->report().contexts)
      EXPECT_EQ(last_of(trace, "memory of " + context.name), all(context.weights.or_zero(), 0));
  // The first model has its own times.
  std::map<std::string, double> loaded_at;
  for (const TraceJson& instant : trace_events(trace, "i"))
    loaded_at[instant["name"].get<std::string>()] = instant["ts"];
  double dropped_at = 0;
  for (const TraceJson& point : trace_events(trace, "C"))
    if (point["name"] == "memory of " + firsts[0].name) dropped_at = point["ts"];
  EXPECT_EQ(dropped_at, loaded_at["loaded " + firsts[0].name]);
}

TEST_F(a_traced_model, has_the_memory_of_its_own_load_though_a_later_one_failed) {
  Trace trace;
  const auto loaded =
      must(model::load(backend(), allocator(), sources, {.progress = trace.on_progress()}));
  control().fail_call(sim::Slot::context_create_from_binary, 2, 1100);
  EXPECT_FALSE(model::load(backend(), allocator(), sources, {.progress = trace.on_progress()}));
  trace.add_memory(loaded.report());
  for (const TraceJson& point : trace_events(trace, "C"))
    EXPECT_LT(point["args"]["binaries"].get<std::uint64_t>(), 1'000'000'000u);
  EXPECT_EQ(last_of(trace, "memory")["binaries"], 0);
  EXPECT_EQ(last_of(trace, "memory")["weights"],
            loaded.report().sum_of(&ContextMemory::weights).bytes);
}

TEST_F(a_traced_model, is_counted_once_for_each_load) {
  Trace trace;
  const auto load_once = [&] {
    return must(model::load(backend(), allocator(), sources, {.progress = trace.on_progress()}));
  };
  const auto first = load_once();
  const auto second = load_once();
  trace.add_memory(first.report());
  trace.add_memory(second.report());
  trace.add_memory(second.report());  // There are two loads only.
  EXPECT_EQ(last_of(trace, "memory")["weights"],
            2 * first.report().sum_of(&ContextMemory::weights).bytes);
  std::set<double> created_at;
  for (const TraceJson& point : trace_events(trace, "C"))
    if (point["name"] == "memory of " + sources[0].name)
      created_at.insert(point["ts"].get<double>());
  EXPECT_GE(created_at.size(), 4u) << "each report has the times of its own load";
}

TEST_F(a_traced_model, may_be_gone_while_its_callback_is_called) {
  model::ProgressCallback progress = Trace().on_progress();
  (void)must(model::load(backend(), allocator(), sources, {.progress = std::move(progress)}));
}

TEST_F(a_traced_model, with_a_profile_is_not_loaded_in_one_call_nor_by_another_backend) {
  auto profile = must(Profile::create(backend()));
  const auto in_one_call = model::load(
      backend(), allocator(), sources,
      {.sharing = SpillFillSharing::none, .in_one_call = restore_list, .profile = &profile});
  EXPECT_EQ(error_of(in_one_call).kind, Errc::invalid_argument);
  const auto other = must(load());
  EXPECT_EQ(error_of(model::load(other, allocator(), sources, {.profile = &profile})).kind,
            Errc::foreign_object);
  EXPECT_TRUE(profile.records().empty());
}

}}  // namespace support
