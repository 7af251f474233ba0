// Fixture of the tests that bind one small graph to registered memory: by bind() and by rebind().
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "registered.hpp"
#include "steps.hpp"

namespace support {

/// Adds a context with the graph `step`, y = 2 * (a + b), and memory registered with this context.
class OneStepTest : public StepsTest {
 protected:
  void SetUp() override {
    StepsTest::SetUp();
    if (HasFatalFailure()) return;
    contexts_.push_back(context_of({net}));
  }
  void TearDown() override {
    contexts_.clear();
    StepsTest::TearDown();
  }
  const qnnpp::Context<qnnpp::Finalized>& context() const { return contexts_.front(); }
  qnnpp::TensorSpec spec(std::string name) const {
    return {.name = std::move(name), .dimensions = net.dimensions};
  }
  template <class Form = qnnpp::MultiTensor>
  RegisteredMemory<Form> memory_of(const std::vector<qnnpp::TensorSpec>& specs) const {
    return RegisteredMemory<Form>::make(allocator(), context(), specs);
  }
  /// Executes with the inputs in the memory `a` and `b`, and checks the output in `y`.
  template <class Io, class A, class B, class Y>
  void expect_right(qnnpp::Graph<qnnpp::Bound, Io>& bound QNNPP_KEEPS, const A& a, const B& b,
                    const Y& y, const char* a_name = "a") const {
    const auto expected = net.reference({a.values(a_name), b.values("b")});
    y.fill("y", std::vector<float>(net.elements(), -1.0f));
    ASSERT_TRUE(succeeds(bound.execute()));
    EXPECT_LT(largest_difference(y.values("y"), expected), tolerance);
  }

  const Step net{.inputs = {"a", "b"}};

 private:
  std::vector<qnnpp::Context<qnnpp::Finalized>> contexts_;
};

}  // namespace support
