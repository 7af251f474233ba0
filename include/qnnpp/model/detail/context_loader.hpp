// ContextLoader: loads the contexts of a model, one at a time, for load() and for a Residency.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/detail/signalled_call.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/error_facts.hpp"
#include "qnnpp/memory/detail/allocator_ref.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/context_settings.hpp"
#include "qnnpp/model/detail/load_helper.hpp"
#include "qnnpp/model/detail/room.hpp"
#include "qnnpp/model/load_phase.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// What one call of load() adds to a ContextLoader.
struct LoadWatch {
  /// Called before each phase; its error ends the load.
  std::function<Result<void>(std::size_t, LoadPhase)> tell = {};
  /// Records each creation and finalization, or null.
  Profile* profile = nullptr;
  /// What is known of each context, in the order of the binaries.
  std::vector<ContextMemory> memory = {};
};

/// Loads the contexts of a list of binaries. Owns the list and the shared spill-fill buffer.
/// Copies the allocator if that is possible, else borrows it. The owner serialises its calls.
class ContextLoader {
 public:
  /// Reason of sharing an external buffer that nobody asked for.
  static constexpr const char* accepted = "the backend accepts external buffers";

  template <DmaAllocator Allocator>
  ContextLoader(const Backend<Htp>& backend, const Allocator& allocator,
                std::vector<BinarySource> sources, ContextSettings settings)
      : backend_(backend.share()),
        kept_(keep(allocator)),
        allocator_(*static_cast<const Allocator*>(kept_.get())),
        sources_(std::move(sources)),
        settings_(settings) {}

  /// Sets what ends a load early.
  void limit(const qnnpp::detail::CallLimits& limits) noexcept { limits_ = limits; }

  [[nodiscard]] std::size_t size() const noexcept { return sources_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return sources_[i].name; }
  [[nodiscard]] const std::vector<BinarySource>& sources() const noexcept { return sources_; }
  /// Number of DSP restarts that calls have reported.
  [[nodiscard]] std::uint32_t restarts() const noexcept {
    return qnnpp::detail::Access::block(backend_)->restart_log->restarts();
  }
  /// An epoch of no context, to record a restart that a call without a context reports.
  [[nodiscard]] qnnpp::detail::Epoch epoch() const noexcept {
    return {.log = qnnpp::detail::Access::block(backend_)->restart_log.get()};
  }
  [[nodiscard]] SpillFillSharing sharing() const noexcept { return sharing_; }
  /// Why the contexts share as they do, and which do not share.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  [[nodiscard]] std::uint64_t spill_fill_bytes() const noexcept { return spill_fill_.size_bytes(); }
  [[nodiscard]] const SharedSpillFill& spill_fill() const noexcept { return spill_fill_; }
  [[nodiscard]] std::uint64_t vtcm_backup_bytes() const noexcept {
    return vtcm_backup_.size_bytes();
  }

  /// Whether the application's buffers contain the weights; `untried` if none are requested.
  [[nodiscard]] ExternalWeights external_weights() const noexcept;

  /// Size of the application's weights buffer for a context; 0 if QNN keeps the weights.
  [[nodiscard]] std::uint64_t buffer_bytes(std::size_t i) const noexcept {
    return shares(i) && uses_weights() ? needs_[i].weights_bytes : 0;
  }
  /// Bytes that a context occupies in the budget.
  [[nodiscard]] std::uint64_t bytes(std::size_t i) const noexcept {
    return sum_bytes(needs_[i].weights_bytes, shares(i) ? 0 : needs_[i].spill_fill_bytes);
  }
  /// Whether a context shares spill-fill memory with others, by all that is known of it.
  [[nodiscard]] bool shares(std::size_t i) const noexcept {
    return sharing_ != SpillFillSharing::none && !alone_[i];
  }
  /// Whether an error refuses a way of sharing, so that the next one is tried. Other errors, such
  /// as no room (1002), a bad binary or a cancellation, are returned to the caller.
  ///
  /// The host libraries 2.43.1 and 2.45.0 return these codes:
  /// - 1000: an excluded or missing feature, from creation, QnnContext_getProperty and
  ///   QnnContext_finalize.
  /// - 5010: an unknown or excluded option, from creation and QnnContext_finalize.
  /// - 8001: an unknown memory type, from QnnMem_register. The API documents 8005 for it, which is
  ///   accepted too.
  ///
  /// 8000 is not included, because it usually reports a wrong size.
  [[nodiscard]] bool is_refusal(const Error& error) const noexcept;
  /// Whether an error says that a way of sharing lacks room, so that another one may load: what
  /// detail::is_exhausted() says, or memory of the allocator that cannot be an external buffer.
  /// Not 5005 of a binary that the system library cannot read: it is damaged (RES-04).
  [[nodiscard]] bool lacks_room(const Error& error) const;
  /// Whether the function of a source returned the error, which then arrives as it is.
  [[nodiscard]] static bool is_of_source(const Error& error) noexcept {
    return (error.facts & qnnpp::detail::fact::of_source) != 0;
  }
  /// Returns the part of a reason that an error gives: the object, the step and the detail.
  [[nodiscard]] static std::string words_of(const Error& error);

  // ---- For a Residency.

  /// Queries the needs that are not expected, and allocates the spill-fill buffer. If the backend
  /// refuses that, the contexts share nothing. If `budget_bytes` is not 0, all needs must be known,
  /// and each context must fit in it alone.
  [[nodiscard]] Result<void> prepare(std::uint64_t budget_bytes);

  /// Loads a context as load_one(). If the backend refuses external buffers at the first load, this
  /// and all later loads use none.
  ///
  /// Errors name the binary. An error of a library has the detail "for n0.bin".
  [[nodiscard]] Result<Context<Finalized>> load(std::size_t i, MemRegion<Weights> weights);

  /// Names the contexts that occupy the device in an error of no room, unless it names them.
  void name_other_contexts(Error& error) const;

  /// Lets a thread prepare `next` while load() loads `i`: reads the pages of its binary and, if
  /// there is room for both, allocates its weights. Uses for `i` what an earlier call prepared.
  /// Does nothing if the allocator does not declare that another thread may call it.
  void prepare_beside(std::size_t i, std::size_t next, bool has_room);
  /// Ends the thread, and frees what it prepared.
  void stop_preparing() noexcept {
    helper_.stop();
    prepared_ = {};
    opened_.clear();
  }

  // ---- For load(), which tries several ways.

  /// Begins a way of sharing and forgets the one before. `is_asked`: the caller asked for this way,
  /// so that a context that cannot share is an error. `watch` outlives the loader.
  /// `leaves_weights`: QNN keeps the weights of all contexts.
  void begin(SpillFillSharing sharing, bool is_asked, std::string reason, LoadWatch& watch,
             bool leaves_weights);

  /// Whether contexts that share an external buffer get external weights, as far as is known.
  [[nodiscard]] bool uses_weights() const noexcept {
    return wants_weights() && external_weights() != ExternalWeights::refused;
  }

  /// Queries the needs of all contexts and allocates the buffer that they share. Keeps the deferred
  /// contexts for load_one(). If DLBC excludes all contexts, none shares.
  [[nodiscard]] Result<void> share();

  /// Lets a thread prepare up to `ahead` contexts beyond the one that is loaded, from now to the
  /// next begin(). All contexts are then loaded: `first`, then the others by their index. Does
  /// nothing if the allocator does not declare that another thread may call it.
  void prepare_ahead(std::size_t ahead, std::size_t first = 0);

  /// Loads a context into `weights`, or into a new buffer if that is empty. Each try creates the
  /// context, because it can be finalized only once (ORD-13). A try that returns UNDEFINED is
  /// repeated, at most twice (RES-03). If sharing was not asked for:
  /// - A context that cannot share spill-fill because of DLBC is restored with its own.
  /// - If the error may refuse external weights, and no context was finalized with them so far, the
  ///   context is created again without them, and the backend records it (EXT-08). If that finds no
  ///   room either, returns the error of the first try.
  [[nodiscard]] Result<Context<Finalized>> load_one(std::size_t i, MemRegion<Weights> weights = {});

  /// Restores a context that uses no external buffers.
  [[nodiscard]] Result<Context<Finalized>> restore(std::size_t i, const ContextGroup& group = {});

  /// REUSED_IO_LIMIT of the options: detail::io_of_one_graph, or 0 where the library does not take
  /// it.
  [[nodiscard]] std::uint64_t io_limit_mb(bool in_one_call) const noexcept;

  /// Opens a binary, and compares it with what is expected. Borrows the bytes that keep() has read.
  [[nodiscard]] Result<ContextBinary> open(std::size_t i);

  /// Returns the needs of a binary without loading it: as expected; else from its metadata; if that
  /// lacks them, from the backend. Notes whether the context may share. Error: `no_metadata` with
  /// the reason, if no source can be read.
  [[nodiscard]] Result<Survey> told(std::size_t i);

 private:
  [[nodiscard]] bool uses_external_buffers() const noexcept {
    return sharing_ == SpillFillSharing::external_buffer;
  }
  /// Adds `what` to an error that names a library only.
  [[nodiscard]] static Error for_what(Error error, const std::string& what) {
    error.detail += qnnpp::detail::joined({error.detail.empty() ? "for " : "; for ", what});
    return error;
  }
  /// Returns the error of a load. If QNN returned 5005 and the metadata cannot be read, returns the
  /// error of reading: then 5005 does not mean "no room" (RES-04).
  [[nodiscard]] Error judged(Error error, std::size_t i) const;
  /// What open_checked() has found of binary `i`, as bits of detail::fact. QNN reads it later.
  [[nodiscard]] std::uint32_t facts_of(std::size_t i) const noexcept;
  [[nodiscard]] Error named(Error error, std::size_t i) const {
    if (is_of_source(error)) return error;
    error.facts |= facts_of(i);
    const bool is_named =
        error.object == name(i) || error.detail.find(name(i)) != std::string::npos;
    return is_named ? error : for_what(std::move(error), name(i));
  }
  /// Copies the allocator, or borrows it if it cannot be copied.
  template <DmaAllocator Allocator>
  [[nodiscard]] static std::shared_ptr<const void> keep(const Allocator& allocator) {
    if constexpr (std::copy_constructible<Allocator>)
      return std::make_shared<const Allocator>(allocator);
    else
      return {std::shared_ptr<const void>(), &allocator};
  }
  /// Whether a backend is expected to refuse external weights.
  [[nodiscard]] static bool expects_refusal(const std::vector<BinarySource>& sources) noexcept;
  /// Whether external weights are requested, unless the backend has refused them.
  [[nodiscard]] bool wants_weights() const noexcept {
    return settings_.external_weights && !leaves_weights_ && (is_asked_ || !expects_refusal_);
  }
  /// Whether a context that shares is to be finalized with external weights now.
  [[nodiscard]] bool gives_weights() const noexcept {
    return wants_weights() &&
           (is_asked_ || qnnpp::detail::Access::block(backend_)->external_weights.get() !=
                             ExternalWeights::refused);
  }
  /// Returns what can be prepared for a context: its buffer, and the pages of its binary. Maps a
  /// file that is not mapped yet. Calls no function of a source.
  [[nodiscard]] Preparation preparation_of(std::size_t i);
  /// Lets the thread prepare the contexts that follow the one that is loaded.
  void prepare_next();
  /// Returns the prepared weights buffer, or allocates one on this thread. Error: of the allocator,
  /// with the name of the binary.
  [[nodiscard]] Result<MemRegion<Weights>> weights_of(std::size_t i, const BufferRequirements& need,
                                                      Prepared prepared) const;
  [[nodiscard]] Result<void> tell(std::size_t i, LoadPhase phase) const {
    QNNPP_TRY(limits_.check(name_of(phase), name(i)));
    return watch_ != nullptr ? watch_->tell(i, phase) : Result<void>();
  }
  template <class Options>
  [[nodiscard]] Options options_for(std::size_t i) const;

  /// Reads a binary with FileUse::read once for all ways of sharing. Keeps the copy until the
  /// context is restored. Keeps nothing of other binaries. Keeps nothing for a Residency: it reads
  /// a binary at each load. Keeps nothing if the context itself keeps its binary.
  [[nodiscard]] Result<void> keep(std::size_t i);
  /// Returns what is known of a binary without loading it, see told().
  [[nodiscard]] Result<Survey> read_needs(std::size_t i);
  /// Creates a deferred context, queries its needs and compares them with what is expected.
  [[nodiscard]] Result<Context<Queried>> defer(std::size_t i);
  /// Error: `capability_missing` if the backend cannot defer the initialisation of graphs.
  [[nodiscard]] Result<void> require_deferral() const;
  /// Queries the needs of all contexts. `for_load`: also those that are expected; keeps the
  /// deferred contexts that share, except those whose bytes a function gives again.
  [[nodiscard]] Result<void> ask_all(bool for_load);
  /// Needs that BinarySource::expected states, if any.
  [[nodiscard]] std::optional<BufferRequirements> expected_needs(std::size_t i) const;
  /// Allocates buffers of the largest need of the contexts that share.
  [[nodiscard]] Result<void> allocate_shared();
  [[nodiscard]] BufferRequirements largest_shared() const;
  /// Notes that a context has spill-fill memory of its own. Returns the error if sharing was asked
  /// for.
  [[nodiscard]] Result<void> leave_alone(std::size_t i, Error why);
  /// Checks that what is expected of a binary states DLBC for none of the enabled graphs. A context
  /// checks its own metadata too, but has none without a system library. Error:
  /// `capability_missing`.
  [[nodiscard]] Result<void> check_expected_dlbc(std::size_t i, const char* step) const;
  /// Checks that DLBC does not exclude a context from the shared buffer. Error:
  /// `capability_missing`.
  [[nodiscard]] Result<void> check_dlbc(std::size_t i, const Context<Queried>& context) const;
  /// Checks that a binary of a group needs no more spill-fill than is expected. Error: `stale`.
  [[nodiscard]] Result<void> check_told(std::size_t i, const ContextBinary& binary) const;
  /// Checks that `needs` is at most `known`. Error: `stale`.
  [[nodiscard]] Result<void> expect_at_most(const char* what, std::size_t i, std::uint64_t needs,
                                            std::uint64_t known) const;
  /// Shares nothing from now on.
  void share_nothing(const Error& why);
  /// Backs VTCM up no more, unless that was not asked for, and notes why.
  void leave_backup_out(const std::string& why);

  /// Creates, registers and finalizes a context, once. `is_alone`: set if DLBC excludes it.
  [[nodiscard]] Result<Context<Finalized>> finalize_shared(std::size_t i,
                                                           MemRegion<Weights>& weights,
                                                           bool with_weights, bool& is_alone);

  Backend<Htp> backend_;
  std::shared_ptr<const void> kept_;  ///< The copy of the allocator.
  qnnpp::detail::AllocatorRef allocator_;
  std::vector<BinarySource> sources_;
  bool expects_refusal_ = expects_refusal(sources_);
  ContextSettings settings_;
  qnnpp::detail::CallLimits limits_;
  LoadWatch* watch_ = nullptr;
  std::vector<BufferRequirements> needs_;
  /// Contexts that load_one() finalizes.
  std::vector<std::optional<Context<Queried>>> deferred_;
  std::vector<std::optional<ContextBinary>> copies_{size()};  ///< The binaries of keep().
  /// Contexts with spill-fill memory of their own, because of DLBC. Known once a context was asked
  /// for its needs or loaded.
  std::vector<unsigned char> alone_;  // Not bool: its elements need more code.
  SharedSpillFill spill_fill_;
  SharedVtcmBackup vtcm_backup_;
  SpillFillSharing sharing_ = SpillFillSharing::external_buffer;
  bool is_asked_ = false;
  bool leaves_weights_ = false;
  std::string reason_;
  /// Whether a context was loaded with external buffers, so that later refusals are errors.
  bool confirmed_ = false;
  /// What a thread has prepared for the context that prepare_beside() names first.
  Prepared prepared_;
  bool may_allocate_next_ = true;
  /// The binaries that preparation_of() has mapped.
  std::vector<std::optional<ContextBinary>> opened_;
  /// Reads binaries of deferred_ and opened_, so it ends before them.
  LoadHelper helper_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/context_loader.ipp"
#include "qnnpp/impl/model/context_loader_ahead.ipp"
#endif
