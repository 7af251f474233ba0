// The decoder of the examples on Qualcomm's library, for each chip: prepared, serialised, restored
// and executed over plain memory, against the plain reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "decoder/network.hpp"
#include "decoder/reference.hpp"
#include "library.hpp"
#include "raw_decoder.hpp"
#include "tool/tolerance.hpp"

namespace real { namespace {

using namespace qnnpp;
using Numbers = std::vector<float>;

float largest_difference(const Numbers& found, const Numbers& expected) {
  float largest = found.size() == expected.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < found.size(); ++i)
    largest = std::max(largest, std::abs(found[i] - expected[i]));
  return largest;
}

/// The decoder and its reference, which get the same tokens.
class the_decoder : public testing::TestWithParam<Chip> {
 protected:
  /// Runs tokens on both, by prefill (0) or decode (1).
  void advance(std::size_t stage, std::span<const std::size_t> tokens) {
    found_ = decoder_.run(stage, tokens);
    for (const std::size_t token : tokens) expected_ = reference_.run(token);
    difference_ = std::max(difference_, largest_difference(found_, expected_));
  }
  /// Runs a text in chunks of prefill, from token `done` on.
  void prefill(std::span<const std::size_t> text, std::size_t done = 0) {
    while (done < text.size()) {
      const auto chunk = text.subspan(done).first(
          std::min<std::size_t>(decoder::shapes[0].tokens, text.size() - done));
      advance(0, chunk);
      done += chunk.size();
    }
  }
  void rewind(std::size_t positions) {
    decoder_.rewind(positions);
    reference_.rewind(positions);
  }
  [[nodiscard]] float tolerance() const { return tool::tolerance(GetParam().arch).decoder; }

  const decoder::Network network_ = decoder::make_network();
  const std::vector<std::size_t> text_ =
      decoder::tokens_of("the quick brown fox jumps over the lazy dog");
  RawDecoder decoder_{backend_for(GetParam()), network_};
  decoder::Reference reference_{network_};
  Numbers found_, expected_;  ///< Hidden state of the last token.
  float difference_ = 0;      ///< The largest so far.
};
INSTANTIATE_TEST_SUITE_P(chips, the_decoder, testing::ValuesIn(chips), name_of);

TEST_P(the_decoder, writes_the_text_of_the_reference) {
  prefill(std::span(text_).first(text_.size() - 1));
  std::vector<std::size_t> text = text_;
  while (text.size() < text_.size() + 32) {
    advance(1, std::span(text).last(1));
    ASSERT_EQ(network_.next_token(found_), network_.next_token(expected_)) << text.size();
    text.push_back(network_.next_token(found_));
  }
  RecordProperty("largest_difference", std::to_string(difference_));
  EXPECT_LT(difference_, tolerance());
}

TEST_P(the_decoder, has_logits_near_those_of_the_reference) {
  float difference = 0;
  const auto compare = [&] {
    difference = std::max(difference,
                          largest_difference(network_.logits(found_), network_.logits(expected_)));
  };
  prefill(std::span(text_).first(16));
  compare();
  for (std::size_t i = 16; i < text_.size(); ++i) {
    advance(1, std::span(text_).subspan(i, 1));
    compare();
  }
  RecordProperty("largest_difference", std::to_string(difference));
  EXPECT_LT(difference, 8 * tolerance()) << "the square root of the 64 numbers in a hidden state";
}

TEST_P(the_decoder, computes_the_same_by_prefill_and_by_decode) {
  prefill(std::span(text_).first(20));
  const Numbers by_prefill = found_;
  rewind(16);
  for (std::size_t i = 16; i < 20; ++i) advance(1, std::span(text_).subspan(i, 1));
  EXPECT_LT(largest_difference(found_, by_prefill), tolerance());
  EXPECT_LT(difference_, tolerance());
}

TEST_P(the_decoder, forgets_tokens_that_are_taken_back) {
  prefill(std::span(text_).first(16));
  advance(1, std::span(text_).subspan(16, 1));
  const Numbers first = found_;
  for (std::size_t i = 20; i < 28; ++i) advance(1, std::span(text_).subspan(i, 1));
  rewind(16);
  advance(1, std::span(text_).subspan(16, 1));
  EXPECT_EQ(found_, first);
}

TEST_P(the_decoder, sees_each_token_before) {
  prefill(std::span(text_).first(16));
  advance(1, std::span(text_).subspan(16, 1));
  std::vector<std::size_t> other = text_;
  other[0] = (other[0] + 1) % decoder::alphabet.size();
  const Numbers first = found_;
  rewind(0);
  prefill(std::span(other).first(16));
  advance(1, std::span(text_).subspan(16, 1));
  EXPECT_GT(largest_difference(found_, first), tolerance()) << "one token of 16 is another";
  EXPECT_LT(difference_, tolerance());
}

}}  // namespace real
