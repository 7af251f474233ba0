// Constants and contents of the simulated HTP's context binary. docs/simulated-htp-format.md
// describes every field.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "qnnpp/abi/common.hpp"

#include "sim/ops/network.hpp"
#include "sim/plan/placement.hpp"

namespace qnnpp::sim {

/// Format version that serialize() writes and parse() accepts.
inline constexpr std::uint32_t binary_format_version = 5;

/// First bytes of every binary. They are no text, and a transfer that changes line ends breaks
/// them.
inline constexpr std::array<std::uint8_t, 8> binary_magic{0x89, 'Q', 'P', 'P', 'C', 'T', 'X', '\n'};

/// First bytes of the binaries of Qualcomm's SDK, which only an engine reads.
inline constexpr std::array<std::uint8_t, 8> sdk_binary_magic{0, 0, 0, 2, 0, 0, 0, 3};

/// Size of the header. Its last four bytes are the checksum of all other header bytes.
inline constexpr std::uint32_t binary_header_bytes = 128;

/// Versions and device that a binary was prepared with and for.
struct BinaryTarget {
  c_api::Version core_api_version{};
  c_api::Version backend_api_version{};
  std::string build_id;
  /// Values of Qnn_SocModel_t and QnnHtpDevice_Arch_t.
  std::uint32_t soc_model = 0;
  std::uint32_t dsp_arch = 0;
  /// VTCM of the device that the binary was planned for.
  std::uint64_t vtcm_bytes = 0;
  /// Alignment of the start of external buffers, in bytes; a power of two (BUF-02).
  std::uint64_t start_alignment_bytes = 1;
};

/// Device that a binary shall run on.
struct BinaryDevice {
  std::uint32_t dsp_arch = 0;
  std::uint64_t vtcm_bytes = 0;
  bool dynamic_dimensions = false;  ///< supports graphs with dynamic dimensions
};

/// A parsed binary. Owns everything except the weights, which stay in the binary.
struct BinaryContents {
  bool by_engine = false;    ///< made by the SDK: the engine describes and runs it
  std::uint32_t digest = 0;  ///< of a binary with its weights, if `by_engine`
  BinaryTarget target;
  Network network;
  NetworkPlan plan;
  /// Offset of the weights section in the binary, in bytes; its size is plan.weights_bytes.
  std::uint64_t weights_offset = 0;
  std::uint64_t total_bytes = 0;
};

}  // namespace qnnpp::sim
