// The code of docs/tensors.md.
#include <cstdint>
#include <utility>
#include <vector>

#include "qnnpp/core/quantise.hpp"
#include "qnnpp/throw.hpp"

#include "copies.hpp"
#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;

class the_document_on_tensors : public LoadedTest {
 protected:
  /// A graph whose output `scores` is the larger of 0 and its input.
  Graph<Retrieved, RegisteredIo> relu_of(const TensorSpec& in) const {
    TensorSpec out = in;
    out.name = "scores";
    out.kind = c_api::TensorType::app_read;
    const auto context =
        context_of_copies(backend(), {{.name = "relu", .inputs = {in}, .outputs = {out}}}, "Relu");
    return must(Graph<Retrieved, RegisteredIo>::retrieve(context, "relu"));
  }
};

TEST_F(the_document_on_tensors, shows_numbers_that_become_codes_and_codes_that_become_numbers) {
  auto graph = relu_of({.name = "image",
                        .kind = c_api::TensorType::app_write,
                        .data_type = c_api::DataType::ufixed_point_8,
                        .dimensions = {4},
                        .quantisation = {0.5f, -100}});
  const RpcmemAllocator& rpcmem = allocator();
  const std::vector<float> pixels{-1.5f, 0.3f, 7.25f, 1000.0f};

  const TensorSpec image = graph.inputs()[0];  // UFIXED_POINT_8
  const TensorSpec result = graph.outputs()[0];
  auto bound = value_or_throw(std::move(graph).bind(rpcmem));

  std::vector<std::uint8_t> codes(pixels.size());
  value_or_throw(quantise<std::uint8_t>(image, pixels, codes));
  value_or_throw(write_elements(bound.input<std::uint8_t>("image"), codes));

  value_or_throw(bound.execute());

  auto found = value_or_throw(bound.output<std::uint8_t>("scores"));
  std::vector<float> scores(found.elements().size());
  value_or_throw(dequantise<std::uint8_t>(result, found.elements(), scores));

  EXPECT_EQ(scores, (std::vector<float>{0.0f, 0.5f, 7.0f, 77.5f}));
}

TEST_F(the_document_on_tensors, shows_an_execution_with_fewer_rows_than_the_maximum) {
  set(&sim::Config::dynamic_dimensions, 1);
  auto graph = relu_of({.name = "tokens",
                        .kind = c_api::TensorType::app_write,
                        .dimensions = {128, 8},
                        .dynamic_dimensions = {1, 0}});
  const RpcmemAllocator& rpcmem = allocator();
  const std::vector<float> prompt(37 * 8, 1.5f);

  auto bound = value_or_throw(std::move(graph).bind(rpcmem));  // memory for 128 tokens

  value_or_throw(bound.set_extents("tokens", {37, 8}));
  value_or_throw(write_elements(bound.input<float>("tokens"), prompt));  // 37 x 8 numbers
  value_or_throw(bound.execute());

  const auto scores = value_or_throw(bound.output<float>("scores"));
  const auto rows = value_or_throw(scores.view<2>());  // rows.extent(0) is 37

  EXPECT_EQ(rows.extent(0), 37u);
  EXPECT_EQ(rows(36, 7), 1.5f);
}

}}  // namespace support
