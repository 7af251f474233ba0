// ContextLoader: loads one context of a model at a time, over the spill-fill buffer of all.
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

/// Needs of all binaries, the buffer they share, and how each is loaded. Keeps a copy of the
/// allocator where it can be copied. Its owner serialises load().
class ContextLoader {
 public:
  template <DmaAllocator Allocator>
  ContextLoader(const Backend<Htp>& backend, const Allocator& allocator,
                std::vector<BinarySource> sources, c_api::Priority priority, Refusals refusals)
      : backend_(backend.share()),
        sources_(std::move(sources)),
        priority_(priority),
        refusals_(std::move(refusals)) {
    allocate_weights_ = [kept = keep(allocator)](std::uint64_t bytes) {
      const Allocator& from = kept;
      return MemRegion<Weights>::allocate(from, bytes);
    };
    allocate_spill_fill_ = [kept = keep(allocator)](const BufferRequirements& need) {
      const Allocator& from = kept;
      return SharedSpillFill::allocate(from, need);
    };
  }

  [[nodiscard]] std::size_t size() const noexcept { return sources_.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return sources_[i].name; }
  /// Restarts of the DSP that calls have told of.
  [[nodiscard]] std::uint32_t restarts() const noexcept {
    return qnnpp::detail::Access::block(backend_)->restart_log.restarts();
  }
  /// Of no context: to note a restart that a call for none told of.
  [[nodiscard]] qnnpp::detail::Epoch epoch() const noexcept {
    return {.log = &qnnpp::detail::Access::block(backend_)->restart_log};
  }
  [[nodiscard]] SpillFillSharing sharing() const noexcept { return sharing_; }
  [[nodiscard]] std::uint64_t spill_fill_bytes() const noexcept { return spill_fill_.size_bytes(); }
  [[nodiscard]] const SharedSpillFill& spill_fill() const noexcept { return spill_fill_; }

  /// What any context of the backend has shown of external weights.
  [[nodiscard]] ExternalWeights external_weights() const noexcept {
    return qnnpp::detail::Access::block(backend_)->external_weights.get();
  }

  /// Of an application's weights buffer; 0 where QNN keeps the weights itself.
  [[nodiscard]] std::uint64_t buffer_bytes(std::size_t i) const noexcept {
    return shares() && external_weights() != ExternalWeights::refused ? needs_[i].weights_bytes : 0;
  }
  /// What the context takes of the budget.
  [[nodiscard]] std::uint64_t bytes(std::size_t i) const noexcept {
    return sum_bytes(needs_[i].weights_bytes, shares() ? 0 : needs_[i].spill_fill_bytes);
  }

  /// Learns the needs and allocates the spill-fill buffer. `budget_bytes`, if not 0, is what the
  /// needs must be known for, and each context has to keep to.
  [[nodiscard]] Result<void> prepare(std::vector<BufferRequirements> needs,
                                     std::uint64_t budget_bytes);

  /// Loads a context. `weights` is a buffer for it, or empty: one is allocated then. The first load
  /// that is refused external buffers as such goes on without them, as do all later ones; one that
  /// may be refused external weights, without these (EXT-08).
  ///
  /// Errors name the binary, if need be as "for n0.bin" beside the library that failed.
  [[nodiscard]] Result<Context<Finalized>> load(std::size_t i, MemRegion<Weights> weights);

 private:
  [[nodiscard]] bool shares() const noexcept {
    return sharing_ == SpillFillSharing::external_buffer;
  }
  /// Some errors name a library only.
  [[nodiscard]] static Error for_what(Error error, const std::string& what) {
    error.detail += (error.detail.empty() ? "for " : "; for ") + what;
    return error;
  }
  /// The error of a load. 5005 of a binary whose metadata cannot be read is about the binary, or
  /// about the means to read it, and not about room (RES-04).
  [[nodiscard]] Error judged(Error error, std::size_t i) const;
  [[nodiscard]] Error named(Error error, std::size_t i) const {
    return error.object == name(i) ? error : for_what(std::move(error), name(i));
  }
  /// A copy, or else a reference.
  template <DmaAllocator Allocator>
  [[nodiscard]] static auto keep(const Allocator& allocator) {
    if constexpr (std::copy_constructible<Allocator>)
      return allocator;
    else
      return std::cref(allocator);
  }

  /// A deferred context that has told its needs.
  [[nodiscard]] Result<Context<Queried>> defer(std::size_t i) const;
  /// What a context needs, by a deferred one that is dropped again.
  [[nodiscard]] Result<BufferRequirements> asked(std::size_t i) const;
  /// Reads a context's needs from its binary's metadata. An unknown need is 0, or an error if
  /// `must_be_known`.
  [[nodiscard]] Result<BufferRequirements> told(std::size_t i, bool must_be_known) const;
  /// Success if `needs` is at most `known`.
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
  Refusals refusals_;
  std::function<Result<MemRegion<Weights>>(std::uint64_t)> allocate_weights_;
  std::function<Result<SharedSpillFill>(const BufferRequirements&)> allocate_spill_fill_;
  std::vector<BufferRequirements> needs_;
  SharedSpillFill spill_fill_;
  SpillFillSharing sharing_ = SpillFillSharing::external_buffer;
  /// Whether a context with external buffers was loaded.
  bool confirmed_ = false;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/context_loader.ipp"
#endif
