// Definitions of system.hpp.
#pragma once

#include "qnnpp/backend/system.hpp"

#include "qnnpp/config.hpp"

#include <cstdint>

#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/backend/detail/handle.hpp"
#include "qnnpp/backend/interface.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<System> System::load(std::string path) {
  constexpr const char* step = detail::system_entry;
  QNNPP_TRY(detail::ProcessRegistry::open(step));
  QNNPP_LET(library, SharedLibrary::open(std::move(path), step));
  QNNPP_LET(get_providers, library->symbol(step));

  const c_api::SystemInterface** providers = nullptr;
  std::uint32_t count = 0;
  QNNPP_TRY(check(
      reinterpret_cast<c_api::SystemInterfaceGetProvidersFn>(*get_providers)(&providers, &count),
      step, library->path()));
  QNNPP_TRY(detail::check_count(count, detail::most::providers, providers, "providers",
                                Errc::not_qnn, step, library->path()));
  std::string seen;
  for (std::uint32_t i = 0; i < count; ++i) {
    const c_api::SystemInterface* provider = providers[i];
    if (provider == nullptr) continue;
    if (provider->system_api_version.major != 1) {
      seen += detail::joined(
          {seen.empty() ? "" : ", ", detail::version_text(provider->system_api_version)});
      continue;
    }
    const c_api::SystemInterfaceTable& table = provider->table;
    if (table.system_context_create == nullptr || table.system_context_get_meta_data == nullptr ||
        table.system_context_free == nullptr)
      return fail(Errc::slot_null, detail::metadata_step, library->path());
    return System(std::move(*library), provider);
  }
  return fail(Errc::not_qnn, step, library->path(),
              {"needs system API 1; found ", seen.empty() ? "no provider" : seen});
}

QNNPP_INLINE Result<ContextSpec> System::metadata(std::span<const std::byte> binary,
                                                  const std::string& name) const {
  if (detail::is_forked()) return fail(Errc::foreign_process, detail::metadata_step, name);
  const c_api::SystemInterfaceTable& table = provider_->table;
  c_api::SystemContextHandle handle = nullptr;
  QNNPP_TRY(check(table.system_context_create(&handle), "QnnSystemContext_create", name));
  // Owns the metadata too, which is valid until this handle is freed.
  const Owner<detail::HandlePolicy<c_api::SystemContextHandle>> context(
      {table.system_context_free, handle});

  const c_api::SystemContextBinaryInfo* info = nullptr;
  if (auto got =
          check(table.system_context_get_meta_data(handle, binary.data(), binary.size(), &info),
                detail::metadata_step, name);
      !got) {
    const std::string reader =
        detail::joined({library_.path(), " has system API ", detail::version_text(version())});
    if (!detail::is_unreadable(got.error())) got.error().detail = reader;
    return fail(detail::explain_unreadable(std::move(got).error(), binary, reader));
  }
  if (info == nullptr) return fail(Errc::no_metadata, detail::metadata_step, name);
  return detail::context_spec(*info, graph_info_stride(), name);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
