// The digits network of the examples on Qualcomm's library: its segments as graphs over plain
// memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "digits/compose.hpp"
#include "digits/files.hpp"
#include "digits/network.hpp"
#include "digits/task.hpp"

namespace real {

/// The weights of the network and the 500 images.
struct Digits {
  Digits() : images(digits::load_all_images(QNNPP_DIGITS_DATA)) {
    std::string error;
    auto loaded = digits::load_weights(QNNPP_DIGITS_DATA "/weights.bin", error);
    if (!loaded) throw std::runtime_error(error);
    weights = std::move(*loaded);
  }

  std::vector<float> weights;
  digits::Images images;
};

/// The segments of the network, prepared, serialised and restored; the output of each is the input
/// of the next, in plain memory.
class DigitsNetwork {
 public:
  /// Prepares the network on a backend for its chip. Throws qnnpp::Exception.
  DigitsNetwork(const qnnpp::Backend<qnnpp::Htp>& backend, std::span<const float> weights) {
    using namespace qnnpp;
    const auto segments = digits::make_segments(weights);
    values_[0].resize(segments[0].tensors[segments[0].input].elements());
    for (std::size_t i = 0; i < segments.size(); ++i) {
      const digits::Segment& segment = segments[i];
      values_[i + 1].resize(segment.tensors[segment.output].elements());
      const auto context = value_or_throw(Context<Finalized>::restore(
          backend, value_or_throw(ContextBinary::own(digits::make_binary<RawIo>(backend, segment),
                                                     segment.name))));
      graphs_.push_back(
          value_or_throw(value_or_throw(Graph<Retrieved, RawIo>::retrieve(context, segment.name))
                             .bind({raw(segment.tensors[segment.input].name, values_[i]),
                                    raw(segment.tensors[segment.output].name, values_[i + 1])})));
    }
  }
  DigitsNetwork(const DigitsNetwork&) = delete;
  DigitsNetwork& operator=(const DigitsNetwork&) = delete;

  /// Returns the probabilities of the classes for a batch of images. Throws qnnpp::Exception.
  [[nodiscard]] std::span<const float> classify(std::span<const float> images) {
    std::ranges::copy(images, values_[0].begin());
    for (auto& graph : graphs_) qnnpp::value_or_throw(graph.execute());
    return values_.back();
  }

 private:
  std::array<std::vector<float>, 5> values_;
  std::vector<qnnpp::Graph<qnnpp::Bound, qnnpp::RawIo>> graphs_;
};

}  // namespace real
