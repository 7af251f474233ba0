// The fake liblog.so, from both sides.
#pragma once

#include <cstdio>

namespace fakes {

struct AndroidLine {
  int count = 0;
  int priority = 0;
  char tag[32] = {};
  char text[256] = {};
};

using AndroidLineFn = AndroidLine* (*)();  ///< exported as fake_android_line

}  // namespace fakes
