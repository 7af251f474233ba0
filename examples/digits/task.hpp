// A task for one graph: the classifier, the network's last segment, with four handwritten digits.
//
// What the segments before it make of the images is computed here in plain floats, and so is the
// answer that the HTP has to find.
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

/// Move-only: the segments borrow the weights.
struct Task {
  explicit Task(std::vector<float> all_weights)
      : weights(std::move(all_weights)), segments(make_segments(weights)) {}
  Task(Task&&) = default;

  std::vector<float> weights;
  std::array<Segment, 4> segments;
  std::vector<float> input;          ///< For the classifier, from four images.
  std::vector<float> probabilities;  ///< What it has to answer.
  std::vector<std::uint8_t> labels;  ///< What the images show.

  [[nodiscard]] const Segment& classifier() const noexcept { return segments.back(); }
};

/// The first four images. Throws where a file cannot be used.
[[nodiscard]] inline Task load_task(const std::string& folder) {
  std::string error;
  auto weights = load_weights(folder + "/weights.bin", error);
  if (!weights) throw std::runtime_error(error);
  const auto images = load_images(folder + "/images.bin", error);
  if (!images) throw std::runtime_error(error);
  if (images->count() < batch) throw std::runtime_error(folder + "/images.bin: too few images");

  Task task(std::move(*weights));
  task.input = run_network(std::span(task.segments).first<3>(), input_batch(*images, 0));
  task.probabilities = run_segment(task.classifier(), task.input);
  task.labels.assign(images->labels.begin(), images->labels.begin() + batch);
  return task;
}

/// Prints which digits were found; throws where the numbers are not those of the reference.
inline void report(const Task& task, std::span<const float> found) {
  const float difference = largest_difference(found, task.probabilities);
  fmt::print("the images show {}, found:", fmt::join(task.labels, " "));
  for (std::size_t image = 0; image < batch; ++image)
    fmt::print(" {}", best_class(found.subspan(image * classes, classes)));
  fmt::print("; largest difference from the float reference: {:.3g}\n", difference);
  if (!(difference < 1e-4F)) throw std::runtime_error("the numbers are wrong");
}

}  // namespace digits
