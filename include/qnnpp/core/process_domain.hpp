// Model of a process domain: the bytes that a context needs in one, and the bytes that one holds.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <initializer_list>

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Bytes that the HTP backend adds up before it selects a process domain with enough room. Host
/// libraries 2.43.1 and 2.45.0 logged exactly this sum for a binary with raw inputs and outputs.
/// Weights and spill-fill memory in external buffers count too (PD-01).
struct DomainNeeds {
  std::uint64_t weights_bytes = 0;     ///< Constants of the context.
  std::uint64_t spill_fill_bytes = 0;  ///< Largest spill-fill need of the graphs.
  std::uint64_t io_bytes = 0;          ///< Inputs and outputs of the graphs.
  std::uint64_t run_list_bytes = 0;    ///< Data of the operations; few binaries report it.
  std::uint64_t vtcm_bytes = 0;        ///< VTCM of the graphs; no binary reports it.

  /// Returns the sum, or UINT64_MAX if the sum overflows.
  [[nodiscard]] constexpr std::uint64_t sum_bytes() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t part :
         {weights_bytes, spill_fill_bytes, io_bytes, run_list_bytes, vtcm_bytes})
      sum = part > UINT64_MAX - sum ? UINT64_MAX : sum + part;
    return sum;
  }
};

/// Limit of the summed estimates (DomainNeeds::sum_bytes()) of one process domain, in bytes.
/// Measured on one device only (SM8750, v79, SDK 2.48, unsigned). A context of 3506 MB loaded. A
/// context of 3535 MB, with a logged estimate of 3,652,345,600 bytes, did not load. In the same
/// proportion, the estimate of the first context was 3,622,382,882 bytes.
inline constexpr std::uint64_t process_domain_bytes = 3'622'400'000;

/// Bytes that a plan adds for the run list and the VTCM of a graph, which most binaries do not
/// report. The one graph whose estimate is known part by part needed 2,926,848 + 8,388,608 bytes.
inline constexpr std::uint64_t graph_allowance_bytes = std::uint64_t{16} << 20;

}  // namespace qnnpp::inline QNNPP_NAMESPACE
