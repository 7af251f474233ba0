// libQnnSystem.so of the simulated HTP: its state and the exported symbol.
#include "sim/tables/system.hpp"

#include <cstdint>

#include "sim/tables/host_library.hpp"
#include "sim/tables/system_profile.hpp"

namespace qnnpp::sim {

// Never destroyed, because clients can call until the process ends.
System& system() noexcept {
  static System* const the_system = new System;
  return *the_system;
}

}  // namespace qnnpp::sim

namespace {

namespace api = qnnpp::sim::system_api;

constexpr qnnpp::c_api::SystemInterface provider{
    qnnpp::sim::system_backend_id,
    qnnpp::sim::system_provider_name,
    qnnpp::sim::system_api_version,
    {
        .system_context_create = api::system_context_create,
        .system_context_get_binary_info = api::system_context_get_binary_info,
        .system_context_get_meta_data = api::system_context_get_meta_data,
        .system_context_free = api::system_context_free,
        .system_tensor_get_memory_footprint = api::system_tensor_get_memory_footprint,
        .system_log_create = api::system_log_create,
        .system_log_set_log_level = api::system_log_set_log_level,
        .system_log_free = api::system_log_free,
        .system_dlc_create_from_file = api::system_dlc_create_from_file,
        .system_dlc_create_from_binary = api::system_dlc_create_from_binary,
        .system_dlc_compose_graphs = api::system_dlc_compose_graphs,
        .system_dlc_get_op_mappings = api::system_dlc_get_op_mappings,
        .system_dlc_free = api::system_dlc_free,
        .system_profile_create_serialization_target =
            api::system_profile_create_serialization_target,
        .system_profile_serialize_event_data = api::system_profile_serialize_event_data,
        .system_profile_free_serialization_target = api::system_profile_free_serialization_target,
    },
};
const qnnpp::c_api::SystemInterface* const providers[] = {&provider};

}  // namespace

extern "C" __attribute__((visibility("default"))) qnnpp::c_api::ErrorHandle
QnnSystemInterface_getProviders(const qnnpp::c_api::SystemInterface* const** list,
                                std::uint32_t* count) {
  if (list == nullptr || count == nullptr) {
    return static_cast<qnnpp::c_api::ErrorHandle>(
        qnnpp::c_api::SystemInterfaceError::invalid_parameter);
  }
  *list = providers;
  *count = 1;
  return 0;
}
