// Backends of the C API: create, configure, ask, free; versions and build id; ops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/interface.hpp"
#include "sim/api/call.hpp"
#include "sim/api/versions.hpp"
#include "sim/ops/compose.hpp"
#include "sim/ops/ops.hpp"

namespace qnnpp::sim {

namespace api {

namespace internal {

/// Configs in a form that can be compared. 4012: NULL custom config, unknown option or value.
inline Status read_backend_configs(const c_api::BackendConfig** configs,
                                   std::vector<std::string>& out) {
  if (configs == nullptr) return success();
  for (const c_api::BackendConfig** entry = configs; *entry != nullptr; ++entry) {
    const c_api::BackendConfig& config = **entry;
    switch (config.option) {
      case c_api::BackendConfigOption::error_reporting:
        if (static_cast<std::uint32_t>(config.error_config.reporting_level) > 1)
          return failure(c_api::BackendError::invalid_config, "unknown reporting level");
        out.push_back(text("errors %u %u",
                           static_cast<unsigned>(config.error_config.reporting_level),
                           config.error_config.storage_limit));
        break;
      case c_api::BackendConfigOption::platform:
        return failure(c_api::BackendError::not_supported, "this backend has no platform options");
      case c_api::BackendConfigOption::custom:
        if (config.custom_config == nullptr)
          return failure(c_api::BackendError::invalid_config,
                         "option CUSTOM with a NULL custom config");
        return failure(c_api::BackendError::invalid_config, "this backend has no custom options");
      default:
        return failure(c_api::BackendError::invalid_config,
                       text("unknown backend option %u", static_cast<unsigned>(config.option)));
    }
  }
  return success();
}

}  // namespace internal

inline c_api::ErrorHandle backend_create(c_api::LogHandle logger,
                                         const c_api::BackendConfig** config,
                                         c_api::BackendHandle* backend) {
  Call call{Slot::backend_create};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (backend == nullptr) return call.fail(c_api::BackendError::invalid_handle, "backend is NULL");
  if (logger != nullptr && d.logs.find(logger) == nullptr)
    return call.fail(c_api::BackendError::invalid_handle, "unknown logger handle");
  call.about_logger(id_of(logger));
  auto made = std::make_shared<Backend>();
  made->logger = id_of(logger);
  if (Status status = internal::read_backend_configs(config, made->configs); !status.ok())
    return call.fail(status);
  for (const auto& [id, other] : d.backends.all())
    if (other->configs != made->configs)
      return call.fail(c_api::BackendError::inconsistent_config,
                       "an earlier backend has other configs");
  *backend = handle_of<c_api::BackendHandle>(d.backends.insert(std::move(made)));
  return call.ok();
}

inline c_api::ErrorHandle backend_set_config(c_api::BackendHandle backend,
                                             const c_api::BackendConfig** config) {
  Call call{Slot::backend_set_config};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().backends.find(backend) == nullptr)
    return call.fail(c_api::BackendError::invalid_handle, "unknown backend handle");
  call.about_backend(id_of(backend));
  if (config == nullptr) return call.fail(c_api::BackendError::invalid_config, "config is NULL");
  std::vector<std::string> configs;
  if (Status status = internal::read_backend_configs(config, configs); !status.ok())
    return call.fail(status);
  return call.ok();
}

inline c_api::ErrorHandle backend_get_api_version(c_api::ApiVersion* version) {
  Call call{Slot::backend_get_api_version};
  if (const auto code = call.gate()) return call.fail(code);
  if (version == nullptr)
    return call.fail(c_api::BackendError::invalid_argument, "version is NULL");
  *version = {core_api_version, htp_api_version};
  return call.ok();
}

inline c_api::ErrorHandle backend_get_build_id(const char** id) {
  Call call{Slot::backend_get_build_id};
  if (const auto code = call.gate()) return call.fail(code);
  if (id == nullptr) return call.fail(c_api::BackendError::invalid_argument, "id is NULL");
  *id = build_id;
  return call.ok();
}

/// Op packages are code for another processor: a file that is there is not supported, another one
/// not found.
inline c_api::ErrorHandle backend_register_op_package(c_api::BackendHandle backend,
                                                      const char* path,
                                                      const char* interface_provider, const char*) {
  Call call{Slot::backend_register_op_package};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().backends.find(backend) == nullptr)
    return call.fail(c_api::BackendError::invalid_handle, "unknown backend handle");
  call.about_backend(id_of(backend));
  if (path == nullptr || interface_provider == nullptr)
    return call.fail(c_api::BackendError::invalid_argument, "path or interface provider is NULL");
  std::FILE* const file = std::fopen(path, "rb");
  if (file == nullptr)
    return call.fail(c_api::BackendError::op_package_not_found, text("no op package %s", path));
  std::fclose(file);
  return call.fail(c_api::BackendError::not_supported, "this backend runs no op packages");
}

inline c_api::ErrorHandle backend_get_supported_operations(
    c_api::BackendHandle backend, std::uint32_t* count,
    const c_api::BackendOperationName** operations) {
  Call call{Slot::backend_get_supported_operations};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (d.backends.find(backend) == nullptr)
    return call.fail(c_api::BackendError::invalid_handle, "unknown backend handle");
  if (count == nullptr || operations == nullptr)
    return call.fail(c_api::BackendError::invalid_argument, "count or operations is NULL");
  if (d.operations.empty()) {
    for (std::size_t i = 0; i < op_kind_count; ++i)
      d.operations.push_back({op_package_name, op_type_name(static_cast<OpKind>(i)), nullptr});
  }
  *count = static_cast<std::uint32_t>(d.operations.size());
  *operations = d.operations.data();
  return call.ok();
}

inline c_api::ErrorHandle backend_validate_op_config(c_api::BackendHandle backend,
                                                     c_api::OpConfig config) {
  Call call{Slot::backend_validate_op_config};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().backends.find(backend) == nullptr)
    return call.fail(c_api::BackendError::invalid_handle, "unknown backend handle");
  call.about_backend(id_of(backend));
  const Status status = validate_op_config(config);
  return status.ok() ? call.ok() : call.fail(status);
}

inline c_api::ErrorHandle backend_get_property(c_api::BackendHandle backend,
                                               c_api::BackendProperty** properties) {
  Call call{Slot::backend_get_property};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().backends.find(backend) == nullptr)
    return call.fail(c_api::BackendError::invalid_handle, "unknown backend handle");
  if (properties == nullptr)
    return call.fail(c_api::BackendError::invalid_argument, "properties is NULL");
  if (*properties == nullptr) return call.ok();
  return call.fail(c_api::BackendError::not_supported, "this backend has no properties");
}

/// Ends the contexts that are left, which the client should have freed (ORD-08). Refused while
/// profiles or signals of the backend are alive (4002): they are freed first.
inline c_api::ErrorHandle backend_free(c_api::BackendHandle backend) {
  Call call{Slot::backend_free};
  Device& d = call.dev();
  const std::uint64_t id = id_of(backend);
  if (d.backends.find(id) == nullptr)
    return call.fail(c_api::BackendError::invalid_handle, "unknown backend handle");
  call.about_backend(id);
  if (std::any_of(d.remnants.begin(), d.remnants.end(),
                  [id](const Remnant& remnant) { return remnant.backend == id; }))
    return call.fail(c_api::BackendError::invalid_handle,
                     "a failed creation has left remnants that nothing can free");
  bool used = false;
  for (const auto& [handle, profile] : d.profiles.all()) used = used || profile->backend == id;
  for (const auto& [handle, signal] : d.signals.all()) used = used || signal->backend == id;
  if (used) {
    call.misuse("ORD-08", "the backend is freed before its profiles and signals");
    return call.fail(c_api::BackendError::terminate_failed, "profiles or signals are alive");
  }
  if (d.any_context([id](const Context& context) { return context.backend == id; }))
    call.misuse("ORD-08", "the backend is freed before its contexts, which end with it");
  drop_contexts_of(d, id);
  d.backends.erase(id);
  return call.ok();
}

inline c_api::ErrorHandle global_config_set(const c_api::GlobalConfig** config) {
  Call call{Slot::global_config_set};
  if (const auto code = call.gate()) return call.fail(code);
  if (config == nullptr)
    return call.fail(c_api::GlobalConfigError::invalid_config, "config is NULL");
  for (const c_api::GlobalConfig** entry = config; *entry != nullptr; ++entry)
    if ((*entry)->option != c_api::GlobalConfigConfigOption::soc_model)
      return call.fail(c_api::GlobalConfigError::invalid_config, "unknown global option");
  return call.ok();
}

}  // namespace api
}  // namespace qnnpp::sim
