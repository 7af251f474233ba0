// Registration of memory with a context.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Selects the member of MemDescriptor's union. C: Qnn_MemType_t.
enum class MemType : std::uint32_t {
  ion = 1,      ///< ion_info, one fd for each tensor.
  custom = 2,   ///< custom_info, defined by the backend; HTP: HtpMemDescriptor.
  dma_buf = 3,  ///< dma_buf_info, a dma-buf with its address.
  undefined = 0x7FFFFFFF,
};

/// Value that represents no file descriptor. C: QNN_MEM_INVALID_FD.
inline constexpr std::int32_t mem_invalid_fd = -1;

/// Extents of the tensor in the memory; {0, NULL, NULL} for memory that holds no tensor (BUF-14).
/// C: Qnn_MemShape_t.
struct MemShape {
  std::uint32_t num_dim;     ///< Number of dimensions.
  std::uint32_t* dim_size;   ///< num_dim extents, padding included.
  const char* shape_config;  ///< Backend-defined text; usually NULL.
};

/// Memory from rpcmem. C: Qnn_MemIonInfo_t.
struct MemIonInfo {
  std::int32_t fd;  ///< Result of rpcmem_to_fd; the memory has exactly one tensor (ION-03).
};

/// Memory of a dma-buf. C: Qnn_MemDmaBufInfo_t.
struct MemDmaBufInfo {
  std::int32_t fd;  ///< File descriptor of the dma-buf.
  void* data;       ///< Address at which the client has mapped it.
};

/// Pointer to a memory description that the backend defines. HTP: HtpMemDescriptor.
/// C: Qnn_MemInfoCustom_t.
using MemInfoCustom = void*;

/// Memory to register. The backend reads every byte, so zero the struct first (BUF-14).
/// C: Qnn_MemDescriptor_t.
struct MemDescriptor {
  MemShape mem_shape;  ///< Extents of the tensor.
  DataType data_type;  ///< Element type, or undefined for memory that holds no tensor.
  MemType mem_type;    ///< Selects the union member.
  union {
    MemIonInfo ion_info;         ///< Memory from rpcmem.
    MemInfoCustom custom_info;   ///< HTP: pointer to an HtpMemDescriptor, read during the call.
    MemDmaBufInfo dma_buf_info;  ///< Memory of a dma-buf.
  };
};

/// Registers memory in a context. Sets all handles to NULL first. On failure no memory is
/// registered. C: QnnMem_register. Codes: 1000, 8000, 8001, 8002, 8003, 8004, 8005.
using MemRegisterFn = ErrorHandle (*)(ContextHandle context, const MemDescriptor* mem_descriptors,
                                      std::uint32_t num_descriptors, MemHandle* mem_handles);

/// Deregisters memory. Call it before the memory or the context is freed. A failing call
/// deregisters the valid handles of the array too, so never repeat it (SHB-04).
/// C: QnnMem_deRegister. Codes: 1000, 8000, 8001.
using MemDeRegisterFn = ErrorHandle (*)(const MemHandle* mem_handles, std::uint32_t num_handles);

}  // namespace qnnpp::c_api
