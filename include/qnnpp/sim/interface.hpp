// The provider that libQnnHtp.so offers: 71 slots of core 2.32. Memory past the last slot is not
// part of it, as with a real library of that version: who reads slot 71 reads something else.
#pragma once

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/sim/api/backend.hpp"
#include "qnnpp/sim/api/context.hpp"
#include "qnnpp/sim/api/context_binary.hpp"
#include "qnnpp/sim/api/device.hpp"
#include "qnnpp/sim/api/error.hpp"
#include "qnnpp/sim/api/execute.hpp"
#include "qnnpp/sim/api/graph.hpp"
#include "qnnpp/sim/api/log.hpp"
#include "qnnpp/sim/api/memory.hpp"
#include "qnnpp/sim/api/profile.hpp"
#include "qnnpp/sim/api/property.hpp"
#include "qnnpp/sim/api/signal.hpp"
#include "qnnpp/sim/slots.hpp"

namespace qnnpp::sim {

/// The table as core 2.32 has it: abi::InterfaceTable without its last four slots.
struct Table {
  abi::PropertyHasCapabilityFn property_has_capability;
  abi::BackendCreateFn backend_create;
  abi::BackendSetConfigFn backend_set_config;
  abi::BackendGetApiVersionFn backend_get_api_version;
  abi::BackendGetBuildIdFn backend_get_build_id;
  abi::BackendRegisterOpPackageFn backend_register_op_package;
  abi::BackendGetSupportedOperationsFn backend_get_supported_operations;
  abi::BackendValidateOpConfigFn backend_validate_op_config;
  abi::BackendFreeFn backend_free;
  abi::ContextCreateFn context_create;
  abi::ContextSetConfigFn context_set_config;
  abi::ContextGetBinarySizeFn context_get_binary_size;
  abi::ContextGetBinaryFn context_get_binary;
  abi::ContextCreateFromBinaryFn context_create_from_binary;
  abi::ContextFreeFn context_free;
  abi::GraphCreateFn graph_create;
  abi::GraphCreateSubgraphFn graph_create_subgraph;
  abi::GraphSetConfigFn graph_set_config;
  abi::GraphAddNodeFn graph_add_node;
  abi::GraphFinalizeFn graph_finalize;
  abi::GraphRetrieveFn graph_retrieve;
  abi::GraphExecuteFn graph_execute;
  abi::GraphExecuteAsyncFn graph_execute_async;
  abi::TensorCreateContextTensorFn tensor_create_context_tensor;
  abi::TensorCreateGraphTensorFn tensor_create_graph_tensor;
  abi::LogCreateFn log_create;
  abi::LogSetLogLevelFn log_set_log_level;
  abi::LogFreeFn log_free;
  abi::ProfileCreateFn profile_create;
  abi::ProfileSetConfigFn profile_set_config;
  abi::ProfileGetEventsFn profile_get_events;
  abi::ProfileGetSubEventsFn profile_get_sub_events;
  abi::ProfileGetEventDataFn profile_get_event_data;
  abi::ProfileGetExtendedEventDataFn profile_get_extended_event_data;
  abi::ProfileFreeFn profile_free;
  abi::MemRegisterFn mem_register;
  abi::MemDeRegisterFn mem_de_register;
  abi::DeviceGetPlatformInfoFn device_get_platform_info;
  abi::DeviceFreePlatformInfoFn device_free_platform_info;
  abi::DeviceGetInfrastructureFn device_get_infrastructure;
  abi::DeviceCreateFn device_create;
  abi::DeviceSetConfigFn device_set_config;
  abi::DeviceGetInfoFn device_get_info;
  abi::DeviceFreeFn device_free;
  abi::SignalCreateFn signal_create;
  abi::SignalSetConfigFn signal_set_config;
  abi::SignalTriggerFn signal_trigger;
  abi::SignalFreeFn signal_free;
  abi::ErrorGetMessageFn error_get_message;
  abi::ErrorGetVerboseMessageFn error_get_verbose_message;
  abi::ErrorFreeVerboseMessageFn error_free_verbose_message;
  abi::GraphPrepareExecutionEnvironmentFn graph_prepare_execution_environment;
  abi::GraphReleaseExecutionEnvironmentFn graph_release_execution_environment;
  abi::GraphGetPropertyFn graph_get_property;
  abi::ContextValidateBinaryFn context_validate_binary;
  abi::ContextCreateFromBinaryWithSignalFn context_create_from_binary_with_signal;
  abi::ContextCreateFromBinaryListAsyncFn context_create_from_binary_list_async;
  abi::TensorUpdateGraphTensorsFn tensor_update_graph_tensors;
  abi::TensorUpdateContextTensorsFn tensor_update_context_tensors;
  abi::ContextGetBinarySectionSizeFn context_get_binary_section_size;
  abi::ContextGetBinarySectionFn context_get_binary_section;
  abi::ContextApplyBinarySectionFn context_apply_binary_section;
  abi::BackendGetPropertyFn backend_get_property;
  abi::ContextGetPropertyFn context_get_property;
  abi::ContextGetIncrementalBinaryFn context_get_incremental_binary;
  abi::ContextReleaseIncrementalBinaryFn context_release_incremental_binary;
  abi::ContextFinalizeFn context_finalize;
  abi::GlobalConfigSetFn global_config_set;
  abi::ContextCreateFromBinaryWithCallbackFn context_create_from_binary_with_callback;
  abi::ContextGetBinarySectionUpdateFn context_get_binary_section_update;
  abi::ContextFreeBinarySectionUpdateFn context_free_binary_section_update;
};
static_assert(sizeof(Table) == table_slots * sizeof(void*));
static_assert(offsetof(Table, context_free_binary_section_update) ==
              offsetof(abi::InterfaceTable, context_free_binary_section_update));

/// QnnInterface_t of core 2.32.
struct Provider {
  std::uint32_t backend_id;
  const char* provider_name;
  abi::ApiVersion api_version;
  Table table;
};
static_assert(offsetof(Provider, table) == offsetof(abi::Interface, table));

/// The provider with every slot filled.
[[nodiscard]] constexpr Provider make_provider() noexcept {
  return {
      htp_backend_id,
      htp_provider_name,
      {core_api_version, htp_api_version},
      {
          .property_has_capability = api::property_has_capability,
          .backend_create = api::backend_create,
          .backend_set_config = api::backend_set_config,
          .backend_get_api_version = api::backend_get_api_version,
          .backend_get_build_id = api::backend_get_build_id,
          .backend_register_op_package = api::backend_register_op_package,
          .backend_get_supported_operations = api::backend_get_supported_operations,
          .backend_validate_op_config = api::backend_validate_op_config,
          .backend_free = api::backend_free,
          .context_create = api::context_create,
          .context_set_config = api::context_set_config,
          .context_get_binary_size = api::context_get_binary_size,
          .context_get_binary = api::context_get_binary,
          .context_create_from_binary = api::context_create_from_binary,
          .context_free = api::context_free,
          .graph_create = api::graph_create,
          .graph_create_subgraph = api::graph_create_subgraph,
          .graph_set_config = api::graph_set_config,
          .graph_add_node = api::graph_add_node,
          .graph_finalize = api::graph_finalize,
          .graph_retrieve = api::graph_retrieve,
          .graph_execute = api::graph_execute,
          .graph_execute_async = api::graph_execute_async,
          .tensor_create_context_tensor = api::tensor_create_context_tensor,
          .tensor_create_graph_tensor = api::tensor_create_graph_tensor,
          .log_create = api::log_create,
          .log_set_log_level = api::log_set_log_level,
          .log_free = api::log_free,
          .profile_create = api::profile_create,
          .profile_set_config = api::profile_set_config,
          .profile_get_events = api::profile_get_events,
          .profile_get_sub_events = api::profile_get_sub_events,
          .profile_get_event_data = api::profile_get_event_data,
          .profile_get_extended_event_data = api::profile_get_extended_event_data,
          .profile_free = api::profile_free,
          .mem_register = api::mem_register,
          .mem_de_register = api::mem_de_register,
          .device_get_platform_info = api::device_get_platform_info,
          .device_free_platform_info = api::device_free_platform_info,
          .device_get_infrastructure = api::device_get_infrastructure,
          .device_create = api::device_create,
          .device_set_config = api::device_set_config,
          .device_get_info = api::device_get_info,
          .device_free = api::device_free,
          .signal_create = api::signal_create,
          .signal_set_config = api::signal_set_config,
          .signal_trigger = api::signal_trigger,
          .signal_free = api::signal_free,
          .error_get_message = api::error_get_message,
          .error_get_verbose_message = api::error_get_verbose_message,
          .error_free_verbose_message = api::error_free_verbose_message,
          .graph_prepare_execution_environment = api::graph_prepare_execution_environment,
          .graph_release_execution_environment = api::graph_release_execution_environment,
          .graph_get_property = api::graph_get_property,
          .context_validate_binary = api::context_validate_binary,
          .context_create_from_binary_with_signal = api::context_create_from_binary_with_signal,
          .context_create_from_binary_list_async = api::context_create_from_binary_list_async,
          .tensor_update_graph_tensors = api::tensor_update_graph_tensors,
          .tensor_update_context_tensors = api::tensor_update_context_tensors,
          .context_get_binary_section_size = api::context_get_binary_section_size,
          .context_get_binary_section = api::context_get_binary_section,
          .context_apply_binary_section = api::context_apply_binary_section,
          .backend_get_property = api::backend_get_property,
          .context_get_property = api::context_get_property,
          .context_get_incremental_binary = api::context_get_incremental_binary,
          .context_release_incremental_binary = api::context_release_incremental_binary,
          .context_finalize = api::context_finalize,
          .global_config_set = api::global_config_set,
          .context_create_from_binary_with_callback = api::context_create_from_binary_with_callback,
          .context_get_binary_section_update = api::context_get_binary_section_update,
          .context_free_binary_section_update = api::context_free_binary_section_update,
      },
  };
}

}  // namespace qnnpp::sim
