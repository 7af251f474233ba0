// The digits network on Qualcomm's library: its numbers, for each chip.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "digits/reference.hpp"
#include "digits_network.hpp"
#include "library.hpp"
#include "tool/tolerance.hpp"

namespace real { namespace {

class digits_network : public testing::TestWithParam<Chip> {};
INSTANTIATE_TEST_SUITE_P(chips, digits_network, testing::ValuesIn(chips), name_of);

TEST_P(digits_network, classifies_492_of_500_images_as_the_float_reference_does) {
  const Digits digits;
  DigitsNetwork network(backend_for(GetParam()), digits.weights);
  const auto segments = digits::make_segments(digits.weights);
  std::size_t right = 0;
  float difference = 0;
  for (std::size_t first = 0; first < digits.images.count(); first += digits::batch) {
    const auto images = digits::input_batch(digits.images, first);
    const auto found = network.classify(images);
    difference = std::max(difference,
                          digits::largest_difference(found, digits::run_network(segments, images)));
    for (std::size_t i = 0; i < digits::batch; ++i)
      right += digits::best_class(found.subspan(i * digits::classes, digits::classes)) ==
               digits.images.labels[first + i];
  }
  EXPECT_EQ(digits.images.count(), 500u);
  EXPECT_EQ(right, 492u);
  RecordProperty("largest_difference", std::to_string(difference));
  EXPECT_LT(difference, tool::tolerance(GetParam().arch).digits);
}

}}  // namespace real
