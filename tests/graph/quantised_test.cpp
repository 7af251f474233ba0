// Quantised and float16 tensors: composed, bound by typed memory, executed, and read from a binary.
#include <cmath>
#include <cstdint>
#include <vector>

#include "qnnpp/core/quantise.hpp"

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using Type = c_api::DataType;
using Kind = c_api::TensorType;

/// y = x W + b with uint8 activations, int8 weights per output, int32 bias and uint16 results.
class graph_quantised : public LoadedTest {
 protected:
  static constexpr std::uint32_t inputs = 16, outputs = 5;

  graph_quantised() {
    std::uint32_t state = 7;
    const auto next = [&state] { return (state = state * 1664525u + 1013904223u) >> 16; };
    std::vector<ScaleOffset> of_w, of_b;
    for (std::uint32_t j = 0; j < outputs; ++j) {
      of_w.push_back({0.003f * static_cast<float>(j + 1), 0});
      of_b.push_back({0.02f * of_w.back().scale, 0});
    }
    w.quantisation = Quantisation::per_axis(0, of_w);
    b.quantisation = Quantisation::per_axis(0, of_b);
    for (std::uint8_t& code : x_codes) code = static_cast<std::uint8_t>(next());
    for (std::int8_t& code : w_codes) code = static_cast<std::int8_t>(next());
    for (std::int32_t& code : b_codes) code = static_cast<std::int32_t>(next() % 20001) - 10000;
  }

  Graph<Composing, RegisteredIo> compose(const Context<Composing>& context) const {
    auto made = must(Graph<Composing, RegisteredIo>::create(context, "layer"));
    const auto in = must(made.add_tensor(x));
    const auto weights = must(made.add_static(w, std::as_bytes(std::span(w_codes))));
    const auto bias = must(made.add_static(b, std::as_bytes(std::span(b_codes))));
    const auto out = must(made.add_tensor(y));
    must(made.add_node({.name = "layer",
                        .type = "FullyConnected",
                        .inputs = {in, weights, bias},
                        .outputs = {out}}));
    return made;
  }
  ContextBinary layer() const {
    auto context = must(Context<Composing>::create(backend()));
    (void)must(compose(context).finalize());
    return own(must(must(std::move(context).finalize()).serialize()), "layer.bin");
  }

  TensorSpec x{.name = "x",
               .kind = Kind::app_write,
               .data_type = Type::ufixed_point_8,
               .dimensions = {1, inputs},
               .quantisation = {0.02f, -128}};
  TensorSpec w{.name = "w", .data_type = Type::sfixed_point_8, .dimensions = {outputs, inputs}};
  TensorSpec b{.name = "b", .data_type = Type::sfixed_point_32, .dimensions = {outputs}};
  TensorSpec y{.name = "y",
               .kind = Kind::app_read,
               .data_type = Type::ufixed_point_16,
               .dimensions = {1, outputs},
               .quantisation = {0.0005f, -32768}};
  std::vector<std::uint8_t> x_codes = std::vector<std::uint8_t>(inputs);
  std::vector<std::int8_t> w_codes = std::vector<std::int8_t>(inputs * outputs);
  std::vector<std::int32_t> b_codes = std::vector<std::int32_t>(outputs);
};

TEST_F(graph_quantised, a_layer_of_a_binary_gives_the_codes_of_its_definition_without_a_copy) {
  const auto context = must(Context<Finalized>::restore(backend(), layer()));
  auto graph = must(Graph<Retrieved, RegisteredIo>::retrieve(context, "layer"));
  EXPECT_EQ(graph.inputs()[0].quantisation, x.quantisation);
  EXPECT_EQ(graph.outputs()[0].quantisation, y.quantisation);
  const auto memory =
      must(SharedBuffer<MultiTensor>::allocate(allocator(), std::vector<TensorSpec>{x, y}));
  auto bound = must(std::move(graph).bind(must(RegisteredTensors::create(context, memory))));
  must(write_elements(bound.input<std::uint8_t>("x"), x_codes));
  ASSERT_TRUE(succeeds(bound.execute()));
  const auto found = must(bound.output<std::uint16_t>("y"));
  for (std::uint32_t j = 0; j < outputs; ++j) {
    std::int64_t sum = b_codes[j];
    for (std::uint32_t k = 0; k < inputs; ++k)
      sum += std::int64_t{x_codes[k] - 128} * w_codes[j * inputs + k];
    const double real = double(sum) * 0.02 * 0.003 * (j + 1);
    EXPECT_NEAR(found[j], std::nearbyint(real / 0.0005) + 32768, 1.0) << j;
    EXPECT_GT(std::abs(found[j] - 32768), 20) << "a result that the tolerance would not hide";
  }
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
}

TEST_F(graph_quantised, numbers_become_codes_and_codes_numbers_by_the_tensors_of_the_graph) {
  const auto context = must(Context<Finalized>::restore(backend(), layer()));
  const auto graph = must(Graph<Retrieved, RegisteredIo>::retrieve(context, "layer"));
  const TensorSpec& tensor = graph.inputs()[0];
  const std::vector<float> numbers(inputs, 0.5f);
  std::vector<std::uint8_t> codes(inputs);
  must(quantise<std::uint8_t>(tensor, numbers, codes));
  EXPECT_EQ(codes[3], 128 + 25);
  std::vector<float> back(inputs);
  must(dequantise<std::uint8_t>(tensor, codes, back));
  EXPECT_EQ(back[3], 0.02f * 25);
}

TEST_F(graph_quantised, a_quantisation_that_does_not_fit_its_tensor_is_refused_before_qnn) {
  const auto context = must(Context<Composing>::create(backend()));
  auto made = must(Graph<Composing>::create(context, "wrong"));
  w.quantisation = Quantisation::per_axis(1, {{0.5f, 0}});
  const Error error = error_of(made.add_static(w, std::as_bytes(std::span(w_codes))));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, "w");
  EXPECT_EQ(error.detail, "it has 1 scales, the dimensions need 16; give one for each");
  EXPECT_EQ(calls(sim::Slot::tensor_create_graph_tensor), 0u);
}

TEST_F(graph_quantised, float16_tensors_are_computed_and_held_by_their_types) {
  const auto context = must(Context<Composing>::create(backend()));
  auto made = must(Graph<Composing, RawIo>::create(context, "half"));
  const TensorSpec in{
      .name = "x", .kind = Kind::app_write, .data_type = Type::float_16, .dimensions = {4}};
  TensorSpec out = in;
  out.name = "y";
  out.kind = Kind::app_read;
  must(made.add_node({.name = "sum",
                      .type = "ElementWiseAdd",
                      .inputs = std::vector<GraphTensor>(2, must(made.add_tensor(in))),
                      .outputs = {must(made.add_tensor(out))}}));
  std::vector<std::uint16_t> halves(4), sums(4);
  must(quantise<std::uint16_t>(in, std::vector<float>{0.5f, -1.25f, 1000.0f, 40000.0f}, halves));
  auto graph = must(std::move(made).finalize());
  const auto execute_typed = [&]<class Half>(std::type_identity<Half>) {
    if constexpr (!std::is_void_v<Half>) {
      std::vector<Half> typed(4);
      auto bound = must(std::move(graph).bind({raw("x", halves), raw("y", typed)}));
      ASSERT_TRUE(succeeds(bound.execute()));
      EXPECT_EQ(static_cast<float>(typed[1]), -2.5f);
      graph = std::move(bound).unbind();
    }
  };
  execute_typed(std::type_identity<Float16>());
  auto bound = must(std::move(graph).bind({raw("x", halves), raw("y", sums)}));
  ASSERT_TRUE(succeeds(bound.execute()));
  std::vector<float> numbers(4);
  must(dequantise<std::uint16_t>(out, sums, numbers));
  EXPECT_EQ(numbers, (std::vector<float>{1.0f, -2.5f, 2000.0f, INFINITY}));
}

}}  // namespace support
