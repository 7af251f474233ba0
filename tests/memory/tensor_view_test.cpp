// TensorView: access to elements by their indices.
#include "qnnpp/memory/tensor_view.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <type_traits>
#include <vector>

#include "../support/contracts.hpp"
#include "../support/results.hpp"

namespace {

using qnnpp::TensorView;

/// Returns 0, 1, 2...
std::vector<int> numbers(std::size_t count) {
  std::vector<int> all(count);
  std::iota(all.begin(), all.end(), 0);
  return all;
}

TEST(tensor_view, has_its_last_index_running_fastest) {
  std::vector<int> all = numbers(2 * 3 * 4 * 5);
  const TensorView<int, 4> view(all, {2, 3, 4, 5});
  int expected = 0;
  for (std::size_t n = 0; n < 2; ++n)
    for (std::size_t y = 0; y < 3; ++y)
      for (std::size_t x = 0; x < 4; ++x)
        for (std::size_t c = 0; c < 5; ++c) ASSERT_EQ(view(n, y, x, c), expected++);
}

TEST(tensor_view, of_one_dimension_is_the_elements) {
  std::vector<int> all = numbers(5);
  const TensorView<int, 1> view(all, {5});
  for (int i = 0; i < 5; ++i) EXPECT_EQ(view(i), i);
}

TEST(tensor_view, writes_what_it_borrows) {
  std::vector<int> all = numbers(6);
  const TensorView<int, 2> view(all, {2, 3});
  view(1, 2) = -7;
  EXPECT_EQ(all[5], -7);
  EXPECT_EQ(&view(0, 1), &all[1]);
}

TEST(tensor_view, of_constants_only_reads) {
  const std::vector<int> all = numbers(6);
  const TensorView<const int, 2> view(all, {3, 2});
  EXPECT_EQ(view(2, 1), 5);
  EXPECT_TRUE((std::is_same_v<decltype(view(0, 0)), const int&>));
}

TEST(tensor_view, tells_its_rank_its_extents_and_all_its_elements) {
  std::vector<int> all = numbers(24);
  const TensorView<int, 3> view(all, {2, 3, 4});
  EXPECT_EQ(view.rank(), 3u);
  EXPECT_EQ(view.extent(0), 2u);
  EXPECT_EQ(view.extent(1), 3u);
  EXPECT_EQ(view.extent(2), 4u);
  EXPECT_EQ(view.elements().data(), all.data());
  EXPECT_EQ(view.elements().size(), 24u);
}

TEST(tensor_view, takes_as_many_indices_as_it_has_dimensions) {
  using View = TensorView<int, 2>;
  EXPECT_TRUE((std::is_invocable_v<View, int, unsigned>));
  EXPECT_FALSE((std::is_invocable_v<View, int>));
  EXPECT_FALSE((std::is_invocable_v<View, int, int, int>));
  EXPECT_FALSE((std::is_invocable_v<View, int, const char*>));
}

TEST(tensor_view_death, an_index_at_its_extent_breaks_a_contract) {
  std::vector<int> all = numbers(6);
  const TensorView<int, 2> view(all, {2, 3});
  EXPECT_CONTRACT(view_index, (void)view(2, 0));
  EXPECT_CONTRACT(view_index, (void)view(0, 3));  // an element, but of the next row
  EXPECT_CONTRACT(view_index, (void)view(0, -1));
  EXPECT_CONTRACT(view_dimension, (void)view.extent(2));
}

TEST(tensor_view_death, elements_of_another_number_break_a_contract) {
  std::vector<int> all = numbers(6);
  EXPECT_CONTRACT(view_extents, (void)(TensorView<int, 2>(all, {2, 2})));
  EXPECT_CONTRACT(view_extents, (void)(TensorView<int, 2>(all, {2, 4})));
}

}  // namespace
