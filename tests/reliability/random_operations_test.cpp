// Random sequences of operations on all objects that a program may hold, compared with the model of
// machine/state_machine.hpp. A failure prints the shortest sequence that fails.
//
// QNNPP_RANDOM_OPERATIONS sets the number of sequences. The sequences are the same in every run.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "fixture.hpp"
#include "machine/state_machine.hpp"
#include "random.hpp"

namespace support::machine { namespace {

/// A sequence of operations, with one number for each step. Prints the steps that were made.
struct Sequence {
  std::vector<std::uint32_t> numbers;

  [[nodiscard]] std::vector<Step> steps() const {
    std::vector<Step> all;
    for (const std::uint32_t number : numbers) {
      const std::array<std::uint8_t, bytes_of_a_step> bytes{
          static_cast<std::uint8_t>(number), static_cast<std::uint8_t>(number >> 8),
          static_cast<std::uint8_t>(number >> 16)};
      all.push_back(step_of(bytes));
    }
    return all;
  }
};

/// Runs steps on a new machine. Returns the difference from the model, with the steps that were
/// made.
std::string run(const World& world, const std::vector<Step>& steps, std::size_t& made) {
  std::string text;
  Machine machine(world);
  const auto apply = [&](const Step& step) {
    if (machine.apply(step) != Applied::done) return;
    ++made;
    text += "\n  " + words(step);
  };
  for (const Step& step : prelude) apply(step);
  for (std::size_t i = 0; i < steps.size() && machine.difference().empty(); ++i)
    apply(machine.fitted(steps[i]));
  if (machine.difference().empty()) {
    machine.end();
    text += "\n  the end";
  }
  return machine.difference().empty() ? std::string() : machine.difference() + text;
}

class random_operations : public SimTest {};

TEST_F(random_operations, in_any_order_do_what_the_model_says) {
  const auto world = std::make_unique<World>();
  const char* given = std::getenv("QNNPP_RANDOM_OPERATIONS");
  const std::size_t wanted =
      given == nullptr ? QNNPP_RANDOM_OPERATIONS : static_cast<std::size_t>(std::atoll(given));
  std::size_t made = 0;
  std::size_t tried = 0;
  const auto sequences =
      rc::gen::resize(300, rc::gen::container<std::vector<std::uint32_t>>(
                               rc::gen::resize(100, rc::gen::arbitrary<std::uint32_t>())));
  for (std::uint64_t seed = 1; made < wanted; ++seed)
    ASSERT_TRUE(holds("random_operations", {.seed = seed, .count = 50}, [&] {
      const Sequence sequence{*sequences};
      tried += sequence.numbers.size();
      const std::string difference = run(*world, sequence.steps(), made);
      if (!difference.empty()) RC_FAIL(difference);
    }));
  std::printf("random operations: %zu\n", made);
  std::printf("random operations that had no object or do not compile: %zu\n", tried - made);
}

}}  // namespace support::machine
