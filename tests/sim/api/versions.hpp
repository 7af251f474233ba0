// Versions, provider names and ids that the simulated libraries report.
#pragma once

#include <cstdint>

#include "qnnpp/abi/common.hpp"

namespace qnnpp::sim {

inline constexpr c_api::Version core_api_version{2, 32, 0};
inline constexpr c_api::Version htp_api_version{5, 43, 0};
inline constexpr c_api::Version system_api_version{1, 7, 0};
inline constexpr const char* htp_provider_name = "HTP_QTI_AISW";
inline constexpr const char* system_provider_name = "SYSTEM_QTI_AISW";
inline constexpr const char* build_id = "qnnpp-sim";
inline constexpr std::uint32_t htp_backend_id = 6;
inline constexpr std::uint32_t system_backend_id = 0;

}  // namespace qnnpp::sim
