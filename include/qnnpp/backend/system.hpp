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

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Owner of the open system library. Move-only. The destructor closes the library.
/// Threads: const members are thread-safe.
class System {
 public:
  /// Opens `path` and chooses its provider of system API 1 (QnnSystemInterface_getProviders).
  /// Errors: `library_not_found`, `library_unusable`, `invalid_argument`, `symbol_missing`,
  /// `slot_null`, `qnn`; `not_qnn`, which names the needed version and those found.
  [[nodiscard]] static Result<System> load(std::string path);

  /// Reads the metadata of a context binary: graphs, their inputs and outputs, memory needs
  /// (QnnSystemContext_getMetadata). Keeps no reference to `binary`.
  ///
  /// Errors, which name the binary `name`: `qnn` with 30010 for a malformed binary,
  /// `unsupported_tensor` for tensors of an unknown version, `no_metadata`.
  [[nodiscard]] Result<ContextSpec> metadata(std::span<const std::byte> binary,
                                             const std::string& name) const;

  /// File that the loader opened; see SharedLibrary::path().
  [[nodiscard]] const std::string& path() const& noexcept { return library_.path(); }
  /// Copy of the path of a temporary.
  [[nodiscard]] std::string path() const&& { return library_.path(); }

  /// Version of the system API of the library.
  [[nodiscard]] const c_api::Version& version() const noexcept {
    return provider_->system_api_version;
  }

 private:
  friend class ProfileFile;

  System(SharedLibrary library, const c_api::SystemInterface* provider)
      : library_(std::move(library)), provider_(provider) {}

  /// Bytes from one graph info to the next in an array of the system library.
  [[nodiscard]] std::size_t graph_info_stride() const noexcept {
    return version().minor >= 2 ? sizeof(c_api::SystemContextGraphInfo) : 64;
  }

  SharedLibrary library_;
  const c_api::SystemInterface* provider_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/system.ipp"
#endif
