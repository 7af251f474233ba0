// The digits network of the examples: its data files, its shape and its plain float reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "digits/files.hpp"
#include "digits/network.hpp"
#include "digits/reference.hpp"

namespace {

using namespace digits;

constexpr std::size_t largest_vtcm_bytes = 32 * 1024;

const std::string weights_path = DIGITS_DATA_DIR "/weights.bin";
const std::string images_path = DIGITS_DATA_DIR "/images.bin";

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Writes a file that only the running test uses.
std::string write_temporary(const std::string& bytes) {
  const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
  const std::string path = testing::TempDir() + "digits_" + test + ".bin";
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

/// Returns the number after `key` in the summary of the training.
std::size_t stated(const std::string& key) {
  std::ifstream file(DIGITS_DATA_DIR "/summary.txt");
  std::string name;
  for (std::size_t value = 0; file >> name >> value;) {
    if (name == key) return value;
  }
  ADD_FAILURE() << "summary.txt does not state " << key;
  return 0;
}

/// Returns, for each layer, the intermediate tensors that live while it runs: already computed, and
/// still to be read.
std::vector<std::vector<std::size_t>> alive_during_layers(const Segment& segment) {
  std::vector<std::vector<std::size_t>> alive(segment.layers.size());
  for (std::size_t tensor = 0; tensor < segment.tensors.size(); ++tensor) {
    if (segment.tensors[tensor].kind != Kind::native) continue;
    std::size_t made = 0, last = 0;
    for (std::size_t l = 0; l < segment.layers.size(); ++l) {
      const Layer& layer = segment.layers[l];
      if (layer.outputs[0] == tensor) made = l;
      if (std::ranges::count(layer.inputs, tensor) != 0) last = l;
    }
    for (std::size_t l = made; l <= last; ++l)
      alive[l].push_back(segment.tensors[tensor].size_bytes());
  }
  return alive;
}

std::size_t most_bytes_alive(const Segment& segment) {
  std::size_t most = 0;
  for (const auto& sizes : alive_during_layers(segment)) {
    std::size_t sum = 0;
    for (const std::size_t size : sizes) sum += size;
    most = std::max(most, sum);
  }
  return most;
}

TEST(digits_files, a_file_that_cannot_be_read_is_refused_with_the_reason) {
  std::string error;
  EXPECT_FALSE(load_weights("/proc/self/mem", error));  // Its first page is not mapped.
  EXPECT_EQ(error, std::string("/proc/self/mem: cannot be read: ") + std::strerror(EIO));
}

TEST(digits_files, the_committed_weights_and_images_load) {
  std::string error;
  const auto weights = load_weights(weights_path, error);
  ASSERT_TRUE(weights) << error;
  EXPECT_EQ(weights->size(), weight_count());
  const auto images = load_images(images_path, error);
  ASSERT_TRUE(images) << error;
  EXPECT_EQ(images->count(), stated("images"));
  EXPECT_EQ(images->pixels.size(), images->count() * image_pixels);
  const std::set<std::uint8_t> labels(images->labels.begin(), images->labels.end());
  EXPECT_EQ(labels.size(), classes);
}

TEST(digits_files, weights_and_images_take_less_than_two_megabytes) {
  EXPECT_LT(contents(weights_path).size() + contents(images_path).size(), 2'000'000U);
}

TEST(digits_files, a_missing_file_is_named_in_the_error) {
  std::string error;
  EXPECT_FALSE(load_weights("/nowhere/weights.bin", error));
  EXPECT_EQ(error, "/nowhere/weights.bin: cannot be read: No such file or directory");
}

TEST(digits_files, truncated_files_are_refused) {
  for (const std::string& original : {weights_path, images_path}) {
    const std::string bytes = contents(original);
    std::vector<std::size_t> lengths = {bytes.size() / 2, bytes.size() - 4, bytes.size() - 1};
    for (std::size_t length = 0; length <= 20; ++length) lengths.push_back(length);
    for (const std::size_t length : lengths) {
      const std::string path = write_temporary(bytes.substr(0, length));
      std::string error;
      const bool loaded = original == weights_path ? load_weights(path, error).has_value()
                                                   : load_images(path, error).has_value();
      EXPECT_FALSE(loaded) << original << " cut to " << length;
      EXPECT_TRUE(error.starts_with(path)) << error;
    }
  }
}

TEST(digits_files, a_longer_file_is_refused) {
  std::string error;
  EXPECT_FALSE(load_images(write_temporary(contents(images_path) + '\0'), error));
  EXPECT_NE(error.find("its header says 392516"), std::string::npos) << error;
}

TEST(digits_files, every_flipped_header_bit_and_a_flipped_payload_bit_are_refused) {
  const std::string bytes = contents(weights_path);
  std::vector<std::size_t> bits = {bytes.size() * 8 - 1, bytes.size() * 4};
  for (std::size_t bit = 0; bit < 16 * 8; ++bit) bits.push_back(bit);
  for (const std::size_t bit : bits) {
    std::string flipped = bytes;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
    std::string error;
    EXPECT_FALSE(load_weights(write_temporary(flipped), error)) << "bit " << bit;
  }
}

TEST(digits_files, a_file_of_the_other_kind_is_refused) {
  std::string error;
  EXPECT_FALSE(load_weights(images_path, error));
  EXPECT_EQ(error, images_path + ": is no DIGITSW1 file");
  EXPECT_FALSE(load_images(weights_path, error));
  EXPECT_EQ(error, weights_path + ": is no DIGITSI1 file");
}

TEST(digits_files, weights_of_another_network_are_refused) {
  const std::string path = write_temporary("");
  std::string error;
  ASSERT_TRUE(save_weights(path, std::vector<float>(10), error)) << error;
  EXPECT_FALSE(load_weights(path, error));
  EXPECT_EQ(error, path + ": holds 10 weights; the network has 124094");
}

TEST(digits_files, a_label_above_nine_is_refused) {
  const std::string path = write_temporary("");
  std::string error;
  ASSERT_TRUE(save_images(path, {std::vector<std::uint8_t>(image_pixels), {10}}, error)) << error;
  EXPECT_FALSE(load_images(path, error));
  EXPECT_EQ(error, path + ": has a label above 9");
}

TEST(digits_files, what_is_saved_is_what_loads) {
  const std::string path = write_temporary("");
  std::string error;
  std::vector<float> weights(weight_count());
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = static_cast<float>(i) * -0.37F;
  ASSERT_TRUE(save_weights(path, weights, error)) << error;
  EXPECT_EQ(load_weights(path, error), std::optional(weights)) << error;
}

TEST(digits_files, the_last_batch_is_filled_up_with_empty_images) {
  const Images images{std::vector<std::uint8_t>(5 * image_pixels, 255), {1, 2, 3, 4, 5}};
  const auto input = input_batch(images, 4);
  ASSERT_EQ(input.size(), batch * image_pixels);
  EXPECT_EQ(std::ranges::count(input, 1.0F), static_cast<std::ptrdiff_t>(image_pixels));
  EXPECT_EQ(std::ranges::count(input, 0.0F), static_cast<std::ptrdiff_t>(3 * image_pixels));
}

TEST(digits_network, each_segment_feeds_the_next_one) {
  const auto segments = make_segments({});
  for (std::size_t s = 1; s < segments.size(); ++s) {
    const TensorSpec& out = segments[s - 1].tensors[segments[s - 1].output];
    const TensorSpec& in = segments[s].tensors[segments[s].input];
    EXPECT_EQ(out.kind, Kind::output);
    EXPECT_EQ(in.kind, Kind::input);
    EXPECT_EQ(out.name, in.name);
    EXPECT_EQ(out.dims, in.dims);
  }
}

TEST(digits_network, each_tensor_is_made_before_it_is_used_and_named_once) {
  for (const Segment& segment : make_segments({})) {
    std::set<std::string> names;
    std::vector<bool> ready;
    for (const TensorSpec& tensor : segment.tensors) {
      EXPECT_TRUE(names.insert(tensor.name).second) << tensor.name;
      ready.push_back(tensor.kind == Kind::input || tensor.kind == Kind::static_);
    }
    for (const Layer& layer : segment.layers) {
      EXPECT_TRUE(names.insert(layer.name).second) << layer.name;
      for (const std::size_t tensor : layer.inputs) EXPECT_TRUE(ready[tensor]) << layer.name;
      ASSERT_EQ(layer.outputs.size(), 1U);
      ready[layer.outputs[0]] = true;
    }
    EXPECT_TRUE(ready[segment.output]);
  }
}

TEST(digits_network, all_nine_operations_occur) {
  std::set<std::string> types;
  for (const Segment& segment : make_segments({})) {
    for (const Layer& layer : segment.layers) types.insert(type_name(layer.op));
  }
  EXPECT_EQ(types.size(), 9U);
}

TEST(digits_network, each_segment_has_two_intermediates_above_32_KiB_alive_at_once) {
  for (const Segment& segment : make_segments({})) {
    std::ptrdiff_t most = 0;
    for (const auto& sizes : alive_during_layers(segment)) {
      most = std::max(most, std::ranges::count_if(
                                sizes, [](std::size_t size) { return size > largest_vtcm_bytes; }));
    }
    EXPECT_GE(most, 2) << segment.name;
  }
}

TEST(digits_network, the_segments_need_different_amounts_and_the_second_one_the_most) {
  std::vector<std::size_t> needs;
  for (const Segment& segment : make_segments({})) needs.push_back(most_bytes_alive(segment));
  EXPECT_EQ(std::set(needs.begin(), needs.end()).size(), needs.size());
  EXPECT_EQ(std::ranges::max_element(needs) - needs.begin(), 1);
}

TEST(digits_network, the_static_tensors_are_the_weights_in_order_without_gaps) {
  const std::vector<float> weights(weight_count());
  const float* next = weights.data();
  for (const Segment& segment : make_segments(weights)) {
    for (const TensorSpec& tensor : segment.tensors) {
      if (tensor.kind != Kind::static_) continue;
      EXPECT_EQ(tensor.data.data(), next) << tensor.name;
      EXPECT_EQ(tensor.data.size(), tensor.elements()) << tensor.name;
      next += tensor.elements();
    }
  }
  EXPECT_EQ(next, weights.data() + weights.size());
}

/// Runs one layer whose tensors have these shapes. The last shape is the shape of the output.
std::vector<float> run_one(Op op, const std::vector<Dims>& shapes, std::vector<Param> params,
                           const std::vector<std::vector<float>>& values) {
  Segment segment;
  Layer layer{op, "layer", {}, {shapes.size() - 1}, std::move(params)};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    segment.tensors.push_back({std::to_string(i), shapes[i], Kind::native, {}});
    if (i + 1 < shapes.size()) layer.inputs.push_back(i);
  }
  const std::vector<std::span<const float>> inputs(values.begin(), values.end());
  std::vector<float> out(element_count(shapes.back()));
  run_layer(segment, layer, inputs, out);
  return out;
}

TEST(digits_reference, a_convolution_pads_with_zeros_and_strides) {
  // 3 x 3 image 1..9, 3 x 3 filter of ones, bias 0.5, stride 2, padding of one row and column.
  const auto out = run_one(
      Op::conv_2d, {{1, 3, 3, 1}, {3, 3, 1, 1}, {1}, {1, 2, 2, 1}},
      {{"stride", UintTensor{{2}, {2, 2}}}, {"pad_amount", UintTensor{{2, 2}, {1, 1, 1, 1}}}},
      {{1, 2, 3, 4, 5, 6, 7, 8, 9}, std::vector<float>(9, 1.0F), {0.5F}});
  EXPECT_EQ(out, (std::vector<float>{12.5F, 16.5F, 24.5F, 28.5F}));
}

TEST(digits_reference, a_convolution_reads_its_filter_as_height_width_in_out) {
  const auto out = run_one(
      Op::conv_2d, {{1, 1, 2, 2}, {1, 2, 2, 2}, {2}, {1, 1, 1, 2}},
      {{"stride", UintTensor{{2}, {1, 1}}}, {"pad_amount", UintTensor{{2, 2}, {0, 0, 0, 0}}}},
      {{1, 10, 100, 1000}, {1, 5, 2, 6, 3, 7, 4, 8}, {0, 0}});
  EXPECT_EQ(out, (std::vector<float>{4321, 8765}));
}

TEST(digits_reference, a_fully_connected_layer_reads_its_weights_as_out_in) {
  const auto out = run_one(Op::fully_connected, {{2, 2}, {3, 2}, {3}, {2, 3}}, {},
                           {{1, 10, 2, 20}, {1, 2, 3, 4, 5, 6}, {100, 200, 300}});
  EXPECT_EQ(out, (std::vector<float>{121, 243, 365, 142, 286, 430}));
}

TEST(digits_reference, a_matrix_product_takes_either_side_transposed) {
  const std::vector<float> a = {1, 2, 3, 4, 5, 6}, a_turned = {1, 4, 2, 5, 3, 6};
  const std::vector<float> b = {1, 0, 2, 1, 0, 3}, b_turned = {1, 2, 0, 0, 1, 3};
  const std::vector<float> expected = {5, 11, 14, 23};
  EXPECT_EQ(run_one(Op::mat_mul, {{1, 2, 3}, {1, 3, 2}, {1, 2, 2}}, {}, {a, b}), expected);
  EXPECT_EQ(run_one(Op::mat_mul, {{1, 3, 2}, {1, 2, 3}, {1, 2, 2}},
                    {{"transpose_in0", true}, {"transpose_in1", true}}, {a_turned, b_turned}),
            expected);
}

TEST(digits_reference, a_softmax_runs_along_its_axis_with_its_beta) {
  const auto out = run_one(Op::softmax, {{2, 2}, {2, 2}},
                           {{"axis", std::uint32_t{0}}, {"beta", 2.0F}}, {{0, 1, 0.5F, 1}});
  EXPECT_FLOAT_EQ(out[0], 0.26894142F);  // 1 / (1 + e)
  EXPECT_FLOAT_EQ(out[2], 0.73105858F);
  EXPECT_FLOAT_EQ(out[1], 0.5F);
  EXPECT_FLOAT_EQ(out[3], 0.5F);
}

TEST(digits_reference, a_transposition_moves_axis_perm_i_to_axis_i) {
  const auto out = run_one(Op::transpose, {{1, 2, 3}, {3, 1, 2}},
                           {{"perm", UintTensor{{3}, {2, 0, 1}}}}, {{1, 2, 3, 4, 5, 6}});
  EXPECT_EQ(out, (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

TEST(digits_reference, the_element_wise_operations_and_reshape_keep_the_order) {
  const Dims flat = {4};
  const std::vector<float> a = {-1, 2, -3, 4}, b = {10, 20, 30, 40};
  using Values = std::vector<float>;
  EXPECT_EQ(run_one(Op::relu, {flat, flat}, {}, {a}), (Values{0, 2, 0, 4}));
  EXPECT_EQ(run_one(Op::element_wise_add, {flat, flat, flat}, {}, {a, b}), (Values{9, 22, 27, 44}));
  EXPECT_EQ(run_one(Op::element_wise_multiply, {flat, flat, flat}, {}, {a, b}),
            (Values{-10, 40, -90, 160}));
  EXPECT_EQ(run_one(Op::reshape, {flat, {2, 2}}, {}, {a}), a);
}

TEST(digits_reference, it_classifies_as_many_images_as_the_training_states) {
  std::string error;
  const auto weights = load_weights(weights_path, error);
  const auto images = load_images(images_path, error);
  ASSERT_TRUE(weights && images) << error;
  const auto segments = make_segments(*weights);
  std::size_t correct = 0;
  for (std::size_t first = 0; first < images->count(); first += batch) {
    const auto probabilities = run_network(segments, input_batch(*images, first));
    for (std::size_t i = 0; i < batch && first + i < images->count(); ++i) {
      const auto row = std::span(probabilities).subspan(i * classes, classes);
      correct += best_class(row) == images->labels[first + i];
    }
  }
  EXPECT_EQ(correct, stated("correct"));
  EXPECT_GE(static_cast<double>(correct) / static_cast<double>(images->count()), 0.96);
}

}  // namespace
