// ExternalBuffers: the application's memory for a deferred context, and its registration.
#pragma once

#include <cstring>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Memory of the application for a context, at most one buffer of each kind (BUF-13). QNN allocates
/// a buffer that is left out. A buffer that the context does not need is not registered (BUF-09). A
/// buffer that was moved from is an error.
struct ExternalBuffers {
  /// Buffer for the weights of this context only (BUF-08). The context owns it, and frees it after
  /// QNN's context.
  MemRegion<Weights> weights = {};
  /// Buffer for spill-fill, which contexts may share. Each context registers it and keeps it alive
  /// (BUF-11).
  SharedSpillFill spill_fill = {};
};

namespace detail {

/// Reads the three requirements (QnnContext_getProperty), all or none.
[[nodiscard]] Result<BufferRequirements> query_requirements(const ContextBlock& context);

/// Describes an external buffer to QNN: without shape and data type, and with every byte
/// initialized (BUF-14). The size counts from the start of the file descriptor's memory. It is the
/// size of the whole buffer, so that it is equal in every context that registers the buffer
/// (BUF-16).
struct ExternalDescriptor {
  void describe(c_api::HtpMemType type, const DmaBlock& buffer, std::uint64_t offset_bytes,
                c_api::MemDescriptor& descriptor) noexcept {
    std::memset(&custom, 0, sizeof(custom));
    std::memset(&descriptor, 0, sizeof(descriptor));
    custom.type = type;
    custom.size = buffer.size_bytes;
    c_api::HtpMemSharedBufferConfig& where = type == c_api::HtpMemType::weights_buffer
                                                 ? custom.weights_buffer_config
                                                 : custom.shared_spillfill_buffer_config;
    where.fd = buffer.fd;
    where.offset = offset_bytes;
    descriptor.data_type = c_api::DataType::undefined;
    descriptor.mem_type = c_api::MemType::custom;
    descriptor.custom_info = &custom;
  }

  c_api::HtpMemDescriptor custom;
};

/// Checks that `buffers` fit `need`, and that no other context has weights in their bytes. Does not
/// call QNN.
[[nodiscard]] Result<void> check_external_buffers(const ContextBlock& context,
                                                  const BufferRequirements& need,
                                                  const ExternalBuffers& buffers);

/// Checks `buffers`, registers those that the context needs, and moves them into the context.
[[nodiscard]] Result<void> register_external_buffers(ContextBlock& context,
                                                     const BufferRequirements& need,
                                                     ExternalBuffers buffers);

}  // namespace detail
}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/external_buffers.ipp"
#endif
