// Definitions of interface.hpp.
#pragma once

#include "qnnpp/backend/interface.hpp"

#include "qnnpp/config.hpp"

#include "qnnpp/core/tensor_spec.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string detail::version_text(
    const c_api::Version& version) {
  return detail::joined({version.major, ".", version.minor, ".", version.patch});
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string Interface::file() const {
  // The HTP library's provider is on the heap, its functions are in the library.
  std::string file =
      detail::file_of(reinterpret_cast<const void*>(provider_->table.property_has_capability));
  return file.empty() ? provider_name() : file;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error Interface::missing(std::size_t index) const {
  if (core_version().minor < first_minor(index))
    return Error::mismatch(Errc::slot_missing, c_api::slots[index].name, file(), first_minor(index),
                           core_version().minor);
  return Error::make(Errc::slot_null, c_api::slots[index].name, file());
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<Interface> Interface::from_native(
    const c_api::Interface* provider, std::uint32_t backend_id, const char* step) {
  if (provider == nullptr)
    return fail(Errc::invalid_argument, step, "the interface",
                "the pointer is null; pass one that QnnInterface_getProviders has returned");
  const Interface interface(provider);
  const c_api::Version& core = interface.core_version();
  if (core.major != core_api_major || core.minor < core_api_oldest_minor)
    return fail(Errc::version_unsupported, step, interface.provider_name(),
                {"needs core API 2.", core_api_oldest_minor, " or a later 2.x; found ",
                 detail::version_text(core)});
  if (provider->backend_id != 0 && provider->backend_id != backend_id)
    return fail(Errc::not_qnn, step, interface.file(),
                {"needs backend id ", backend_id, "; found ", interface.provider_name(),
                 " (backend id ", provider->backend_id, ")"});
  return interface;
}

QNNPP_INLINE Result<Interface> Interface::choose(const SharedLibrary& library,
                                                 std::uint32_t backend_id) {
  constexpr const char* step = detail::host_entry;
  QNNPP_LET(get_providers, library.symbol(step));
  const c_api::Interface** providers = nullptr;
  std::uint32_t count = 0;
  QNNPP_TRY(
      check(reinterpret_cast<c_api::InterfaceGetProvidersFn>(*get_providers)(&providers, &count),
            step, library.path()));
  QNNPP_TRY(detail::check_count(count, detail::most::providers, providers, "providers",
                                Errc::not_qnn, step, library.path()));
  if (count == 0) return fail(Errc::not_qnn, step, library.path(), "it lists no provider");

  std::string seen;
  bool right_kind = false;
  for (std::uint32_t i = 0; i < count; ++i) {
    const c_api::Interface* provider = providers[i];
    if (provider == nullptr) continue;
    const Interface interface(provider);
    if (backend_id != 0 && provider->backend_id != 0 && provider->backend_id != backend_id) {
      seen += detail::joined({seen.empty() ? "" : ", ", interface.provider_name(), " (backend id ",
                              provider->backend_id, ")"});
      continue;
    }
    right_kind = true;
    const c_api::Version& core = interface.core_version();
    if (core.major == core_api_major && core.minor >= core_api_oldest_minor) return interface;
    seen += detail::joined({seen.empty() ? "" : ", ", interface.provider_name(), " (core API ",
                            detail::version_text(core), ")"});
  }
  if (right_kind)
    return fail(Errc::version_unsupported, step, library.path(),
                {"needs core API 2.", core_api_oldest_minor, " or a later 2.x; found ", seen});
  return fail(Errc::not_qnn, step, library.path(),
              {"needs backend id ", backend_id, "; found ", seen});
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
