// Definitions of lost_context.hpp.
#pragma once

#include "qnnpp/context/detail/lost_context.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/context/external_buffers.hpp"
#include "qnnpp/core/detail/access.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

[[nodiscard]] inline std::uintptr_t number_of(c_api::ContextHandle context) noexcept {
  return reinterpret_cast<std::uintptr_t>(context);
}

/// Makes deferred contexts, which get the lowest free numbers, and holds those of lost contexts
/// with them. Requires the mutex BackendBlock::setup.
struct NumberHolder {
  const ContextBlock& block;
  c_api::ContextCreateFromBinaryFn create;
  c_api::ContextFreeFn free;
  std::vector<Ref<ContextBlock>> not_lost = {};  ///< Blocks that hold() has found not to be lost.

  [[nodiscard]] QNNPP_COLD Result<void> make(c_api::ContextHandle& made) const {
    c_api::ContextConfig deferred;
    deferred.option = c_api::ContextConfigOption::defer_graph_init;
    deferred.is_graph_init_deferred = 1;
    const c_api::ContextConfig* configs[] = {&deferred, nullptr};
    const auto bytes = block.binary->bytes();
    made = nullptr;
    QNNPP_TRY(block.check_whole());
    auto done = block.call(creation, block.name, create, block.backend->backend.get().handle,
                           block.backend->device.get().handle, configs, bytes.data(), bytes.size(),
                           &made, nullptr);
    if (!done && made != nullptr && !block.ends_with_backend()) drop(made);
    return done;
  }
  QNNPP_COLD void drop(c_api::ContextHandle context) const noexcept {
    (void)block.epoch.release([&] { return free(context, nullptr); });
  }

  /// Whether QNN refuses a context the buffers of a lost one that had its number.
  [[nodiscard]] QNNPP_COLD bool is_marked(c_api::ContextHandle context,
                                          const ContextBlock& lost) const {
    const auto reg = block.provider().find<&c_api::InterfaceTable::mem_register>();
    const auto dereg = block.provider().find<&c_api::InterfaceTable::mem_de_register>();
    if (!reg || !dereg) return true;
    ExternalDescriptor custom;
    c_api::MemDescriptor descriptor;
    if (lost.weights) {
      custom.describe(c_api::HtpMemType::weights_buffer, *Access::block(lost.weights),
                      lost.weights.offset_bytes(), descriptor);
    } else {
      const MemRegion<SpillFill>& region = Access::block(lost.spill_fill)->region;
      custom.describe(c_api::HtpMemType::shared_spillfill_buffer, *Access::block(region),
                      region.offset_bytes(), descriptor);
    }
    c_api::MemHandle handle = nullptr;
    const auto done = block.call(name_of(c_api::Slot::mem_register), block.name, *reg, context,
                                 &descriptor, 1, &handle);
    if (!done) return true;
    (void)block.epoch.release([&] { return (*dereg)(&handle, 1); });
    return false;
  }

  /// Makes `made` hold its number, if that is marked.
  [[nodiscard]] QNNPP_COLD bool hold(c_api::ContextHandle made) {
    ContextBlock* const lost = lost_contexts->find(free, number_of(made), number_of(made));
    if (lost == nullptr) return false;
    if (!is_marked(made, *lost)) return remove(*lost), false;
    lost_contexts->hold(*lost, *block.backend);
    return true;
  }
  void remove(const ContextBlock& lost) {
    not_lost.push_back(Ref<ContextBlock>::adopt(lost_contexts->remove(lost)));
    not_lost.back()->not_freed = nullptr;
  }
};

/// Frees `freed`, unless it is null. Then holds numbers of lost contexts until the next `count`
/// contexts get others.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE Result<void> hold_numbers(const ContextBlock& block,
                                                                std::size_t count,
                                                                c_api::ContextHandle freed) {
  QNNPP_LET(create, block.provider().find<&c_api::InterfaceTable::context_create_from_binary>());
  QNNPP_LET(free, block.provider().find<&c_api::InterfaceTable::context_free>());
  NumberHolder holder{block, *create, *free};
  const std::lock_guard guard(block.backend->setup);
  if (freed != nullptr) holder.drop(freed);
  std::vector<c_api::ContextHandle> others;
  others.reserve(count);
  Result<void> done;
  c_api::ContextHandle made = nullptr;
  while (others.size() < count && (done = holder.make(made)))
    if (!holder.hold(made)) others.push_back(made);
  // A library that does not give its last number again gives no number again.
  if (done && lost_contexts->find(*free, 0, number_of(made)) != nullptr) {
    holder.drop(others.back());
    others.pop_back();
    c_api::ContextHandle again = nullptr;
    done = holder.make(again);
    if (done) others.push_back(again);
    if (done && again != made)
      while (const ContextBlock* const lost = lost_contexts->find(*free, 0, number_of(made)))
        holder.remove(*lost);
  }
  for (const c_api::ContextHandle other : others) holder.drop(other);
  return done;
}

QNNPP_COLD QNNPP_INLINE Result<void> hold_lost_numbers(const ContextBlock& block,
                                                       std::size_t count) {
  QNNPP_LET(free, block.provider().find<&c_api::InterfaceTable::context_free>());
  if (lost_contexts->find(*free) != nullptr) QNNPP_TRY(hold_numbers(block, count, nullptr));
  if (lost_contexts->count() < most_lost_contexts) return {};
  return fail(Errc::dead, creation, block.name,
              {"failed calls have lost ", most_lost_contexts,
               " contexts with their memory; reload the process"});
}

QNNPP_COLD QNNPP_INLINE void end_failed_finalize(Ref<ContextBlock> block, Error& error) {
  if (error.kind != Errc::qnn || is_undefined(error)) return;
  if (!block->weights && !block->spill_fill) return;
  const auto maker = Ref<ContextBlock>::make(block->backend, block->name);
  maker->binary = std::move(block->binary);
  (void)block->give_external_buffers_back();
  const ContextPolicy::Value context = block->context.release();
  ContextBlock& lost = *block.release();
  lost.keep_until_exit(context.free, context.handle);
  (void)hold_numbers(*maker, 1, context.handle);
  if (lost_contexts->contains(lost)) say_what_is_lost(error);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
