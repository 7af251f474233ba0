// Error codes and a record.
// FAULT rows: ContextError::invalid_handle has no row of facts
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp::c_api {

enum class ContextError : unsigned {
  invalid_handle = 5002,
};

struct ClientBuffer {
  void* data;
  unsigned data_size;
};

}  // namespace qnnpp::c_api
