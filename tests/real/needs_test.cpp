// What binaries need: as qnnpp computes it from their metadata, as Qualcomm's library for aarch64
// answers, and as that library logs it.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <list>
#include <map>
#include <optional>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/model/survey.hpp"
#include "qnnpp/report/domain_plan.hpp"
#include "qnnpp/throw.hpp"

#include "library.hpp"
#include "temporary_folder.hpp"
#include "tool/program.hpp"

int qnnpp_plan_main(int argc, char** argv);

namespace real { namespace {

using namespace qnnpp;

/// Composes a graph of four convolutions of codes of 8 bits, the same for each side but for the
/// tensors.
void add_graph(const Context<Composing>& context, const std::string& name, std::uint32_t side,
               std::uint32_t vtcm_mb) {
  constexpr std::uint32_t channels = 64, kernel = 3, layers = 4;
  auto graph =
      value_or_throw(Graph<Composing, RegisteredIo>::create(context, name, {.vtcm_mb = vtcm_mb}));
  std::list<std::vector<std::byte>> constants;
  const auto constant = [&](TensorSpec spec) {
    const auto bytes = value_or_throw(spec.size_bytes());
    constants.emplace_back(static_cast<std::size_t>(bytes));
    std::uint32_t state = 1;
    if (spec.data_type == c_api::DataType::ufixed_point_8)
      for (std::byte& each : constants.back())
        each = static_cast<std::byte>((state = state * 1664525u + 1013904223u) >> 24);
    return value_or_throw(graph.add_static(std::move(spec), constants.back()));
  };
  const auto numbers = [&](const std::string& of, std::vector<std::uint32_t> dimensions,
                           const std::vector<std::uint32_t>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    constants.emplace_back(bytes.begin(), bytes.end());
    return value_or_throw(graph.add_static(
        {.name = of, .data_type = c_api::DataType::uint_32, .dimensions = std::move(dimensions)},
        constants.back()));
  };
  const auto tensor = [&](const std::string& of, c_api::TensorType kind) {
    return value_or_throw(graph.add_tensor({.name = of,
                                            .kind = kind,
                                            .data_type = c_api::DataType::ufixed_point_8,
                                            .dimensions = {1, side, side, channels},
                                            .quantisation = {0.02f, -128}}));
  };
  auto x = tensor(name + "_in", c_api::TensorType::app_write);
  for (std::uint32_t i = 0; i < layers; ++i) {
    const std::string layer = name + std::to_string(i);
    const bool is_last = i + 1 == layers;
    const auto weights = constant({.name = layer + "_w",
                                   .data_type = c_api::DataType::ufixed_point_8,
                                   .dimensions = {kernel, kernel, channels, channels},
                                   .quantisation = {0.001f, -128}});
    const auto bias = constant({.name = layer + "_b",
                                .data_type = c_api::DataType::sfixed_point_32,
                                .dimensions = {channels},
                                .quantisation = {0.00002f, 0}});
    const auto y = tensor(layer, is_last ? c_api::TensorType::app_read : c_api::TensorType::native);
    value_or_throw(
        graph.add_node({.name = layer + "_conv",
                        .type = "Conv2d",
                        .inputs = {x, weights, bias},
                        .outputs = {y},
                        .params = {{"stride", numbers(layer + "_s", {2}, {1, 1})},
                                   {"pad_amount", numbers(layer + "_p", {2, 2}, {1, 1, 1, 1})}}}));
    x = y;
  }
  value_or_throw(std::move(graph).finalize());
}

/// A model: its number of graphs, whether they share their weights, and their VTCM.
struct ModelShape {
  std::size_t graphs;
  bool shares_weights;
  std::uint32_t vtcm_mb;
  [[nodiscard]] std::string name() const {
    return std::to_string(graphs) + (shares_weights ? "_sharing_" : "_") + std::to_string(vtcm_mb) +
           ".bin";
  }
};
constexpr std::array<ModelShape, 9> models{{{1, false, 8},
                                            {2, false, 8},
                                            {3, false, 8},
                                            {1, true, 8},
                                            {2, true, 8},
                                            {3, true, 8},
                                            {1, false, 1},
                                            {2, false, 1},
                                            {3, true, 1}}};

std::vector<std::byte> prepare(const Backend<Htp>& backend, const ModelShape& shape) {
  auto context = value_or_throw(Context<Composing>::create(
      backend, {.weight_sharing = shape.shares_weights, .name = shape.name()}));
  for (std::size_t i = 0; i < shape.graphs; ++i)
    add_graph(context, "graph" + std::to_string(i), 64u << i, shape.vtcm_mb);
  return value_or_throw(value_or_throw(std::move(context).finalize()).serialize());
}

/// What the library for aarch64 says of one graph.
struct LoggedGraph {
  std::uint64_t weights = 0, io = 0, run_list = 0, spill_fill = 0, vtcm = 0, op_data = 0;
  [[nodiscard]] std::uint64_t sum() const { return weights + io + run_list + spill_fill + vtcm; }
};
/// What it says of one binary.
struct LoggedBinary {
  std::optional<BufferRequirements> needs;
  std::map<std::string, LoggedGraph> graphs;
  std::uint64_t shared_weights = 0;
  double estimate_mb = 0;
};

std::map<std::string, LoggedBinary> parsed(const std::string& text) {
  const std::regex binary("^binary (.*)$"),
      needs("asks for weights (\\d+) spill-fill (\\d+) alignment (\\d+)"),
      graph(
          "graph (\\S+) estimated PD size .*nonSharedWeight (\\d+) B I/O (\\d+) B runlist (\\d+) "
          "B spillfill (\\d+) B"),
      usage("graph name:([^,]+),.*vtcm (\\d+) .*OpDataSize (\\d+)"),
      shared("shared weight near size estimate to (\\d+)"),
      estimate("estimated PD size requirement is ~([0-9.]+)MB");
  std::map<std::string, LoggedBinary> all;
  LoggedBinary* now = nullptr;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    const auto number = [&](std::size_t i) { return std::stoull(found[i].str()); };
    if (std::regex_search(line, found, binary)) {
      now = &all[found[1].str()];
    } else if (now == nullptr) {
      continue;
    } else if (std::regex_search(line, found, needs)) {
      now->needs = BufferRequirements{number(1), number(2), number(3)};
    } else if (std::regex_search(line, found, graph)) {
      LoggedGraph& of = now->graphs[found[1].str()];
      of.weights = number(2), of.io = number(3), of.run_list = number(4), of.spill_fill = number(5);
    } else if (std::regex_search(line, found, usage)) {
      LoggedGraph& of = now->graphs[found[1].str()];
      of.vtcm = number(2), of.op_data = number(3);
    } else if (std::regex_search(line, found, shared)) {
      now->shared_weights = number(1);
    } else if (std::regex_search(line, found, estimate)) {
      now->estimate_mb = std::stod(found[1].str());
    }
  }
  return all;
}

/// Runs a command; returns its output and its exit code.
std::pair<std::string, int> output_of(const std::string& command) {
  std::string text;
  std::FILE* const pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return {text, -1};
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), static_cast<int>(part.size()), pipe) != nullptr)
    text += part.data();
  const int status = ::pclose(pipe);
  return {text, WIFEXITED(status) ? WEXITSTATUS(status) : -1};
}

/// Compares one binary.
void compare(const std::string& file, const ModelShape& shape, const LoggedBinary& logged) {
  const auto system = value_or_throw(System::load(real::system()));
  const auto survey = value_or_throw(model::survey(system, model::BinarySource::file(file)));
  ASSERT_TRUE(logged.needs.has_value()) << "the library did not answer";
  // The layout: both versions of the metadata, and nothing behind them.
  ASSERT_EQ(survey.graphs.size(), shape.graphs);
  ASSERT_EQ(logged.graphs.size(), shape.graphs);
  EXPECT_EQ(survey.memory.unread_metadata_bytes, 0u);
  std::uint64_t run_lists = 0, sum = logged.shared_weights;
  for (const GraphSpec& graph : survey.graphs) {
    const LoggedGraph& of = logged.graphs.at(graph.name);
    EXPECT_EQ(detail::rounded_by_backend(graph.constant_bytes.value()), of.weights);
    EXPECT_EQ(graph.io_bytes, of.io);
    EXPECT_EQ(graph.spill_fill_bytes, of.spill_fill);
    EXPECT_EQ(graph.op_data_bytes, of.op_data);
    EXPECT_EQ(std::uint64_t{graph.preparation.vtcm_mb.value()} << 20, of.vtcm);
    EXPECT_EQ(graph.shared_weights_bytes.value() != 0, shape.shares_weights && shape.graphs > 1);
    EXPECT_GT(of.run_list, of.op_data);
    run_lists += of.run_list;
    sum += of.sum();
  }
  // The needs, byte for byte.
  EXPECT_EQ(value_or_throw(model::requirements_of(survey.memory)), *logged.needs);
  EXPECT_EQ(detail::rounded_by_backend(*survey.memory.shared_weights.value), logged.shared_weights);
  // The estimate: byte for byte but for the run lists, which the allowance covers.
  const model::ByteSum estimate = survey.memory.pd_estimate();
  EXPECT_FALSE(estimate.exact);
  EXPECT_EQ(estimate.bytes - *survey.memory.op_data.value + run_lists, sum);
  EXPECT_NEAR(static_cast<double>(sum) / (1 << 20), logged.estimate_mb, 0.006);
  model::MemoryReport report;
  report.contexts.push_back(survey.memory);
  EXPECT_GE(model::plan_domains(report).estimates[0].bytes, sum);
}

class real_needs : public testing::TestWithParam<Chip> {};
INSTANTIATE_TEST_SUITE_P(chips, real_needs, testing::Values(chips[1], chips[4]), name_of);

TEST_P(real_needs, BIN_03_PD_01_of_nine_models_are_what_the_library_for_aarch64_asks_and_logs) {
  const support::TemporaryFolder folder;
  const auto backend = backend_for(GetParam());
  std::string command = QNNPP_NEEDS_SCRIPT " " QNNPP_NEEDS_BUILD;
  std::vector<std::string> words{"qnnpp-plan", "--system", real::system(), "--quiet"};
  for (const ModelShape& shape : models) {
    const std::string file = folder.file(shape.name());
    const auto binary = prepare(backend, shape);
    tool::write(file, std::as_bytes(std::span(binary)));
    command += " " + file;
    words.push_back(file);
  }
  const auto [text, status] = output_of(command);
  if (status == 77)
    GTEST_SKIP() << "the library for aarch64, qemu or the cross compiler is missing";
  ASSERT_EQ(status, 0) << text.substr(text.size() - std::min<std::size_t>(text.size(), 4000));
  const auto logged = parsed(text);
  ASSERT_EQ(logged.size(), models.size());
  bool spills = false, shares = false;
  for (const ModelShape& shape : models) {
    SCOPED_TRACE(shape.name());
    const LoggedBinary& of = logged.at(folder.file(shape.name()));
    compare(folder.file(shape.name()), shape, of);
    spills = spills || of.needs.value_or(BufferRequirements{}).spill_fill_bytes != 0;
    shares = shares || of.shared_weights != 0;
  }
  EXPECT_TRUE(spills && shares) << "the models do not cover what they are for";

  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  testing::internal::CaptureStdout();
  const int planned = qnnpp_plan_main(static_cast<int>(words.size()), arguments.data());
  const std::string plan = testing::internal::GetCapturedStdout();
  EXPECT_EQ(planned, 0);
  const std::string sources =
      "from metadata: weights, shared weights, spill-fill, I/O, op data, VTCM\n";
  std::size_t named = 0;
  for (std::size_t at = plan.find(sources); at != plan.npos; at = plan.find(sources, at + 1))
    ++named;
  EXPECT_EQ(named, models.size()) << plan;
}

}}  // namespace real
