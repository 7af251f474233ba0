// FAULT advice: does not say what to do: fail(Errc::invalid_argument, step, name, {"no use of ", number});
#pragma once

#include "qnnpp/platform.hpp"

inline auto refuse(const char* why) {
  if (why) return fail(Errc::invalid_argument, step, name, why);
  if (step) return fail(Errc::invalid_argument, step, name, "it is wrong; correct it");
  return fail(Errc::invalid_argument, step, name,
              {"no use of ", number});
}
