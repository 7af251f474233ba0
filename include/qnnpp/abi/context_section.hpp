#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

/// QnnContext_SectionType_t.
enum class ContextSectionType : std::uint32_t {
  updatable = 1,
  updatable_weights = 2,
  updatable_quant_params = 3,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextSectionType::updatable) == 1u);
static_assert(std::uint32_t(ContextSectionType::updatable_weights) == 2u);
static_assert(std::uint32_t(ContextSectionType::updatable_quant_params) == 3u);
static_assert(std::uint32_t(ContextSectionType::undefined) == 0x7FFFFFFFu);

/// QnnContext_MemType_t.
enum class ContextMemType : std::uint32_t {
  raw = 0,
  memhandle = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextMemType::raw) == 0u);
static_assert(std::uint32_t(ContextMemType::memhandle) == 1u);
static_assert(std::uint32_t(ContextMemType::undefined) == 0x7FFFFFFFu);

/// Qnn_BinaryBuffer_t.
struct BinaryBuffer {
  void* data;
  ContextBinarySize data_size;
};
static_assert(sizeof(BinaryBuffer) == 16 && alignof(BinaryBuffer) == 8);
static_assert(offsetof(BinaryBuffer, data) == 0);
static_assert(offsetof(BinaryBuffer, data_size) == 8);

/// QnnContext_BufferVersion_t.
enum class ContextBufferVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(ContextBufferVersion::v1) == 1u);
static_assert(std::uint32_t(ContextBufferVersion::undefined) == 0x7FFFFFFFu);

/// QnnContext_BufferV1_t.
struct ContextBufferV1 {
  ContextMemType mem_type;
  union {
    BinaryBuffer binary_buf;
    MemHandle mem_handle;
  };
};
static_assert(sizeof(ContextBufferV1) == 24 && alignof(ContextBufferV1) == 8);
static_assert(offsetof(ContextBufferV1, mem_type) == 0);
static_assert(offsetof(ContextBufferV1, binary_buf) == 8);
static_assert(offsetof(ContextBufferV1, mem_handle) == 8);

/// QnnContext_Buffer_t.
struct ContextBuffer {
  ContextBufferVersion version;
  union {
    ContextBufferV1 v1;
  };
};
static_assert(sizeof(ContextBuffer) == 32 && alignof(ContextBuffer) == 8);
static_assert(offsetof(ContextBuffer, version) == 0);
static_assert(offsetof(ContextBuffer, v1) == 8);

}  // namespace qnnpp::abi
