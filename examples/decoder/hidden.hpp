// The CPU's part of a token: its embedding goes to the first layer's input, the hidden state comes
// from the last layer's output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/core/quantise.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "compose.hpp"
#include "network.hpp"

namespace decoder {

namespace detail {

/// Description of the hidden state of n tokens, as all layers have it.
[[nodiscard]] inline qnnpp::TensorSpec hidden_spec(const Shape& shape) {
  return {.name = "hidden",
          .data_type = qnnpp::c_api::DataType::ufixed_point_16,
          .dimensions = {shape.tokens, width},
          .quantisation = {hidden_encoding.scale, hidden_encoding.offset}};
}

}  // namespace detail

/// Writes the hidden state of the tokens to the tensor `hidden0`, and their positions behind
/// `length` positions to `place`, `past` and `mask`. Throws qnnpp::Exception.
inline void write_tokens(const qnnpp::SharedBuffer<qnnpp::MultiTensor>& memory, const Shape& shape,
                         const Network& network, std::span<const std::size_t> tokens,
                         std::size_t length) {
  using qnnpp::CpuUse, qnnpp::value_or_throw;
  std::vector<float> rows(shape.tokens * width);
  for (std::size_t i = 0; i < tokens.size(); ++i)
    network.embed(tokens[i], length + i, std::span(rows).subspan(i * width, width));
  const auto hidden = value_or_throw(memory.access<std::uint16_t>("hidden0", CpuUse::write));
  value_or_throw(
      qnnpp::quantise<std::uint16_t>(detail::hidden_spec(shape), rows, hidden.elements()));
  const auto place = value_or_throw(memory.access<std::int8_t>("place", CpuUse::write));
  const auto past = value_or_throw(memory.access<std::uint16_t>("past", CpuUse::write));
  const auto mask = value_or_throw(memory.access<std::uint16_t>("mask", CpuUse::write));
  fill_positions(shape, length, tokens.size(), place.elements(), past.elements(), mask.elements());
}

/// Reads the hidden state of one token after the last layer. Throws qnnpp::Exception.
[[nodiscard]] inline std::vector<float> read_hidden(
    const qnnpp::SharedBuffer<qnnpp::MultiTensor>& memory, const Shape& shape, std::size_t token) {
  const auto found = qnnpp::value_or_throw(memory.access<const std::uint16_t>(
      "hidden" + std::to_string(layer_count), qnnpp::CpuUse::read));
  std::vector<float> rows(shape.tokens * width);
  qnnpp::value_or_throw(
      qnnpp::dequantise<std::uint16_t>(detail::hidden_spec(shape), found.elements(), rows));
  const auto row = std::span(rows).subspan(token * width, width);
  return {row.begin(), row.end()};
}

}  // namespace decoder
