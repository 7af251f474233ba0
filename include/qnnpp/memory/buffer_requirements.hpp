// BufferRequirements: what a context asks of the application's buffers.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Needs of one context, as QNN answers them before the context is finalized
/// (QnnContext_getProperty with QnnHtpContext_CustomProperty_t). 0 bytes: nothing to give (BUF-09).
struct BufferRequirements {
  std::uint64_t weights_bytes = 0;     ///< WEIGHTS_BUFFER_SIZE
  std::uint64_t spill_fill_bytes = 0;  ///< MAX_SPILLFILL_BUFFER_SIZE: the largest of its graphs.
  std::uint64_t start_alignment = 1;   ///< BUFFER_START_ALIGNMENT, of both buffers, in bytes.

  friend bool operator==(const BufferRequirements&, const BufferRequirements&) = default;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE
