// Options of contexts that only the HTP has, and the libraries that know them (CFG-04).
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/htp/context.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// An option, and the first version 5.`minor` of the HTP library in which its number has that
/// meaning.
struct HtpOption {
  c_api::HtpContextConfigOption option;
  const char* name;
  std::uint32_t minor;

  [[nodiscard]] constexpr bool is_newer_than(const c_api::Version& library) const noexcept {
    return library.major < 5 || (library.major == 5 && library.minor < minor);
  }
};

/// The options that ContextConfigs sets and that not every library knows. The library's version
/// decides whether an option may be set, because its answer is not reliable: 5.43 accepts the
/// number 17, 5.45 refuses it, and 5.50 gives it a meaning.
inline constexpr HtpOption htp_options[] = {
    {c_api::HtpContextConfigOption::init_acceleration, "INIT_ACCELERATION", 36},
};

/// Row of an option; null if every library knows it.
[[nodiscard]] constexpr const HtpOption* find_htp_option(
    c_api::HtpContextConfigOption option) noexcept {
  for (const HtpOption& row : htp_options)
    if (row.option == option) return &row;
  return nullptr;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
