// Memory of HTP: tensors in a shared buffer, weights and spill-fill.
#pragma once

#include "qnnpp/abi/memory.hpp"

namespace qnnpp::c_api {

/// Purpose of memory for HTP. Selects the member of HtpMemDescriptor's union. C: QnnHtpMem_Type_t.
enum class HtpMemType : std::uint32_t {
  qurt = 0,            ///< qurt_address, memory on the DSP only.
  shared_buffer = 1,   ///< shared_buffer_config, a tensor in a shared buffer (SHB-01).
  weights_buffer = 2,  ///< weights_buffer_config, all weights of one context (BUF-08). HTP 5.36.
  /// shared_spillfill_buffer_config, spill-fill of one or several contexts (BUF-11). HTP 5.36.
  shared_spillfill_buffer = 3,
  /// shared_vtcmbackup_buffer_config, memory to which VTCM is saved while another graph has it.
  /// HTP 5.48; 5.46 and 5.47 know the number and refuse it (1000).
  shared_vtcmbackup_buffer = 4,
  undefined = 0x7FFFFFFF,
};

/// Address that is valid on the DSP only. C: QnnHtpMem_QurtAddress_t.
using HtpMemQurtAddress = std::uint32_t;

/// Location in a DMA buffer. C: QnnHtpMem_SharedBufferConfig_t.
struct HtpMemSharedBufferConfig {
  std::int32_t fd;       ///< Result of rpcmem_to_fd, or fd of a dma-buf.
  std::uint64_t offset;  ///< Offset of the memory in the buffer, in bytes.
};

/// Target of MemDescriptor::custom_info. mem_register reads it during the call.
/// C: QnnMemHtp_Descriptor_t.
struct HtpMemDescriptor {
  HtpMemType type;     ///< Selects the union member.
  std::uint64_t size;  ///< Bytes of the whole buffer; for qurt, bytes of the tensor.
  union {
    HtpMemQurtAddress qurt_address;                 ///< Address on the DSP.
    HtpMemSharedBufferConfig shared_buffer_config;  ///< Buffer, and offset of the tensor.
    /// Empty buffer that the backend fills with the weights. HTP 5.36.
    HtpMemSharedBufferConfig weights_buffer_config;
    /// Scratch memory. Contexts that share it must never execute at the same time (BUF-12).
    /// HTP 5.36.
    HtpMemSharedBufferConfig shared_spillfill_buffer_config;
    HtpMemSharedBufferConfig shared_vtcmbackup_buffer_config;  ///< Backup of VTCM. HTP 5.48.
  };
};

}  // namespace qnnpp::c_api
