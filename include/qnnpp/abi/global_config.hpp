// Options of a whole library.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Which member of GlobalConfig's union is set. C: QnnGlobalConfig_ConfigOption_t. Core 2.27.
enum class GlobalConfigConfigOption : std::uint32_t {
  soc_model = 0,
  undefined = 0x7FFFFFFF,
};

/// An option of the whole library, set before a backend is created. C: QnnGlobalConfig_t.
/// Core 2.27.
struct GlobalConfig {
  GlobalConfigConfigOption option;  ///< Selects the union member.
  union {
    SocModel soc_model;  ///< The chip to prepare for.
  };
};

/// Sets options of the library, before a backend is created. C: QnnGlobalConfig_set. Core 2.27.
using GlobalConfigSetFn = ErrorHandle (*)(const GlobalConfig** config);

}  // namespace qnnpp::c_api
