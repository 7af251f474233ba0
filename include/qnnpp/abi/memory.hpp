#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::abi {

/// Qnn_MemType_t.
enum class MemType : std::uint32_t {
  ion = 1,
  custom = 2,
  dma_buf = 3,
  undefined = 0x7FFFFFFF,
};
static_assert(std::uint32_t(MemType::ion) == 1u);
static_assert(std::uint32_t(MemType::custom) == 2u);
static_assert(std::uint32_t(MemType::dma_buf) == 3u);
static_assert(std::uint32_t(MemType::undefined) == 0x7FFFFFFFu);

/// Qnn_MemShape_t.
struct MemShape {
  std::uint32_t num_dim;
  std::uint32_t* dim_size;
  const char* shape_config;
};
static_assert(sizeof(MemShape) == 24 && alignof(MemShape) == 8);
static_assert(offsetof(MemShape, num_dim) == 0);
static_assert(offsetof(MemShape, dim_size) == 8);
static_assert(offsetof(MemShape, shape_config) == 16);

/// Qnn_MemIonInfo_t.
struct MemIonInfo {
  std::int32_t fd;
};
static_assert(sizeof(MemIonInfo) == 4 && alignof(MemIonInfo) == 4);
static_assert(offsetof(MemIonInfo, fd) == 0);

/// Qnn_MemDmaBufInfo_t.
struct MemDmaBufInfo {
  std::int32_t fd;
  void* data;
};
static_assert(sizeof(MemDmaBufInfo) == 16 && alignof(MemDmaBufInfo) == 8);
static_assert(offsetof(MemDmaBufInfo, fd) == 0);
static_assert(offsetof(MemDmaBufInfo, data) == 8);

using MemInfoCustom = void*;

/// Qnn_MemDescriptor_t.
struct MemDescriptor {
  MemShape mem_shape;
  DataType data_type;
  MemType mem_type;
  union {
    MemIonInfo ion_info;
    MemInfoCustom custom_info;
    MemDmaBufInfo dma_buf_info;
  };
};
static_assert(sizeof(MemDescriptor) == 48 && alignof(MemDescriptor) == 8);
static_assert(offsetof(MemDescriptor, mem_shape) == 0);
static_assert(offsetof(MemDescriptor, data_type) == 24);
static_assert(offsetof(MemDescriptor, mem_type) == 28);
static_assert(offsetof(MemDescriptor, ion_info) == 32);
static_assert(offsetof(MemDescriptor, custom_info) == 32);
static_assert(offsetof(MemDescriptor, dma_buf_info) == 32);

}  // namespace qnnpp::abi
