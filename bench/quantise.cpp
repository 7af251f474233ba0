// quantise() and dequantise() against loops in C that give the same elements, which the compiler
// vectorises with -O3; qnnpp is compiled with -O2.
#include "qnnpp/core/quantise.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/quantisation.hpp"
#include "qnnpp/throw.hpp"

#include "baseline/convert.h"
#include "support/report.hpp"
#include "support/statistics.hpp"
#include "support/timing.hpp"

namespace {

using namespace qnnpp;

constexpr std::size_t rows = 256, channels = 256, count = rows * channels;
constexpr std::size_t rounds = 41;
constexpr int repetitions = 20;

/// Elements of one tensor, its numbers, and the same by C.
template <class T>
struct Tensor {
  Tensor(c_api::DataType type, Quantisation quantisation, float most)
      : spec{.name = "t",
             .data_type = type,
             .dimensions = {rows, channels},
             .quantisation = std::move(quantisation)} {
    for (std::size_t i = 0; i < count; ++i)
      numbers[i] = most * std::sin(static_cast<float>(i) * 1.37f);
  }
  void quantise() { value_or_throw(qnnpp::quantise<T>(spec, numbers, elements)); }
  void dequantise() { value_or_throw(qnnpp::dequantise<T>(spec, elements, back)); }
  [[nodiscard]] bool is_equal() const { return elements == of_c && back == back_of_c; }

  TensorSpec spec;
  std::vector<float> numbers = std::vector<float>(count);
  std::vector<float> back = numbers, back_of_c = numbers;
  std::vector<T> elements = std::vector<T>(count), of_c = elements;
};

}  // namespace

int main(int argc, char** argv) {
  using enum c_api::DataType;
  bench::Report report("quantise", argc, argv);
  const ScaleOffset pair{0.0234f, -128}, fine{0.000123f, -32768};
  std::vector<ScaleOffset> pairs;
  std::vector<float> scales;
  std::vector<std::int32_t> offsets;
  for (std::size_t i = 0; i < channels; ++i) {
    pairs.push_back({0.01f + 0.0001f * static_cast<float>(i), -100 - static_cast<int>(i % 50)});
    scales.push_back(pairs.back().scale);
    offsets.push_back(pairs.back().offset);
  }
  Tensor<std::uint8_t> whole(ufixed_point_8, {pair.scale, pair.offset}, 3.2f);
  Tensor<std::uint16_t> wide(ufixed_point_16, {fine.scale, fine.offset}, 4.3f);
  Tensor<std::uint8_t> axis(ufixed_point_8, Quantisation::per_axis(1, pairs), 3.2f);
  Tensor<std::uint16_t> half(float_16, {}, 3.2f);
  using Run = std::function<void()>;
  const std::vector<std::pair<std::string, std::pair<Run, Run>>> all{
      {"quantise, 8 bits, one scale",
       {[&] { whole.quantise(); },
        [&] {
          c_quantise_8(whole.numbers.data(), whole.of_c.data(), count, pair.scale, pair.offset);
        }}},
      {"quantise, 16 bits, one scale",
       {[&] { wide.quantise(); },
        [&] {
          c_quantise_16(wide.numbers.data(), wide.of_c.data(), count, fine.scale, fine.offset);
        }}},
      {"quantise, 8 bits, a scale for each of the last dimension",
       {[&] { axis.quantise(); },
        [&] {
          c_quantise_channels(axis.numbers.data(), axis.of_c.data(), rows, channels, scales.data(),
                              offsets.data());
        }}},
      {"quantise, float16",
       {[&] { half.quantise(); },
        [&] { c_to_halves(half.numbers.data(), half.of_c.data(), count); }}},
      {"dequantise, 8 bits, one scale",
       {[&] { whole.dequantise(); },
        [&] {
          c_dequantise_8(whole.of_c.data(), whole.back_of_c.data(), count, pair.scale, pair.offset);
        }}},
      {"dequantise, 16 bits, one scale",
       {[&] { wide.dequantise(); },
        [&] {
          c_dequantise_16(wide.of_c.data(), wide.back_of_c.data(), count, fine.scale, fine.offset);
        }}},
      {"dequantise, 8 bits, a scale for each of the last dimension",
       {[&] { axis.dequantise(); },
        [&] {
          c_dequantise_channels(axis.of_c.data(), axis.back_of_c.data(), rows, channels,
                                scales.data(), offsets.data());
        }}},
      {"dequantise, float16",
       {[&] { half.dequantise(); },
        [&] { c_from_halves(half.of_c.data(), half.back_of_c.data(), count); }}},
  };
  std::vector<std::pair<Run, Run>> pairs_of_runs;
  const auto repeated = [](const Run& run) {
    return [run] {
      for (int i = 0; i < repetitions; ++i) run();
    };
  };
  for (const auto& [name, runs] : all) {
    runs.first();
    runs.second();
    pairs_of_runs.emplace_back(repeated(runs.first), repeated(runs.second));
  }
  if (!whole.is_equal() || !wide.is_equal() || !axis.is_equal() || !half.is_equal()) {
    std::fprintf(stderr, "quantise: qnnpp and C give other elements\n");
    return EXIT_FAILURE;
  }
  const auto samples = bench::time_pairs(pairs_of_runs, rounds);
  const auto of_one = [](const std::vector<double>& times) {
    return bench::median(times) / repetitions / static_cast<double>(count);
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bench::Ratio ratio = bench::ratio(samples[i].ours, samples[i].theirs);
    report.at_most(1.2, all[i].first + ": qnnpp / C", ratio.value, "ratio", ratio.interval);
    report.show(all[i].first + ": an element", of_one(samples[i].ours), "ns",
                "C " + bench::number(of_one(samples[i].theirs)));
  }
  return report.finish();
}
