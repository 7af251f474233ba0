// FAULT contracts: has Expects or Ensures; write expects(condition, "sentence")
#pragma once

#include "qnnpp/platform.hpp"

inline void run(const void* graph) {
  Expects(graph != nullptr);
}
