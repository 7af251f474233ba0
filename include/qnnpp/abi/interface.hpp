#pragma once

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/context_callback.hpp"
#include "qnnpp/abi/context_section.hpp"
#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/global_config.hpp"
#include "qnnpp/abi/graph.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/abi/signal.hpp"

namespace qnnpp::abi {

struct OpaqueSystemDlc;
using SystemDlcHandle = OpaqueSystemDlc*;

using PropertyHasCapabilityFn = ErrorHandle (*)(PropertyKey key);
using BackendCreateFn = ErrorHandle (*)(LogHandle logger, const BackendConfig** config, BackendHandle* backend);
using BackendSetConfigFn = ErrorHandle (*)(BackendHandle backend, const BackendConfig** config);
using BackendGetApiVersionFn = ErrorHandle (*)(ApiVersion* p_version);
using BackendGetBuildIdFn = ErrorHandle (*)(const char** id);
using BackendRegisterOpPackageFn = ErrorHandle (*)(BackendHandle backend, const char* package_path, const char* interface_provider, const char* target);
using BackendGetSupportedOperationsFn = ErrorHandle (*)(BackendHandle backend, std::uint32_t* num_operations, const BackendOperationName** operations);
using BackendValidateOpConfigFn = ErrorHandle (*)(BackendHandle backend, OpConfig op_config);
using BackendFreeFn = ErrorHandle (*)(BackendHandle backend);
using ContextCreateFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextConfig** config, ContextHandle* context);
using ContextSetConfigFn = ErrorHandle (*)(ContextHandle context, const ContextConfig** config);
using ContextGetBinarySizeFn = ErrorHandle (*)(ContextHandle context, ContextBinarySize* binary_buffer_size);
using ContextGetBinaryFn = ErrorHandle (*)(ContextHandle context, void* binary_buffer, ContextBinarySize binary_buffer_size, ContextBinarySize* written_buffer_size);
using ContextCreateFromBinaryFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextConfig** config, const void* binary_buffer, ContextBinarySize binary_buffer_size, ContextHandle* context, ProfileHandle profile);
using ContextFreeFn = ErrorHandle (*)(ContextHandle context, ProfileHandle profile);
using GraphCreateFn = ErrorHandle (*)(ContextHandle context_handle, const char* graph_name, const GraphConfig** config, GraphHandle* graph_handle);
using GraphCreateSubgraphFn = ErrorHandle (*)(GraphHandle graph_handle, const char* graph_name, GraphHandle* subgraph_handle);
using GraphSetConfigFn = ErrorHandle (*)(GraphHandle graph_handle, const GraphConfig** config);
using GraphAddNodeFn = ErrorHandle (*)(GraphHandle graph_handle, OpConfig op_config);
using GraphFinalizeFn = ErrorHandle (*)(GraphHandle graph_handle, ProfileHandle profile_handle, SignalHandle signal_handle);
using GraphRetrieveFn = ErrorHandle (*)(ContextHandle context_handle, const char* graph_name, GraphHandle* graph_handle);
using GraphExecuteFn = ErrorHandle (*)(GraphHandle graph_handle, const Tensor* inputs, std::uint32_t num_inputs, Tensor* outputs, std::uint32_t num_outputs, ProfileHandle profile_handle, SignalHandle signal_handle);
using GraphExecuteAsyncFn = ErrorHandle (*)(GraphHandle graph_handle, const Tensor* inputs, std::uint32_t num_inputs, Tensor* outputs, std::uint32_t num_outputs, ProfileHandle profile_handle, SignalHandle signal_handle, NotifyFn notify_fn, void* notify_param);
using TensorCreateContextTensorFn = ErrorHandle (*)(ContextHandle context, Tensor* tensor);
using TensorCreateGraphTensorFn = ErrorHandle (*)(GraphHandle graph, Tensor* tensor);
using LogCreateFn = ErrorHandle (*)(LogCallback callback, LogLevel max_log_level, LogHandle* logger);
using LogSetLogLevelFn = ErrorHandle (*)(LogHandle logger, LogLevel max_log_level);
using LogFreeFn = ErrorHandle (*)(LogHandle logger);
using ProfileCreateFn = ErrorHandle (*)(BackendHandle backend, ProfileLevel level, ProfileHandle* profile);
using ProfileSetConfigFn = ErrorHandle (*)(ProfileHandle profile_handle, const ProfileConfig** config);
using ProfileGetEventsFn = ErrorHandle (*)(ProfileHandle profile, const ProfileEventId** profile_event_ids, std::uint32_t* num_events);
using ProfileGetSubEventsFn = ErrorHandle (*)(ProfileEventId event_id, const ProfileEventId** sub_event_ids, std::uint32_t* num_sub_events);
using ProfileGetEventDataFn = ErrorHandle (*)(ProfileEventId event_id, ProfileEventData* event_data);
using ProfileGetExtendedEventDataFn = ErrorHandle (*)(ProfileEventId event_id, ProfileExtendedEventData* event_data);
using ProfileFreeFn = ErrorHandle (*)(ProfileHandle profile);
using MemRegisterFn = ErrorHandle (*)(ContextHandle context, const MemDescriptor* mem_descriptors, std::uint32_t num_descriptors, MemHandle* mem_handles);
using MemDeRegisterFn = ErrorHandle (*)(const MemHandle* mem_handles, std::uint32_t num_handles);
using DeviceGetPlatformInfoFn = ErrorHandle (*)(LogHandle logger, const DevicePlatformInfo** platform_info);
using DeviceFreePlatformInfoFn = ErrorHandle (*)(LogHandle logger, const DevicePlatformInfo* platform_info);
using DeviceGetInfrastructureFn = ErrorHandle (*)(const DeviceInfrastructure* device_infra);
using DeviceCreateFn = ErrorHandle (*)(LogHandle logger, const DeviceConfig** config, DeviceHandle* device);
using DeviceSetConfigFn = ErrorHandle (*)(DeviceHandle device, const DeviceConfig** config);
using DeviceGetInfoFn = ErrorHandle (*)(DeviceHandle device, const DevicePlatformInfo** platform_info);
using DeviceFreeFn = ErrorHandle (*)(DeviceHandle device);
using SignalCreateFn = ErrorHandle (*)(BackendHandle backend, const SignalConfig** config, SignalHandle* signal);
using SignalSetConfigFn = ErrorHandle (*)(SignalHandle signal, const SignalConfig** config);
using SignalTriggerFn = ErrorHandle (*)(SignalHandle signal);
using SignalFreeFn = ErrorHandle (*)(SignalHandle signal);
using ErrorGetMessageFn = ErrorHandle (*)(ErrorHandle error_handle, const char** error_message);
using ErrorGetVerboseMessageFn = ErrorHandle (*)(ErrorHandle error_handle, const char** error_message);
using ErrorFreeVerboseMessageFn = ErrorHandle (*)(const char* error_message);
using GraphPrepareExecutionEnvironmentFn = ErrorHandle (*)(GraphHandle graph_handle, GraphExecuteEnvironment** envs, std::uint32_t env_size);
using GraphReleaseExecutionEnvironmentFn = ErrorHandle (*)(GraphHandle graph_handle, const GraphExecuteEnvironment** envs, std::uint32_t env_size);
using GraphGetPropertyFn = ErrorHandle (*)(GraphHandle graph_handle, GraphProperty** properties);
using ContextValidateBinaryFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextConfig** config, const void* binary_buffer, ContextBinarySize binary_buffer_size);
using ContextCreateFromBinaryWithSignalFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextConfig** config, const void* binary_buffer, ContextBinarySize binary_buffer_size, ContextHandle* context, ProfileHandle profile, SignalHandle signal);
using ContextCreateFromBinaryListAsyncFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextParams** context_params, const ContextConfig** list_config, SignalHandle signal);
using TensorUpdateGraphTensorsFn = ErrorHandle (*)(GraphHandle graph, const Tensor** tensor, std::uint64_t num_tensors);
using TensorUpdateContextTensorsFn = ErrorHandle (*)(ContextHandle context, const Tensor** tensor, std::uint64_t num_tensors);
using ContextGetBinarySectionSizeFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph, ContextSectionType section, ContextBinarySize* binary_buffer_size);
using ContextGetBinarySectionFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph, ContextSectionType section, const ContextBuffer* binary_buffer, ContextBinarySize* written_buffer_size, ProfileHandle profile, SignalHandle signal);
using ContextApplyBinarySectionFn = ErrorHandle (*)(ContextHandle context, GraphHandle graph, ContextSectionType section, const ContextBuffer* binary_buffer, ProfileHandle profile, SignalHandle signal);
using BackendGetPropertyFn = ErrorHandle (*)(BackendHandle backend_handle, BackendProperty** properties);
using ContextGetPropertyFn = ErrorHandle (*)(ContextHandle context_handle, ContextProperty** properties);
using ContextGetIncrementalBinaryFn = ErrorHandle (*)(ContextHandle context, const void** binary_buffer, ContextBinarySize* start_offset, ContextBinarySize* written_buffer_size);
using ContextReleaseIncrementalBinaryFn = ErrorHandle (*)(ContextHandle context, const void* binary_buffer, ContextBinarySize start_offset);
using ContextFinalizeFn = ErrorHandle (*)(ContextHandle context, ProfileHandle profile);
using GlobalConfigSetFn = ErrorHandle (*)(const GlobalConfig** config);
using ContextCreateFromBinaryWithCallbackFn = ErrorHandle (*)(BackendHandle backend, DeviceHandle device, const ContextConfig** config, const ContextBinaryCallback* callback, const void* binary_buffer, ContextBinarySize binary_buffer_size, ContextHandle* context, ProfileHandle profile, SignalHandle signal);
using ContextGetBinarySectionUpdateFn = ErrorHandle (*)(const ContextBuffer* binary_buffer, const ContextBuffer* auxiliary_buffer, const Tensor** tensors, std::uint64_t num_tensors, std::uint8_t keep_updatable, LogHandle logger, ProfileHandle profile, SignalHandle signal, ContextBuffer* binary_section_update);
using ContextFreeBinarySectionUpdateFn = ErrorHandle (*)(ContextBuffer binary_section_update, LogHandle logger);
using ContextAddToDlcFn = ErrorHandle (*)(ContextHandle context, SystemDlcHandle dlc_handle);
using GraphValidateFn = ErrorHandle (*)(GraphHandle graph_handle, const GraphValidateConfig** config, GraphValidationResult** validation_result);
using GraphFreeValidationResultFn = ErrorHandle (*)(GraphValidationResult* validation_result);
using BackendRegisterOpPackageFromBinaryFn = ErrorHandle (*)(BackendHandle backend, const void* op_package_buffer, std::uint64_t op_package_buffer_size, const char* interface_provider, const char* target);

struct InterfaceTable {
  PropertyHasCapabilityFn property_has_capability;
  BackendCreateFn backend_create;
  BackendSetConfigFn backend_set_config;
  BackendGetApiVersionFn backend_get_api_version;
  BackendGetBuildIdFn backend_get_build_id;
  BackendRegisterOpPackageFn backend_register_op_package;
  BackendGetSupportedOperationsFn backend_get_supported_operations;
  BackendValidateOpConfigFn backend_validate_op_config;
  BackendFreeFn backend_free;
  ContextCreateFn context_create;
  ContextSetConfigFn context_set_config;
  ContextGetBinarySizeFn context_get_binary_size;
  ContextGetBinaryFn context_get_binary;
  ContextCreateFromBinaryFn context_create_from_binary;
  ContextFreeFn context_free;
  GraphCreateFn graph_create;
  GraphCreateSubgraphFn graph_create_subgraph;
  GraphSetConfigFn graph_set_config;
  GraphAddNodeFn graph_add_node;
  GraphFinalizeFn graph_finalize;
  GraphRetrieveFn graph_retrieve;
  GraphExecuteFn graph_execute;
  GraphExecuteAsyncFn graph_execute_async;
  TensorCreateContextTensorFn tensor_create_context_tensor;
  TensorCreateGraphTensorFn tensor_create_graph_tensor;
  LogCreateFn log_create;
  LogSetLogLevelFn log_set_log_level;
  LogFreeFn log_free;
  ProfileCreateFn profile_create;
  ProfileSetConfigFn profile_set_config;
  ProfileGetEventsFn profile_get_events;
  ProfileGetSubEventsFn profile_get_sub_events;
  ProfileGetEventDataFn profile_get_event_data;
  ProfileGetExtendedEventDataFn profile_get_extended_event_data;
  ProfileFreeFn profile_free;
  MemRegisterFn mem_register;
  MemDeRegisterFn mem_de_register;
  DeviceGetPlatformInfoFn device_get_platform_info;
  DeviceFreePlatformInfoFn device_free_platform_info;
  DeviceGetInfrastructureFn device_get_infrastructure;
  DeviceCreateFn device_create;
  DeviceSetConfigFn device_set_config;
  DeviceGetInfoFn device_get_info;
  DeviceFreeFn device_free;
  SignalCreateFn signal_create;
  SignalSetConfigFn signal_set_config;
  SignalTriggerFn signal_trigger;
  SignalFreeFn signal_free;
  ErrorGetMessageFn error_get_message;
  ErrorGetVerboseMessageFn error_get_verbose_message;
  ErrorFreeVerboseMessageFn error_free_verbose_message;
  GraphPrepareExecutionEnvironmentFn graph_prepare_execution_environment;
  GraphReleaseExecutionEnvironmentFn graph_release_execution_environment;
  GraphGetPropertyFn graph_get_property;
  ContextValidateBinaryFn context_validate_binary;
  ContextCreateFromBinaryWithSignalFn context_create_from_binary_with_signal;
  ContextCreateFromBinaryListAsyncFn context_create_from_binary_list_async;
  TensorUpdateGraphTensorsFn tensor_update_graph_tensors;
  TensorUpdateContextTensorsFn tensor_update_context_tensors;
  ContextGetBinarySectionSizeFn context_get_binary_section_size;
  ContextGetBinarySectionFn context_get_binary_section;
  ContextApplyBinarySectionFn context_apply_binary_section;
  BackendGetPropertyFn backend_get_property;
  ContextGetPropertyFn context_get_property;
  ContextGetIncrementalBinaryFn context_get_incremental_binary;
  ContextReleaseIncrementalBinaryFn context_release_incremental_binary;
  ContextFinalizeFn context_finalize;
  GlobalConfigSetFn global_config_set;
  ContextCreateFromBinaryWithCallbackFn context_create_from_binary_with_callback;
  ContextGetBinarySectionUpdateFn context_get_binary_section_update;
  ContextFreeBinarySectionUpdateFn context_free_binary_section_update;
  ContextAddToDlcFn context_add_to_dlc;
  GraphValidateFn graph_validate;
  GraphFreeValidationResultFn graph_free_validation_result;
  BackendRegisterOpPackageFromBinaryFn backend_register_op_package_from_binary;
};

static_assert(offsetof(InterfaceTable, property_has_capability) == 0);
static_assert(offsetof(InterfaceTable, backend_create) == 8);
static_assert(offsetof(InterfaceTable, backend_set_config) == 16);
static_assert(offsetof(InterfaceTable, backend_get_api_version) == 24);
static_assert(offsetof(InterfaceTable, backend_get_build_id) == 32);
static_assert(offsetof(InterfaceTable, backend_register_op_package) == 40);
static_assert(offsetof(InterfaceTable, backend_get_supported_operations) == 48);
static_assert(offsetof(InterfaceTable, backend_validate_op_config) == 56);
static_assert(offsetof(InterfaceTable, backend_free) == 64);
static_assert(offsetof(InterfaceTable, context_create) == 72);
static_assert(offsetof(InterfaceTable, context_set_config) == 80);
static_assert(offsetof(InterfaceTable, context_get_binary_size) == 88);
static_assert(offsetof(InterfaceTable, context_get_binary) == 96);
static_assert(offsetof(InterfaceTable, context_create_from_binary) == 104);
static_assert(offsetof(InterfaceTable, context_free) == 112);
static_assert(offsetof(InterfaceTable, graph_create) == 120);
static_assert(offsetof(InterfaceTable, graph_create_subgraph) == 128);
static_assert(offsetof(InterfaceTable, graph_set_config) == 136);
static_assert(offsetof(InterfaceTable, graph_add_node) == 144);
static_assert(offsetof(InterfaceTable, graph_finalize) == 152);
static_assert(offsetof(InterfaceTable, graph_retrieve) == 160);
static_assert(offsetof(InterfaceTable, graph_execute) == 168);
static_assert(offsetof(InterfaceTable, graph_execute_async) == 176);
static_assert(offsetof(InterfaceTable, tensor_create_context_tensor) == 184);
static_assert(offsetof(InterfaceTable, tensor_create_graph_tensor) == 192);
static_assert(offsetof(InterfaceTable, log_create) == 200);
static_assert(offsetof(InterfaceTable, log_set_log_level) == 208);
static_assert(offsetof(InterfaceTable, log_free) == 216);
static_assert(offsetof(InterfaceTable, profile_create) == 224);
static_assert(offsetof(InterfaceTable, profile_set_config) == 232);
static_assert(offsetof(InterfaceTable, profile_get_events) == 240);
static_assert(offsetof(InterfaceTable, profile_get_sub_events) == 248);
static_assert(offsetof(InterfaceTable, profile_get_event_data) == 256);
static_assert(offsetof(InterfaceTable, profile_get_extended_event_data) == 264);
static_assert(offsetof(InterfaceTable, profile_free) == 272);
static_assert(offsetof(InterfaceTable, mem_register) == 280);
static_assert(offsetof(InterfaceTable, mem_de_register) == 288);
static_assert(offsetof(InterfaceTable, device_get_platform_info) == 296);
static_assert(offsetof(InterfaceTable, device_free_platform_info) == 304);
static_assert(offsetof(InterfaceTable, device_get_infrastructure) == 312);
static_assert(offsetof(InterfaceTable, device_create) == 320);
static_assert(offsetof(InterfaceTable, device_set_config) == 328);
static_assert(offsetof(InterfaceTable, device_get_info) == 336);
static_assert(offsetof(InterfaceTable, device_free) == 344);
static_assert(offsetof(InterfaceTable, signal_create) == 352);
static_assert(offsetof(InterfaceTable, signal_set_config) == 360);
static_assert(offsetof(InterfaceTable, signal_trigger) == 368);
static_assert(offsetof(InterfaceTable, signal_free) == 376);
static_assert(offsetof(InterfaceTable, error_get_message) == 384);
static_assert(offsetof(InterfaceTable, error_get_verbose_message) == 392);
static_assert(offsetof(InterfaceTable, error_free_verbose_message) == 400);
static_assert(offsetof(InterfaceTable, graph_prepare_execution_environment) == 408);
static_assert(offsetof(InterfaceTable, graph_release_execution_environment) == 416);
static_assert(offsetof(InterfaceTable, graph_get_property) == 424);
static_assert(offsetof(InterfaceTable, context_validate_binary) == 432);
static_assert(offsetof(InterfaceTable, context_create_from_binary_with_signal) == 440);
static_assert(offsetof(InterfaceTable, context_create_from_binary_list_async) == 448);
static_assert(offsetof(InterfaceTable, tensor_update_graph_tensors) == 456);
static_assert(offsetof(InterfaceTable, tensor_update_context_tensors) == 464);
static_assert(offsetof(InterfaceTable, context_get_binary_section_size) == 472);
static_assert(offsetof(InterfaceTable, context_get_binary_section) == 480);
static_assert(offsetof(InterfaceTable, context_apply_binary_section) == 488);
static_assert(offsetof(InterfaceTable, backend_get_property) == 496);
static_assert(offsetof(InterfaceTable, context_get_property) == 504);
static_assert(offsetof(InterfaceTable, context_get_incremental_binary) == 512);
static_assert(offsetof(InterfaceTable, context_release_incremental_binary) == 520);
static_assert(offsetof(InterfaceTable, context_finalize) == 528);
static_assert(offsetof(InterfaceTable, global_config_set) == 536);
static_assert(offsetof(InterfaceTable, context_create_from_binary_with_callback) == 544);
static_assert(offsetof(InterfaceTable, context_get_binary_section_update) == 552);
static_assert(offsetof(InterfaceTable, context_free_binary_section_update) == 560);
static_assert(offsetof(InterfaceTable, context_add_to_dlc) == 568);
static_assert(offsetof(InterfaceTable, graph_validate) == 576);
static_assert(offsetof(InterfaceTable, graph_free_validation_result) == 584);
static_assert(offsetof(InterfaceTable, backend_register_op_package_from_binary) == 592);
static_assert(sizeof(InterfaceTable) == 600);

struct Interface {
  std::uint32_t backend_id;
  const char* provider_name;
  ApiVersion api_version;
  InterfaceTable table;
};
static_assert(offsetof(Interface, provider_name) == 8);
static_assert(offsetof(Interface, api_version) == 16);
static_assert(offsetof(Interface, table) == 40);

using InterfaceGetProvidersFn = ErrorHandle (*)(const Interface*** provider_list, std::uint32_t* num_providers);

}  // namespace qnnpp::abi
