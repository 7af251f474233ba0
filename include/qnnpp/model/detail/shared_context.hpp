// bring_up_shared(): one context over the spill-fill buffer of all, with external weights if the
// platform maps them.
#pragma once

#include <string_view>
#include <utility>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/backend/external_weights.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/detail/try_again.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/capacity.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Whether contexts get weights buffers of the application.
enum class WeightsChoice : bool {
  as_asked,   ///< As the caller says; a refusal is an error.
  automatic,  ///< Unless the backend has refused them, or refuses them now (EXT-08).
};

/// Whether an error of a context with external weights can mean that the platform maps none:
/// QnnContext_finalize returned 1002, which also means "no room".
[[nodiscard]] inline bool may_refuse_weights(const Error& error) noexcept {
  return error.kind == Errc::qnn && error.code == code_of(c_api::CommonError::mem_alloc) &&
         std::string_view(error.step) == qnnpp::detail::finalization;
}

/// Registers and finalizes a context. `Steps` has
///
///     Result<Context<Queried>> create();   // deferred, and asked for its needs
///     Result<MemRegion<Weights>> allocate(const BufferRequirements&);
///     Result<void> finalizing();           // called before QnnContext_finalize
///
/// and `create()` is called once for each try, as finalize has one (ORD-13). Tries that return
/// UNDEFINED are repeated, at most twice (RES-03). If no external weights were finalized so far and
/// these may be refused, the context is made again without them; `record` keeps what that shows.
///
/// Errors: those of the steps, of register_buffers() and of finalize(); if both tries find no room,
/// the first one's.
template <class Steps>
[[nodiscard]] Result<Context<Finalized>> bring_up_shared(
    Steps& steps, const SharedSpillFill& spill_fill, bool external_weights, WeightsChoice choice,
    qnnpp::detail::ExternalWeightsRecord& record) {
  const auto once = [&](bool with_weights) -> Result<Context<Finalized>> {
    auto queried = steps.create();
    if (!queried) return fail(std::move(queried).error());
    MemRegion<Weights> weights;
    if (with_weights) {
      auto allocated = steps.allocate(queried->requirements());
      if (!allocated) return fail(std::move(allocated).error());
      weights = std::move(*allocated);
    }
    auto registered = std::move(*queried).register_buffers(
        {.weights = std::move(weights), .spill_fill = spill_fill});
    if (!registered) return fail(std::move(registered).error());
    if (auto go = steps.finalizing(); !go) return fail(std::move(go).error());
    return std::move(*registered).finalize();
  };
  const bool is_automatic = choice == WeightsChoice::automatic;
  const bool with_weights =
      external_weights && !(is_automatic && record.get() == ExternalWeights::refused);
  const auto bring_up = [&](bool with) {
    return qnnpp::detail::try_again(qnnpp::detail::finalization, [&] { return once(with); });
  };
  auto context = bring_up(with_weights);
  if (context || !with_weights || !is_automatic || record.get() != ExternalWeights::untried ||
      !may_refuse_weights(context.error()))
    return context;
  auto without = bring_up(false);
  if (without)
    record.refuse();
  else if (Capacity::is_exceeded(without.error()))
    return context;
  return without;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
