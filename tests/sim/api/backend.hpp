// Backends of the C API: creation, configs, properties, release; API version and build id; ops.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/api/op_limits.hpp"
#include "sim/objects/async_queue.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/ops/compose.hpp"
#include "sim/ops/ops.hpp"

namespace qnnpp::sim { namespace api {

namespace internal {

/// Checks the configs. Returns 4012 for an unknown option, an unknown value or any platform option.
inline Status read_backend_configs(Call& call, const c_api::BackendConfig** configs) {
  if (configs == nullptr) return success();
  if (!are_readable_configs(configs))
    return dead_pointer(c_api::BackendError::invalid_config, "a config of the backend");
  for (const c_api::BackendConfig** entry = configs; *entry != nullptr; ++entry) {
    const c_api::BackendConfig& config = **entry;
    switch (config.option) {
      case c_api::BackendConfigOption::error_reporting: break;
      case c_api::BackendConfigOption::platform:
        return failure(c_api::BackendError::invalid_config,
                       "this backend has no platform options (capability 106)");
      case c_api::BackendConfigOption::custom:
        if (config.custom_config == nullptr) {
          call.misuse("CFG-01",
                      "option CUSTOM with a NULL custom config, but the library returns 0");
          break;
        }
        return failure(c_api::BackendError::invalid_config, "this backend has no custom options");
      default:
        return failure(c_api::BackendError::invalid_config,
                       text("unknown backend option %u", static_cast<unsigned>(config.option)));
    }
  }
  return success();
}

/// Processor of an op package: `host` for "CPU", `dsp` for NULL and "HTP", `none` for other names.
enum class OpPackageTarget : std::uint8_t { none, dsp, host };
inline OpPackageTarget target_of(const char* target) noexcept {
  if (target == nullptr) return OpPackageTarget::dsp;
  const std::string_view name{target};
  if (name == "HTP") return OpPackageTarget::dsp;
  return name == "CPU" ? OpPackageTarget::host : OpPackageTarget::none;
}

}  // namespace internal

inline c_api::ErrorHandle backend_create(c_api::LogHandle logger,
                                         const c_api::BackendConfig** config,
                                         c_api::BackendHandle* backend) {
  Call call{Slot::backend_create};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (backend == nullptr)
    return call.fail(c_api::BackendError::invalid_argument, "backend is NULL");
  if (logger != nullptr && d.logs.find(logger) == nullptr)
    return call.fail(unknown(call, call.dev().logs, logger, c_api::BackendError::invalid_argument));
  call.about_logger(id_of(logger));
  auto made = std::make_shared<Backend>();
  made->logger = id_of(logger);
  if (Status status = internal::read_backend_configs(call, config); !status.ok())
    return call.fail(status);
  *backend = handle_of<c_api::BackendHandle>(d.backends.insert(std::move(made)));
  return call.ok();
}

inline c_api::ErrorHandle backend_set_config(c_api::BackendHandle backend,
                                             const c_api::BackendConfig** config) {
  Call call{Slot::backend_set_config};
  if (const auto code = call.gate()) return call.fail(code);
  if (Status status = internal::read_backend_configs(call, config); !status.ok())
    return call.fail(status);
  if (call.dev().backends.find(backend) == nullptr)
    call.misuse("ORD-09", dead_handle_words(call.dev().backends, id_of(backend)));
  else
    call.about_backend(id_of(backend));
  return call.ok();
}

inline c_api::ErrorHandle backend_get_api_version(c_api::ApiVersion* version) {
  Call call{Slot::backend_get_api_version};
  if (const auto code = call.gate()) return call.fail(code);
  if (version == nullptr)
    return call.fail(c_api::BackendError::invalid_argument, "version is NULL");
  const HostAnswers& host = call.dev().host();
  *version = {host.core_api, host.htp_api};
  return call.ok();
}

inline c_api::ErrorHandle backend_get_build_id(const char** id) {
  Call call{Slot::backend_get_build_id};
  if (const auto code = call.gate()) return call.fail(code);
  if (id == nullptr) return call.fail(c_api::BackendError::invalid_argument, "id is NULL");
  *id = build_id;
  return call.ok();
}

/// Remembers the package, as the host library does. A package for the CPU must exist as a file. The
/// simulated HTP runs no package: its ops are unknown to composed graphs.
inline c_api::ErrorHandle backend_register_op_package(c_api::BackendHandle backend,
                                                      const char* path,
                                                      const char* interface_provider,
                                                      const char* target) {
  Call call{Slot::backend_register_op_package};
  if (const auto code = call.gate()) return call.fail(code);
  const auto found = call.dev().backends.find(backend);
  if (found == nullptr)
    return call.fail(
        unknown(call, call.dev().backends, backend, c_api::BackendError::invalid_handle));
  call.about_backend(id_of(backend));
  if (path == nullptr || interface_provider == nullptr)
    return call.fail(c_api::BackendError::invalid_argument, "path or interface provider is NULL");
  const internal::OpPackageTarget place = internal::target_of(target);
  if (place == internal::OpPackageTarget::none)
    return call.fail(c_api::BackendError::not_supported,
                     text("no target \"%s\" for op packages; NULL, \"HTP\" or \"CPU\"", target));
  if (place == internal::OpPackageTarget::host) {
    std::FILE* const file = std::fopen(path, "rb");
    if (file == nullptr)
      return call.fail(c_api::BackendError::op_package_not_found, text("no op package %s", path));
    std::fclose(file);
  }
  const char* const target_name = place == internal::OpPackageTarget::dsp ? "HTP" : "CPU";
  if (!found->op_packages.insert(text("%s %s %s", path, interface_provider, target_name)).second)
    return call.fail(c_api::BackendError::op_package_duplicate,
                     text("op package %s is registered already", path));
  call.log(c_api::LogLevel::warn,
           text("op package %s is not run by the simulated HTP: its ops are unknown", path));
  return call.ok();
}

inline c_api::ErrorHandle backend_get_supported_operations(
    c_api::BackendHandle backend, std::uint32_t* count,
    const c_api::BackendOperationName** operations) {
  Call call{Slot::backend_get_supported_operations};
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  if (d.backends.find(backend) == nullptr)
    return call.fail(
        unknown(call, call.dev().backends, backend, c_api::BackendError::invalid_handle));
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
    return call.fail(
        unknown(call, call.dev().backends, backend, c_api::BackendError::invalid_handle));
  call.about_backend(id_of(backend));
  if (!is_readable_op(config))
    return call.fail(dead_pointer(c_api::BackendError::invalid_argument, "a part of the node"));
  const Status status = detail::with_limit(
      call, id_of(backend), config, validate_op_config(config, dynamic_dimensions(call.dev())));
  return status.ok() ? call.ok() : call.fail(status);
}

/// Fails: the host library has no properties of backends.
inline c_api::ErrorHandle backend_get_property(c_api::BackendHandle, c_api::BackendProperty**) {
  Call call{Slot::backend_get_property};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(c_api::BackendError::not_supported, "this backend has no properties");
}

/// Destroys the contexts that the client has not freed, and counts them (ORD-08). The backend's
/// profiles and signals stay alive, and the client still frees them.
inline c_api::ErrorHandle backend_free(c_api::BackendHandle backend) {
  Call call{Slot::backend_free};
  Device& d = call.dev();
  const std::uint64_t id = id_of(backend);
  if (d.backends.find(id) == nullptr) {
    if (d.started)
      return call.fail(
          unknown(call, call.dev().backends, backend, c_api::BackendError::invalid_handle));
    if (id != 0) call.misuse("ORD-09", "no call has returned this handle; the library returns 0");
    return call.ok();
  }
  call.about_backend(id);
  call.sets_up_in(id, 0);
  if (std::any_of(d.remnants.begin(), d.remnants.end(),
                  [id](const Remnant& remnant) { return remnant.backend == id; }))
    return call.fail(c_api::BackendError::invalid_handle,
                     "a failed creation has left remnants that cannot be freed");
  std::vector<std::shared_ptr<AsyncQueue>> busy;
  const auto note = [&busy, id](const auto& contexts) {
    for (const auto& [handle, context] : contexts)
      if (context->backend == id && context->async != nullptr && context->async->is_busy())
        busy.push_back(context->async);
  };
  note(d.contexts.all());
  note(d.dead_contexts);
  if (!busy.empty()) {
    call.unlocked([&] {
      for (const auto& queue : busy) queue->drain();
    });
    if (d.backends.find(id) == nullptr)
      return call.fail(misused(c_api::BackendError::invalid_handle, "ORD-09",
                               "another call has freed the backend during this call"));
  }
  bool used = false;
  for (const auto& [handle, profile] : d.profiles.all()) used = used || profile->backend == id;
  for (const auto& [handle, signal] : d.signals.all()) used = used || signal->backend == id;
  if (used) call.misuse("ORD-08", "the backend is freed before its profiles and signals");
  // From 2.46 on a client cannot free what a failed deferred creation leaves (ORD-17).
  if (d.any_context([&](const Context& context) {
        return context.backend == id && !(context.is_left_over && d.host().creation_asks_dsp);
      }))
    call.misuse("ORD-08", "the backend is freed before its contexts, which end with it");
  drop_contexts_of(d, id);
  d.backends.erase(id);
  return call.freed(id);
}

/// Accepts the SoC model only before any other call. The simulated HTP ignores the value: the
/// configuration sets its chip.
inline c_api::ErrorHandle global_config_set(const c_api::GlobalConfig** config) {
  Call call{Slot::global_config_set};
  if (const auto code = call.gate()) return call.fail(code);
  if (config == nullptr) return call.ok();
  if (!are_readable_configs(config))
    return call.fail(dead_pointer(c_api::GlobalConfigError::invalid_config, "a global config"));
  for (const c_api::GlobalConfig** entry = config; *entry != nullptr; ++entry) {
    if ((*entry)->option != c_api::GlobalConfigConfigOption::soc_model)
      return call.fail(c_api::GlobalConfigError::invalid_config, "unknown global option");
    if (call.dev().started)
      return call.fail(c_api::CommonError::operation_not_permitted,
                       "the SoC can be set only before any other call");
  }
  return call.ok();
}

}}  // namespace qnnpp::sim::api
