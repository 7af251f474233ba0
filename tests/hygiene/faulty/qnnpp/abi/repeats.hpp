// A record and error codes that another file defines too, and the check of a layout.
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp::c_api {

enum class ContextError : unsigned {
  invalid_handle = 5002,
};

struct ClientBuffer {
  void* data;
};
static_assert(sizeof(ClientBuffer) == 8);

}  // namespace qnnpp::c_api
