// A slot's name and an error code of another file. A comment may name QnnContext_free and 5002.
// FAULT facts: has "QnnContext_free", which stands in abi/interface.hpp
// FAULT facts: has 5002, an error code's number; write code_of() of its enumerator
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp {

inline constexpr const char* step = "QnnContext_free";
inline constexpr bool is_invalid(int code) { return code == 5002; }
inline constexpr int not_a_code = 15002;

}  // namespace qnnpp
