// ExternalBuffers: the application's memory for a deferred context, and its registration.
#pragma once

#include <cstring>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Memory that a context is to use instead of QNN's own. One of each at most (BUF-13). What is left
/// out, QNN allocates itself; `.weights = qnn_allocates` says so in words. What the context does
/// not need is not registered (BUF-09). A buffer that was moved from is refused.
struct ExternalBuffers {
  /// For this context alone (BUF-08): it moves in, and is freed after the context.
  MemRegion<Weights> weights = qnn_allocates;
  /// Shared: every context registers it for itself, and keeps it alive (BUF-11).
  SharedSpillFill spill_fill = qnn_allocates;
};

namespace detail {

/// QnnContext_getProperty for the three needs. All or nothing: a failed query leaves no sizes.
[[nodiscard]] Result<BufferRequirements> query_requirements(const ContextBlock& context);

/// Describes an external buffer: no shape, no data type, no byte undefined (BUF-14). The size
/// counts from the start of the descriptor's memory, so it is the whole buffer's, and with it the
/// same for every context that registers the buffer (BUF-16).
struct ExternalDescriptor {
  template <class Purpose>
  void describe(c_api::HtpMemType type, const MemRegion<Purpose>& region,
                c_api::MemDescriptor& descriptor) {
    std::memset(&custom, 0, sizeof(custom));
    std::memset(&descriptor, 0, sizeof(descriptor));
    custom.type = type;
    custom.size = region.buffer_bytes();
    c_api::HtpMemSharedBufferConfig& where = type == c_api::HtpMemType::weights_buffer
                                                 ? custom.weights_buffer_config
                                                 : custom.shared_spillfill_buffer_config;
    where.fd = region.fd();
    where.offset = region.offset_bytes();
    descriptor.data_type = c_api::DataType::undefined;
    descriptor.mem_type = c_api::MemType::custom;
    descriptor.custom_info = &custom;
  }

  c_api::HtpMemDescriptor custom;
};

/// Whether no context has weights in the bytes of `buffers`. Registering them asks by itself. Error:
/// `in_use`.
[[nodiscard]] Result<void> check_weights_free(const BufferRequirements& need,
                                              const ExternalBuffers& buffers,
                                              const std::string& context);
/// Whether `buffers` fit `need`. Makes no call of QNN.
[[nodiscard]] Result<void> check_external_buffers(const ContextBlock& context,
                                                  const BufferRequirements& need,
                                                  const ExternalBuffers& buffers);

/// Checks `buffers` against `need`, registers what has a need, and gives it to the context.
[[nodiscard]] Result<void> register_external_buffers(ContextBlock& context,
                                                     const BufferRequirements& need,
                                                     ExternalBuffers buffers);

}  // namespace detail
}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/external_buffers.ipp"
#endif
