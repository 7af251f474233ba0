// Slots in the correct form.
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp::c_api {

enum class Slot : unsigned {
  backend_free = 8,
  context_free = 14,
};

inline constexpr const char* names[] = {"QnnBackend_free", "QnnContext_free"};

}  // namespace qnnpp::c_api
