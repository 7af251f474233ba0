// load(): all contexts of a model in one call, by one of three ways of sharing spill-fill memory.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/detail/allocator_ref.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/manifest.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/model/model.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// What is done with a context. The names are those of messages: "cancelled while querying".
enum class Step : std::uint8_t { surveying, creating, querying, registering, finalizing, loaded };

[[nodiscard]] constexpr const char* name_of(Step step) noexcept {
  switch (step) {
    case Step::surveying: return "surveying";
    case Step::creating: return "creating";
    case Step::querying: return "querying";
    case Step::registering: return "registering";
    case Step::finalizing: return "finalizing";
    case Step::loaded: return "loaded";
  }
  return "?";
}

/// Told before a step begins, and once a context is complete (`loaded`); bytes are those of the
/// binaries whose contexts are complete, and of all.
struct Progress {
  const std::string& binary;
  std::size_t context = 0;   ///< Its place in the list.
  std::size_t contexts = 0;  ///< Length of the list.
  Step step = Step::creating;
  std::uint64_t bytes_done = 0;
  std::uint64_t bytes_total = 0;
};

/// Called on the loading thread. `false`: stop; everything made so far is released and loading ends
/// with the error `cancelled`.
using ProgressCallback = std::function<bool(const Progress&)>;

/// How a model is loaded.
struct LoadOptions {
  SpillFillSharing sharing = SpillFillSharing::automatic;
  /// Give each context a weights buffer of the application; where sharing is external_buffer. With
  /// automatic sharing QNN keeps the weights if the backend brings no such buffers up (EXT-08).
  bool external_weights = true;
  /// See DeferredOptions::persistent_binary.
  bool persistent_binaries = false;
  c_api::Priority priority = c_api::Priority::default_;
  /// Without sharing: bring all contexts up in one call of QNN, see restore_list().
  bool in_one_call = false;
  /// What the binaries take, written ahead of time: a group's maximum is taken from it, and each
  /// binary has to be the one that it was written for. Outlives the call. Requires `digest`.
  const Manifest* manifest = nullptr;
  /// Digests a file, to compare with the manifest: model::digest_of of model/digest.hpp.
  DigestFunction digest = nullptr;
  ProgressCallback progress = {};
  /// Codes of QNN by which this backend says that it lacks a way of sharing, beside 1000, 5010 (an
  /// option that it does not know), 8001 and 8005 (a memory type that it does not know): automatic
  /// sharing goes on to the next way.
  std::vector<std::uint16_t> more_refusals = {};
};

namespace detail {

QNNPP_ON_USE [[nodiscard]] Result<Model> load_all(const Backend<Htp>& backend,
                                                  qnnpp::detail::AllocatorRef allocator,
                                                  const std::vector<BinarySource>& binaries,
                                                  const LoadOptions& options);

}  // namespace detail

/// Loads all contexts of a model.
///
/// With external buffers all are created deferred and asked for their needs first; then one
/// spill-fill buffer of the largest need is allocated, and each context gets its weights, is
/// registered and finalized, and drops its binary. As a group, the context with the largest need is
/// restored first and the others share QNN's own buffer with it. `automatic` takes the first of
/// these that the backend does not refuse; the report says which and why. If it finalizes no
/// context over external weights, `automatic` leaves these to QNN and shares the spill-fill alone.
///
/// Errors name the step and, where they are of one binary, which; nothing stays behind: those of
/// ContextBinary::map(), Context and MemRegion; `no_metadata` for a group of a binary whose need
/// nobody tells; `cancelled`; `empty`. With a manifest: `unknown_name` for a binary that it does
/// not list, `stale` for one whose size, digest or answer differs from what it says;
/// `invalid_argument` if LoadOptions::digest is missing.
template <DmaAllocator Allocator>
[[nodiscard]] Result<Model> load(const Backend<Htp>& backend, const Allocator& allocator,
                                 const std::vector<BinarySource>& binaries,
                                 const LoadOptions& options = {}) {
  return detail::load_all(backend, qnnpp::detail::AllocatorRef(allocator), binaries, options);
}

/// The same for files, by their paths.
template <DmaAllocator Allocator>
[[nodiscard]] Result<Model> load(const Backend<Htp>& backend, const Allocator& allocator,
                                 const std::vector<std::string>& paths,
                                 const LoadOptions& options = {}) {
  std::vector<BinarySource> binaries;
  binaries.reserve(paths.size());
  for (const std::string& path : paths) binaries.push_back(BinarySource::file(path));
  return load(backend, allocator, binaries, options);
}

/// The same for paths of another type, such as std::filesystem::path.
template <DmaAllocator Allocator, qnnpp::detail::PathLike Path>
[[nodiscard]] Result<Model> load(const Backend<Htp>& backend, const Allocator& allocator,
                                 const std::vector<Path>& paths, const LoadOptions& options = {}) {
  return load(backend, allocator, std::vector<std::string>(paths.begin(), paths.end()), options);
}

/// The same for paths written in place: `load(backend, allocator, {"a.bin", "b.bin"})`.
template <DmaAllocator Allocator>
[[nodiscard]] Result<Model> load(const Backend<Htp>& backend, const Allocator& allocator,
                                 std::initializer_list<const char*> paths,
                                 const LoadOptions& options = {}) {
  return load(backend, allocator, std::vector<std::string>(paths.begin(), paths.end()), options);
}

template <DmaAllocator Allocator, qnnpp::detail::PathLike Path>
QNNPP_REFUSE("a path is no list of paths; write load(backend, allocator, {path})", Result<Model>,
             load(const Backend<Htp>&, const Allocator&, const Path&, const LoadOptions& = {}));
template <class Allocator, class Binaries = std::vector<std::string>>
  requires(qnnpp::detail::AnyResult<Allocator> || qnnpp::detail::AnyResult<Binaries>)
QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
             Result<Model>,
             load(const Backend<Htp>&, const Allocator&, const Binaries&, const LoadOptions& = {}));
template <qnnpp::detail::NoAllocator Allocator, class Binaries = std::vector<std::string>>
  requires(!qnnpp::detail::AnyResult<Binaries>)
QNNPP_REFUSE("no DmaAllocator; it lacks Result<DmaBuffer> allocate(std::uint64_t) const",
             Result<Model>,
             load(const Backend<Htp>&, const Allocator&, const Binaries&, const LoadOptions& = {}));

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/load.ipp"
#endif
