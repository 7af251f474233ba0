// A small decoder as it ships: weights of 8 bits, activations of 16 bits, a key-value cache of 8
// bits. The weights are pseudo-random, so its text has no meaning, but the same on each machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace decoder {

inline constexpr std::uint32_t width = 64;       ///< Numbers in the hidden state of a token.
inline constexpr std::uint32_t heads = 4;        ///< Attention heads of a layer.
inline constexpr std::uint32_t head_width = 16;  ///< width / heads.
inline constexpr std::uint32_t wide = 128;       ///< Width inside a layer's second half.
inline constexpr std::size_t layer_count = 4;
inline constexpr std::uint32_t most_positions = 128;
/// The tokens: one for each character.
inline constexpr std::string_view alphabet = "abcdefghijklmnopqrstuvwxyz ,.-!?";

/// number = scale * (code + offset)
struct Encoding {
  float scale;
  std::int32_t offset;
  std::int32_t smallest, largest;  ///< Codes.

  [[nodiscard]] float rounded(float number) const noexcept {
    const float code = std::nearbyint(number / scale) - static_cast<float>(offset);
    const float limited =
        std::clamp(code, static_cast<float>(smallest), static_cast<float>(largest));
    return scale * (limited + static_cast<float>(offset));
  }
};
inline constexpr Encoding hidden_encoding{1.0F / 2048.0F, -32768, 0, 65535};
inline constexpr Encoding score_encoding{1.0F / 256.0F, -32768, 0, 65535};
inline constexpr Encoding share_encoding{1.0F / 65536.0F, 0, 0, 65535};
inline constexpr Encoding cache_encoding{1.0F / 16.0F, 0, -128, 127};
inline constexpr Encoding place_encoding{1.0F / 127.0F, 0, -128, 127};
inline constexpr Encoding past_encoding{1.0F / 32768.0F, 0, 0, 65535};

/// Weights [rows, columns]: signed bytes, with a scale for each row.
struct Matrix {
  std::uint32_t rows = 0;
  std::uint32_t columns = 0;
  std::vector<std::int8_t> codes = {};
  std::vector<float> scales = {};
};

struct Layer {
  Matrix query, key, value, mix, widen, narrow;
};

struct Network {
  std::vector<Layer> layers;
  std::vector<float> tokens;     ///< [tokens, width]
  std::vector<float> positions;  ///< [most_positions, width]
  std::vector<float> head;       ///< [tokens, width]

  /// Writes the hidden state of a token before the first layer.
  void embed(std::size_t token, std::size_t position, std::span<float> hidden) const {
    for (std::size_t i = 0; i < width; ++i)
      hidden[i] = tokens[token * width + i] + positions[position * width + i];
  }
  /// A number for each token, for the hidden state after the last layer.
  [[nodiscard]] std::vector<float> logits(std::span<const float> hidden) const {
    std::vector<float> sums(alphabet.size(), 0.0F);
    for (std::size_t token = 0; token < sums.size(); ++token)
      for (std::size_t i = 0; i < width; ++i) sums[token] += hidden[i] * head[token * width + i];
    return sums;
  }
  /// The token that follows: the one with the largest logit.
  [[nodiscard]] std::size_t next_token(std::span<const float> hidden) const {
    const std::vector<float> all = logits(hidden);
    return static_cast<std::size_t>(std::max_element(all.begin(), all.end()) - all.begin());
  }
};

namespace detail {

/// Pseudo-random numbers in [-1, 1), equal on each machine. With this seed, the logit of each token
/// of the example's text leads by 0.5 at least, so that rounding does not change the text.
class Noise {
 public:
  float operator()() noexcept {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<float>(state_ >> 40) / static_cast<float>(1 << 23) - 1.0F;
  }

 private:
  std::uint64_t state_ = 2545;
};

inline Matrix make_matrix(Noise& noise, std::uint32_t rows, std::uint32_t columns, float gain) {
  Matrix matrix{rows, columns};
  for (std::uint32_t row = 0; row < rows; ++row)
    matrix.scales.push_back(gain * (1.0F + 0.25F * noise()) / 127.0F /
                            std::sqrt(static_cast<float>(columns)));
  for (std::uint32_t i = 0; i < rows * columns; ++i)
    matrix.codes.push_back(static_cast<std::int8_t>(std::nearbyint(127.0F * noise())));
  return matrix;
}

}  // namespace detail

[[nodiscard]] inline Network make_network() {
  Network network;
  detail::Noise noise;
  for (std::size_t i = 0; i < layer_count; ++i)
    network.layers.push_back({.query = detail::make_matrix(noise, width, width, 3.0F),
                              .key = detail::make_matrix(noise, width, width, 3.0F),
                              .value = detail::make_matrix(noise, width, width, 1.0F),
                              .mix = detail::make_matrix(noise, width, width, 1.0F),
                              .widen = detail::make_matrix(noise, wide, width, 1.0F),
                              .narrow = detail::make_matrix(noise, width, wide, 1.0F)});
  const auto fill = [&](std::vector<float>& table, std::size_t rows) {
    for (std::size_t i = 0; i < rows * width; ++i) table.push_back(noise());
  };
  fill(network.tokens, alphabet.size());
  fill(network.positions, most_positions);
  fill(network.head, alphabet.size());
  return network;
}

/// Converts a text to tokens; other characters are left out.
[[nodiscard]] inline std::vector<std::size_t> tokens_of(std::string_view text) {
  std::vector<std::size_t> tokens;
  for (const char character : text)
    if (const std::size_t token = alphabet.find(character); token != std::string_view::npos)
      tokens.push_back(token);
  return tokens;
}
[[nodiscard]] inline std::string text_of(std::span<const std::size_t> tokens) {
  std::string text;
  for (const std::size_t token : tokens) text += alphabet[token];
  return text;
}

}  // namespace decoder
