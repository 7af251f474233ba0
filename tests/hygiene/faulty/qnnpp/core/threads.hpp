// FAULT threads: class Silent says nothing of threads; write "Threads: ..."
// FAULT threads: struct Private says nothing of threads; write "Threads: ..."
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp {

/// Says which threads. Threads: any.
class Said {};

/// Says nothing of them.
class Silent {};

/// A plain value.
struct Plain {
  int value = 0;  ///< The value.
};

/// Has more than its public members.
struct Private {
  int get();

 private:
  int value_ = 0;
};

namespace detail {
/// Is not public.
class Hidden {};
}  // namespace detail

}  // namespace qnnpp
