// Options of contexts that only the HTP has, and the libraries that know them (CFG-04).
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/htp/context.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Place of an option: the options of one context, deferred or not, or those of a list.
enum class OptionPlace : std::uint8_t { context, list };

/// An option, and the first version 5.`minor` of the HTP library in which its number has that
/// meaning.
struct HtpOption {
  c_api::HtpContextConfigOption option;
  const char* name;
  std::uint32_t minor;
  /// If not 0: the versions after 5.`minor` and before 5.`again` refuse it for one context.
  std::uint32_t again = 0;

  /// Whether a library takes the option.
  [[nodiscard]] constexpr bool is_known_to(const c_api::Version& library,
                                           OptionPlace place) const noexcept {
    if (library.major != 5) return library.major > 5;
    if (library.minor <= minor) return library.minor == minor;
    return library.minor >= again || place == OptionPlace::list;
  }
};

/// The options that ContextConfigs sets and that not every library knows. The library's version
/// decides whether an option may be set, because its answer is not reliable: a deferred creation
/// accepts any number, and finalize refuses it; a list ignores a number that it does not know; and
/// REUSED_IO_LIMIT is counted by 5.44 to 5.48, and then refused.
inline constexpr HtpOption htp_options[] = {
    {c_api::HtpContextConfigOption::init_acceleration, "INIT_ACCELERATION", 36},
    {c_api::HtpContextConfigOption::reused_io_limit, "REUSED_IO_LIMIT", 43, 49},
    {c_api::HtpContextConfigOption::concurrent_deserialization_patch,
     "CONCURRENT_DESERIALIZATION_PATCH", 47},
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
