// System: the QNN system library, which reads the metadata of context binaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/system_interface.hpp"
#include "qnnpp/backend/handle.hpp"
#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/core/graph_spec.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp {

/// The system library, open. Move-only; the library is closed with it.
class System {
 public:
  /// Opens `path` and takes its provider (QnnSystemInterface_getProviders).
  /// Errors: `library_not_found`, `symbol_missing`, `not_qnn`, `slot_null`.
  [[nodiscard]] static Result<System> load(std::string path);

  /// The graphs of a context binary with their inputs and outputs (QnnSystemContext_getMetadata).
  ///
  /// Nothing of the binary is kept. `name` says which binary it is in errors: `qnn` with 30010 for a
  /// malformed one, `unsupported_tensor` for tensors of an unknown version.
  [[nodiscard]] Result<std::vector<GraphSpec>> graphs(std::span<const std::byte> binary,
                                                      const std::string& name) const;

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

namespace detail {

inline Result<std::vector<TensorSpec>> tensor_specs(const abi::Tensor* tensors,
                                                    std::uint32_t count) {
  std::vector<TensorSpec> specs;
  for (std::uint32_t i = 0; tensors != nullptr && i < count; ++i) {
    auto spec = tensor_spec(tensors[i]);
    if (!spec) return fail(std::move(spec).error());
    specs.push_back(std::move(*spec));
  }
  return specs;
}

/// The three versions begin with the same fields.
inline Result<GraphSpec> graph_spec(const abi::SystemContextGraphInfo& info) {
  const abi::SystemContextGraphInfoV1& first = info.graph_info_v1;
  GraphSpec spec;
  if (first.graph_name != nullptr) spec.name = first.graph_name;
  auto inputs = tensor_specs(first.graph_inputs, first.num_graph_inputs);
  if (!inputs) return fail(std::move(inputs).error());
  auto outputs = tensor_specs(first.graph_outputs, first.num_graph_outputs);
  if (!outputs) return fail(std::move(outputs).error());
  spec.inputs = std::move(*inputs);
  spec.outputs = std::move(*outputs);
  return spec;
}

}  // namespace detail

inline Result<std::vector<GraphSpec>> System::graphs(std::span<const std::byte> binary,
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

  std::uint32_t count = 0;
  const abi::SystemContextGraphInfo* first = nullptr;
  switch (info->version) {
    case abi::SystemContextBinaryInfoVersion::v1:
      count = info->context_binary_info_v1.num_graphs;
      first = info->context_binary_info_v1.graphs;
      break;
    case abi::SystemContextBinaryInfoVersion::v2:
      count = info->context_binary_info_v2.num_graphs;
      first = info->context_binary_info_v2.graphs;
      break;
    case abi::SystemContextBinaryInfoVersion::v3:
      count = info->context_binary_info_v3.num_graphs;
      first = info->context_binary_info_v3.graphs;
      break;
    default:
      return fail(Error::make(Errc::no_metadata, "QnnSystemContext_getMetadata", name,
                              "its version is " +
                                  std::to_string(static_cast<std::uint32_t>(info->version)) +
                                  ", known are 1 to 3"));
  }

  std::vector<GraphSpec> graphs;
  const auto* bytes = reinterpret_cast<const std::byte*>(first);
  for (std::uint32_t i = 0; bytes != nullptr && i < count; ++i, bytes += graph_info_stride()) {
    auto graph = detail::graph_spec(*reinterpret_cast<const abi::SystemContextGraphInfo*>(bytes));
    if (!graph) {
      Error error = std::move(graph).error();
      error.object = name;
      return fail(std::move(error));
    }
    graphs.push_back(std::move(*graph));
  }
  return graphs;
}

}  // namespace qnnpp
