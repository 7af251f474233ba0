// Binding: each tensor gets its memory, and every mismatch is reported before anything is executed.
#include <array>
#include <span>
#include <string>

#include "fixture.hpp"
#include "registered.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class graph_bind : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    context_.push_back(restored(network));
  }
  void TearDown() override {
    context_.clear();
    LoadedTest::TearDown();
  }
  Graph<Retrieved> graph() const {
    return must(Graph<Retrieved>::retrieve(context_.front(), "net"));
  }
  const Context<Finalized>& context() const { return context_.front(); }
  /// Returns the error of a binding. Expects that nothing was called for it.
  Error refused(std::initializer_list<Binding<>> bindings) const {
    auto retrieved = graph();
    const std::uint64_t before = control().counters().calls;
    const Error error = error_of(std::move(retrieved).bind(bindings));
    EXPECT_EQ(control().counters().calls, before);
    EXPECT_STREQ(error.step, "binding a graph");
    return error;
  }
  RegisteredMemory<> registered_as(const Context<Finalized>& where, const TensorSpec& spec) const {
    return RegisteredMemory<>::make(allocator(), where, {spec});
  }

  const Network network = {};
  const std::vector<float> in = network.input();
  std::vector<float> out = std::vector<float>(network.io_elements());

 private:
  std::vector<Context<Finalized>> context_;
};

TEST_F(graph_bind, a_graph_is_bound_by_name_in_any_order_and_with_its_shape_stated) {
  const std::vector<std::uint32_t> shape = network.io_dimensions();
  auto bound = must(graph().bind({raw("y", out, shape), raw("x", in, shape)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(out, network.reference(in)), tolerance);
}

TEST_F(graph_bind, a_span_of_bindings_made_at_run_time_is_taken_too) {
  std::vector<Binding<>> bindings;
  bindings.push_back(raw("x", in));
  bindings.push_back(raw("y", std::span(out)));
  auto bound = must(graph().bind(bindings));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(out, network.reference(in)), tolerance);
}

TEST_F(graph_bind, bindings_own_their_names_and_dimensions) {
  std::vector<Binding<>> bindings;
  for (const char* last : {"x", "y"}) {
    const std::string name(last);  // destroyed before the binding is used
    const std::vector<std::uint32_t> shape = network.io_dimensions();
    bindings.push_back(raw(name, out, shape));
  }
  bindings[0] = raw(std::string("x") + "", in);
  auto bound = must(graph().bind(bindings));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(out, network.reference(in)), tolerance);
}

TEST_F(graph_bind, bytes_carry_any_type) {
  auto bound = must(graph().bind(
      {raw("x", std::as_bytes(std::span(in))), raw("y", std::as_writable_bytes(std::span(out)))}));
  ASSERT_TRUE(succeeds(bound.execute()));
  EXPECT_LT(largest_difference(out, network.reference(in)), tolerance);
}

TEST_F(graph_bind, memory_of_another_element_type_is_a_type_mismatch) {
  const std::vector<std::int32_t> integers(network.io_elements());
  const Error error = refused({raw("x", integers), raw("y", out)});
  EXPECT_EQ(error.kind, Errc::type_mismatch);
  EXPECT_EQ(error.object, "x");
  EXPECT_NE(error.detail.find("FLOAT_32"), std::string::npos);
  EXPECT_NE(error.detail.find("INT_32"), std::string::npos);
}

TEST_F(graph_bind, registered_memory_of_another_element_type_is_a_type_mismatch) {
  TensorSpec spec = network.spec("x");
  spec.data_type = c_api::DataType::uint_32;
  const auto tensor = registered_as(context(), spec);
  const Error error = refused({tensor.as("x"), raw("y", out)});
  EXPECT_EQ(error.kind, Errc::type_mismatch);
  EXPECT_NE(error.detail.find("UINT_32"), std::string::npos);
}

TEST_F(graph_bind, another_shape_of_the_same_size_is_a_shape_mismatch) {
  const std::array<std::uint32_t, 2> turned{network.width, network.rows};
  const Error error = refused({raw("x", in), raw("y", out, turned)});
  EXPECT_EQ(error.kind, Errc::shape_mismatch);
  EXPECT_EQ(error.object, "y");
  EXPECT_NE(error.detail.find("[4, 32]"), std::string::npos);
  EXPECT_NE(error.detail.find("[32, 4]"), std::string::npos);
}

TEST_F(graph_bind, another_rank_is_a_shape_mismatch) {
  const std::array<std::uint32_t, 3> deeper{1, network.rows, network.width};
  EXPECT_EQ(refused({raw("x", in, deeper), raw("y", out)}).kind, Errc::shape_mismatch);
}

TEST_F(graph_bind, registered_memory_of_another_shape_is_a_shape_mismatch) {
  TensorSpec spec = network.spec("x");
  spec.dimensions = {network.width, network.rows};
  const auto tensor = registered_as(context(), spec);
  EXPECT_EQ(refused({tensor.as("x"), raw("y", out)}).kind, Errc::shape_mismatch);
}

TEST_F(graph_bind, memory_too_short_or_too_long_is_a_size_mismatch_with_both_sizes) {
  std::vector<float> longer(network.io_elements() + 1);
  const Error error = refused({raw("x", longer), raw("y", out)});
  EXPECT_EQ(error.kind, Errc::size_mismatch);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(error.needed, network.io_bytes());
  EXPECT_EQ(error.found, network.io_bytes() + 4);
  EXPECT_EQ(refused({raw("x", std::span(in).first(3)), raw("y", out)}).found, 12u);
}

TEST_F(graph_bind, memory_of_the_right_size_that_is_null_is_refused_as_null) {
  const float* const nowhere = nullptr;
  const std::span nothing(nowhere, in.size());
  const Error error = refused({raw("x", nothing), raw("y", out)});
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_NE(error.message().find("its memory is null; bind the address of "), std::string::npos)
      << error.message();
}

TEST_F(graph_bind, a_missing_input_or_output_is_named) {
  const Error no_input = refused({raw("y", out)});
  EXPECT_EQ(no_input.kind, Errc::missing_tensor);
  EXPECT_EQ(no_input.object, "x");
  EXPECT_NE(no_input.detail.find("input"), std::string::npos);
  const Error no_output = refused({raw("x", in)});
  EXPECT_EQ(no_output.kind, Errc::missing_tensor);
  EXPECT_EQ(no_output.object, "y");
  EXPECT_NE(no_output.detail.find("output"), std::string::npos);
  EXPECT_NE(no_output.detail.find("net"), std::string::npos);
}

TEST_F(graph_bind, a_name_given_twice_is_a_duplicate) {
  const Error error = refused({raw("x", in), raw("y", out), raw("x", in)});
  EXPECT_EQ(error.kind, Errc::duplicate_name);
  EXPECT_EQ(error.object, "x");
}

TEST_F(graph_bind, a_name_that_the_graph_does_not_have_is_unknown) {
  const Error error = refused({raw("x", in), raw("y", out), raw("z", in)});
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "z");
}

TEST_F(graph_bind, all_names_that_are_missing_or_unknown_are_in_one_error) {
  const Error error = refused({raw("w", in), raw("z", in)});
  EXPECT_EQ(error.kind, Errc::missing_tensor);
  EXPECT_EQ(error.object, "x");
  EXPECT_EQ(error.detail,
            "graph net got no memory for input x, output y; it has no input or output w, z");
}

TEST_F(graph_bind, wrong_names_are_told_before_memory_that_does_not_fit) {
  const std::vector<std::int32_t> integers(network.io_elements());
  EXPECT_EQ(refused({raw("x", integers)}).kind, Errc::missing_tensor);
  EXPECT_EQ(refused({raw("x", integers), raw("y", out), raw("z", in)}).kind, Errc::unknown_name);
}

TEST_F(graph_bind, of_many_wrong_names_three_are_listed_and_the_rest_counted) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 1000; ++i) names.push_back("n" + std::to_string(i));
  std::vector<Binding<>> bindings{raw("x", in), raw("y", out)};
  for (const std::string& name : names) bindings.push_back(raw(name, in));
  const Error error = error_of(graph().bind(bindings));
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "n0");
  EXPECT_EQ(error.detail,
            "graph net has no input or output n0, n1, n2 and 997 more; it has input x, output y");
}

TEST_F(graph_bind, check_says_what_bind_would_and_consumes_nothing) {
  auto retrieved = graph();
  const std::vector<float> constant(network.io_elements());
  const std::uint64_t before = control().counters().calls;
  EXPECT_EQ(error_of(retrieved.check({raw("x", in)})).kind, Errc::missing_tensor);
  EXPECT_EQ(error_of(retrieved.check({raw("x", in), raw("y", constant)})).kind,
            Errc::invalid_argument);
  const std::vector<Binding<>> typo{raw("x", in), raw("Y", out)};
  EXPECT_EQ(error_of(retrieved.check(typo)).object, "y");
  EXPECT_TRUE(succeeds(retrieved.check({raw("x", in), raw("y", out)})));
  EXPECT_EQ(control().counters().calls, before);
  auto bound = must(std::move(retrieved).bind({raw("x", in), raw("y", out)}));
  EXPECT_TRUE(succeeds(bound.execute()));
}

TEST_F(graph_bind, const_memory_is_no_output) {
  const std::vector<float> constant(network.io_elements());
  const Error error = refused({raw("x", in), raw("y", constant)});
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, "y");
}

TEST_F(graph_bind, a_name_that_holds_a_NUL_is_an_invalid_argument) {
  const std::string cut("y\0z", 3);
  const Error error = refused({raw("x", in), raw(cut, out)});
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, cut);
  EXPECT_NE(error.detail.find("NUL"), std::string::npos);
  EXPECT_NE(error.message().find("y\\x00z"), std::string::npos) << error.message();
}

TEST_F(graph_bind, SHB_02_an_output_in_bytes_of_an_input_is_refused_with_both_names) {
  const Error error = refused({raw("x", out), raw("y", out)});
  EXPECT_EQ(error.kind, Errc::overlapping);
  EXPECT_EQ(error.object, "y");
  EXPECT_EQ(error.detail, "it shares bytes with x of graph net; an output must not share bytes");
  // An overlap of one element is refused, on both sides.
  std::vector<float> both(2 * network.io_elements() - 1);
  const auto first = std::span(both).first(network.io_elements());
  const auto last = std::span(both).last(network.io_elements());
  EXPECT_EQ(refused({raw("x", first), raw("y", last)}).kind, Errc::overlapping);
  EXPECT_EQ(refused({raw("x", last), raw("y", first)}).object, "x");
  both.resize(2 * network.io_elements());
  EXPECT_TRUE(succeeds(graph().check({raw("x", std::span(both).last(network.io_elements())),
                                      raw("y", std::span(both).first(network.io_elements()))})));
}

TEST_F(graph_bind, SHB_05_memory_registered_with_another_context_is_foreign) {
  const auto other = restored(Network{.name = "other"});
  const auto tensor = registered_as(other, network.spec("x"));
  const Error error = refused({tensor.as("x"), raw("y", out)});
  EXPECT_EQ(error.kind, Errc::foreign_object);
  EXPECT_EQ(error.object, "x");
  EXPECT_NE(error.detail.find("other.bin"), std::string::npos);
  EXPECT_NE(error.detail.find("net.bin"), std::string::npos);
}

TEST_F(graph_bind, a_failed_binding_lets_go_of_graph_and_memory) {
  auto tensor = registered_as(context(), network.spec("x"));
  EXPECT_EQ(refused({tensor.as("x")}).kind, Errc::missing_tensor);
  EXPECT_TRUE(succeeds(std::move(tensor.tensors).close())) << "not in use";
}

TEST_F(graph_bind, an_unbound_graph_is_bound_again_to_other_memory) {
  auto bound = must(graph().bind({raw("x", in), raw("y", out)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  const auto other_in = network.input(1);
  std::vector<float> other_out(network.io_elements());
  auto again = must(std::move(bound).unbind().bind({raw("x", other_in), raw("y", other_out)}));
  out.assign(out.size(), -1.0f);
  ASSERT_TRUE(succeeds(again.execute()));
  EXPECT_LT(largest_difference(other_out, network.reference(other_in)), tolerance);
  EXPECT_EQ(out, std::vector<float>(out.size(), -1.0f)) << "the old memory is left alone";
}

TEST_F(graph_bind, unbinding_lets_go_of_registered_memory) {
  auto tensor = registered_as(context(), network.spec("x"));
  auto bound = must(graph().bind({tensor.as("x"), raw("y", out)}));
  const auto retrieved = std::move(bound).unbind();
  EXPECT_TRUE(succeeds(std::move(tensor.tensors).close()));
  EXPECT_EQ(retrieved.inputs().size(), 1u);
}

}}  // namespace support
