// bring_up_shared(): finalizes one context over the shared spill-fill buffer, with external weights
// if the platform maps them. Refusals: the errors by which a backend refuses a way of sharing.
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

/// Errors after which automatic sharing tries the next way. Other errors, such as no room (1002), a
/// bad binary or a cancellation, are returned to the caller.
///
/// The host libraries 2.43.1 and 2.45.0 return these codes:
/// - 1000: an excluded or missing feature, from creation, QnnContext_getProperty and
///   QnnContext_finalize.
/// - 5010: an unknown or excluded option, from creation and QnnContext_finalize.
/// - 8001: an unknown memory type, from QnnMem_register. The API documents 8005 for it, which is
///   accepted too.
///
/// 8000 is not included, because it usually reports a wrong size.
class Refusals {
 public:
  /// `more`: additional codes with the same meaning on some backend.
  explicit Refusals(std::vector<std::uint16_t> more = {}) : more_(std::move(more)) {}

  /// Whether the error refuses a way of sharing.
  [[nodiscard]] bool include(const Error& error) const noexcept;

 private:
  std::vector<std::uint16_t> more_;
};

/// How bring_up_shared() treats a refusal of external weights.
enum class WeightsChoice : bool {
  as_asked,   ///< Returns it as an error.
  automatic,  ///< Leaves the weights to QNN, now and in later loads (EXT-08).
};

/// Whether an error can mean that the platform does not map external weights: QnnContext_finalize
/// returned 1002, which also means "no room".
[[nodiscard]] bool may_refuse_weights(const Error& error) noexcept;

/// Creates, registers and finalizes a context. `Steps` has these functions:
///
///     Result<Context<Queried>> create();   // creates a deferred context and queries its needs
///     Result<MemRegion<Weights>> allocate(const BufferRequirements&);
///     Result<Context<Finalized>> finalize(Context<Registered>);
///
/// Each try calls `create()`, because a context can be finalized only once (ORD-13). A try that
/// returns UNDEFINED is repeated, at most twice (RES-03). If the error may refuse external weights,
/// and no context was finalized with them so far, the context is created again without them.
/// `record` stores the result.
///
/// Returns the errors of the steps, of register_buffers() and of finalize(). If the try without
/// external weights finds no room either, returns the error of the first try.
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
    return steps.finalize(std::move(*registered));
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
