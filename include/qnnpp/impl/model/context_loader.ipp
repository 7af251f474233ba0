// Definitions of context_loader.hpp.
#pragma once

#include "qnnpp/model/detail/context_loader.hpp"

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/detail/bring_up.hpp"
#include "qnnpp/model/detail/room.hpp"
#include "qnnpp/model/survey.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

QNNPP_INLINE Result<Context<Finalized>> ContextLoader::load(std::size_t i,
                                                            MemRegion<Weights> weights) {
  auto context = load_somehow(i, std::move(weights));
  if (!context) return fail(named(judged(std::move(context).error(), i), i));
  return context;
}

QNNPP_INLINE Result<void> ContextLoader::prepare(std::vector<BufferRequirements> needs,
                                                 std::uint64_t budget_bytes) {
  constexpr const char* step = "making a residency";
  if (sources_.empty()) return fail(Error::make(Errc::empty, step, "list of binaries"));
  if (!needs.empty() && needs.size() != sources_.size())
    return fail(Error::make(Errc::invalid_argument, step, "list of needs",
                            std::to_string(needs.size()) + " needs for " +
                                std::to_string(sources_.size()) + " binaries"));
  if (auto able = qnnpp::detail::Access::block(backend_)->require(
          c_api::PropertyKey::context_support_deferred_graph_init, "deferred graph initialisation",
          name(0));
      !able) {
    // A failed query does not mean that the capability is missing.
    if (able.error().kind == Errc::qnn) return able;
    sharing_ = SpillFillSharing::none;
  }
  alone_.assign(size(), false);
  needs_ = std::move(needs);
  if (needs_.empty())
    for (std::size_t i = 0; i < size(); ++i) {
      auto need = shares() ? asked(i) : told(i, budget_bytes != 0);
      if (!need) return fail(named(std::move(need).error(), i));
      needs_.push_back(*need);
    }
  BufferRequirements largest;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!shares(i)) continue;
    const BufferRequirements& need = needs_[i];
    largest.spill_fill_bytes = std::max(largest.spill_fill_bytes, need.spill_fill_bytes);
    largest.start_alignment = std::max(largest.start_alignment, need.start_alignment);
  }
  for (std::size_t i = 0; i < size() && budget_bytes != 0; ++i)
    if (const auto alone = sum_bytes(bytes(i), largest.spill_fill_bytes); alone > budget_bytes)
      return fail(Error::mismatch(Errc::too_large, step, name(i), alone, budget_bytes));
  if (!shares()) return {};
  auto spill_fill = allocate_spill_fill_(largest);
  if (!spill_fill)
    return fail(for_what(std::move(spill_fill).error(), "the spill-fill of the model"));
  spill_fill_ = std::move(*spill_fill);
  return {};
}

QNNPP_INLINE Error ContextLoader::judged(Error error, std::size_t i) const {
  if (!qnnpp::detail::is_refused_binary(error)) return error;
  const auto told = read_metadata(backend_, sources_[i]);
  if (told) return error;
  Error unread = told.error();
  unread.detail += (unread.detail.empty() ? "" : "; ") + std::string(error.step) + " returned 5005";
  return unread;
}

QNNPP_INLINE Result<Context<Queried>> ContextLoader::defer(std::size_t i) const {
  auto binary = sources_[i].open();
  if (!binary) return fail(std::move(binary).error());
  DeferredOptions options;
  options.priority = priority_;
  options.enabled_graphs = sources_[i].enabled_graphs;
  options.share_without_dlbc = share_without_dlbc_;
  return Context<Deferred>::create(backend_, std::move(*binary), options).and_then(step::query);
}

QNNPP_INLINE Result<void> ContextLoader::check_dlbc(std::size_t i,
                                                    const Context<Queried>& context) {
  if (context.requirements().spill_fill_bytes == 0) return {};
  auto able = qnnpp::detail::Access::block(context)->check_dlbc("sharing spill-fill");
  alone_[i] = !able;
  return able;
}

QNNPP_INLINE Result<BufferRequirements> ContextLoader::asked(std::size_t i) {
  const auto context = defer(i);
  if (!context) return fail(context.error());
  (void)check_dlbc(i, *context);
  return context->requirements();
}

QNNPP_INLINE Result<BufferRequirements> ContextLoader::told(std::size_t i,
                                                            bool must_be_known) const {
  auto memory = read_metadata(backend_, sources_[i]);
  if (!memory) return fail(std::move(memory).error());
  if (must_be_known && (!memory->weights.value || !memory->spill_fill.value))
    return fail(Error::make(
        Errc::no_metadata, "surveying", name(i),
        "its metadata lacks weights or spill-fill, which a budget requires; pass needs"));
  return BufferRequirements{memory->weights.or_zero(), memory->spill_fill.or_zero(), 1};
}

QNNPP_INLINE Result<void> ContextLoader::expect_at_most(const char* what, std::size_t i,
                                                        std::uint64_t needs,
                                                        std::uint64_t known) const {
  if (needs <= known) return {};
  Error error = Error::mismatch(Errc::stale, "loading a context", name(i), needs, known);
  error.detail = "needs " + std::to_string(needs) + " bytes of " + what + ", but " +
                 std::to_string(known) + " were known when the residency was created";
  return fail(std::move(error));
}

QNNPP_INLINE Result<Context<Finalized>> ContextLoader::load_somehow(std::size_t i,
                                                                    MemRegion<Weights> weights) {
  if (!shares(i)) return restore(i);
  auto context = load_shared(i, std::move(weights));
  if (!context && alone_[i]) return restore(i);
  if (context) confirmed_ = true;
  if (context || confirmed_ || !refusals_.include(context.error())) return context;
  sharing_ = SpillFillSharing::none;
  spill_fill_ = {};
  return restore(i);
}

struct ContextLoader::SharedSteps {
  ContextLoader& loader;
  std::size_t i;
  MemRegion<Weights> weights;

  [[nodiscard]] Result<Context<Queried>> create() {
    auto queried = loader.defer(i);
    if (!queried) return queried;
    if (auto able = loader.check_dlbc(i, *queried); !able) return fail(std::move(able).error());
    const BufferRequirements& need = queried->requirements();
    for (const auto& fits :
         {loader.expect_at_most("weights", i, need.weights_bytes, loader.needs_[i].weights_bytes),
          loader.expect_at_most("spill-fill", i, need.spill_fill_bytes, loader.spill_fill_bytes())})
      if (!fits) return fail(fits.error());
    return queried;
  }
  [[nodiscard]] Result<MemRegion<Weights>> allocate(const BufferRequirements& need) {
    if (weights) return std::move(weights);
    return loader.allocate_weights_(need);
  }
  [[nodiscard]] static Result<Context<Finalized>> finalize(Context<Registered> context) {
    return std::move(context).finalize();
  }
};

QNNPP_INLINE Result<Context<Finalized>> ContextLoader::load_shared(std::size_t i,
                                                                   MemRegion<Weights> weights) {
  SharedSteps steps{*this, i, std::move(weights)};
  return bring_up_shared(steps, spill_fill_, true, WeightsChoice::automatic,
                         qnnpp::detail::Access::block(backend_)->external_weights);
}

QNNPP_INLINE Result<Context<Finalized>> ContextLoader::restore(std::size_t i) {
  auto binary = sources_[i].open();
  if (!binary) return fail(std::move(binary).error());
  RestoreOptions options;
  options.priority = priority_;
  options.enabled_graphs = sources_[i].enabled_graphs;
  return Context<Finalized>::restore(backend_, std::move(*binary), options);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
