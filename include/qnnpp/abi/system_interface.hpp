// The function table of the system library, and the symbol that hands it out.
//
// As with interface.hpp, late slots are gated by the library's system API version. SDK 2.44 (core
// 2.33) has the table in another order: do not use the system library of that SDK.
#pragma once

#include "qnnpp/abi/log.hpp"
#include "qnnpp/abi/system_context.hpp"
#include "qnnpp/abi/system_dlc.hpp"
#include "qnnpp/abi/system_profile.hpp"

namespace qnnpp::c_api {

/// Bytes of a tensor's data. C: QnnSystemTensor_getMemoryFootprint. System 1.4. Codes: 1000, 1007,
/// 1011, 30001, 30002.
using SystemTensorGetMemoryFootprintFn = ErrorHandle (*)(Tensor tensor, std::uint64_t* footprint);

/// Creates a logger for the system library; a NULL callback is the platform's log.
/// C: QnnSystemLog_create. System 1.4. Codes: 1000, 1002, 11002, 11003.
using SystemLogCreateFn = ErrorHandle (*)(LogCallback callback, LogLevel max_log_level,
                                          LogHandle* logger);

/// Changes the level. C: QnnSystemLog_setLogLevel. System 1.4. Codes: 11003, 11004.
using SystemLogSetLogLevelFn = ErrorHandle (*)(LogHandle logger, LogLevel max_log_level);

/// Frees a logger. C: QnnSystemLog_free. System 1.4. Codes: 1002, 11004.
using SystemLogFreeFn = ErrorHandle (*)(LogHandle logger);

/// The functions of the system library, in the order of system 1.7. Each comment is the slot's
/// number, and the first system version that has it where not all have.
/// C: QnnSystemInterface_ImplementationV1_7_t; older versions are its beginning.
struct SystemInterfaceTable {
  SystemContextCreateFn system_context_create;                          ///< 0
  SystemContextGetBinaryInfoFn system_context_get_binary_info;          ///< 1
  SystemContextGetMetaDataFn system_context_get_meta_data;              ///< 2
  SystemContextFreeFn system_context_free;                              ///< 3
  SystemTensorGetMemoryFootprintFn system_tensor_get_memory_footprint;  ///< 4, system 1.4
  SystemLogCreateFn system_log_create;                                  ///< 5, system 1.4
  SystemLogSetLogLevelFn system_log_set_log_level;                      ///< 6, system 1.4
  SystemLogFreeFn system_log_free;                                      ///< 7, system 1.4
  SystemDlcCreateFromFileFn system_dlc_create_from_file;                ///< 8, system 1.4
  SystemDlcCreateFromBinaryFn system_dlc_create_from_binary;            ///< 9, system 1.4
  SystemDlcComposeGraphsFn system_dlc_compose_graphs;                   ///< 10, system 1.4
  SystemDlcGetOpMappingsFn system_dlc_get_op_mappings;                  ///< 11, system 1.4
  SystemDlcFreeFn system_dlc_free;                                      ///< 12, system 1.4
  /// 13, system 1.6
  SystemProfileCreateSerializationTargetFn system_profile_create_serialization_target;
  SystemProfileSerializeEventDataFn system_profile_serialize_event_data;  ///< 14, system 1.6
  /// 15, system 1.6
  SystemProfileFreeSerializationTargetFn system_profile_free_serialization_target;
};

/// What the system library offers. Belongs to the library. C: QnnSystemInterface_t.
struct SystemInterface {
  std::uint32_t backend_id;    ///< Of no meaning here.
  const char* provider_name;   ///< "SYSTEM_QTI_AISW"; may be NULL.
  Version system_api_version;  ///< Look at it before any slot past 3.
  SystemInterfaceTable table;  ///< The functions.
};

/// The exported symbol QnnSystemInterface_getProviders. The list and its entries live as long as
/// the library is loaded. Codes: 1000, 1004.
using SystemInterfaceGetProvidersFn = ErrorHandle (*)(const SystemInterface*** provider_list,
                                                      std::uint32_t* num_providers);

}  // namespace qnnpp::c_api
