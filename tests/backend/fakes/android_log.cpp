// liblog.so of Android: stores the last line.
#include "fakes/android_log.hpp"

namespace {
fakes::AndroidLine last;
}

extern "C" int __android_log_write(int priority, const char* tag, const char* text) {
  ++last.count;
  last.priority = priority;
  std::snprintf(last.tag, sizeof last.tag, "%s", tag);
  std::snprintf(last.text, sizeof last.text, "%s", text);
  return 1;
}

extern "C" fakes::AndroidLine* fake_android_line() { return &last; }
