// load(): many contexts in one call, for each way of sharing.
#include "qnnpp/model/load.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/core/detail/access.hpp"

#include "contracts.hpp"
#include "model_fixture.hpp"
#include "recorder.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::BinarySource;
using model::LoadOptions;
using model::LoadPhase;
using model::Model;
using model::SizeSource;
using model::SpillFillSharing;
using sim::Slot;

class a_model : public ModelTest {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    if (!HasFatalFailure()) add_four_networks();
  }

  Result<Model> load_as(SpillFillSharing sharing) const {
    return model::load(backend(), allocator(), sources, {.sharing = sharing});
  }
  static std::uint64_t sum_of(const std::vector<std::uint64_t>& values) {
    std::uint64_t sum = 0;
    for (const std::uint64_t value : values) sum += value;
    return sum;
  }
  std::vector<std::uint64_t> spill_fill_needs() const {
    std::vector<std::uint64_t> needs;
    for (const Network& network : networks)
      needs.push_back(queried(network).requirements().spill_fill_bytes);
    return needs;
  }
};

TEST_F(a_model, with_an_external_buffer_takes_its_weights_and_the_largest_spill_fill) {
  const auto needs = spill_fill_needs();
  const auto loaded = must(load_as(SpillFillSharing::external_buffer));
  const sim::Counters counters = control().counters();
  std::uint64_t weights = 0;
  for (const Network& network : networks) weights += network.weights_bytes();
  EXPECT_EQ(counters.external_weights_bytes, weights);
  EXPECT_EQ(counters.external_spill_fill_bytes, *std::max_element(needs.begin(), needs.end()));
  EXPECT_EQ(counters.internal_bytes, 0u);
  expect_to_work(loaded);
}

TEST_F(a_model, as_a_group_takes_the_largest_spill_fill_once_inside_the_device) {
  const auto needs = spill_fill_needs();
  const auto loaded = must(load_as(SpillFillSharing::context_group));
  const sim::Counters counters = control().counters();
  EXPECT_EQ(counters.internal_spill_fill_bytes, *std::max_element(needs.begin(), needs.end()));
  EXPECT_EQ(counters.device_bytes, 0u);
  expect_to_work(loaded);
}

TEST_F(a_model, without_sharing_takes_the_sum_of_all_spill_fill) {
  const auto needs = spill_fill_needs();
  const auto loaded = must(load_as(SpillFillSharing::none));
  EXPECT_EQ(control().counters().internal_spill_fill_bytes, sum_of(needs));
  expect_to_work(loaded);
}

TEST_F(a_model, reports_what_the_device_counts_in_each_way) {
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                             SpillFillSharing::none}) {
    const auto loaded = must(load_as(sharing));
    const model::MemoryReport& report = loaded.report();
    const sim::Counters counters = control().counters();
    EXPECT_EQ(report.sharing, sharing);
    EXPECT_EQ(report.spill_fill(sharing).bytes,
              counters.external_spill_fill_bytes + counters.internal_spill_fill_bytes);
    if (sharing == SpillFillSharing::external_buffer) {
      EXPECT_EQ(report.total().bytes, counters.device_bytes);
      EXPECT_TRUE(report.complete());
      EXPECT_EQ(report.contexts[0].weights.source, SizeSource::query);
    } else {
      EXPECT_EQ(report.contexts[0].spill_fill.source, SizeSource::metadata);
    }
    EXPECT_EQ(report.contexts[2].name, "three.bin");
    EXPECT_EQ(report.contexts[2].graphs, 1u);
    EXPECT_EQ(report.contexts[2].io.or_zero(), 2 * networks[2].io_bytes());
  }
}

TEST_F(a_model, has_a_lease_that_covers_its_graphs_in_each_way_to_share) {
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                             SpillFillSharing::none}) {
    const auto loaded = must(load_as(sharing));
    auto lease = must(loaded.spill_fill().lease());
    for (std::size_t i = 0; i < loaded.size(); ++i) {
      const auto& lock = qnnpp::detail::Access::block(loaded.context(i))->lock;
      EXPECT_EQ(static_cast<bool>(lock), sharing != SpillFillSharing::none);
      EXPECT_TRUE(qnnpp::detail::covers(lease, lock));
    }
    const auto graph = must(loaded.graph(networks[1].name));
    const Result<SpillFillLease> another = loaded.spill_fill().try_lease();
    if (sharing == SpillFillSharing::none)
      EXPECT_TRUE(succeeds(another));
    else
      EXPECT_EQ(error_of(another).kind, Errc::would_deadlock);
    EXPECT_EQ(static_cast<bool>(loaded.spill_fill()), sharing == SpillFillSharing::external_buffer);
  }
}

TEST_F(a_model, chooses_external_buffers_where_they_are_to_be_had) {
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().sharing, SpillFillSharing::external_buffer);
  EXPECT_EQ(loaded.report().saved().bytes,
            sum_of(spill_fill_needs()) - loaded.spill_fill().size_bytes());
}

TEST_F(a_model, chooses_a_group_where_external_buffers_are_refused_and_says_why) {
  set(&sim::Config::external_buffers, 0);
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().sharing, SpillFillSharing::context_group);
  EXPECT_NE(loaded.report().reason.find("external_buffer: one.bin: QnnMem_register returned " +
                                        std::to_string(drawn(sim::Unconfirmed::external_refused))),
            std::string::npos)
      << loaded.report().reason;
  expect_to_work(loaded);
}

TEST_F(a_model, chooses_a_group_where_the_backend_cannot_defer) {
  set(&sim::Config::deferred_init, 0);
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().sharing, SpillFillSharing::context_group);
}

TEST_F(a_model, is_no_group_where_no_context_spills) {
  clear_networks();
  set(&sim::Config::vtcm_bytes, std::uint64_t{8} << 20);
  add_four_networks();
  set(&sim::Config::deferred_init, 0);
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().sharing, SpillFillSharing::none);
  EXPECT_EQ(loaded.report().reason, "no context spills");
  expect_to_work(loaded);
  const auto grouped = must(load_as(SpillFillSharing::context_group));
  EXPECT_EQ(grouped.report().sharing, SpillFillSharing::context_group) << "asked for";
}

TEST_F(a_model, asked_for_one_way_takes_no_other) {
  set(&sim::Config::external_buffers, 0);
  const Error error = error_of(load_as(SpillFillSharing::external_buffer));
  EXPECT_EQ(error.code, drawn(sim::Unconfirmed::external_refused));
  EXPECT_EQ(error.object, "one.bin");
}

TEST_F(a_model, GRP_02_as_a_group_creates_the_context_with_the_largest_need_first) {
  std::vector<std::string> created;
  LoadOptions options{.sharing = SpillFillSharing::context_group};
  options.progress = [&](const model::Progress& progress) {
    if (progress.phase == LoadPhase::creating) created.push_back(progress.binary);
    return true;
  };
  const auto loaded = must(model::load(backend(), allocator(), sources, options));
  EXPECT_EQ(created, (std::vector<std::string>{"three.bin", "one.bin", "two.bin", "four.bin"}));
}

TEST_F(a_model, GRP_01_is_no_group_when_a_binary_cannot_be_read_beforehand) {
  sources[3].bytes = sources[3].bytes.first(100);
  const Error error = error_of(load_as(SpillFillSharing::context_group));
  EXPECT_EQ(error.object, "four.bin");
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
}

TEST_F(a_model, GRP_03_as_a_group_frees_its_head_last) {
  auto loaded = must(load_as(SpillFillSharing::context_group));
  auto graph = must(loaded.graph("one"));
  {
    const Model gone = std::move(loaded);
  }
  EXPECT_EQ(control().counters().live_contexts, 2u) << "the graph's and the head";
}

TEST_F(a_model, finds_graphs_in_whichever_context_has_them) {
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(must(loaded.graph("four")).name(), "four");
  EXPECT_EQ(error_of(loaded.graph("five")).kind, Errc::unknown_name);
}

TEST_F(a_model, lists_its_graphs_where_none_or_no_name_is_the_right_one) {
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.graph_names(), (std::vector<std::string>{"one", "two", "three", "four"}));
  const Error none = error_of(loaded.graph());
  EXPECT_EQ(none.kind, Errc::invalid_argument);
  EXPECT_EQ(none.message(),
            "the model: finding the graph: its graphs: one, two, three and 1 more; pass the name "
            "of one");
  EXPECT_EQ(error_of(loaded.graph("Tree")).message(),
            "Tree: finding a graph: no such name; use one that exists (none of 4 contexts has it; "
            "its graphs: three, one, two and 1 more)");
}

TEST_F(a_model, says_of_a_graph_that_is_not_enabled_which_binary_has_it) {
  const auto sizes = binary_of(backend(), std::vector{Step{.name = "r64"}, Step{.name = "r256"}});
  sources.push_back({"sizes.bin", sizes, {}});
  sources.back().enabled_graphs = {"r64"};
  const auto loaded = must(model::load(backend(), allocator(), sources));
  const Error error = error_of(loaded.graph("r256"));
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.found, 1u);
  EXPECT_EQ(error.message(),
            "r256: finding a graph: the graph is there, but not enabled; add it to the enabled "
            "graphs, or use one of them (sizes.bin has it; enabled: r64, one, two and 2 more)");
  EXPECT_EQ(error_of(loaded.pipeline(allocator(), {"one", "r256"})).message(), error.message());
}

TEST_F(a_model, gives_its_only_graph_without_a_name) {
  const auto loaded = must(model::load(backend(), allocator(), {sources[1]}));
  EXPECT_EQ(must(loaded.graph()).name(), "two");
  EXPECT_EQ(must(loaded.graph<RawIo>()).name(), "two");
}

TEST_F(a_model, chains_graphs_of_its_contexts_by_their_names) {
  const auto loaded = must(model::load(backend(), allocator(), sources));
  auto pipeline =
      must(loaded.pipeline(allocator(), {"three", "one"},
                           {.wires = {{.from = 0, .output = "y", .to = 1, .input = "x"}}}));
  const std::vector<float> x = networks[2].input();
  must(write_elements(pipeline.input<float>("x"), x));
  ASSERT_TRUE(succeeds(pipeline.execute()));
  const auto y = must(pipeline.output<float>("y"));
  EXPECT_LT(largest_difference(y, networks[0].reference(networks[2].reference(x))), tolerance);
  ASSERT_EQ(pipeline.stages().size(), 2u);
  EXPECT_EQ(pipeline.stages()[0].context, "three.bin");
}

TEST_F(a_model, without_a_graph_of_that_name_makes_no_pipeline) {
  const auto loaded = must(model::load(backend(), allocator(), sources));
  const Error error = error_of(loaded.pipeline(allocator(), {"one", "five"}));
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "five");
  EXPECT_EQ(error_of(loaded.pipeline(allocator(), {})).kind, Errc::empty);
}

TEST_F(a_model, with_one_name_for_two_graphs_wants_to_know_which) {
  sources[1] = sources[0];
  sources[1].name = "again.bin";
  const auto loaded = must(model::load(backend(), allocator(), sources));
  const Error error = error_of(loaded.graph("one"));
  EXPECT_EQ(error.kind, Errc::duplicate_name);
  EXPECT_NE(error.detail.find("again.bin"), std::string::npos);
}

TEST_F(a_model, has_no_context_beyond_its_last) {
  const auto loaded = must(load_as(SpillFillSharing::none));
  EXPECT_CONTRACT(model_place, (void)loaded.context(networks.size()));
}

TEST_F(a_model, brings_up_only_the_graphs_that_are_enabled) {
  const auto both = binary_of(backend(), {networks[0], networks[1]});
  sources = {{"both.bin", both, {"two"}}};
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_LT(difference(loaded.context(0), networks[1]), tolerance);
  EXPECT_EQ(error_of(loaded.graph("one")).kind, Errc::unknown_name);
}

TEST_F(a_model, of_which_some_graphs_are_enabled_takes_and_tells_what_all_graphs_need) {
  const auto both = binary_of(backend(), {networks[0], networks[2]});
  sources = {{"both.bin", both, {"one"}}};
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                             SpillFillSharing::none}) {
    const auto loaded = must(load_as(sharing));
    const sim::Counters counters = control().counters();
    if (sharing == SpillFillSharing::external_buffer) {
      EXPECT_EQ(loaded.report().spill_fill(sharing).bytes, counters.external_spill_fill_bytes);
    } else {
      EXPECT_EQ(loaded.report().spill_fill(sharing).bytes,
                must(model::read_metadata(backend(), {"both.bin", both})).memory.spill_fill.value);
    }
    EXPECT_EQ(loaded.report().contexts[0].graphs, 1u);
    EXPECT_EQ(loaded.report().contexts[0].io.or_zero(), 2 * networks[0].io_bytes());
  }
  EXPECT_EQ(must(model::survey(backend(), sources[0])).memory.spill_fill.value,
            queried(networks[2]).requirements().spill_fill_bytes);
}

TEST_F(a_model, of_one_binary_twice_with_other_graphs_finds_each_where_it_is_enabled) {
  const auto both = binary_of(backend(), {networks[0], networks[2]});
  sources = {{"a.bin", both, {"one"}}, {"b.bin", both, {"three"}}};
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(must(loaded.graph("one")).name(), "one");
  EXPECT_EQ(must(loaded.graph("three")).name(), "three");
}

TEST_F(a_model, ASY_01_without_sharing_is_brought_up_in_one_call_where_asked_for) {
  const auto loaded =
      must(model::load(backend(), allocator(), sources,
                       {.sharing = SpillFillSharing::none, .in_one_call = restore_list}));
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 1u);
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
  EXPECT_EQ(loaded.report().spill_fill(SpillFillSharing::none).bytes, sum_of(spill_fill_needs()));
  expect_to_work(loaded);
}

TEST_F(a_model, ASY_01_in_one_call_with_a_bad_binary_names_it_and_leaves_nothing) {
  sources[1].bytes = sources[1].bytes.first(300);
  const Error error =
      error_of(model::load(backend(), allocator(), sources,
                           {.sharing = SpillFillSharing::none, .in_one_call = restore_list}));
  EXPECT_EQ(error.object, "two.bin");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_model, with_a_way_of_sharing_that_is_none_or_is_not_for_one_call_is_an_error) {
  const auto detail_for = [&](LoadOptions options) {
    const Error error = error_of(model::load(backend(), allocator(), sources, options));
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_EQ(error.object, "LoadOptions");
    return error.detail;
  };
  EXPECT_EQ(detail_for({.sharing = SpillFillSharing{9}}),
            "sharing is 9; give an enumerator of SpillFillSharing");
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group})
    EXPECT_EQ(detail_for({.sharing = sharing, .in_one_call = restore_list}),
              std::string("one call restores contexts without sharing, and sharing is ") +
                  model::name_of(sharing) + "; leave in_one_call null");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_model, in_one_call_that_leaves_a_context_out_is_an_error) {
  LoadOptions options{.sharing = SpillFillSharing::none};
  options.in_one_call =
      [](const Backend<Htp>&, std::vector<ContextBinary>, const RestoreListOptions&,
         const std::vector<std::vector<std::string>>&) -> Result<std::vector<Context<Finalized>>> {
    return {};
  };
  const Error error = error_of(model::load(backend(), allocator(), sources, options));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, "in_one_call");
}

TEST_F(a_model, chooses_a_group_where_this_memory_is_refused) {
  control().fail_call(Slot::mem_register, 1, 8001, true);
  const auto loaded = must(model::load(backend(), allocator(), sources));
  control().clear_faults();
  EXPECT_EQ(loaded.report().sharing, SpillFillSharing::context_group);
}

TEST_F(a_model, chooses_no_sharing_where_nothing_else_is_to_be_had_and_says_why) {
  set(&sim::Config::external_buffers, 0);
  // The first four calls create deferred contexts; the fifth creates the head of a group.
  control().fail_call(Slot::context_create_from_binary, 5, 1000);
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().sharing, SpillFillSharing::none);
  EXPECT_NE(loaded.report().reason.find(
                "context_group: three.bin: QnnContext_createFromBinary returned 1000"),
            std::string::npos)
      << loaded.report().reason;
}

TEST_F(a_model, falls_back_by_the_codes_that_say_that_a_way_is_not_to_be_had) {
  const std::pair<Slot, std::uint32_t> refusals[] = {{Slot::context_create_from_binary, 1000},
                                                     {Slot::context_create_from_binary, 5010},
                                                     {Slot::context_get_property, 1000},
                                                     {Slot::mem_register, 8001},
                                                     {Slot::mem_register, 8005},
                                                     {Slot::context_finalize, 1000},
                                                     {Slot::context_finalize, 5010}};
  for (const auto& [slot, code] : refusals) {
    SCOPED_TRACE(std::to_string(static_cast<int>(slot)) + " returns " + std::to_string(code));
    control().fail_call(slot, 1, code);
    const auto loaded = must(model::load(backend(), allocator(), sources));
    EXPECT_EQ(loaded.report().sharing, SpillFillSharing::context_group);
    expect_to_work(loaded);
  }
}

TEST_F(a_model, RES_01_falls_back_by_the_codes_that_say_that_a_way_has_no_room) {
  const std::pair<Slot, std::uint32_t> refusals[] = {{Slot::context_create_from_binary, 1002},
                                                     {Slot::context_create_from_binary, 4000},
                                                     {Slot::context_create_from_binary, 5005},
                                                     {Slot::context_create_from_binary, 8003},
                                                     {Slot::context_create_from_binary, 14001},
                                                     {Slot::context_get_property, 1002},
                                                     {Slot::mem_register, 1002},
                                                     {Slot::mem_register, 1003},
                                                     {Slot::mem_register, 1010},
                                                     {Slot::mem_register, 5005},
                                                     {Slot::mem_register, 8003}};
  for (const auto& [slot, code] : refusals) {
    SCOPED_TRACE(std::to_string(static_cast<int>(slot)) + " returns " + std::to_string(code));
    control().fail_call(slot, 1, code);
    const auto loaded = must(model::load(backend(), allocator(), sources));
    EXPECT_EQ(loaded.report().sharing, SpillFillSharing::external_buffer);
    EXPECT_EQ(loaded.report().external_weights, ExternalWeights::untried);
    EXPECT_NE(loaded.report().reason.find("returned " + std::to_string(code)), std::string::npos);
    expect_to_work(loaded);
  }
}

TEST_F(a_model, falls_back_by_no_other_code) {
  const std::pair<Slot, std::uint16_t> others[] = {{Slot::context_create_from_binary, 1003},
                                                   {Slot::context_create_from_binary, 1010},
                                                   {Slot::context_create_from_binary, 5000},
                                                   {Slot::mem_register, 1006},
                                                   {Slot::mem_register, 4000},
                                                   {Slot::mem_register, 8000}};
  for (const auto& [slot, code] : others) {
    SCOPED_TRACE(code);
    control().fail_call(slot, 1, code);
    EXPECT_EQ(error_of(model::load(backend(), allocator(), sources)).code, code);
  }
}

TEST_F(a_model, tries_each_way_once_where_none_has_room_and_no_other_where_the_caller_stops) {
  const std::uint64_t room = control().config().pd_budget_bytes;
  set(&sim::Config::pd_budget_bytes, 1);
  std::size_t creations = 0;
  LoadOptions counting;
  counting.progress = [&](const model::Progress& progress) {
    if (progress.phase == LoadPhase::creating) ++creations;
    return true;
  };
  EXPECT_EQ(error_of(model::load(backend(), allocator(), sources, counting)).code, 1002);
  // The first context with external weights, without (EXT-08), and where all are without.
  EXPECT_EQ(calls(Slot::context_finalize), 3u);
  // Twice all contexts, and the first again; then the head of a group, and the first one alone.
  EXPECT_EQ(creations, 2 * networks.size() + 1 + 2);
  set(&sim::Config::pd_budget_bytes, room);
  LoadOptions options;
  int told = 0;
  options.progress = [&](const model::Progress&) { return ++told != 3; };
  EXPECT_EQ(error_of(model::load(backend(), allocator(), sources, options)).kind, Errc::cancelled);
  EXPECT_EQ(told, 3);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_model, GRP_01_as_a_group_asks_the_backend_where_the_metadata_cannot_be_read) {
  const auto backend = must(Backend<Htp>::load({.library = QNNPP_RECORDER}));
  ASSERT_FALSE(qnnpp::detail::Access::block(backend)->system);
  const auto needs = spill_fill_needs();
  const auto loaded = must(
      model::load(backend, allocator(), sources, {.sharing = SpillFillSharing::context_group}));
  EXPECT_EQ(control().counters().internal_spill_fill_bytes,
            *std::max_element(needs.begin(), needs.end()));
  EXPECT_EQ(error_of(loaded.graph("one")).kind, Errc::library_not_found)
      << "says why no graph is known";
}

TEST_F(a_model, GRP_01_is_no_group_where_nobody_tells_a_need) {
  const auto backend = must(Backend<Htp>::load({.library = QNNPP_RECORDER}));
  set(&sim::Config::deferred_init, 0);
  const Error error = error_of(
      model::load(backend, allocator(), sources, {.sharing = SpillFillSharing::context_group}));
  EXPECT_EQ(error.kind, Errc::no_metadata);
  EXPECT_EQ(error.object, "one.bin");
  EXPECT_NE(error.detail.find("libQnnSystem.so"), std::string::npos) << error.detail;
  const auto loaded = must(model::load(backend, allocator(), sources));
  EXPECT_EQ(loaded.report().sharing, SpillFillSharing::none);
}

TEST_F(a_model, tells_of_all_bytes_at_the_end_in_each_way) {
  std::uint64_t all = 0;
  for (const BinarySource& source : sources) all += source.bytes.size();
  for (const bool in_one_call : {false, true})
    for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                               SpillFillSharing::none}) {
      std::uint64_t first_done = all, last_done = 0;
      LoadOptions options{.sharing = sharing};
      if (in_one_call) {
        if (sharing != SpillFillSharing::none) continue;
        options.in_one_call = restore_list;
      }
      options.progress = [&](const model::Progress& progress) {
        first_done = std::min(first_done, progress.bytes_done);
        last_done = progress.bytes_done;
        EXPECT_EQ(progress.bytes_total, all);
        return true;
      };
      const auto loaded = must(model::load(backend(), allocator(), sources, options));
      EXPECT_EQ(first_done, 0u);
      EXPECT_EQ(last_done, all);
    }
}

/// Records the configurations of created contexts, from single binaries and from lists.
struct Configs {
  static inline std::vector<std::set<c_api::ContextConfigOption>> of_contexts;
  static inline c_api::Priority priority{};

  static void read(const c_api::ContextConfig** configs) {
    of_contexts.emplace_back();
    for (; *configs != nullptr; ++configs) {
      of_contexts.back().insert((*configs)->option);
      if ((*configs)->option == c_api::ContextConfigOption::priority)
        priority = (*configs)->priority;
    }
  }
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering) return;
    if (slot == static_cast<std::size_t>(Slot::context_create_from_binary))
      read(argument<const c_api::ContextConfig**>(arguments, 2));
    if (slot == static_cast<std::size_t>(Slot::context_create_from_binary_list_async))
      for (auto params = argument<const c_api::ContextParams**>(arguments, 2); *params != nullptr;
           ++params)
        read((*params)->v1.config);
  }
};

TEST_F(a_model, gives_its_options_to_each_context_in_each_way) {
  using Option = c_api::ContextConfigOption;
  const auto backend = must(load_recorder());
  for (BinarySource& source : sources)
    source.enabled_graphs = {source.name.substr(0, source.name.find('.'))};
  const Recording recording(&Configs::hook);
  for (const bool in_one_call : {false, true})
    for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                               SpillFillSharing::none}) {
      Configs::of_contexts.clear();
      LoadOptions options{.sharing = sharing,
                          .contexts = {.persistent_binaries = true,
                                       .init_acceleration = true,
                                       .priority = c_api::Priority::high}};
      if (in_one_call) {
        if (sharing != SpillFillSharing::none) continue;
        options.in_one_call = restore_list;
      }
      const auto loaded = must(model::load(backend, allocator(), sources, options));
      EXPECT_EQ(Configs::of_contexts.size(), 4u);
      for (const auto& given : Configs::of_contexts) {
        EXPECT_TRUE(given.contains(Option::priority));
        EXPECT_TRUE(given.contains(Option::persistent_binary));
        EXPECT_TRUE(given.contains(Option::enable_graphs));
      }
      EXPECT_EQ(Configs::priority, c_api::Priority::high);
      for (const auto& context : loaded.report().contexts)
        EXPECT_EQ(context.acceleration,
                  in_one_call ? Acceleration::not_requested : Acceleration::effective);
    }
}

TEST_F(a_model, of_two_paths_written_in_place_is_loaded_from_files) {
  const Error error = error_of(model::load(backend(), allocator(), {"/nowhere/a", "/nowhere/b"}));
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.object, "/nowhere/a");
}

TEST_F(a_model, of_no_binaries_is_refused) {
  EXPECT_EQ(error_of(model::load(backend(), allocator(), std::vector<BinarySource>{})).kind,
            Errc::empty);
}

TEST_F(a_model, tells_each_step_and_the_bytes_done) {
  std::vector<std::pair<std::size_t, LoadPhase>> phases;
  std::uint64_t total = 0, done = 0;
  LoadOptions options;
  options.progress = [&](const model::Progress& progress) {
    phases.emplace_back(progress.context, progress.phase);
    EXPECT_EQ(progress.contexts, 4u);
    EXPECT_GE(progress.bytes_done, done);
    done = progress.bytes_done;
    total = progress.bytes_total;
    return true;
  };
  const auto loaded = must(model::load(backend(), allocator(), sources, options));
  std::vector<std::pair<std::size_t, LoadPhase>> expected;
  for (std::size_t i = 0; i < 4; ++i) {
    expected.emplace_back(i, LoadPhase::creating);
    expected.emplace_back(i, LoadPhase::querying);
  }
  for (std::size_t i = 0; i < 4; ++i) {
    expected.emplace_back(i, LoadPhase::registering);
    expected.emplace_back(i, LoadPhase::finalizing);
    expected.emplace_back(i, LoadPhase::loaded);
  }
  EXPECT_EQ(phases, expected);
  std::uint64_t all = 0;
  for (const BinarySource& source : sources) all += source.bytes.size();
  EXPECT_EQ(total, all);
}

TEST_F(a_model, that_finds_no_memory_says_for_which_binary) {
  for (const std::uint64_t k : {1u, 3u}) {
    rpcmem_control().fail_call(sim::RpcmemCall::alloc2, k);
    const Error error = error_of(load_as(SpillFillSharing::external_buffer));
    EXPECT_EQ(error.kind, Errc::allocation_failed);
    EXPECT_NE(error.detail.find(k == 1 ? "spill-fill of the model" : "weights of two.bin"),
              std::string::npos)
        << error.detail;
  }
}

TEST_F(a_model, surveyed_takes_nothing_and_tells_what_loading_will_take) {
  const auto memory = must(model::survey(backend(), sources[2])).memory;
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(memory.weights.or_zero(), networks[2].weights_bytes());
  EXPECT_EQ(memory.spill_fill.source, SizeSource::query);
  set(&sim::Config::deferred_init, 0);
  const auto told = must(model::survey(backend(), sources[2])).memory;
  EXPECT_EQ(told.spill_fill.value, memory.spill_fill.value);
  EXPECT_EQ(told.spill_fill.source, SizeSource::metadata);
  EXPECT_GE(told.weights.or_zero(), networks[2].constants_bytes());
  EXPECT_LE(told.weights.or_zero(), networks[2].weights_bytes());
  EXPECT_EQ(told.weights.source, SizeSource::metadata);
  ::setenv("QNNPP_SIM_GRAPH_BLOB_BYTES", "40", 1);  // binaries that do not tell their weights
  EXPECT_FALSE(must(model::survey(backend(), sources[2])).memory.weights.value.has_value());
  ::unsetenv("QNNPP_SIM_GRAPH_BLOB_BYTES");
}

}}  // namespace support
