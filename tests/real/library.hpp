// Qualcomm's library for x86-64, and the chips that it prepares graphs for.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>

#include "qnnpp/abi/soc_model.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

namespace real {

/// A chip that graphs are prepared for, and executed by emulation.
struct Chip {
  const char* name;
  std::uint32_t arch;  ///< Hexagon architecture.
  qnnpp::c_api::SocModel soc;
};
/// Prints a chip in the messages of tests.
inline void PrintTo(const Chip& chip, std::ostream* out) { *out << chip.name; }

inline constexpr Chip chips[] = {{"v68", 68, qnnpp::c_api::SocModel::sm8350},
                                 {"v73", 73, qnnpp::c_api::SocModel::sm8550},
                                 {"v75", 75, qnnpp::c_api::SocModel::sm8650},
                                 {"v79", 79, qnnpp::c_api::SocModel::sm8750},
                                 {"v81", 81, qnnpp::c_api::SocModel::sm8850}};

/// Names a test after its chip.
inline std::string name_of(const testing::TestParamInfo<Chip>& info) { return info.param.name; }

/// Returns a variable of the environment that names a library; main.cpp sets it. Throws if it is
/// not set.
[[nodiscard]] inline std::string path_in(const char* variable) {
  const char* const path = std::getenv(variable);
  if (path == nullptr || *path == '\0')
    throw std::runtime_error(std::string(variable) + " is not set");
  return path;
}

[[nodiscard]] inline std::string htp() { return path_in("QNNPP_REAL_HTP"); }
[[nodiscard]] inline std::string system() { return path_in("QNNPP_REAL_SYSTEM"); }

/// Loads the library with these options of the device.
[[nodiscard]] inline qnnpp::Result<qnnpp::Backend<qnnpp::Htp>> load(
    qnnpp::DeviceOptions device = {}) {
  return qnnpp::Backend<qnnpp::Htp>::load(
      {.library = htp(), .system_library = system(), .device = std::move(device)});
}
/// Returns a backend that prepares graphs for a chip. Throws if the library does not load.
[[nodiscard]] inline qnnpp::Backend<qnnpp::Htp> backend_for(const Chip& chip) {
  return qnnpp::value_or_throw(load({.soc_model = static_cast<std::uint32_t>(chip.soc)}));
}

}  // namespace real
