// Slots and an error code of another file. A comment may name QnnContext_free and 5002.
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp::c_api {

enum class Call { backend_free, context_free };

inline constexpr const char* step = "QnnContext_free";
inline constexpr bool is_invalid(int code) { return code == 5002; }

}  // namespace qnnpp::c_api
