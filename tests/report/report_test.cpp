// MemoryReport: its arithmetic, its three renderings, and comparison with the device.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "qnnpp/model/load.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/domain_plan.hpp"
#include "qnnpp/report/format.hpp"
#include "qnnpp/report/json.hpp"

#include "fixture.hpp"
#include "plan/memory_map.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::BinarySource;
using model::Bytes;
using model::ByteSum;
using model::ContextMemory;
using model::DomainPlan;
using model::MemoryReport;
using model::SizeSource;
using model::SpillFillSharing;
using enum model::SpillFillSharing;

constexpr std::uint64_t mib = std::uint64_t{1} << 20;

Bytes told(std::uint64_t bytes) { return {bytes, SizeSource::metadata}; }

/// Returns the four contexts of an image model that were measured on a device, `scale` times
/// smaller.
MemoryReport published(std::uint64_t scale = 1) {
  MemoryReport report{.sharing = external_buffer, .reason = "planned", .contexts = {}};
  const std::uint64_t sizes[][3] = {
      {2263, 289, 2159}, {1398, 266, 1325}, {1354, 273, 1273}, {1398, 258, 1327}};
  for (const auto& [file, spill_fill, weights] : sizes)
    report.contexts.push_back(
        {.name = "context_" + std::to_string(report.contexts.size() + 1) + ".bin",
         .file_bytes = file * mib / scale,
         .weights = {weights * mib / scale, SizeSource::manifest},
         .spill_fill = {spill_fill * mib / scale, SizeSource::manifest}});
  return report;
}

/// Returns `count` contexts, the third being the largest, with names too long for any picture.
MemoryReport many(std::size_t count, SpillFillSharing sharing = external_buffer) {
  MemoryReport report{.sharing = sharing, .reason = "asked for", .contexts = {}};
  for (std::size_t i = 0; i < count; ++i)
    report.contexts.push_back(
        {.name = "a/long/way/to/<part> & \"" + std::to_string(i) + "\"/of_the_model.bin",
         .file_bytes = (i * 37 % 11 + 1) * 40 * mib,
         .weights = i % 7 == 3 ? Bytes{} : told((i * 37 % 11 + 1) * 39 * mib),
         .spill_fill = i % 5 == 4 ? Bytes{} : told(i == 2 ? 90 * mib : (i % 9 + 1) * 8 * mib)});
  return report;
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// ---- arithmetic ---------------------------------------------------------------------------------

TEST(a_report, of_the_published_profile_sixteen_times_smaller_adds_up) {
  const MemoryReport report = published(16);
  constexpr std::uint64_t sixteenth = mib / 16;
  EXPECT_EQ(report.total(none),
            (ByteSum{(2159 + 1325 + 1273 + 1327 + 289 + 266 + 273 + 258) * sixteenth}));
  EXPECT_EQ(report.spill_fill(none), (ByteSum{1086 * sixteenth}));
  for (const auto sharing : {external_buffer, context_group}) {
    EXPECT_EQ(report.spill_fill(sharing), (ByteSum{289 * sixteenth}));
    EXPECT_EQ(report.total(sharing), (ByteSum{(6084 + 289) * sixteenth}));
    EXPECT_EQ(report.saved(sharing), (ByteSum{797 * sixteenth}));
  }
  EXPECT_EQ(report.saved(none), (ByteSum{0}));
  EXPECT_EQ(report.saved(), (ByteSum{797 * sixteenth})) << "the way taken";
}

TEST(a_report, BIN_03_rounds_numbers_of_the_metadata_up_for_an_external_buffer_only) {
  MemoryReport report = published();
  report.contexts[0].spill_fill = told(289 * mib + 1);
  EXPECT_EQ(report.spill_fill(external_buffer), (ByteSum{290 * mib}));
  EXPECT_EQ(report.spill_fill(context_group), (ByteSum{289 * mib + 1}));
  report.contexts[0].spill_fill.source = SizeSource::query;
  EXPECT_EQ(report.spill_fill(external_buffer), (ByteSum{289 * mib + 1}));
  report.contexts.resize(1);
  report.contexts[0].spill_fill = told(1);
  EXPECT_EQ(report.saved(external_buffer), (ByteSum{0})) << "one context shares with no other";
}

TEST(a_report, with_an_unknown_number_has_lower_bounds_for_sums) {
  MemoryReport report = published();
  EXPECT_TRUE(report.complete());
  report.contexts[3].spill_fill = {};
  EXPECT_FALSE(report.complete());
  EXPECT_EQ(report.spill_fill(none), (ByteSum{828 * mib, false}));
  EXPECT_EQ(report.spill_fill(context_group), (ByteSum{289 * mib, false}));
  EXPECT_EQ(report.saved(), (ByteSum{539 * mib, false}));
  EXPECT_TRUE(report.sum_of(&ContextMemory::weights).exact);
  EXPECT_EQ(report.sum_of(&ContextMemory::io), (ByteSum{0, false}));
}

TEST(a_report, never_overflows) {
  MemoryReport report = published();
  for (ContextMemory& context : report.contexts) {
    context.file_bytes = UINT64_MAX / 2;
    context.spill_fill = context.weights = context.io = told(UINT64_MAX / 2);
  }
  EXPECT_EQ(report.total(none), (ByteSum{UINT64_MAX, false}));
  EXPECT_EQ(report.contexts[0].pd_estimate(), (ByteSum{UINT64_MAX, false}));
}

// ---- what a host library logs -------------------------------------------------------------------

/// A graph as a real binary states it, and the run list that a host library logged for it.
struct Logged {
  std::string name;
  std::uint64_t spill_fill, constants, shared, io, op_data, vtcm_mb, run_list;
};
/// Returns what the binary of a context with these graphs states of the first `enabled`.
ContextMemory stated_by(const std::vector<Logged>& all, std::size_t enabled) {
  std::vector<GraphSpec> graphs;
  for (const Logged& of : all) {
    GraphSpec graph{.name = of.name};
    graph.spill_fill_bytes = of.spill_fill;
    graph.constant_bytes = of.constants;
    graph.shared_weights_bytes = of.shared;
    graph.io_bytes = of.io;
    graph.op_data_bytes = of.op_data;
    graph.preparation.vtcm_mb = static_cast<std::uint32_t>(of.vtcm_mb);
    graphs.push_back(std::move(graph));
  }
  const auto needs = detail::needs_of(graphs);
  graphs.resize(enabled);
  ContextMemory memory{.name = "real.bin"};
  model::detail::add_told(graphs, needs, memory);
  return memory;
}
/// Checks the estimate against the logged one, from which the run lists' excess is known.
void expect_estimate(const std::vector<Logged>& all, std::size_t enabled, std::uint64_t logged) {
  const ContextMemory memory = stated_by(all, enabled);
  std::uint64_t excess = 0;
  for (std::size_t i = 0; i < enabled; ++i) excess += all[i].run_list - all[i].op_data;
  EXPECT_EQ(memory.pd_estimate(), (ByteSum{logged - excess, false}));
  MemoryReport report;
  report.contexts.push_back(memory);
  const auto plan = model::plan_domains(report);
  EXPECT_GE(plan.estimates[0].bytes, logged) << "the allowance covers the run lists";
  EXPECT_LE(plan.estimates[0].bytes, logged + *memory.op_data.value + 65536);
  EXPECT_EQ(plan.estimates[0].bytes - plan.allowances[0], logged - excess);
  EXPECT_FALSE(plan.exact());
}

// Prepared by SDKs 2.47.0 and 2.51.0; logged by 2.48.40 and 2.51.0.
const std::vector<Logged> two_graphs{{"a", 16842752, 348160, 0, 2097152, 304128, 2, 418816},
                                     {"b", 0, 348160, 0, 524288, 133632, 4, 189696}};
const std::vector<Logged> sharing_weights{{"a", 0, 0, 344064, 131072, 47616, 8, 78336},
                                          {"b", 0, 0, 344064, 32768, 23296, 8, 49920}};
const std::vector<Logged> tiny{{"r", 0, 8192, 0, 16384, 2816, 4, 20480}};

TEST(the_needs_of_a_binary, BIN_03_are_rounded_up_as_the_backend_does) {
  const auto needs = [](const std::vector<Logged>& graphs) {
    return must(model::requirements_of(stated_by(graphs, 1)));
  };
  EXPECT_EQ(needs(two_graphs), (BufferRequirements{4194304, 18874368, 4096}))
      << "of both graphs, though one is enabled";
  EXPECT_EQ(needs(sharing_weights), (BufferRequirements{2097152, 0, 4096}))
      << "shared weights count once";
  EXPECT_EQ(needs(tiny), (BufferRequirements{2097152, 0, 4096}));
  EXPECT_EQ(*stated_by(sharing_weights, 2).shared_weights.value, 344064u) << "not rounded";
}

TEST(the_needs_of_a_binary, PD_01_add_up_to_the_estimate_that_a_host_library_logs) {
  expect_estimate(two_graphs, 2, 30558464);
  expect_estimate(two_graphs, 1, 23553024);
  expect_estimate(sharing_weights, 2, 19166464);
  expect_estimate(tiny, 1, 6328320);
  std::vector<Logged> without_op_data = two_graphs;
  for (Logged& graph : without_op_data) graph.op_data = 0;
  ContextMemory memory = stated_by(without_op_data, 2);
  EXPECT_EQ(memory.pd_estimate(), (ByteSum{30558464 - 418816 - 189696})) << "exact without a list";
  memory.unread_metadata_bytes = 1;
  EXPECT_FALSE(memory.pd_estimate().exact);
  memory.unread_metadata_bytes = 0;
  for (Bytes ContextMemory::* number : {&ContextMemory::weights, &ContextMemory::domain_spill_fill,
                                        &ContextMemory::io, &ContextMemory::vtcm}) {
    ContextMemory lacking = memory;
    lacking.*number = {};
    EXPECT_FALSE(lacking.pd_estimate().exact);
  }
}

TEST(a_report, PD_01_of_a_binary_with_the_first_version_of_the_metadata_has_an_allowance) {
  // Weights and spill-fill of a real binary by the backend, I/O by its tensors, VTCM by its
  // metadata; and the logged estimate and run list.
  ContextMemory context{.name = "denoise.bin",
                        .file_bytes = 768807,
                        .weights = {2097152, SizeSource::query},
                        .spill_fill = {29360128, SizeSource::query},
                        .io = told(77987840),
                        .vtcm = told(8388608),
                        .graphs = 1};
  constexpr std::uint64_t logged = 120760576, run_list = 2926848, vtcm = 8388608;
  EXPECT_EQ(context.pd_estimate(), (ByteSum{logged - run_list, false})) << "at least";
  MemoryReport report;
  report.contexts.push_back(context);
  const auto plan = model::plan_domains(report);
  EXPECT_EQ(plan.estimates[0], (ByteSum{logged - run_list - vtcm + 16 * mib, false}))
      << "for run list and VTCM together";
  EXPECT_EQ(model::plan_domains(report, 1, 0).estimates[0], context.pd_estimate());
  EXPECT_NE(model::to_text(plan, report)
                .find("run lists, which binaries do not state in full, count 8388608 (8.0 MiB)"),
            std::string::npos);
  EXPECT_NE(model::to_text(report).find("at least 117833728"), std::string::npos);
  context.op_data = told(10);
  context.weights = {};
  EXPECT_EQ(context.pd_estimate().bytes, 768807u + 29360128 + 77987840 + 8388608 + 10)
      << "the file's size";
}

TEST(a_report, BIN_03_says_how_much_newer_metadata_is_not_read) {
  MemoryReport report = published();
  EXPECT_EQ(model::to_text(report).find("newer metadata"), std::string::npos);
  report.contexts[1].unread_metadata_bytes = 48;
  EXPECT_NE(model::to_text(report).find("context_2.bin  newer metadata: 48 bytes not read\n"),
            std::string::npos);
  const auto json = nlohmann::json::parse(model::to_json(report), nullptr, false);
  EXPECT_EQ(json["contexts"][1]["unread_metadata_bytes"], 48);
  EXPECT_FALSE(json["contexts"][0].contains("unread_metadata_bytes"));
}

TEST(a_report, says_whether_the_acceleration_that_was_asked_for_took_effect) {
  MemoryReport report = published();
  EXPECT_EQ(model::to_text(report).find("acceleration"), std::string::npos);
  report.contexts[1].acceleration = Acceleration::other_version;
  EXPECT_NE(model::to_text(report).find("context_2.bin  init acceleration: other_version\n"),
            std::string::npos);
  const auto json = nlohmann::json::parse(model::to_json(report), nullptr, false);
  EXPECT_EQ(json["contexts"][1]["acceleration"], "other_version");
  EXPECT_FALSE(json["contexts"][0].contains("acceleration"));
}

TEST(a_domain_plan, PD_01_refuses_the_estimate_that_a_device_has_refused) {
  MemoryReport report;
  report.contexts.push_back({.name = "c", .weights = told(3652345600), .spill_fill = told(0)});
  EXPECT_EQ(model::plan_domains(report).too_large, (std::vector<std::size_t>{0}));
  report.contexts[0].weights = told(3652345600 / 3535 * 3506);
  EXPECT_TRUE(model::plan_domains(report).too_large.empty());
}

// ---- process domains ----------------------------------------------------------------------------

constexpr std::uint64_t unit = 10000;

/// Returns a report with these estimates, in units.
MemoryReport with_estimates(const std::vector<std::uint64_t>& estimates) {
  MemoryReport report;
  for (const std::uint64_t estimate : estimates)
    report.contexts.push_back({.name = "c" + std::to_string(report.contexts.size()),
                               .file_bytes = estimate * unit,
                               .weights = told(estimate * unit),
                               .spill_fill = told(0),
                               .io = told(0),
                               .op_data = told(0),
                               .vtcm = told(0),
                               .domain_spill_fill = told(0)});
  return report;
}
DomainPlan plan_units(const MemoryReport& report, std::uint64_t budget) {
  return model::plan_domains(report, budget * unit);
}

TEST(a_domain_plan, packs_the_largest_first_into_the_first_domain_with_room) {
  const auto plan = plan_units(with_estimates({30, 60, 50, 40, 20}), 100);
  ASSERT_EQ(plan.packing.size(), 2u);
  EXPECT_EQ(plan.packing[0], (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(plan.packing[1], (std::vector<std::size_t>{2, 0, 4}));
  EXPECT_EQ(plan.bytes_of(plan.packing[1]), 100 * unit);
  EXPECT_EQ(plan.at_least, 2u);
  EXPECT_FALSE(plan.all_together());
  EXPECT_TRUE(plan.exact());
}

TEST(a_domain_plan, has_the_domains_that_a_host_library_fills_with_contexts_of_one_size) {
  // Contexts that host library 2.48.40 loaded: how many fit a domain, and how many all four.
  struct Contexts {
    std::uint64_t estimate;
    std::size_t in_one, in_all;
  };
  for (const auto& [estimate, in_one, in_all] :
       {Contexts{79838720, 45, 180}, Contexts{242198784, 15, 60}}) {
    MemoryReport report = with_estimates(std::vector<std::uint64_t>(in_one, 1));
    // clang 14 captures no structured binding.
    const auto plan = [&report, size = estimate](std::size_t count) {
      report.contexts.resize(count, report.contexts[0]);
      for (ContextMemory& context : report.contexts) context.weights = told(size);
      return model::plan_domains(report);
    };
    EXPECT_TRUE(plan(in_one).all_together());
    EXPECT_EQ(plan(in_one + 1).packing.size(), 2u);
    const auto full = plan(in_all);
    EXPECT_EQ(full.packing.size(), model::process_domains.size());
    EXPECT_EQ(full.at_least, model::process_domains.size());
    for (const auto& domain : full.packing) EXPECT_EQ(domain.size(), in_one);
    EXPECT_TRUE(full.exact());
    const std::string text = model::to_text(full, report);
    EXPECT_NE(text.find("process domain 2: c0"), std::string::npos) << "the second one\n" << text;
    EXPECT_LT(text.find("process domain 0:"), text.find("process domain 2:"));
    EXPECT_LT(text.find("process domain 2:"), text.find("process domain 3:"));
    EXPECT_LT(text.find("process domain 3:"), text.find("process domain 1:"));
    EXPECT_EQ(text.find("resident at once"), std::string::npos) << text;
    const auto more = plan(in_all + 1);
    EXPECT_EQ(more.at_least, model::process_domains.size() + 1);
    EXPECT_NE(model::to_text(more, report)
                  .find("at least 5, this packing 5, QNN uses 4: they cannot be resident at once"),
              std::string::npos);
  }
}

TEST(a_domain_plan, PD_02_has_as_many_contexts_as_a_host_library_with_an_io_limit) {
  // One context of the numbers in a host library's log, which loaded 45 and 87 of it into a domain.
  constexpr std::uint64_t run_list_and_vtcm = 2'899'456 + 8'388'608;
  ContextMemory context{.name = "one.bin",
                        .weights = told(2'097'152),
                        .spill_fill = told(27'459'584),
                        .io = told(38'993'920),
                        .graphs = 1};
  const auto domains = [&](std::size_t count) {
    MemoryReport report;
    report.contexts = std::vector<ContextMemory>(count, context);
    return model::plan_domains(report, model::process_domain_bytes, run_list_and_vtcm)
        .packing.size();
  };
  EXPECT_EQ(domains(45), 1u);
  EXPECT_EQ(domains(180), 4u);
  EXPECT_EQ(domains(181), 5u);
  context.io_limit = told(1 << 20);
  EXPECT_EQ(domains(87), 1u);
  EXPECT_EQ(domains(348), 4u);
  EXPECT_EQ(domains(349), 5u);
}

TEST(a_report, PD_02_has_the_largest_graph_of_each_context_or_of_a_list) {
  const auto context = [](const char* name, std::uint64_t io, std::uint64_t one) {
    return ContextMemory{
        .name = name, .io = told(io), .io_copies = told(0), .io_of_one_graph = told(one)};
  };
  MemoryReport report;
  report.contexts = {context("two graphs", 5 * mib, 3 * mib - 1), context("one", mib, mib)};
  const auto each = model::with_one_graph_at_a_time(report, false);
  EXPECT_EQ(each.contexts[0].io_limit.value, 3 * mib);
  EXPECT_FALSE(each.contexts[1].io_limit.value) << "no gain";
  const auto list = model::with_one_graph_at_a_time(report, true);
  EXPECT_EQ(list.contexts[0].io_limit.value, 3 * mib);
  EXPECT_EQ(list.contexts[1].io_limit.value, 0u);
  EXPECT_NE(model::to_text(list).find("I/O limit: 3145728 (3.0 MiB) count in its process domain"),
            std::string::npos);
  report.contexts[1].io_copies = told(3 * mib);
  EXPECT_FALSE(model::with_one_graph_at_a_time(report, true).contexts[0].io_limit.value)
      << "copies count always";
  report.contexts[1].io_of_one_graph = {};
  EXPECT_FALSE(model::with_one_graph_at_a_time(report, true).contexts[0].io_limit.value)
      << "not known";
}

TEST(a_domain_plan, names_contexts_that_are_larger_than_a_domain) {
  const auto report = with_estimates({101, 100, 7});
  const auto plan = plan_units(report, 100);
  EXPECT_EQ(plan.too_large, (std::vector<std::size_t>{0}));
  EXPECT_FALSE(plan.can_share(0, 0));
  EXPECT_TRUE(plan.can_share(1, 1));
  EXPECT_FALSE(plan.can_share(1, 2));
  const std::string text = model::to_text(plan, report, 4);
  EXPECT_NE(text.find("c0: larger than a whole process domain: 1010000 (986.3 KiB)\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("c1: cannot share a process domain with c2\n"), std::string::npos) << text;
  EXPECT_NE(text.find("at least 2, this packing 2, QNN uses 4: they cannot be resident"),
            std::string::npos)
      << text;
}

TEST(a_domain_plan, of_contexts_that_fit_together_says_so) {
  const auto report = with_estimates({50, 50});
  EXPECT_TRUE(plan_units(report, 100).all_together());
  EXPECT_FALSE(plan_units(report, 99).all_together());
  EXPECT_EQ(model::to_text(plan_units(report, 100), report),
            "process domain budget: 1000000 (976.6 KiB)\nall contexts fit one process domain "
            "together\n");
  EXPECT_TRUE(model::plan_domains(MemoryReport{}).all_together());
}

TEST(a_domain_plan, of_the_published_profile_puts_the_largest_apart) {
  const auto plan = model::plan_domains(published());
  EXPECT_EQ(plan.budget_bytes, model::process_domain_bytes);
  EXPECT_EQ(plan.at_least, 3u);
  EXPECT_EQ(plan.packing.size(), 3u);
  EXPECT_EQ(plan.packing[0], (std::vector<std::size_t>{0}));
  EXPECT_FALSE(plan.exact());
  EXPECT_TRUE(plan.can_share(1, 2));
  EXPECT_FALSE(plan.can_share(0, 3));
}

/// Returns the least number of domains, by trying all packings.
std::size_t least_domains(const std::vector<std::uint64_t>& sizes, std::size_t next,
                          std::vector<std::uint64_t>& domains, std::uint64_t budget,
                          std::size_t best) {
  if (domains.size() >= best) return best;
  if (next == sizes.size()) return domains.size();
  for (std::size_t i = 0; i < domains.size(); ++i) {
    if (domains[i] + sizes[next] > budget) continue;
    domains[i] += sizes[next];
    best = least_domains(sizes, next + 1, domains, budget, best);
    domains[i] -= sizes[next];
  }
  domains.push_back(sizes[next]);
  best = least_domains(sizes, next + 1, domains, budget, best);
  domains.pop_back();
  return best;
}

TEST(a_domain_plan, is_between_its_bound_and_the_best_and_near_it) {
  std::uint32_t state = 7;
  std::size_t tight = 0, better_than_sum = 0;
  for (int round = 0; round < 400; ++round) {
    std::vector<std::uint64_t> sizes;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      state = state * 1664525u + 1013904223u;
      sizes.push_back(1 + (state >> 8) % 100);
      sum += sizes.back();
    }
    const auto plan = plan_units(with_estimates(sizes), 100);
    std::vector<std::uint64_t> domains;
    const std::size_t best = least_domains(sizes, 0, domains, 100, sizes.size() + 1);
    ASSERT_LE(plan.at_least, best);
    ASSERT_GE(plan.packing.size(), best);
    ASSERT_LE(plan.packing.size() * 9, best * 11 + 9);
    tight += plan.at_least == best;
    better_than_sum += plan.at_least > (sum + 99) / 100;
    std::vector<std::size_t> seen;
    for (const auto& domain : plan.packing) {
      std::uint64_t bytes = 0;
      for (const std::size_t i : domain) bytes += sizes[i];
      ASSERT_EQ(bytes * unit, plan.bytes_of(domain));
      ASSERT_LE(bytes, 100u);
      seen.insert(seen.end(), domain.begin(), domain.end());
    }
    std::sort(seen.begin(), seen.end());
    ASSERT_EQ(seen, (std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  }
  EXPECT_GT(tight, 380u);
  EXPECT_GT(better_than_sum, 50u);
}

// ---- text ---------------------------------------------------------------------------------------

TEST(a_report, as_text_has_human_sizes_beside_exact_bytes_and_the_sources) {
  MemoryReport report = published();
  report.contexts[1].weights = {};
  report.contexts[2].io = {1000, SizeSource::query};
  const std::string text = model::to_text(report);
  for (const char* wanted :
       {"303038464 (289.0 MiB)", "unknown", "at least 4990173184 (4.6 GiB)",
        "saves 835715072 (797.0 MiB)", "spill-fill sharing: external_buffer (planned)",
        "context_1.bin  from manifest: weights, spill-fill\n",
        "context_3.bin  from query: I/O; manifest: weights, spill-fill\n"})
    EXPECT_NE(text.find(wanted), std::string::npos) << wanted << "\n" << text;
  EXPECT_EQ(text.find("at least 0"), std::string::npos) << text;
}

TEST(a_report, as_text_has_lines_of_one_length_in_each_table) {
  const std::string text = model::to_text(many(66));
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  ASSERT_GT(lines.size(), 140u);
  for (std::size_t i = 1; i <= 67; ++i)
    EXPECT_EQ(model::columns_of(lines[i]), model::columns_of(lines[0]));
  EXPECT_EQ(lines[1].rfind("a/long/way/to/<", 0), 0u) << lines[1];
}

TEST(a_report, as_text_says_that_enabling_some_graphs_reduces_no_buffer) {
  const char* const words = "are for all graphs of a binary, whichever are enabled\n";
  MemoryReport report = published();
  report.contexts[1].graphs = 1;
  EXPECT_EQ(model::to_text(report).find(words), std::string::npos);
  report.contexts[1].graphs = 2;
  EXPECT_NE(model::to_text(report).find(words), std::string::npos);
}

TEST(a_report, as_text_prints_no_control_characters) {
  MemoryReport report = published();
  report.contexts[0].name = "one\ntwo\x1b[31m\xff";
  report.reason = "because\tso";
  const std::string text = model::to_text(report);
  EXPECT_EQ(text.find_first_of("\t\x1b\xff"), std::string::npos);
  EXPECT_NE(text.find("one\\ntwo\\x1b[31m\\xff"), std::string::npos) << text;
  EXPECT_NE(text.find("(because\\tso)"), std::string::npos) << text;
}

// ---- JSON ---------------------------------------------------------------------------------------

TEST(a_report, as_json_has_every_number_and_null_for_unknown) {
  MemoryReport report = published();
  report.contexts[1].weights = {};
  report.contexts[0].name = "quote\" back\\ line\n bell\x07 \xc3\xa4 \xff";
  const auto plan = model::plan_domains(report);
  const auto json = nlohmann::json::parse(model::to_json(report, plan), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["schema"], "qnnpp-memory-report-2");
  EXPECT_EQ(json["sharing"], "external_buffer");
  EXPECT_EQ(json["contexts"][0]["name"], "quote\" back\\ line\n bell\x07 \u00e4 \uFFFD");
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& context = json["contexts"][i];
    EXPECT_EQ(context["file_bytes"], report.contexts[i].file_bytes);
    EXPECT_EQ(context["spill_fill"]["bytes"], *report.contexts[i].spill_fill.value);
    EXPECT_EQ(context["spill_fill"]["source"], "manifest");
    EXPECT_EQ(context["pd_estimate"]["bytes"], report.contexts[i].pd_estimate().bytes);
    EXPECT_EQ(context["pd_estimate"]["at_least"], true);
  }
  EXPECT_TRUE(json["contexts"][1]["weights"]["bytes"].is_null());
  EXPECT_EQ(json["contexts"][1]["weights"]["source"], "unknown");
  const auto& totals = json["totals"];
  EXPECT_EQ(totals["spill_fill"]["separate"]["bytes"], 1086 * mib);
  EXPECT_EQ(totals["spill_fill"]["grouped"]["bytes"], 289 * mib);
  EXPECT_EQ(totals["together"]["shared"]["bytes"], report.total().bytes);
  EXPECT_EQ(totals["together"]["shared"]["at_least"], true);
  EXPECT_EQ(totals["saved"]["bytes"], 797 * mib);
  EXPECT_EQ(totals["saved"]["at_least"], false);
  const auto& domains = json["process_domains"];
  EXPECT_EQ(domains["at_least"], 3);
  EXPECT_EQ(domains["packing"][1]["contexts"], (std::vector<int>{1, 3}));
  // The first row names no other context, and the other rows do not name the first. The pairs
  // follow from the estimates.
  ASSERT_EQ(domains["cannot_share"].size(), 4u);
  std::vector<std::vector<std::size_t>> pairs;
  for (const auto& row : domains["cannot_share"]) {
    std::size_t others = 0;
    for (std::size_t other = 0; other < 4; ++other) {
      if (other == row["context"] || domains["estimates"][other] <= row["above"]) continue;
      ++others;
      if (row["context"] < other) pairs.push_back({row["context"], other});
    }
    EXPECT_EQ(row["others"], others);
  }
  EXPECT_EQ(pairs, (std::vector<std::vector<std::size_t>>{{0, 1}, {0, 2}, {0, 3}}));
  EXPECT_FALSE(nlohmann::json::parse(model::to_json(many(66)), nullptr, false).is_discarded());
}

/// Returns contexts of which no two fit in one domain, except for some small ones.
MemoryReport large_ones(std::size_t count) {
  MemoryReport report;
  for (std::size_t i = 0; i < count; ++i)
    report.contexts.push_back(
        {.name = "context_" + std::to_string(10000 + i) + ".bin",
         .file_bytes = 1,
         .weights = {model::process_domain_bytes / (i % 10 == 0 ? 100 : 2) + i, SizeSource::query},
         .spill_fill = {1, SizeSource::query},
         .io = {1, SizeSource::query}});
  return report;
}

TEST(a_report, of_contexts_that_cannot_share_a_domain_is_linear_in_json_text_and_svg) {
  const auto sizes = [](std::size_t count) {
    const MemoryReport report = large_ones(count);
    const auto plan = model::plan_domains(report);
    return std::vector<std::size_t>{model::to_json(report, plan).size(),
                                    model::to_text(plan, report).size(),
                                    plan::to_svg(report, plan).size()};
  };
  const auto few = sizes(100), many = sizes(1000);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_LE(many[i], 11 * few[i]) << i;
}

TEST(a_plan, tells_for_each_context_with_how_many_others_it_cannot_share) {
  const MemoryReport report = large_ones(60);
  const auto plan = model::plan_domains(report);
  const auto order = plan.by_estimate();
  for (std::size_t a = 0; a < 60; ++a) {
    std::size_t others = 0;
    for (std::size_t b = 0; b < 60; ++b) others += a != b && !plan.can_share(a, b);
    EXPECT_EQ(plan.others_excluded(order, a), others) << a;
  }
}

// ---- the memory map -----------------------------------------------------------------------------

struct Element {
  std::string tag, text;
  std::vector<std::pair<std::string, std::string>> attributes;

  [[nodiscard]] std::string get(std::string_view name) const {
    for (const auto& [key, value] : attributes)
      if (key == name) return value;
    return "";
  }
  [[nodiscard]] double number(std::string_view name) const {
    return std::strtod(get(name).c_str(), nullptr);
  }
};

bool is_utf8(std::string_view text) {
  const auto replaced =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return nlohmann::json::parse(replaced, nullptr, false) == text;
}

/// Parses a document that has only elements, attributes and text. Returns nothing if the document
/// is not well-formed.
std::vector<Element> parse_xml(const std::string& xml) {
  std::vector<Element> elements;
  std::vector<std::size_t> open;
  const auto is_text = [](std::string_view text) {
    for (std::size_t at = text.find('&'); at != std::string_view::npos;
         at = text.find('&', at + 1)) {
      const std::string_view rest = text.substr(at);
      if (!rest.starts_with("&amp;") && !rest.starts_with("&lt;") && !rest.starts_with("&gt;") &&
          !rest.starts_with("&quot;"))
        return false;
    }
    return text.find('<') == std::string_view::npos && is_utf8(text) &&
           std::none_of(text.begin(), text.end(),
                        [](char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\n'; });
  };
  std::size_t at = 0;
  while (at < xml.size()) {
    const std::size_t start = xml.find('<', at);
    const std::string text = xml.substr(at, start - at);
    if (!is_text(text)) return {};
    if (!open.empty()) elements[open.back()].text += text;
    if (start == std::string::npos)
      return open.empty() && text.find_first_not_of('\n') == std::string::npos
                 ? elements
                 : std::vector<Element>{};
    const std::size_t end = xml.find('>', start);
    if (end == std::string::npos) return {};
    std::string inside = xml.substr(start + 1, end - start - 1);
    at = end + 1;
    if (inside.starts_with('/')) {
      if (open.empty() || elements[open.back()].tag != inside.substr(1)) return {};
      open.pop_back();
      continue;
    }
    if (open.empty() && !elements.empty()) return {};
    const bool is_closed = inside.ends_with('/');
    if (is_closed) inside.pop_back();
    Element element;
    std::size_t place = inside.find(' ');
    element.tag = inside.substr(0, place);
    while (place != std::string::npos && place < inside.size()) {
      const std::size_t equals = inside.find("=\"", place);
      const std::size_t quote = equals == std::string::npos ? equals : inside.find('"', equals + 2);
      if (inside[place] != ' ' || quote == std::string::npos) return {};
      element.attributes.emplace_back(inside.substr(place + 1, equals - place - 1),
                                      inside.substr(equals + 2, quote - equals - 2));
      if (!is_text(element.attributes.back().second)) return {};
      place = quote + 1;
    }
    elements.push_back(element);
    if (!is_closed) open.push_back(elements.size() - 1);
  }
  return open.empty() ? elements : std::vector<Element>{};
}

std::vector<Element> of_kind(const std::vector<Element>& elements, std::string_view kind) {
  std::vector<Element> found;
  for (const Element& element : elements)
    if (element.tag == kind || element.get("class") == kind) found.push_back(element);
  return found;
}

/// Bounding box of a label. A character of DejaVu Sans Mono is 9.04 pixels wide at 15 pixels, and
/// 10.92 at 18 pixels in bold.
struct Box {
  double x0, y0, x1, y1;
};
Box box_of(const Element& text) {
  const bool is_title = text.get("font-size") == "18";
  const double x = text.number("x"), y = text.number("y");
  std::string shown = text.text;
  for (const auto& [entity, c] :
       {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&amp;", "&"}})
    for (std::size_t at = shown.find(entity); at != std::string::npos; at = shown.find(entity))
      shown.replace(at, std::string_view(entity).size(), c);
  const auto columns = static_cast<double>(model::columns_of(shown));
  return {x, y - (is_title ? 17 : 14), x + columns * (is_title ? 10.92 : 9.04), y + 4};
}

TEST(a_memory_map, has_labels_that_never_overlap_and_stay_inside_for_1_to_66_contexts) {
  for (const auto sharing : {external_buffer, context_group, none})
    for (std::size_t count = 1; count <= 66; ++count) {
      MemoryReport report = many(count, sharing);
      report.contexts[0].name = std::string(90, 'W');
      if (count > 1) {
        report.contexts[1].name.clear();
        for (int i = 0; i < 40; ++i) report.contexts[1].name += "\u8a9e";  // each two columns wide
        report.contexts[1].weights = report.contexts[1].spill_fill = told(INT64_MAX / 100);
      }
      const auto elements = parse_xml(plan::to_svg(report));
      ASSERT_FALSE(elements.empty()) << "not well-formed";
      std::vector<Box> labels, bars;
      for (const Element& text : of_kind(elements, "text")) labels.push_back(box_of(text));
      ASSERT_GE(labels.size(), 2 * count + 8);
      for (const char* kind : {"weights", "apart", "spill", "estimate", "over"})
        for (const Element& bar : of_kind(elements, kind)) {
          const double x = bar.number("x"), y = bar.number("y");
          bars.push_back({x, y, x + bar.number("width"), y + bar.number("height")});
        }
      const Element page = of_kind(elements, "page").at(0);
      for (std::size_t i = 0; i < labels.size(); ++i) {
        const Box& a = labels[i];
        ASSERT_GE(a.x0, 0);
        ASSERT_LE(a.x1, page.number("width")) << of_kind(elements, "text")[i].text;
        ASSERT_LE(a.y1, page.number("height"));
        for (std::size_t j = 0; j < i; ++j) {
          const Box& b = labels[j];
          ASSERT_TRUE(a.x1 <= b.x0 || b.x1 <= a.x0 || a.y1 <= b.y0 || b.y1 <= a.y0)
              << of_kind(elements, "text")[i].text << " on " << of_kind(elements, "text")[j].text;
        }
        // No label lies on a bar.
        for (const Box& bar : bars)
          ASSERT_TRUE(bar.x1 <= a.x0 || a.x1 <= bar.x0 || bar.y1 <= a.y0 || a.y1 <= bar.y0)
              << of_kind(elements, "text")[i].text << " on a bar";
      }
    }
}

TEST(a_memory_map, is_drawn_to_scale) {
  const MemoryReport report = published();
  const auto elements = parse_xml(plan::to_svg(report));
  auto weights = of_kind(elements, "weights");
  ASSERT_EQ(weights.size(), 5u) << "one in the legend";
  const double per_byte = weights[1].number("width") / static_cast<double>(2159 * mib);
  const auto expect_width = [&](const Element& element, std::uint64_t bytes) {
    EXPECT_NEAR(element.number("width"), static_cast<double>(bytes) * per_byte, 0.03);
  };
  for (std::size_t i = 0; i < 4; ++i)
    expect_width(weights[i + 1], *report.contexts[i].weights.value);
  const auto apart = of_kind(elements, "apart");
  ASSERT_EQ(apart.size(), 4u) << "all but that of the largest, and one in the legend";
  for (std::size_t i = 1; i < 4; ++i) {
    expect_width(apart[i], *report.contexts[i].spill_fill.value);
    EXPECT_NEAR(apart[i].number("x"), weights[i + 1].number("x") + weights[i + 1].number("width"),
                0.011);
  }
  const auto spill = of_kind(elements, "spill");
  ASSERT_EQ(spill.size(), 2u);
  expect_width(spill[1], 289 * mib);
  EXPECT_GT(spill[1].number("y"), weights[4].number("y")) << "it lies under all of them";
  const auto estimates = of_kind(elements, "estimate");
  ASSERT_EQ(estimates.size(), 5u);
  expect_width(estimates[1], report.contexts[0].pd_estimate().bytes);
  const auto budget = of_kind(elements, "budget");
  ASSERT_EQ(budget.size(), 2u);
  EXPECT_NEAR(budget[1].number("x1") - weights[1].number("x"),
              static_cast<double>(model::process_domain_bytes) * per_byte, 0.03);
  const auto scale = of_kind(elements, "scale");
  EXPECT_NEAR(scale.at(0).number("x2") - scale[0].number("x1"),
              static_cast<double>(512 * mib) * per_byte, 0.03);
}

TEST(a_memory_map, shows_separate_buffers_where_nothing_is_shared) {
  MemoryReport report = published();
  report.sharing = none;
  const auto elements = parse_xml(plan::to_svg(report));
  EXPECT_EQ(of_kind(elements, "spill").size(), 5u);
  EXPECT_EQ(of_kind(elements, "apart").size(), 0u);
}

TEST(a_memory_map, marks_a_context_that_is_larger_than_a_process_domain) {
  const MemoryReport report = published();
  const auto elements = parse_xml(plan::to_svg(report, model::plan_domains(report, 2048 * mib)));
  EXPECT_EQ(of_kind(elements, "over").size(), 1u);
  EXPECT_EQ(of_kind(elements, "estimate").size(), 4u);
}

TEST(a_memory_map, of_small_contexts_leaves_the_budget_off_and_says_so) {
  const MemoryReport report = published(1024);
  const std::string svg = plan::to_svg(report);
  EXPECT_EQ(of_kind(parse_xml(svg), "budget").size(), 1u) << "that of the legend";
  EXPECT_NE(svg.find("PD budget 3.4 GiB, beyond the map"), std::string::npos);
}

TEST(a_memory_map, names_what_nobody_tells) {
  MemoryReport report = published();
  report.contexts[3].spill_fill = {};
  const std::string svg = plan::to_svg(report);
  EXPECT_NE(svg.find("1.3 GiB + unknown<"), std::string::npos);
  EXPECT_NE(svg.find("together at least 6.2 GiB, saved at least 539.0 MiB<"), std::string::npos)
      << svg;
  EXPECT_NE(svg.find("with separate buffers at least 6.8 GiB<"), std::string::npos) << svg;
}

TEST(a_memory_map, is_valid_and_empty_without_contexts) {
  EXPECT_FALSE(parse_xml(plan::to_svg(MemoryReport{})).empty());
}

TEST(a_memory_map, is_readable_in_light_and_dark) {
  const std::string svg = plan::to_svg(published());
  EXPECT_NE(svg.find("@media (prefers-color-scheme: dark)"), std::string::npos);
  EXPECT_NE(svg.find(".page { fill: #ffffff }"), std::string::npos);
  EXPECT_NE(svg.find(".page { fill: #0d1117 }"), std::string::npos);
}

TEST(a_memory_map, has_text_of_9_pixels_on_a_phone_of_390) {
  const std::string svg = plan::to_svg(published());
  EXPECT_NE(svg.find("font-size: 15px"), std::string::npos);
  const Element page = of_kind(parse_xml(svg), "page").at(0);
  EXPECT_GE(15 * 390 / page.number("width"), 9);
}

TEST(a_memory_map, of_the_published_profile_is_the_picture_in_the_docs) {
  const auto manifest = must(model::read_manifest(QNNPP_DOCS "/memory-map.json"));
  const MemoryReport report = manifest.report(external_buffer, "");
  ASSERT_EQ(report.contexts.size(), 4u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(report.contexts[i].weights.value, published().contexts[i].weights.value);
    EXPECT_EQ(report.contexts[i].spill_fill.value, published().contexts[i].spill_fill.value);
    EXPECT_EQ(report.contexts[i].file_bytes, published().contexts[i].file_bytes);
  }
  EXPECT_EQ(plan::to_svg(report), file_text(QNNPP_DOCS "/memory-map.svg"));
}

// ---- the device ---------------------------------------------------------------------------------

class the_published_profile : public LoadedTest {
 protected:
  static constexpr std::uint64_t scale = 16;

  /// Makes a graph with exactly these bytes of weights and spill-fill: one matrix, and two
  /// intermediate tensors that live at the same time. Inputs and outputs lie in memory of the
  /// client.
  std::vector<std::byte> binary_of(const ContextMemory& wanted) const {
    const auto spilled = static_cast<std::uint32_t>(*wanted.spill_fill.value / 2 / sizeof(float));
    constexpr std::uint32_t in = 1024;
    const auto out = static_cast<std::uint32_t>(*wanted.weights.value / sizeof(float) / in);
    auto context = must(Context<Composing>::create(backend()));
    auto graph = must(Graph<Composing>::create(context, wanted.name));
    const auto client = [&](const char* name, c_api::TensorType kind, std::uint32_t elements) {
      return must(graph.add_tensor({.name = name,
                                    .kind = kind,
                                    .dimensions = {1, elements},
                                    .mem_type = c_api::TensorMemType::memhandle}));
    };
    const auto node = [&](const char* name, const char* type, std::vector<GraphTensor> inputs,
                          GraphTensor output) {
      must(graph.add_node(
          {.name = name, .type = type, .inputs = std::move(inputs), .outputs = {output}}));
    };
    {
      const std::vector<float> zeros(std::size_t{in} * out);
      const auto matrix = must(graph.add_static({.name = "W", .dimensions = {out, in}},
                                                std::as_bytes(std::span(zeros))));
      const auto x = client("x", c_api::TensorType::app_write, in);
      node("matrix", "FullyConnected", {x, matrix}, client("y", c_api::TensorType::app_read, out));
    }
    const auto native = [&](const char* name) {
      return must(graph.add_tensor({.name = name, .dimensions = {1, spilled}}));
    };
    const auto a = client("a", c_api::TensorType::app_write, spilled);
    const auto first = native("first"), second = native("second");
    node("to_first", "Relu", {a}, first);
    node("to_second", "Relu", {first}, second);
    node("to_b", "Relu", {second}, client("b", c_api::TensorType::app_read, spilled));
    (void)must(std::move(graph).finalize());
    return must(must(std::move(context).finalize()).serialize());
  }
};

TEST_F(the_published_profile, sixteen_times_smaller_takes_what_is_predicted_byte_for_byte) {
  MemoryReport wanted = published(scale);
  std::vector<std::vector<std::byte>> bytes;
  std::vector<BinarySource> sources;
  model::Manifest manifest;
  for (const ContextMemory& context : wanted.contexts) {
    bytes.push_back(binary_of(context));
    sources.push_back({context.name, bytes.back(), {}});
    manifest.entries.push_back(
        must(model::manifest_entry(backend(), sources.back(), context.name)));
  }
  // The device needs whole pieces of 2 MiB.
  constexpr std::uint64_t piece = 2 * mib;
  for (ContextMemory& context : wanted.contexts)
    for (Bytes* const need : {&context.weights, &context.spill_fill})
      need->value = (*need->value + piece - 1) / piece * piece;
  const MemoryReport planned = manifest.report(external_buffer, "");
  for (const auto sharing : {none, context_group, external_buffer}) {
    EXPECT_EQ(planned.total(sharing), wanted.total(sharing)) << name_of(sharing);
    EXPECT_EQ(planned.saved(sharing), wanted.saved(sharing)) << name_of(sharing);
    const auto loaded = must(model::load(
        backend(), allocator(), must(model::expected_by(manifest, sources, model::digest_of)),
        {.sharing = sharing}));
    const sim::Counters counters = control().counters();
    EXPECT_EQ(loaded.report().total(), planned.total(sharing)) << name_of(sharing);
    const bool external = sharing == external_buffer;
    EXPECT_EQ(external ? counters.external_spill_fill_bytes : counters.internal_spill_fill_bytes,
              planned.spill_fill(sharing).bytes);
    EXPECT_EQ(external ? counters.external_weights_bytes : counters.internal_weights_bytes,
              planned.sum_of(&ContextMemory::weights).bytes);
    EXPECT_EQ(external ? counters.device_bytes : counters.internal_bytes,
              planned.total(sharing).bytes);
    EXPECT_EQ(external ? counters.internal_bytes : counters.device_bytes, 0u);
    std::uint64_t used = 0, estimated = 0;
    for (const std::uint64_t domain : counters.pd_used_bytes) used += domain;
    for (const ContextMemory& context : loaded.report().contexts)
      estimated += context.pd_estimate().bytes - context.vtcm.or_zero();
    EXPECT_LE(estimated, used) << "the simulated VTCM is less than the megabytes in the metadata";
  }
}

}}  // namespace support
