// The four graphs of the digits network in every order, with one left out and with one twice: only
// the right order runs (PIP-01, PIP-02, PIP-03).
#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/model/load.hpp"

#include "digits/compose.hpp"
#include "digits/task.hpp"
#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;
using Names = std::vector<std::string>;

class digits_orders : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    std::vector<std::vector<std::byte>> binaries;
    std::vector<model::BinarySource> sources;
    for (const digits::Segment& segment : task.segments)
      binaries.push_back(digits::make_binary<RegisteredIo>(backend(), segment));
    for (std::size_t i = 0; i < binaries.size(); ++i)
      sources.push_back({.name = right[i] + ".bin", .bytes = binaries[i]});
    network_.emplace(must(model::load(backend(), allocator(), sources)));
  }
  void TearDown() override {
    network_.reset();
    LoadedTest::TearDown();
  }
  [[nodiscard]] Result<Pipeline> make(const Names& names) const {
    return network_->pipeline(allocator(), names);
  }
  /// Makes a pipeline, writes "image" and executes. Expects that a refused one executes no graph.
  /// Returns the error of the first of these steps that is refused; none if the pipeline runs.
  [[nodiscard]] std::optional<Error> refusal(const Names& names) const {
    const std::uint64_t before = calls(Slot::graph_execute);
    auto pipeline = make(names);
    if (!pipeline) return pipeline.error();
    (void)pipeline->input<float>("image");  // An error if nothing reads it.
    if (auto done = pipeline->execute(); !done) {
      EXPECT_EQ(calls(Slot::graph_execute), before) << done.error().message();
      return done.error();
    }
    EXPECT_EQ(calls(Slot::graph_execute), before + names.size());
    return {};
  }
  /// Tries all orders of some graphs. Returns how often each kind of error came, and the orders
  /// that ran.
  struct Tried {
    std::map<Errc, int> refused;
    std::vector<Names> ran;
  };
  [[nodiscard]] Tried try_all_orders(Names names) const {
    Tried tried;
    std::ranges::sort(names);
    do {
      if (const auto error = refusal(names))
        ++tried.refused[error->kind];
      else
        tried.ran.push_back(names);
    } while (std::next_permutation(names.begin(), names.end()));
    return tried;
  }
  [[nodiscard]] static Names without(Names names, std::size_t index) {
    names.erase(names.begin() + static_cast<std::ptrdiff_t>(index));
    return names;
  }

  const Names right{"stem", "features", "gate", "classifier"};
  const digits::Task task = digits::load_task(QNNPP_DIGITS_DATA);

 private:
  std::optional<model::Model> network_;
};

TEST_F(digits_orders, only_the_right_one_of_24_runs) {
  const Tried tried = try_all_orders(right);
  EXPECT_EQ(tried.ran, std::vector<Names>{right});
  EXPECT_EQ(tried.refused, (std::map<Errc, int>{{Errc::wrong_order, 23}}));
}

TEST_F(digits_orders, with_one_graph_left_out_run_only_without_the_last_and_lack_its_output) {
  for (std::size_t left_out = 0; left_out < right.size(); ++left_out) {
    SCOPED_TRACE(right[left_out]);
    const Names rest = without(right, left_out);
    const Tried tried = try_all_orders(rest);
    if (left_out != 3) {
      EXPECT_TRUE(tried.ran.empty());
      EXPECT_GT(tried.refused.at(Errc::unwritten_input), 0);
      continue;
    }
    EXPECT_EQ(tried.ran, std::vector<Names>{rest});
    EXPECT_EQ(tried.refused, (std::map<Errc, int>{{Errc::wrong_order, 5}}));
    const auto short_one = must(make(rest));
    EXPECT_EQ(error_of(short_one.output<float>("probabilities")).kind, Errc::unknown_name);
  }
}

TEST_F(digits_orders, with_one_graph_twice_never_run) {
  for (const std::string& twice : right) {
    SCOPED_TRACE(twice);
    Names names = right;
    names.push_back(twice);
    const Tried tried = try_all_orders(names);
    EXPECT_TRUE(tried.ran.empty());
    EXPECT_EQ(tried.refused.at(Errc::wrong_order) + tried.refused.at(Errc::duplicate_name), 60);
  }
}

TEST_F(digits_orders, of_two_exchanged_names_are_told_in_one_sentence) {
  EXPECT_EQ(
      error_of(make({"features", "stem", "gate", "classifier"})).message(),
      "strokes of graph features (0): connecting graphs: graph stem (1) makes it, but comes later; "
      "put that graph first, or list the input in PipelineOptions::inputs to write it yourself");
  const Error skipped = *refusal({"stem", "gate", "classifier"});
  EXPECT_EQ(skipped.message(),
            "parts: executing a pipeline: graph gate (1) reads it, but no graph before makes it "
            "and it was never written; open it with input<T>(\"parts\") and write it");
  EXPECT_EQ(refusal({"stem", "stem", "features", "gate", "classifier"})->message(),
            "graph stem (1): connecting graphs: the name occurs twice; give each name once (graph "
            "0 is the same and reads the same tensors)");
}

}}  // namespace support
