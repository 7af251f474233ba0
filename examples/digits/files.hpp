// The data files: weights, and test images with their labels. Little-endian, checksummed.
//
//   weights.bin   "DIGITSW1"  u32 count   u32 checksum   count float32
//   images.bin    "DIGITSI1"  u32 count   u32 checksum   count x 784 pixels   count labels
//
// The checksum is FNV-1a (32 bits) of all bytes after it. Pixels are one byte each, row by row,
// 0 is background; labels are one byte, 0 to 9.
#pragma once

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../tool/files.hpp"
#include "network.hpp"

namespace digits {

/// Handwritten digits, in memory as they are in the file.
struct Images {
  std::vector<std::uint8_t> pixels;  ///< image_pixels per image
  std::vector<std::uint8_t> labels;  ///< one per image, 0 to 9

  [[nodiscard]] std::size_t count() const noexcept { return labels.size(); }
};

namespace detail {

inline constexpr std::string_view weights_magic = "DIGITSW1";
inline constexpr std::string_view images_magic = "DIGITSI1";
inline constexpr std::size_t header_bytes = 16;

inline std::uint32_t fnv_1a(std::span<const std::uint8_t> bytes) noexcept {
  std::uint32_t hash = 2166136261U;
  for (const std::uint8_t byte : bytes) hash = (hash ^ byte) * 16777619U;
  return hash;
}

inline std::uint32_t get_u32(std::span<const std::uint8_t> bytes, std::size_t at) noexcept {
  return static_cast<std::uint32_t>(bytes[at]) | static_cast<std::uint32_t>(bytes[at + 1]) << 8U |
         static_cast<std::uint32_t>(bytes[at + 2]) << 16U |
         static_cast<std::uint32_t>(bytes[at + 3]) << 24U;
}

inline void put_u32(std::vector<std::uint8_t>& bytes, std::uint32_t value) {
  for (unsigned shift = 0; shift < 32; shift += 8) {
    bytes.push_back(static_cast<std::uint8_t>(value >> shift & 0xFFU));
  }
}

inline bool read_file(const std::string& path, std::vector<std::uint8_t>& bytes,
                      std::string& error) {
  std::FILE* file = tool::open_input(path, error);
  if (!file) return false;
  std::uint8_t block[65536];
  for (std::size_t got = 0; (got = std::fread(block, 1, sizeof block, file)) > 0;) {
    bytes.insert(bytes.end(), block, block + got);
  }
  const bool complete = std::ferror(file) == 0;
  if (!complete) error = path + ": cannot be read: " + std::strerror(errno);
  std::fclose(file);
  return complete;
}

/// Checks the header and returns the bytes after it. `item_bytes` is the size of a counted item.
inline std::optional<std::vector<std::uint8_t>> read_payload(const std::string& path,
                                                             std::string_view magic,
                                                             std::size_t item_bytes,
                                                             std::string& error) {
  std::vector<std::uint8_t> bytes;
  const auto fail = [&](std::string what) -> std::optional<std::vector<std::uint8_t>> {
    error = path + ": " + std::move(what);
    return std::nullopt;
  };
  if (!read_file(path, bytes, error)) return std::nullopt;
  if (bytes.size() < header_bytes ||
      !std::equal(magic.begin(), magic.end(), bytes.begin(),
                  [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; })) {
    return fail("is no " + std::string(magic) + " file");
  }
  const std::uint64_t expected = header_bytes + std::uint64_t{get_u32(bytes, 8)} * item_bytes;
  if (bytes.size() != expected) {
    return fail("has " + std::to_string(bytes.size()) + " bytes; its header says " +
                std::to_string(expected));
  }
  const std::uint32_t checksum = get_u32(bytes, 12);
  bytes.erase(bytes.begin(), bytes.begin() + header_bytes);
  if (fnv_1a(bytes) != checksum) return fail("is damaged: the checksum differs");
  return bytes;
}

inline bool write_payload(const std::string& path, std::string_view magic, std::size_t count,
                          std::span<const std::uint8_t> payload, std::string& error) {
  std::vector<std::uint8_t> bytes(magic.begin(), magic.end());
  put_u32(bytes, static_cast<std::uint32_t>(count));
  put_u32(bytes, fnv_1a(payload));
  bytes.insert(bytes.end(), payload.begin(), payload.end());
  return tool::write_file(path, std::as_bytes(std::span(bytes)), error);
}

}  // namespace detail

/// Reads all weights of the network, for make_segments(). On failure returns nothing, and `error`
/// says which file and why.
[[nodiscard]] inline std::optional<std::vector<float>> load_weights(const std::string& path,
                                                                    std::string& error) {
  const auto payload = detail::read_payload(path, detail::weights_magic, sizeof(float), error);
  if (!payload) return std::nullopt;
  std::vector<float> weights(payload->size() / sizeof(float));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = std::bit_cast<float>(detail::get_u32(*payload, i * sizeof(float)));
  }
  if (weights.size() != weight_count()) {
    error = path + ": holds " + std::to_string(weights.size()) + " weights; the network has " +
            std::to_string(weight_count());
    return std::nullopt;
  }
  return weights;
}

/// Reads images with labels. On failure returns nothing, and `error` says which file and why.
[[nodiscard]] inline std::optional<Images> load_images(const std::string& path,
                                                       std::string& error) {
  auto payload = detail::read_payload(path, detail::images_magic, image_pixels + 1, error);
  if (!payload) return std::nullopt;
  const std::size_t count = payload->size() / (image_pixels + 1);
  const auto labels = payload->begin() + static_cast<std::ptrdiff_t>(count * image_pixels);
  Images images{{payload->begin(), labels}, {labels, payload->end()}};
  for (const std::uint8_t label : images.labels) {
    if (label >= classes) {
      error = path + ": has a label above 9";
      return std::nullopt;
    }
  }
  return images;
}

/// Writes a file for load_weights(). On failure returns false and sets `error`.
inline bool save_weights(const std::string& path, std::span<const float> weights,
                         std::string& error) {
  std::vector<std::uint8_t> payload;
  for (const float weight : weights) detail::put_u32(payload, std::bit_cast<std::uint32_t>(weight));
  return detail::write_payload(path, detail::weights_magic, weights.size(), payload, error);
}

/// Writes a file for load_images(). On failure returns false and sets `error`.
inline bool save_images(const std::string& path, const Images& images, std::string& error) {
  std::vector<std::uint8_t> payload = images.pixels;
  payload.insert(payload.end(), images.labels.begin(), images.labels.end());
  return detail::write_payload(path, detail::images_magic, images.count(), payload, error);
}

/// Returns the network's input for `batch` images from `first` on: pixels from 0 to 1. Places after
/// the last image are 0.
[[nodiscard]] inline std::vector<float> input_batch(const Images& images, std::size_t first) {
  std::vector<float> input(batch * image_pixels, 0.0F);
  const std::size_t begin = std::min(first, images.count()) * image_pixels;
  const std::size_t count = std::min(input.size(), images.pixels.size() - begin);
  for (std::size_t i = 0; i < count; ++i) {
    input[i] = static_cast<float>(images.pixels[begin + i]) / 255.0F;
  }
  return input;
}

/// Returns the digit with the highest probability. `probabilities` has `classes` values.
[[nodiscard]] inline std::uint8_t best_class(std::span<const float> probabilities) noexcept {
  const auto best = std::max_element(probabilities.begin(), probabilities.end());
  return static_cast<std::uint8_t>(best - probabilities.begin());
}

}  // namespace digits
