// Part of verify_sdk.hpp; do not include it alone. Compares abi/htp/memory.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/htp/memory.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/htp/memory.hpp"

// clang-format off
namespace qnnpp::c_api {

#if defined(QNNPP_VERIFY_HTP)
QNNPP_SAME_VALUE(HtpMemType::qurt, QNN_HTP_MEM_QURT);
QNNPP_SAME_VALUE(HtpMemType::shared_buffer, QNN_HTP_MEM_SHARED_BUFFER);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_VALUE(HtpMemType::weights_buffer, QNN_HTP_MEM_WEIGHTS_BUFFER);
QNNPP_SAME_VALUE(HtpMemType::shared_spillfill_buffer, QNN_HTP_MEM_SHARED_SPILLFILL_BUFFER);
#endif
#if QNN_HTP_API_VERSION_MINOR >= 48
QNNPP_SAME_VALUE(HtpMemType::shared_vtcmbackup_buffer, QNN_HTP_MEM_SHARED_VTCMBACKUP_BUFFER);
#endif
QNNPP_SAME_VALUE(HtpMemType::undefined, QNN_HTP_MEM_UNDEFINED);
QNNPP_SAME_SIZE(HtpMemSharedBufferConfig, QnnHtpMem_SharedBufferConfig_t);
QNNPP_SAME_FIELD(HtpMemSharedBufferConfig, fd, QnnHtpMem_SharedBufferConfig_t, fd);
QNNPP_SAME_FIELD(HtpMemSharedBufferConfig, offset, QnnHtpMem_SharedBufferConfig_t, offset);
QNNPP_SAME_SIZE(HtpMemDescriptor, QnnMemHtp_Descriptor_t);
QNNPP_SAME_FIELD(HtpMemDescriptor, type, QnnMemHtp_Descriptor_t, type);
QNNPP_SAME_FIELD(HtpMemDescriptor, size, QnnMemHtp_Descriptor_t, size);
QNNPP_SAME_FIELD(HtpMemDescriptor, qurt_address, QnnMemHtp_Descriptor_t, qurtAddress);
QNNPP_SAME_FIELD(HtpMemDescriptor, shared_buffer_config, QnnMemHtp_Descriptor_t, sharedBufferConfig);
#if QNN_HTP_API_VERSION_MINOR >= 36
QNNPP_SAME_FIELD(HtpMemDescriptor, weights_buffer_config, QnnMemHtp_Descriptor_t, weightsBufferConfig);
QNNPP_SAME_FIELD(HtpMemDescriptor, shared_spillfill_buffer_config, QnnMemHtp_Descriptor_t, sharedSpillfillBufferConfig);
#endif
#endif  // htp

}  // namespace qnnpp::c_api

#endif
