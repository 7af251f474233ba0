// bring_up_shared(): one context over the spill-fill buffer of all, with external weights if the
// platform maps them; and which errors say that a way of sharing is not to be had.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "qnnpp/backend/external_weights.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// What makes automatic sharing go on to the next way. Anything else, such as no room (1002), a bad
/// binary or a cancellation, is the caller's to know.
///
/// The codes are those of the host libraries 2.43.1 and 2.45.0: 1000 for a feature that is excluded
/// or not there, in creation, QnnContext_getProperty or QnnContext_finalize; 5010 for an option
/// that is unknown or excluded, in creation or QnnContext_finalize; 8001 for a type of memory that
/// QnnMem_register does not know. 8005 is what the API names for the last. Not 8000, which is a
/// wrong size first of all.
class Refusals {
 public:
  /// `more`: further codes that mean the same on some backend.
  explicit Refusals(std::vector<std::uint16_t> more = {}) : more_(std::move(more)) {}

  [[nodiscard]] bool include(const Error& error) const noexcept;

 private:
  std::vector<std::uint16_t> more_;
};

/// Whether contexts get weights buffers of the application.
enum class WeightsChoice : bool {
  as_asked,   ///< As the caller says; a refusal is an error.
  automatic,  ///< Unless the backend has refused them, or refuses them now (EXT-08).
};

/// Whether an error of a context with external weights can mean that the platform maps none:
/// QnnContext_finalize returned 1002, which also means "no room".
[[nodiscard]] bool may_refuse_weights(const Error& error) noexcept;

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
  else if (qnnpp::detail::is_exhausted(without.error()))
    return context;
  return without;
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/bring_up.ipp"
#endif
