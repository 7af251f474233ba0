// A task for one graph: the classifier, the network's last segment, with four handwritten digits.
//
// This file computes in plain floats the output of the earlier segments, and the expected answer of
// the HTP.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "files.hpp"
#include "network.hpp"
#include "reference.hpp"

namespace digits {

/// Move-only, because the segments borrow the weights.
struct Task {
  explicit Task(std::vector<float> all_weights)
      : weights(std::move(all_weights)), segments(make_segments(weights)) {}
  Task(Task&&) = default;

  std::vector<float> weights;
  std::array<Segment, 4> segments;
  std::vector<float> input;          ///< Input of the classifier, from four images.
  std::vector<float> probabilities;  ///< Expected output of the classifier.
  std::vector<std::uint8_t> labels;  ///< Digits that the images show.

  [[nodiscard]] const Segment& classifier() const noexcept { return segments.back(); }
};

/// Returns the images, at least one batch. Throws if the file cannot be read.
[[nodiscard]] inline Images load_all_images(const std::string& folder) {
  std::string error;
  auto images = load_images(folder + "/images.bin", error);
  if (!images) throw std::runtime_error(error);
  if (images->count() < batch) throw std::runtime_error(folder + "/images.bin: too few images");
  return std::move(*images);
}

/// Returns the task of the first four images. Throws if a file cannot be read.
[[nodiscard]] inline Task load_task(const std::string& folder) {
  std::string error;
  auto weights = load_weights(folder + "/weights.bin", error);
  if (!weights) throw std::runtime_error(error);
  const Images images = load_all_images(folder);
  Task task(std::move(*weights));
  task.input = run_network(std::span(task.segments).first<3>(), input_batch(images, 0));
  task.probabilities = run_segment(task.classifier(), task.input);
  task.labels.assign(images.labels.begin(), images.labels.begin() + batch);
  return task;
}

/// Prints the digits that were found. Throws if a number differs from the reference by `tolerance`
/// or more.
inline void report(const Task& task, std::span<const float> found, float tolerance) {
  const float difference = largest_difference(found, task.probabilities);
  fmt::print("the images show {}, found:", fmt::join(task.labels, " "));
  for (std::size_t image = 0; image < batch; ++image)
    fmt::print(" {}", best_class(found.subspan(image * classes, classes)));
  fmt::print("; largest difference from the float reference: {:.3g}\n", difference);
  if (!(difference < tolerance))
    throw std::runtime_error(
        "the numbers differ from the float reference; the device or its libraries compute wrong "
        "results");
}

}  // namespace digits
