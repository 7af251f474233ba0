// Holds state that a header must not hold, and a Result that may be dropped.
// FAULT statics: has the mutable static counter
// FAULT statics: has the mutable static calls
// FAULT results: lacks [[nodiscard]]: Result<void> close()
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp {

inline int counter = 0;
inline constexpr int limit = 3;
Result<void> close();
[[nodiscard]] Result<void> open();
inline int next() {
  static int calls{0};
  static const int step = 1;
  return calls += step;
}

}  // namespace qnnpp
