// ContextLoader: loads single contexts of a model over one shared spill-fill buffer.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/detail/bring_up.hpp"
#include "qnnpp/model/detail/room.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Loads the contexts of a list of binaries. Owns their needs and the shared spill-fill buffer.
/// Copies the allocator if that is possible, else borrows it. The owner serialises calls of load().
class ContextLoader {
 public:
  template <DmaAllocator Allocator>
  ContextLoader(const Backend<Htp>& backend, const Allocator& allocator,
                std::vector<BinarySource> sources, c_api::Priority priority,
                bool share_without_dlbc, Refusals refusals)
      : backend_(backend.share()),
        sources_(std::move(sources)),
        priority_(priority),
        share_without_dlbc_(share_without_dlbc),
        refusals_(std::move(refusals)) {
    allocate_weights_ = [kept = keep(allocator)](const BufferRequirements& need) {
      const Allocator& from = kept;
      return MemRegion<Weights>::allocate(from, need);
    };
    allocate_spill_fill_ = [kept = keep(allocator)](const BufferRequirements& need) {
      const Allocator& from = kept;
      return SharedSpillFill::allocate(from, need);
    };
  }

  [[nodiscard]] std::size_t size() const noexcept { return sources_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return sources_[i].name; }
  /// Number of DSP restarts that calls have reported.
  [[nodiscard]] std::uint32_t restarts() const noexcept {
    return qnnpp::detail::Access::block(backend_)->restart_log->restarts();
  }
  /// An epoch of no context, to record a restart that a call without a context reports.
  [[nodiscard]] qnnpp::detail::Epoch epoch() const noexcept {
    return {.log = qnnpp::detail::Access::block(backend_)->restart_log.get()};
  }
  [[nodiscard]] SpillFillSharing sharing() const noexcept { return sharing_; }
  [[nodiscard]] std::uint64_t spill_fill_bytes() const noexcept { return spill_fill_.size_bytes(); }
  [[nodiscard]] const SharedSpillFill& spill_fill() const noexcept { return spill_fill_; }

  /// Whether the backend has confirmed or refused external weights.
  [[nodiscard]] ExternalWeights external_weights() const noexcept {
    return qnnpp::detail::Access::block(backend_)->external_weights.get();
  }

  /// Size of the application's weights buffer for a context; 0 if QNN keeps the weights.
  [[nodiscard]] std::uint64_t buffer_bytes(std::size_t i) const noexcept {
    return shares(i) && external_weights() != ExternalWeights::refused ? needs_[i].weights_bytes
                                                                       : 0;
  }
  /// Bytes that a context occupies in the budget.
  [[nodiscard]] std::uint64_t bytes(std::size_t i) const noexcept {
    return sum_bytes(needs_[i].weights_bytes, shares(i) ? 0 : needs_[i].spill_fill_bytes);
  }

  /// Queries the needs unless they are given, and allocates the spill-fill buffer. If
  /// `budget_bytes` is not 0, all needs must be known, and each context must fit in it alone.
  [[nodiscard]] Result<void> prepare(std::vector<BufferRequirements> needs,
                                     std::uint64_t budget_bytes);

  /// Loads a context into `weights`, or into a new buffer if that is empty. If the backend refuses
  /// external buffers at the first load, this and all later loads use none. If it may have refused
  /// external weights, the context is loaded again without them (EXT-08). A context whose graphs
  /// were prepared with DLBC uses none, unless the options allow it.
  ///
  /// Errors name the binary. An error of a library has the detail "for n0.bin".
  [[nodiscard]] Result<Context<Finalized>> load(std::size_t i, MemRegion<Weights> weights);

 private:
  [[nodiscard]] bool shares() const noexcept {
    return sharing_ == SpillFillSharing::external_buffer;
  }
  /// Whether a context shares the spill-fill buffer, by all that is known of it.
  [[nodiscard]] bool shares(std::size_t i) const noexcept { return shares() && !alone_[i]; }
  /// Adds `what` to an error that names a library only.
  [[nodiscard]] static Error for_what(Error error, const std::string& what) {
    error.detail += (error.detail.empty() ? "for " : "; for ") + what;
    return error;
  }
  /// Returns the error of a load. If QNN returned 5005 and the metadata cannot be read, returns the
  /// error of reading: then 5005 does not mean "no room" (RES-04).
  [[nodiscard]] Error judged(Error error, std::size_t i) const;
  [[nodiscard]] Error named(Error error, std::size_t i) const {
    return error.object == name(i) ? error : for_what(std::move(error), name(i));
  }
  /// Returns a copy of the allocator, or a reference if it cannot be copied.
  template <DmaAllocator Allocator>
  [[nodiscard]] static auto keep(const Allocator& allocator) {
    if constexpr (std::copy_constructible<Allocator>)
      return allocator;
    else
      return std::cref(allocator);
  }

  /// Creates a deferred context and queries its needs.
  [[nodiscard]] Result<Context<Queried>> defer(std::size_t i) const;
  /// Checks that DLBC does not exclude a context from the shared buffer, and records the result in
  /// `alone_`. Error: `capability_missing`.
  [[nodiscard]] Result<void> check_dlbc(std::size_t i, const Context<Queried>& context);
  /// Returns the needs of a context from a temporary deferred one.
  [[nodiscard]] Result<BufferRequirements> asked(std::size_t i);
  /// Returns the needs of a context from its binary's metadata. An unknown need is 0, or an error
  /// if `must_be_known`.
  [[nodiscard]] Result<BufferRequirements> told(std::size_t i, bool must_be_known) const;
  /// Checks that `needs` is at most `known`. Error: `stale`.
  [[nodiscard]] Result<void> expect_at_most(const char* what, std::size_t i, std::uint64_t needs,
                                            std::uint64_t known) const;

  [[nodiscard]] Result<Context<Finalized>> load_somehow(std::size_t i, MemRegion<Weights> weights);

  /// The steps of bring_up_shared() for one context.
  struct SharedSteps;
  [[nodiscard]] Result<Context<Finalized>> load_shared(std::size_t i, MemRegion<Weights> weights);

  [[nodiscard]] Result<Context<Finalized>> restore(std::size_t i);

  Backend<Htp> backend_;
  std::vector<BinarySource> sources_;
  c_api::Priority priority_;
  bool share_without_dlbc_;
  Refusals refusals_;
  std::function<Result<MemRegion<Weights>>(const BufferRequirements&)> allocate_weights_;
  std::function<Result<SharedSpillFill>(const BufferRequirements&)> allocate_spill_fill_;
  std::vector<BufferRequirements> needs_;
  /// Contexts with spill-fill memory of their own, because of DLBC. Known once a context was asked
  /// for its needs or loaded.
  std::vector<bool> alone_;
  SharedSpillFill spill_fill_;
  SpillFillSharing sharing_ = SpillFillSharing::external_buffer;
  /// Whether a context was loaded with external buffers, so that later refusals are errors.
  bool confirmed_ = false;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/context_loader.ipp"
#endif
