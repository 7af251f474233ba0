// System: the QNN system library, which reads the metadata of context binaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/system_interface.hpp"
#include "qnnpp/backend/binary_info.hpp"
#include "qnnpp/backend/handle.hpp"
#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp {

/// The system library, open. Move-only; the library is closed with it.
class System {
 public:
  /// Opens `path` and takes its provider (QnnSystemInterface_getProviders).
  /// Errors: `library_not_found`, `symbol_missing`, `not_qnn`, `slot_null`.
  [[nodiscard]] static Result<System> load(std::string path);

  /// What a context binary says of itself: graphs, inputs and outputs, needs of memory
  /// (QnnSystemContext_getMetadata).
  ///
  /// Nothing of the binary is kept. `name` says which binary it is in errors: `qnn` with 30010 for a
  /// malformed one, `unsupported_tensor` for tensors of an unknown version, `no_metadata`.
  [[nodiscard]] Result<ContextSpec> metadata(std::span<const std::byte> binary,
                                             const std::string& name) const;

  /// Only its graphs. Errors: the same.
  [[nodiscard]] Result<std::vector<GraphSpec>> graphs(std::span<const std::byte> binary,
                                                      const std::string& name) const {
    auto spec = metadata(binary, name);
    if (!spec) return fail(std::move(spec).error());
    return std::move(spec->graphs);
  }

  [[nodiscard]] const abi::Version& version() const noexcept {
    return provider_->system_api_version;
  }

 private:
  System(SharedLibrary library, const abi::SystemInterface* provider)
      : library_(std::move(library)), provider_(provider) {}

  /// Distance between elements of a graphs array, as the system library was compiled.
  [[nodiscard]] std::size_t graph_info_stride() const noexcept {
    return version().minor >= 2 ? sizeof(abi::SystemContextGraphInfo) : 64;
  }

  SharedLibrary library_;
  const abi::SystemInterface* provider_;
};

// ---------------------------------------------------------------------------------------------

inline Result<System> System::load(std::string path) {
  constexpr const char* step = "QnnSystemInterface_getProviders";
  auto library = SharedLibrary::open(std::move(path));
  if (!library) return fail(std::move(library).error());
  const auto get_providers = library->symbol<abi::SystemInterfaceGetProvidersFn>(step);
  if (!get_providers) return fail(get_providers.error());

  const abi::SystemInterface** providers = nullptr;
  std::uint32_t count = 0;
  if (auto got = check((*get_providers)(&providers, &count), step, library->path()); !got)
    return fail(std::move(got).error());
  for (std::uint32_t i = 0; providers != nullptr && i < count; ++i) {
    const abi::SystemInterface* provider = providers[i];
    if (provider == nullptr || provider->system_api_version.major != 1) continue;
    const abi::SystemInterfaceTable& table = provider->table;
    if (table.system_context_create == nullptr || table.system_context_get_meta_data == nullptr ||
        table.system_context_free == nullptr)
      return fail(Error::make(Errc::slot_null, "QnnSystemContext_getMetadata", library->path()));
    return System(std::move(*library), provider);
  }
  return fail(Error::make(Errc::not_qnn, step, library->path(), "no provider of system API 1"));
}

inline Result<ContextSpec> System::metadata(std::span<const std::byte> binary,
                                            const std::string& name) const {
  const abi::SystemInterfaceTable& table = provider_->table;
  abi::SystemContextHandle handle = nullptr;
  if (auto made = check(table.system_context_create(&handle), "QnnSystemContext_create", name);
      !made)
    return fail(std::move(made).error());
  // Owns the metadata too: it lives until this is closed.
  const Owner<detail::HandlePolicy<abi::SystemContextHandle>> context(
      {table.system_context_free, handle});

  const abi::SystemContextBinaryInfo* info = nullptr;
  if (auto got = check(table.system_context_get_meta_data(handle, binary.data(), binary.size(), &info),
                       "QnnSystemContext_getMetadata", name);
      !got)
    return fail(std::move(got).error());
  if (info == nullptr)
    return fail(Error::make(Errc::no_metadata, "QnnSystemContext_getMetadata", name));

  return detail::context_spec(*info, graph_info_stride(), name);
}

}  // namespace qnnpp
