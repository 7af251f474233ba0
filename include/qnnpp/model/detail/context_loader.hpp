// ContextLoader: loads one context of a model at a time, over the spill-fill buffer of all.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/detail/refused_binary.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/capacity.hpp"
#include "qnnpp/model/detail/refusal.hpp"
#include "qnnpp/model/detail/shared_context.hpp"
#include "qnnpp/model/sharing.hpp"
#include "qnnpp/model/survey.hpp"

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
                                     std::uint64_t budget_bytes) {
    constexpr const char* step = "making a residency";
    if (sources_.empty()) return fail(Error::make(Errc::empty, step, "list of binaries"));
    if (!needs.empty() && needs.size() != sources_.size())
      return fail(Error::make(Errc::invalid_argument, step, "list of needs",
                              std::to_string(needs.size()) + " needs for " +
                                  std::to_string(sources_.size()) + " binaries"));
    if (auto able = qnnpp::detail::Access::block(backend_)->require(
            c_api::PropertyKey::context_support_deferred_graph_init,
            "deferred graph initialisation", name(0));
        !able) {
      // A question that failed is not answered.
      if (able.error().kind == Errc::qnn) return able;
      sharing_ = SpillFillSharing::none;
    }
    needs_ = std::move(needs);
    if (needs_.empty())
      for (std::size_t i = 0; i < size(); ++i) {
        auto need = shares() ? asked(i) : told(i, budget_bytes != 0);
        if (!need) return fail(named(std::move(need).error(), i));
        needs_.push_back(*need);
      }
    BufferRequirements largest;
    for (const BufferRequirements& need : needs_) {
      largest.spill_fill_bytes = std::max(largest.spill_fill_bytes, need.spill_fill_bytes);
      largest.start_alignment = std::max(largest.start_alignment, need.start_alignment);
    }
    for (std::size_t i = 0; i < size() && budget_bytes != 0; ++i)
      if (const auto alone = sum_bytes(bytes(i), shares() ? largest.spill_fill_bytes : 0);
          alone > budget_bytes)
        return fail(Error::mismatch(Errc::too_large, step, name(i), alone, budget_bytes));
    if (!shares()) return {};
    auto spill_fill = allocate_spill_fill_(largest);
    if (!spill_fill)
      return fail(for_what(std::move(spill_fill).error(), "the spill-fill of the model"));
    spill_fill_ = std::move(*spill_fill);
    return {};
  }

  /// Loads a context. `weights` is a buffer for it, or empty: one is allocated then. The first load
  /// that is refused external buffers as such goes on without them, as do all later ones; one that
  /// may be refused external weights, without these (EXT-08).
  ///
  /// Errors name the binary, if need be as "for n0.bin" beside the library that failed.
  [[nodiscard]] Result<Context<Finalized>> load(std::size_t i, MemRegion<Weights> weights) {
    auto context = load_somehow(i, std::move(weights));
    if (!context) return fail(named(judged(std::move(context).error(), i), i));
    return context;
  }

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
  [[nodiscard]] Error judged(Error error, std::size_t i) const {
    if (!qnnpp::detail::is_refused_binary(error)) return error;
    const auto told = read_metadata(backend_, sources_[i]);
    if (told) return error;
    Error unread = told.error();
    unread.detail +=
        (unread.detail.empty() ? "" : "; ") + std::string(error.step) + " returned 5005";
    return unread;
  }
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
  [[nodiscard]] Result<Context<Queried>> defer(std::size_t i) const {
    auto binary = sources_[i].open();
    if (!binary) return fail(std::move(binary).error());
    DeferredOptions options;
    options.priority = priority_;
    options.enabled_graphs = sources_[i].enabled_graphs;
    return Context<Deferred>::create(backend_, std::move(*binary), options).and_then(step::query);
  }
  /// What a context needs, by a deferred one that is dropped again.
  [[nodiscard]] Result<BufferRequirements> asked(std::size_t i) const {
    const auto context = defer(i);
    if (!context) return fail(context.error());
    return context->requirements();
  }
  /// What a context needs, by the metadata of its binary: 0 for what that does not tell, an error
  /// if it has to.
  [[nodiscard]] Result<BufferRequirements> told(std::size_t i, bool must_be_known) const {
    auto memory = read_metadata(backend_, sources_[i]);
    if (!memory) return fail(std::move(memory).error());
    if (must_be_known && (!memory->weights.value || !memory->spill_fill.value))
      return fail(Error::make(Errc::no_metadata, "surveying", name(i),
                              "the binary does not tell what it takes of the budget"));
    return BufferRequirements{memory->weights.or_zero(), memory->spill_fill.or_zero(), 1};
  }
  /// Success if a context needs no more of something than was known of it.
  [[nodiscard]] Result<void> expect_at_most(const char* what, std::size_t i, std::uint64_t needs,
                                            std::uint64_t known) const {
    if (needs <= known) return {};
    Error error = Error::mismatch(Errc::stale, "loading a context", name(i), needs, known);
    error.detail = "needs " + std::to_string(needs) + " bytes of " + what + ", not " +
                   std::to_string(known) + " as when the residency was made";
    return fail(std::move(error));
  }

  [[nodiscard]] Result<Context<Finalized>> load_somehow(std::size_t i, MemRegion<Weights> weights) {
    if (!shares()) return restore(i);
    auto context = load_shared(i, std::move(weights));
    if (context) confirmed_ = true;
    if (context || confirmed_ || !refusals_.include(context.error())) return context;
    sharing_ = SpillFillSharing::none;
    spill_fill_ = {};
    return restore(i);
  }

  /// The steps of bring_up_shared() for one context.
  struct SharedSteps {
    const ContextLoader& loader;
    std::size_t i;
    MemRegion<Weights> weights;

    [[nodiscard]] Result<Context<Queried>> create() const {
      auto queried = loader.defer(i);
      if (!queried) return queried;
      const BufferRequirements& need = queried->requirements();
      for (const auto& fits :
           {loader.expect_at_most("weights", i, need.weights_bytes, loader.needs_[i].weights_bytes),
            loader.expect_at_most("spill-fill", i, need.spill_fill_bytes,
                                  loader.spill_fill_bytes())})
        if (!fits) return fail(fits.error());
      return queried;
    }
    [[nodiscard]] Result<MemRegion<Weights>> allocate(const BufferRequirements& need) {
      if (weights) return std::move(weights);
      return loader.allocate_weights_(need.weights_bytes);
    }
    [[nodiscard]] Result<void> finalizing() const { return {}; }
  };
  [[nodiscard]] Result<Context<Finalized>> load_shared(std::size_t i, MemRegion<Weights> weights) {
    SharedSteps steps{*this, i, std::move(weights)};
    return bring_up_shared(steps, spill_fill_, true, WeightsChoice::automatic,
                           qnnpp::detail::Access::block(backend_)->external_weights);
  }

  [[nodiscard]] Result<Context<Finalized>> restore(std::size_t i) {
    auto binary = sources_[i].open();
    if (!binary) return fail(std::move(binary).error());
    RestoreOptions options;
    options.priority = priority_;
    options.enabled_graphs = sources_[i].enabled_graphs;
    return Context<Finalized>::restore(backend_, std::move(*binary), options);
  }

  Backend<Htp> backend_;
  std::vector<BinarySource> sources_;
  c_api::Priority priority_;
  Refusals refusals_;
  std::function<Result<MemRegion<Weights>>(std::uint64_t)> allocate_weights_;
  std::function<Result<SharedSpillFill>(const BufferRequirements&)> allocate_spill_fill_;
  std::vector<BufferRequirements> needs_;
  SharedSpillFill spill_fill_;
  SpillFillSharing sharing_ = SpillFillSharing::external_buffer;
  /// A context with external buffers was loaded.
  bool confirmed_ = false;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
