// Fails the checks of comments on purpose.
#pragma once

namespace qnnpp::inline v1 {

/// Says which threads. Threads: any.
class Said {};

/// Says nothing of them.
class Silent {};

/// A plain value.
struct Plain {
  int value = 0;  ///< Of fixed size.
};

/// Has more than its public members.
struct Private {
  /// Does the same as get(), but later.
  int get_later();

 private:
  int value_ = 0;
};

/// Takes a number. Error: `invalid_argument` for a number
/// that is none.
void number(int value);

namespace detail {
/// Is not public.
class Hidden {};
}  // namespace detail

}  // namespace qnnpp::inline v1
