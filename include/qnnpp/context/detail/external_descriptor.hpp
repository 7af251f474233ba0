// ExternalDescriptor: QNN's description of an external buffer.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <cstring>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Describes an external buffer to QNN: without shape and data type, and with every byte
/// initialized (BUF-14). The size counts from the start of the file descriptor's memory. It is the
/// size of the whole buffer, so that it is equal in every context that registers the buffer
/// (BUF-16).
struct ExternalDescriptor {
  void describe(c_api::HtpMemType type, const DmaBlock& buffer, std::uint64_t offset_bytes,
                c_api::MemDescriptor& descriptor) noexcept {
    describe(type, buffer.fd, buffer.size_bytes, offset_bytes, descriptor);
  }
  void describe(c_api::HtpMemType type, std::int32_t fd, std::uint64_t buffer_bytes,
                std::uint64_t offset_bytes, c_api::MemDescriptor& descriptor) noexcept {
    std::memset(&custom, 0, sizeof(custom));
    std::memset(&descriptor, 0, sizeof(descriptor));
    custom.type = type;
    custom.size = buffer_bytes;
    using enum c_api::HtpMemType;
    c_api::HtpMemSharedBufferConfig& where = type == weights_buffer ? custom.weights_buffer_config
                                             : type == shared_vtcmbackup_buffer
                                                 ? custom.shared_vtcmbackup_buffer_config
                                                 : custom.shared_spillfill_buffer_config;
    where.fd = fd;
    where.offset = offset_bytes;
    descriptor.data_type = c_api::DataType::undefined;
    descriptor.mem_type = c_api::MemType::custom;
    descriptor.custom_info = &custom;
  }

  c_api::HtpMemDescriptor custom;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
