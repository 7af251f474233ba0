// The decoder of the examples over plain memory: for backends without QnnMem.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/core/quantise.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "decoder/compose.hpp"
#include "decoder/hidden.hpp"
#include "decoder/network.hpp"

namespace real {

/// Prepares all layers, restores their binaries and executes them. Throws qnnpp::Exception. Not
/// movable, because bound graphs refer to its memory.
class RawDecoder {
 public:
  using Codes = std::vector<std::uint16_t>;
  using Bytes = std::vector<std::int8_t>;

  RawDecoder(const qnnpp::Backend<qnnpp::Htp>& backend, const decoder::Network& network)
      : network_(network) {
    for (std::size_t s = 0; s < stages_.size(); ++s) {
      Stage& stage = stages_[s];
      stage.shape = decoder::shapes[s];
      const std::size_t n = stage.shape.tokens, p = stage.shape.positions;
      stage.hidden.assign(decoder::layer_count + 1, Codes(n * decoder::width));
      stage.place.resize(n * p);
      stage.past.resize(p);
      stage.mask.resize(n * p);
      for (auto* const caches : {&stage.keys, &stage.values})
        caches->assign(decoder::layer_count,
                       Cache{Bytes(p * decoder::width), Bytes(n * decoder::width)});
    }
    for (std::size_t i = 0; i < decoder::layer_count; ++i) {
      const std::string name = "layer" + std::to_string(i);
      contexts_.push_back(qnnpp::value_or_throw(
          qnnpp::ContextBinary::own(
              decoder::make_binary<qnnpp::RawIo>(backend, network.layers[i], name), name)
              .and_then([&](qnnpp::ContextBinary binary) {
                return qnnpp::Context<qnnpp::Finalized>::restore(backend, std::move(binary));
              })));
      for (Stage& stage : stages_) stage.bind(contexts_.back(), i);
    }
  }
  RawDecoder(const RawDecoder&) = delete;
  RawDecoder& operator=(const RawDecoder&) = delete;

  /// Runs tokens through all layers, by prefill (0) or decode (1). Returns the hidden state of the
  /// last one.
  std::vector<float> run(std::size_t number, std::span<const std::size_t> tokens) {
    Stage& stage = stages_[number];
    const std::size_t n = stage.shape.tokens;
    std::vector<float> rows(n * decoder::width);
    for (std::size_t i = 0; i < tokens.size(); ++i)
      network_.embed(tokens[i], length_ + i,
                     std::span(rows).subspan(i * decoder::width, decoder::width));
    const qnnpp::TensorSpec spec = decoder::detail::hidden_spec(stage.shape);
    qnnpp::value_or_throw(qnnpp::quantise<std::uint16_t>(spec, rows, stage.hidden.front()));
    decoder::fill_positions(stage.shape, length_, tokens.size(), stage.place, stage.past,
                            stage.mask);
    for (std::size_t i = 0; i < decoder::layer_count; ++i) {
      qnnpp::value_or_throw(stage.layers[i].execute());
      for (Stage& each : stages_) {
        append(stage.keys[i].next, n, each.keys[i].all, each.shape.positions, 1, tokens.size());
        append(stage.values[i].next, n, each.values[i].all, each.shape.positions,
               decoder::head_width, tokens.size());
      }
    }
    length_ += tokens.size();
    qnnpp::value_or_throw(qnnpp::dequantise<std::uint16_t>(spec, stage.hidden.back(), rows));
    const auto row = std::span(rows).subspan((tokens.size() - 1) * decoder::width, decoder::width);
    return {row.begin(), row.end()};
  }
  /// Forgets the positions after the first `positions`.
  void rewind(std::size_t positions) { length_ = positions; }
  [[nodiscard]] std::size_t length() const { return length_; }

 private:
  struct Cache {
    Bytes all, next;  ///< In the shapes of a graph.
  };
  struct Stage {
    decoder::Shape shape{};
    std::vector<Codes> hidden = {};
    Bytes place = {};
    Codes past = {}, mask = {};
    std::vector<Cache> keys = {}, values = {};  ///< For each layer.
    std::vector<qnnpp::Graph<qnnpp::Bound, qnnpp::RawIo>> layers = {};

    void bind(const qnnpp::Context<qnnpp::Finalized>& context, std::size_t i) {
      using qnnpp::raw;
      layers.push_back(qnnpp::value_or_throw(
          qnnpp::Graph<qnnpp::Retrieved, qnnpp::RawIo>::retrieve(context, shape.graph)
              .and_then([&](auto graph) {
                return std::move(graph).bind(
                    {raw("hidden", hidden[i]), raw("next_hidden", hidden[i + 1]),
                     raw("place", place), raw("past", past), raw("mask", mask),
                     raw("keys", keys[i].all), raw("new_keys", keys[i].next),
                     raw("values", values[i].all), raw("new_values", values[i].next)});
              })));
    }
  };

  /// Copies the first `count` new positions behind those of a cache, row by row.
  void append(const Bytes& next, std::size_t next_row, Bytes& cache, std::size_t cache_row,
              std::size_t position_bytes, std::size_t count) const {
    if (length_ + count > cache_row) return;  // The graph for prefill has room for fewer.
    const std::size_t rows = next.size() / next_row / position_bytes;
    for (std::size_t row = 0; row < rows; ++row)
      std::copy_n(next.data() + row * next_row * position_bytes, count * position_bytes,
                  cache.data() + (row * cache_row + length_) * position_bytes);
  }

  const decoder::Network& network_;
  std::vector<qnnpp::Context<qnnpp::Finalized>> contexts_;
  std::array<Stage, 2> stages_;
  std::size_t length_ = 0;
};

}  // namespace real
