// System: the QNN system library, which reads the metadata of context binaries.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/system_interface.hpp"
#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// The system library, open. Move-only; the library is closed with it.
class System {
 public:
  /// Opens `path` and takes its provider (QnnSystemInterface_getProviders).
  /// Errors: `library_not_found`, `library_unusable`, `symbol_missing`, `not_qnn`, `slot_null`.
  [[nodiscard]] static Result<System> load(std::string path);

  /// What a context binary says of itself: graphs, inputs and outputs, needs of memory
  /// (QnnSystemContext_getMetadata).
  ///
  /// Nothing of the binary is kept. `name` says which binary it is in errors: `qnn` with 30010 for
  /// a malformed one, `unsupported_tensor` for tensors of an unknown version, `no_metadata`.
  [[nodiscard]] Result<ContextSpec> metadata(std::span<const std::byte> binary,
                                             const std::string& name) const;

  /// Only its graphs. Errors: the same.
  [[nodiscard]] Result<std::vector<GraphSpec>> graphs(std::span<const std::byte> binary,
                                                      const std::string& name) const;

  [[nodiscard]] const c_api::Version& version() const noexcept {
    return provider_->system_api_version;
  }

 private:
  /// Calls `read` with what the system library says of `binary`, while it holds.
  template <class Read>
  [[nodiscard]] auto with_metadata(std::span<const std::byte> binary, const std::string& name,
                                   Read read) const
      -> decltype(read(std::declval<const c_api::SystemContextBinaryInfo&>()));

  System(SharedLibrary library, const c_api::SystemInterface* provider)
      : library_(std::move(library)), provider_(provider) {}

  /// Distance between elements of a graphs array, as the system library was compiled.
  [[nodiscard]] std::size_t graph_info_stride() const noexcept {
    return version().minor >= 2 ? sizeof(c_api::SystemContextGraphInfo) : 64;
  }

  SharedLibrary library_;
  const c_api::SystemInterface* provider_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/system.ipp"
#endif
