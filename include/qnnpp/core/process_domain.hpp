// The model of a process domain: what a context takes of one, and how much one holds.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <initializer_list>

namespace qnnpp::inline QNNPP_NAMESPACE {

/// What the HTP backend adds up before it looks for a process domain with room. Host libraries
/// 2.43.1 and 2.45.0 logged exactly this sum for a binary whose inputs and outputs are raw. Weights
/// and spill-fill count wherever they lie: external buffers do not lower it (PD-01).
struct DomainNeeds {
  std::uint64_t weights_bytes = 0;
  std::uint64_t spill_fill_bytes = 0;
  std::uint64_t io_bytes = 0;        ///< Inputs and outputs of the graphs.
  std::uint64_t run_list_bytes = 0;  ///< What the operations take; few binaries state it.
  std::uint64_t vtcm_bytes = 0;      ///< No binary states it.

  /// The sum, or the largest number rather than to overflow.
  [[nodiscard]] constexpr std::uint64_t sum_bytes() const noexcept {
    std::uint64_t sum = 0;
    for (const std::uint64_t part :
         {weights_bytes, spill_fill_bytes, io_bytes, run_list_bytes, vtcm_bytes})
      sum = part > UINT64_MAX - sum ? UINT64_MAX : sum + part;
    return sum;
  }
};

/// Bytes of estimates that one process domain holds. It rests on one device (SM8750, v79, SDK 2.48,
/// unsigned): a context of 3506 MB loaded; one of 3535 MB, whose logged estimate was 3,652,345,600
/// bytes, did not. In the same proportion the first had an estimate of 3,622,382,882.
inline constexpr std::uint64_t process_domain_bytes = 3'622'400'000;

/// What a plan adds for the run list and the VTCM of a graph, which no binary states: both took
/// 2,926,848 + 8,388,608 bytes for the graph whose estimate is known part by part.
inline constexpr std::uint64_t graph_allowance_bytes = std::uint64_t{16} << 20;

}  // namespace qnnpp::inline QNNPP_NAMESPACE
