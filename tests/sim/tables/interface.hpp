// The providers of libQnnHtp.so, one for each host library, with the slots of its core API. Memory
// after the last slot does not belong to a provider, as in a real library of that version.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/api/backend.hpp"
#include "sim/api/context.hpp"
#include "sim/api/context_binary.hpp"
#include "sim/api/context_create.hpp"
#include "sim/api/context_list.hpp"
#include "sim/api/device.hpp"
#include "sim/api/error.hpp"
#include "sim/api/execute.hpp"
#include "sim/api/graph.hpp"
#include "sim/api/log.hpp"
#include "sim/api/memory.hpp"
#include "sim/api/profile.hpp"
#include "sim/api/property.hpp"
#include "sim/api/signal.hpp"

namespace qnnpp::sim {

/// Makes a provider, which ends with the last slot of its table. Never destroyed.
[[nodiscard]] inline const c_api::Interface* make_provider(const HostAnswers& host) {
  const c_api::Interface whole{
      htp_backend_id,
      htp_provider_name,
      {host.core_api, host.htp_api},
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
          // Functions of later versions, which the simulated HTP does not have.
          .context_add_to_dlc = nullptr,
          .graph_validate = nullptr,
          .graph_free_validation_result = nullptr,
          .backend_register_op_package_from_binary = nullptr,
      },
  };
  const std::size_t bytes = offsetof(c_api::Interface, table) + host.slots * sizeof(void (*)());
  return static_cast<const c_api::Interface*>(std::memcpy(::operator new(bytes), &whole, bytes));
}

}  // namespace qnnpp::sim
