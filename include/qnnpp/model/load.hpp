// load(): loads all contexts of a model, with one of three ways of sharing spill-fill memory.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/detail/allocator_ref.hpp"
#include "qnnpp/memory/dma_buffer.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/context_settings.hpp"
#include "qnnpp/model/load_phase.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/model/model.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

struct RestoreListOptions;

namespace model {

/// Progress of load(), reported before each phase and when a context is complete (`loaded`).
struct Progress {
  const std::string& binary;              ///< Name of the binary; valid during the call.
  std::size_t context = 0;                ///< Index of the binary in the list.
  std::size_t contexts = 0;               ///< Number of binaries in the list.
  LoadPhase phase = LoadPhase::creating;  ///< The phase that begins, or `loaded`.
  std::uint64_t bytes_done = 0;           ///< Size of the binaries whose contexts are complete.
  /// Size of all binaries, without those of functions that were not called yet.
  std::uint64_t bytes_total = 0;
};

/// Receives the progress on the loading thread. Returns false to stop: load() then releases
/// everything it made and returns `cancelled`.
using ProgressCallback = std::function<bool(const Progress&)>;

/// Settings of load().
struct LoadOptions {
  /// How the contexts share spill-fill memory.
  SpillFillSharing sharing = SpillFillSharing::automatic;
  /// Settings of each context. With automatic sharing, QNN keeps the weights if the backend cannot
  /// finalize contexts with external weights (EXT-08).
  ContextSettings contexts = {};
  /// Without sharing: `restore_list` (context/restore_list.hpp) restores all contexts in one call
  /// of QNN. Null: each is restored alone. Excludes `external_buffer` and `context_group`.
  Result<std::vector<Context<Finalized>>> (*in_one_call)(
      const Backend<Htp>& backend, std::vector<ContextBinary> binaries,
      const RestoreListOptions& options,
      const std::vector<std::vector<std::string>>& enabled_graphs) = nullptr;
  /// Called before each phase; may be empty.
  ProgressCallback progress = {};
  /// Profile that records each creation and finalization of a context, or null. Used during the
  /// call only. Excludes `in_one_call`.
  Profile* profile = nullptr;
  /// Ends the load when it is pulled, from any thread, with `cancelled`: between two calls of QNN,
  /// and within the creation of a context that is not deferred, as RestoreOptions::stop says.
  /// load() then releases everything it made. None by default.
  qnnpp::detail::StopOption stop = {};
  /// How long the load may last, as a std::chrono::duration: then `timed_out`, as for `stop`. No
  /// limit by default.
  qnnpp::detail::TimeLimit at_most = {};
  /// Number of contexts that are prepared while QNN works on the one before: a thread that lives
  /// within the call allocates their weights buffers and reads the pages of their binaries. It
  /// calls only the allocator and the kernel. QNN and all functions of the program are called on
  /// the calling thread, in the same order as with 0. What was prepared is freed if the load fails.
  ///
  /// Adds the pages of as many mapped binaries to the memory of the process. 0 starts no thread.
  /// Nor does an allocator that does not declare `is_thread_safe` (see DmaAllocator), a model of
  /// one context, `in_one_call`, or a system that has no thread left: then nothing is prepared.
  std::size_t ahead = 1;
};

namespace detail {

[[nodiscard]] Result<Model> load_all(const Backend<Htp>& backend,
                                     qnnpp::detail::AllocatorRef allocator,
                                     std::vector<BinarySource> binaries,
                                     const LoadOptions& options);

}  // namespace detail

/// Loads all contexts of a model. `allocator` is used during the call only; on another thread too
/// if it declares that, see LoadOptions::ahead.
///
/// - `external_buffer`: creates all contexts deferred and queries their needs. Allocates one
///   spill-fill buffer of the largest need. Then allocates the weights of each context, registers
///   its buffers, finalizes it, and drops its binary.
/// - `context_group`: restores the context with the largest need first. The others share its
///   buffer, which belongs to QNN.
/// - `none`: restores each context with its own memory.
/// - `automatic`: uses the first of these ways that the backend does not refuse and that has room,
///   so it loads wherever some way does (RES-01); the report says which one, and what was refused
///   and why. If the backend cannot finalize contexts with external weights, or has no room for
///   buffers of them, QNN keeps the weights and only the spill-fill is shared. A context with DLBC
///   has spill-fill memory of its own, and the others share; see
///   ContextSettings::share_without_dlbc. If no way has room, the error is of the way that lacked
///   room on the device, if any, and names the other ways. A damaged binary or a lost DSP ends the
///   load at once.
///
/// After an error, everything that was made is released. Errors name the step and the binary:
/// - `empty`: the list has no binary.
/// - `no_metadata`: a context group needs the spill-fill need of a binary, and neither
///   BinarySource::expected, its metadata nor the backend states it.
/// - `capability_missing`: the metadata or BinarySource::expected states DLBC for a graph, and the
///   requested sharing would turn it off.
/// - `cancelled`: LoadOptions::progress returned false, or LoadOptions::stop was pulled.
/// - `timed_out`: the load lasted longer than LoadOptions::at_most.
/// - `stale`: the size or needs of a binary differ from BinarySource::expected, or its digest from
///   the one that BinarySource::check compares.
/// - `invalid_argument`: a profile, an external buffer or a group with `in_one_call`; from it,
///   another number of contexts than of binaries; a `sharing` that is no enumerator.
/// - `foreign_object`: the profile belongs to another backend.
/// - The errors of ContextBinary::map(), Context and MemRegion.
template <DmaAllocator Allocator>
[[nodiscard]] Result<Model> load(const Backend<Htp>& backend, const Allocator& allocator,
                                 std::vector<BinarySource> binaries,
                                 const LoadOptions& options = {}) {
  return detail::load_all(backend, qnnpp::detail::AllocatorRef(allocator), std::move(binaries),
                          options);
}

/// Loads the contexts of the files at `paths`: a vector of std::string, std::filesystem::path or
/// another type of paths, or a braced list of std::string.
template <DmaAllocator Allocator, qnnpp::detail::PathLike Path = std::string>
[[nodiscard]] Result<Model> load(const Backend<Htp>& backend, const Allocator& allocator,
                                 const std::vector<Path>& paths, const LoadOptions& options = {}) {
  return load(backend, allocator, BinarySource::files({paths.begin(), paths.end()}), options);
}

/// Loads the contexts of a braced list of files: `load(backend, allocator, {"a.bin", "b.bin"})`.
template <DmaAllocator Allocator>
[[nodiscard]] Result<Model> load(const Backend<Htp>& backend, const Allocator& allocator,
                                 std::initializer_list<const char*> paths,
                                 const LoadOptions& options = {}) {
  return load(backend, allocator, BinarySource::files({paths.begin(), paths.end()}), options);
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

}  // namespace model
}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/load.ipp"
#endif
