// PathLike: what a caller may mean as the path of a file. For refusals.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <string>
#include <string_view>

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

/// A literal, a string, a view, or what turns into a string, as std::filesystem::path does.
template <class T>
concept PathLike =
    std::convertible_to<const T&, std::string> || std::convertible_to<const T&, std::string_view>;

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
