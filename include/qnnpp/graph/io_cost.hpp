// IoCost: what the memory that a graph is bound to costs, beside what it was prepared for.
#pragma once

#include <cstdint>

#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Bytes that binding one kind of tensor memory costs (QMEM-01 to QMEM-04):
///
///   prepared    bound        copied each inference   allocated at the first   preallocated, unused
///   raw         raw          all                     -                        -
///   raw         registered   -                       -                        all
///   memhandle   raw          all                     all                      -
///   memhandle   registered   -                       -                        -
struct IoCost {
  std::uint64_t copied_bytes_per_inference = 0;
  std::uint64_t allocated_bytes_at_first_inference = 0;
  std::uint64_t preallocated_bytes_unused = 0;

  /// The cost of one tensor of so many bytes. Whatever is not prepared as memhandle counts as raw.
  [[nodiscard]] static constexpr IoCost of(c_api::TensorMemType prepared, bool registered,
                                           std::uint64_t bytes) noexcept {
    const bool memhandle = prepared == c_api::TensorMemType::memhandle;
    return {.copied_bytes_per_inference = registered ? 0 : bytes,
            .allocated_bytes_at_first_inference = memhandle && !registered ? bytes : 0,
            .preallocated_bytes_unused = !memhandle && registered ? bytes : 0};
  }

  constexpr IoCost& operator+=(const IoCost& other) noexcept {
    copied_bytes_per_inference += other.copied_bytes_per_inference;
    allocated_bytes_at_first_inference += other.allocated_bytes_at_first_inference;
    preallocated_bytes_unused += other.preallocated_bytes_unused;
    return *this;
  }
  friend constexpr bool operator==(const IoCost&, const IoCost&) = default;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE
