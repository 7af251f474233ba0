// Part of verify_sdk.hpp; do not include it alone. Compares abi/memory.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/memory.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/memory.hpp"

// clang-format off
namespace qnnpp::c_api {

QNNPP_SAME_VALUE(MemType::ion, QNN_MEM_TYPE_ION);
QNNPP_SAME_VALUE(MemType::custom, QNN_MEM_TYPE_CUSTOM);
QNNPP_SAME_VALUE(MemType::dma_buf, QNN_MEM_TYPE_DMA_BUF);
QNNPP_SAME_VALUE(MemType::undefined, QNN_MEM_TYPE_UNDEFINED);
#if defined(QNN_MEM_INVALID_FD)
QNNPP_SAME_VALUE(mem_invalid_fd, QNN_MEM_INVALID_FD);
#endif
QNNPP_SAME_SIZE(MemShape, Qnn_MemShape_t);
QNNPP_SAME_FIELD(MemShape, num_dim, Qnn_MemShape_t, numDim);
QNNPP_SAME_FIELD(MemShape, dim_size, Qnn_MemShape_t, dimSize);
QNNPP_SAME_FIELD(MemShape, shape_config, Qnn_MemShape_t, shapeConfig);
QNNPP_SAME_SIZE(MemIonInfo, Qnn_MemIonInfo_t);
QNNPP_SAME_FIELD(MemIonInfo, fd, Qnn_MemIonInfo_t, fd);
QNNPP_SAME_SIZE(MemDmaBufInfo, Qnn_MemDmaBufInfo_t);
QNNPP_SAME_FIELD(MemDmaBufInfo, fd, Qnn_MemDmaBufInfo_t, fd);
QNNPP_SAME_FIELD(MemDmaBufInfo, data, Qnn_MemDmaBufInfo_t, data);
QNNPP_SAME_SIZE(MemDescriptor, Qnn_MemDescriptor_t);
QNNPP_SAME_FIELD(MemDescriptor, mem_shape, Qnn_MemDescriptor_t, memShape);
QNNPP_SAME_FIELD(MemDescriptor, data_type, Qnn_MemDescriptor_t, dataType);
QNNPP_SAME_FIELD(MemDescriptor, mem_type, Qnn_MemDescriptor_t, memType);
QNNPP_SAME_FIELD(MemDescriptor, ion_info, Qnn_MemDescriptor_t, ionInfo);
QNNPP_SAME_FIELD(MemDescriptor, custom_info, Qnn_MemDescriptor_t, customInfo);
QNNPP_SAME_FIELD(MemDescriptor, dma_buf_info, Qnn_MemDescriptor_t, dmaBufInfo);
#if defined(QNN_MEM_DESCRIPTOR_INIT)
QNNPP_SAME_INIT(Qnn_MemDescriptor_t, QNN_MEM_DESCRIPTOR_INIT, memType, MemType::undefined);
QNNPP_SAME_INIT(Qnn_MemDescriptor_t, QNN_MEM_DESCRIPTOR_INIT, ionInfo.fd, mem_invalid_fd);
#endif

}  // namespace qnnpp::c_api

#endif
