// check() and bind() of random bindings: both succeed, or both return the same error.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fixture.hpp"
#include "registered.hpp"
#include "steps.hpp"

namespace support { namespace {

using namespace qnnpp;

class graph_check : public StepsTest {
 protected:
  const Step net{.inputs = {"a", "b"}, .outputs = {"y", "z"}};
};

/// Makes random bindings to the tensors of a step. Most of them are correct.
class RandomBindings {
 public:
  RandomBindings(const Step& net, const RegisteredTensors& own, const RegisteredTensors& foreign,
                 std::span<float> registered_bytes)
      : net_(net), own_(own), foreign_(foreign), registered_bytes_(registered_bytes) {}

  [[nodiscard]] std::vector<Binding<>> next() {
    std::vector<Binding<>> bindings;
    std::vector<std::string> names{"a", "b", "y", "z"};
    std::shuffle(names.begin(), names.end(), random_);
    if (one_in(12)) names.pop_back();
    if (one_in(12)) names.push_back(pick({"a", "y", "unknown"}));
    for (const std::string& name : names) bindings.push_back(one(name));
    return bindings;
  }

 private:
  [[nodiscard]] std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }
  [[nodiscard]] bool one_in(std::size_t cases) { return below(cases) == 0; }
  [[nodiscard]] std::string pick(const std::vector<std::string>& from) {
    return from[below(from.size())];
  }

  [[nodiscard]] Binding<> one(std::string name) {
    const std::string right = name;
    if (one_in(40)) name = pick({"c", "", "a.", std::string("a\0", 2)});
    if (one_in(3)) {
      const RegisteredTensors& tensors = one_in(30) ? foreign_ : own_;
      return registered(name, tensors,
                        one_in(15) ? pick({"turned", "whole", "a", "missing"}) : right);
    }
    return plain(name, right);
  }

  [[nodiscard]] Binding<> plain(const std::string& name, const std::string& right) {
    const std::size_t elements = net_.elements() + (one_in(40) ? 1 : 0);
    if (one_in(40)) return raw(name, std::span(whole_).first(net_.elements()));
    // Each tensor has a place. Another place, or bytes of registered memory, may overlap.
    const std::size_t place =
        std::map<std::string, std::size_t>{{"a", 0}, {"b", 1}, {"y", 2}, {"z", 3}, {"unknown", 4}}
            .at(right);
    const std::size_t start = one_in(20) ? below(4 * net_.elements()) : place * net_.elements();
    const std::span<float> bytes =
        one_in(10) ? registered_bytes_.subspan(below(registered_bytes_.size() - elements), elements)
                   : std::span(floats_).subspan(start, elements);
    if (one_in(20)) return raw(name, std::span<const float>(bytes));
    const std::array<std::uint32_t, 2> turned{net_.dimensions[1], net_.dimensions[0]};
    if (one_in(30)) return raw(name, bytes, turned);
    return raw(name, bytes, net_.dimensions);
  }

  const Step& net_;
  const RegisteredTensors& own_;
  const RegisteredTensors& foreign_;
  std::span<float> registered_bytes_;
  std::vector<float> floats_ = std::vector<float>(6 * net_.elements());
  std::vector<std::int32_t> whole_ = std::vector<std::int32_t>(net_.elements());
  std::mt19937 random_{17};  // the same cases in each run
};

TEST_F(graph_check, refuses_exactly_what_bind_refuses_with_the_same_error) {
  const auto context = context_of({net});
  const auto other = context_of({net});
  std::vector<TensorSpec> specs;
  for (const char* name : {"a", "b", "y", "z", "turned", "whole"})
    specs.push_back({.name = name, .dimensions = net.dimensions});
  specs[4].dimensions = {net.dimensions[1], net.dimensions[0]};
  specs[5].data_type = c_api::DataType::int_32;
  const auto own = RegisteredMemory<MultiTensor>::make(allocator(), context, specs);
  const auto foreign = RegisteredMemory<MultiTensor>::make(allocator(), other, specs);
  const auto opened = must(own.memory.access<float>("a", CpuUse::write));
  RandomBindings random(net, own.tensors, foreign.tensors,
                        {opened.elements().data(), 4 * net.elements()});

  std::map<Errc, int> refusals;
  int accepted = 0;
  auto unbound = graph<AnyIo>(context, "step");
  for (int i = 0; i < 4000; ++i) {
    SCOPED_TRACE(i);
    const std::vector<Binding<>> bindings = random.next();
    const Result<void> asked = unbound.check(bindings);
    Result<Graph<Bound>> bound = std::move(unbound).bind(bindings);
    ASSERT_EQ(asked.has_value(), bound.has_value());
    if (bound) {
      ++accepted;
      unbound = std::move(*bound).unbind();
      continue;
    }
    ASSERT_EQ(asked.error().kind, bound.error().kind);
    ASSERT_EQ(asked.error().message(), bound.error().message());
    ++refusals[asked.error().kind];
    unbound = graph<AnyIo>(context, "step");
  }
  EXPECT_GT(accepted, 400);
  for (const Errc kind : {Errc::missing_tensor, Errc::unknown_name, Errc::duplicate_name,
                          Errc::type_mismatch, Errc::shape_mismatch, Errc::size_mismatch,
                          Errc::foreign_object, Errc::invalid_argument, Errc::overlapping})
    EXPECT_GT(refusals[kind], 10) << static_cast<int>(kind);
}

}}  // namespace support
