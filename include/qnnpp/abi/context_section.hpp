// Sections: parts of a context binary that are taken out and put in alone.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// A part of a context binary that can be taken out and put in alone. C: QnnContext_SectionType_t.
enum class ContextSectionType : std::uint32_t {
  updatable = 1,               ///< All that may be updated.
  updatable_weights = 2,       ///< Weights alone. Core 2.27.
  updatable_quant_params = 3,  ///< Quantization alone. Core 2.27.
  undefined = 0x7FFFFFFF,
};

/// Which member of ContextBufferV1's union is set. C: QnnContext_MemType_t.
enum class ContextMemType : std::uint32_t {
  raw = 0,        ///< binary_buf.
  memhandle = 1,  ///< mem_handle.
  undefined = 0x7FFFFFFF,
};

/// Ordinary memory for a section. C: Qnn_BinaryBuffer_t.
struct BinaryBuffer {
  void* data;                   ///< Start.
  ContextBinarySize data_size;  ///< Bytes, 64 bits.
};

/// Which member of ContextBuffer's union is set. C: QnnContext_BufferVersion_t.
enum class ContextBufferVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// Memory of a section. With a persistent binary it lives from the first apply until context_free.
/// C: QnnContext_BufferV1_t.
struct ContextBufferV1 {
  ContextMemType mem_type;  ///< Selects the union member.
  union {
    BinaryBuffer binary_buf;
    MemHandle mem_handle;
  };
};

/// Memory of a section, any version. C: QnnContext_Buffer_t.
struct ContextBuffer {
  ContextBufferVersion version;  ///< Selects the union member.
  union {
    ContextBufferV1 v1;
  };
};

}  // namespace qnnpp::c_api
