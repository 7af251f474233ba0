// The decoder in plain loops, one token after the other: the reference for the HTP's results.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "network.hpp"

namespace decoder {

class Reference {
 public:
  explicit Reference(const Network& network) : network_(network), caches_(network.layers.size()) {}

  /// Returns the hidden state of the next token after the last layer.
  [[nodiscard]] std::vector<float> run(std::size_t token) {
    std::vector<float> hidden(width);
    network_.embed(token, caches_[0].keys.size(), hidden);
    round(hidden, hidden_encoding);
    for (std::size_t i = 0; i < caches_.size(); ++i)
      run_layer(network_.layers[i], caches_[i], hidden);
    return hidden;
  }
  /// Forgets the positions after the first `positions`.
  void rewind(std::size_t positions) {
    for (Cache& cache : caches_) {
      cache.keys.resize(positions);
      cache.values.resize(positions);
    }
  }

 private:
  using Row = std::vector<float>;
  struct Cache {
    std::vector<Row> keys, values;  ///< One row for each position.
  };

  static Row times(const Matrix& matrix, const Row& in) {
    Row out(matrix.rows, 0.0F);
    for (std::size_t i = 0; i < matrix.rows; ++i) {
      for (std::size_t j = 0; j < matrix.columns; ++j)
        out[i] += static_cast<float>(matrix.codes[i * matrix.columns + j]) * in[j];
      out[i] *= matrix.scales[i];
    }
    return out;
  }
  static void round(Row& numbers, const Encoding& encoding) {
    for (float& number : numbers) number = encoding.rounded(number);
  }
  static void add(Row& to, const Row& more) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += more[i];
  }

  static void run_layer(const Layer& layer, Cache& cache, Row& hidden) {
    const Row query = times(layer.query, hidden);
    cache.keys.push_back(times(layer.key, hidden));
    cache.values.push_back(times(layer.value, hidden));
    round(cache.keys.back(), cache_encoding);
    round(cache.values.back(), cache_encoding);

    Row seen(width, 0.0F);
    for (std::size_t first = 0; first < width; first += head_width) {
      Row shares;
      for (const Row& key : cache.keys) {
        float score = 0.0F;
        for (std::size_t i = first; i < first + head_width; ++i) score += query[i] * key[i];
        shares.push_back(score / std::sqrt(static_cast<float>(head_width)));
      }
      const float most = *std::max_element(shares.begin(), shares.end());
      float sum = 0.0F;
      for (float& share : shares) sum += share = std::exp(share - most);
      for (std::size_t position = 0; position < shares.size(); ++position)
        for (std::size_t i = first; i < first + head_width; ++i)
          seen[i] += shares[position] / sum * cache.values[position][i];
    }
    add(hidden, times(layer.mix, seen));
    Row wider = times(layer.widen, hidden);
    for (float& number : wider) number = std::max(number, 0.0F);
    add(hidden, times(layer.narrow, wider));
    round(hidden, hidden_encoding);
  }

  const Network& network_;
  std::vector<Cache> caches_;
};

}  // namespace decoder
