// Definitions of backend.hpp: C objects that exist already, and giving them back.
#pragma once

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/ownership.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Stands for the function that frees a borrowed handle: frees nothing.
template <class Handle>
[[nodiscard]] [[gnu::cold, gnu::noinline]] c_api::ErrorHandle leave(Handle /*handle*/) {
  return 0;
}

/// Returns the function with which qnnpp ends `handle`: that of a slot, or leave() if the handle is
/// borrowed or null. Errors: `slot_missing`, `slot_null`.
template <auto Slot, class Handle>
[[nodiscard]] [[gnu::cold, gnu::noinline]] Result<c_api::ErrorHandle (*)(Handle)> end_of(
    const Interface& provider, Ownership ownership, Handle handle) {
  if (ownership == Ownership::borrowed || handle == nullptr) return &leave<Handle>;
  QNNPP_LET(found, provider.find<Slot>());
  return *found;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<Ref<BackendBlock>> BackendBlock::adopt(
    const c_api::Interface* interface, const BackendHandles& handles, Ownership ownership,
    const AdoptOptions& options) {
  constexpr const char* step = "adopting a backend";
  if (is_forked()) return fail(Errc::foreign_process, step, "a backend's handles");
  QNNPP_TRY(ProcessRegistry::open(step));
  QNNPP_LET(provider, Interface::from_native(interface, c_api::backend_id::htp, step));
  // The functions are in the library, the provider may be elsewhere.
  const void* const code = reinterpret_cast<const void*>(interface->table.backend_free);
  auto block =
      Ref<BackendBlock>::make(SharedLibrary::of(code, provider->provider_name()), *provider);
  const std::string& name = block->library.path();
  if (handles.backend == nullptr)
    return fail(Errc::invalid_argument, step, name,
                "the backend is null; pass what QnnBackend_create has made");
  QNNPP_TRY(check_device_options(options.device, name));
  if (!options.system_library.empty()) {
    QNNPP_LET(system, System::load(options.system_library));
    block->system = std::move(*system);
  }
  block->tensor_memory = options.tensor_memory;
  block->is_secure = options.device.process_domain == ProcessDomainKind::secure;
  block->prepares_for = asked_arch(options.device);
  using Table = c_api::InterfaceTable;
  QNNPP_LET(log_free, end_of<&Table::log_free>(*provider, ownership, handles.log));
  QNNPP_LET(backend_free, end_of<&Table::backend_free>(*provider, ownership, handles.backend));
  QNNPP_LET(device_free, end_of<&Table::device_free>(*provider, ownership, handles.device));
  RestartLog* const ends = block->restart_log.get();
  if (!ends->claim(code, handles.backend))
    return fail(Errc::in_use, step, name,
                "a Backend has this handle; Backend::share() returns a second owner");
  // Last, and without an allocation: after an error nothing may free what the caller keeps.
  if (handles.log != nullptr) block->log = LogOwner({*log_free, handles.log, ends});
  block->backend = BackendOwner({*backend_free, handles.backend, ends});
  if (handles.device != nullptr) block->device = DeviceOwner({*device_free, handles.device, ends});
  block->library.pin();
  RestartLog::end_at_exit(block->restart_log);
  return block;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<BackendHandles> BackendBlock::release() {
  if (restart_log->has_ended()) return fail(after_exit("releasing a backend"));
  end_holding();
  restart_log->disclaim();
  return BackendHandles{.backend = backend.release().handle,
                        .device = device.release().handle,
                        .log = log.release().handle};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
