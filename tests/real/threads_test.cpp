// Qualcomm's library used by several threads, through qnnpp. The thread sanitizer's build runs
// these tests.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "digits_network.hpp"
#include "library.hpp"
#include "tool/tolerance.hpp"

namespace real { namespace {

using namespace qnnpp;

constexpr Chip chip = chips[1];
constexpr std::size_t threads = 8;

/// Runs a function on each of the threads at once; the argument is the thread's number.
void run_at_once(std::size_t count, const std::function<void(std::size_t)>& run) {
  std::vector<std::thread> running;
  for (std::size_t i = 0; i < count; ++i) running.emplace_back(run, i);
  for (std::thread& thread : running) thread.join();
}

/// The last segment of the digits network, with an input and an output for each thread.
class real_threads : public testing::Test {
 protected:
  using BoundGraph = Graph<Bound, RawIo>;

  void SetUp() override {
    for (auto& probabilities : found_) probabilities.resize(task_.probabilities.size());
    binary_ = digits::make_binary<RawIo>(backend_, task_.classifier());
  }
  Context<Finalized> restore() {
    return value_or_throw(Context<Finalized>::restore(
        backend_, value_or_throw(ContextBinary::own(binary_, "classifier"))));
  }
  BoundGraph bind(const Context<Finalized>& context, std::size_t thread) {
    const digits::Segment& segment = task_.classifier();
    return value_or_throw(value_or_throw(Graph<Retrieved, RawIo>::retrieve(context, segment.name))
                              .bind({raw(segment.tensors[segment.input].name, task_.input),
                                     raw(segment.tensors[segment.output].name, found_[thread])}));
  }
  /// Expects that every thread has the result of one thread alone.
  void expect_all_equal() {
    std::vector<float> alone(task_.probabilities.size());
    const digits::Segment& segment = task_.classifier();
    const auto context = restore();
    auto graph =
        value_or_throw(value_or_throw(Graph<Retrieved, RawIo>::retrieve(context, segment.name))
                           .bind({raw(segment.tensors[segment.input].name, task_.input),
                                  raw(segment.tensors[segment.output].name, alone)}));
    value_or_throw(graph.execute());
    EXPECT_LT(digits::largest_difference(alone, task_.probabilities),
              tool::tolerance(chip.arch).digits);
    for (const auto& probabilities : found_) EXPECT_EQ(probabilities, alone);
  }

  const Backend<Htp> backend_ = backend_for(chip);
  digits::Task task_ = digits::load_task(QNNPP_DIGITS_DATA);
  std::vector<std::byte> binary_;
  std::array<std::vector<float>, threads> found_;
};

TEST_F(real_threads, execute_graphs_of_one_context_each) {
  std::deque<Context<Finalized>> contexts;
  std::deque<BoundGraph> graphs;
  for (std::size_t i = 0; i < threads; ++i) {
    contexts.push_back(restore());
    graphs.push_back(bind(contexts.back(), i));
  }
  run_at_once(threads, [&](std::size_t i) {
    for (int run = 0; run < 5; ++run) value_or_throw(graphs[i].execute());
  });
  expect_all_equal();
}

TEST_F(real_threads, execute_one_graph_of_one_context) {
  const auto context = restore();
  std::deque<BoundGraph> graphs;
  for (std::size_t i = 0; i < threads; ++i) graphs.push_back(bind(context, i));
  run_at_once(threads, [&](std::size_t i) {
    for (int run = 0; run < 5; ++run) value_or_throw(graphs[i].execute());
  });
  expect_all_equal();
}

TEST_F(real_threads, compose_two_graphs_of_one_backend) {
  std::array<std::vector<std::byte>, 2> binaries;
  run_at_once(binaries.size(), [&](std::size_t i) {
    binaries[i] = digits::make_binary<RawIo>(backend_, task_.classifier());
  });
  for (const auto& binary : binaries) {
    binary_ = binary;
    const auto context = restore();
    std::deque<BoundGraph> graphs;
    for (std::size_t i = 0; i < threads; ++i) graphs.push_back(bind(context, i));
    for (auto& graph : graphs) value_or_throw(graph.execute());
    expect_all_equal();
  }
}

}}  // namespace real
