#pragma once

#include <cstdint>

namespace qnnpp::abi {

using PropertyKey = std::uint32_t;

}  // namespace qnnpp::abi
