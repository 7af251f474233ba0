// Lists that are kept in order, for programs that would not compile a sort for a few elements.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// How many elements at the beginning of a list are before some place; `is_before` tells of each,
/// and is true of none behind one that it is false of.
template <class T, class IsBefore>
[[nodiscard]] std::size_t count_before(const std::vector<T>& list, IsBefore is_before) {
  std::size_t first = 0;
  for (std::size_t count = list.size(); count > 0;) {
    const std::size_t half = count / 2;
    const bool before = is_before(list[first + half]);
    first = before ? first + half + 1 : first;
    count = before ? count - half - 1 : half;
  }
  return first;
}

/// Puts `value` behind all elements that are not greater by `less`.
template <class T, class Less>
void insert_in_order(std::vector<T>& list, T value, Less less) {
  const std::size_t at =
      count_before(list, [&](const T& element) { return !less(value, element); });
  list.insert(list.begin() + static_cast<std::ptrdiff_t>(at), std::move(value));
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
