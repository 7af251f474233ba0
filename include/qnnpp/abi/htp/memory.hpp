#pragma once

#include "qnnpp/abi/memory.hpp"

namespace qnnpp::abi {

/// QnnHtpMem_Type_t.
enum class HtpMemType : std::uint32_t {
  qurt = 0,
  shared_buffer = 1,
  weights_buffer = 2,
  shared_spillfill_buffer = 3,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(HtpMemType::qurt) == 0u);
static_assert(std::uint32_t(HtpMemType::shared_buffer) == 1u);
static_assert(std::uint32_t(HtpMemType::weights_buffer) == 2u);
static_assert(std::uint32_t(HtpMemType::shared_spillfill_buffer) == 3u);
static_assert(std::uint32_t(HtpMemType::undefined) == 0x7FFFFFFFu);

using HtpMemQurtAddress = std::uint32_t;

/// QnnHtpMem_SharedBufferConfig_t.
struct HtpMemSharedBufferConfig {
  std::int32_t fd;
  std::uint64_t offset;
};
static_assert(sizeof(HtpMemSharedBufferConfig) == 16 && alignof(HtpMemSharedBufferConfig) == 8);
static_assert(offsetof(HtpMemSharedBufferConfig, fd) == 0);
static_assert(offsetof(HtpMemSharedBufferConfig, offset) == 8);

/// QnnMemHtp_Descriptor_t.
struct HtpMemDescriptor {
  HtpMemType type;
  std::uint64_t size;
  union {
    HtpMemQurtAddress qurt_address;
    HtpMemSharedBufferConfig shared_buffer_config;
    HtpMemSharedBufferConfig weights_buffer_config;
    HtpMemSharedBufferConfig shared_spillfill_buffer_config;
  };
};
static_assert(sizeof(HtpMemDescriptor) == 32 && alignof(HtpMemDescriptor) == 8);
static_assert(offsetof(HtpMemDescriptor, type) == 0);
static_assert(offsetof(HtpMemDescriptor, size) == 8);
static_assert(offsetof(HtpMemDescriptor, qurt_address) == 16);
static_assert(offsetof(HtpMemDescriptor, shared_buffer_config) == 16);
static_assert(offsetof(HtpMemDescriptor, weights_buffer_config) == 16);
static_assert(offsetof(HtpMemDescriptor, shared_spillfill_buffer_config) == 16);

}  // namespace qnnpp::abi
