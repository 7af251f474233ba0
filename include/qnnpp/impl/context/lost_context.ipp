// Definitions of lost_context.hpp.
#pragma once

#include "qnnpp/context/detail/lost_context.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/context/detail/external_descriptor.hpp"
#include "qnnpp/core/detail/access.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Contexts that are not lost after all. Dropped without the mutexes that find them.
struct NotLost {
  NotLost() noexcept = default;
  NotLost(const NotLost&) = delete;
  NotLost& operator=(const NotLost&) = delete;
  ~NotLost() {
    for (const LostContext& each : contexts)
      if (each.block != nullptr) each.drop(each.block);
  }

  std::array<LostContext, most_lost_contexts> contexts = {};
  std::size_t count = 0;
};

/// Makes deferred contexts, which get the lowest free numbers, and holds those of lost contexts
/// with them. Requires the mutex BackendBlock::setup. Allocates nothing.
struct NumberHolder {
  const ContextBlock& block;
  c_api::ContextCreateFromBinaryFn create;
  c_api::ContextFreeFn free;
  NotLost& not_lost;
  std::uint64_t native = 0;  ///< Value of the last creation.

  [[nodiscard]] [[gnu::cold, gnu::noinline]] bool make(c_api::ContextHandle& made) noexcept {
    c_api::ContextConfig deferred;
    deferred.option = c_api::ContextConfigOption::defer_graph_init;
    deferred.is_graph_init_deferred = 1;
    const c_api::ContextConfig* configs[] = {&deferred, nullptr};
    const auto bytes = block.binary->bytes();
    const std::uint64_t contexts = block.epoch.contexts_created();
    made = nullptr;
    native = create(block.backend->backend.get().handle, block.backend->device.get().handle,
                    configs, bytes.data(), bytes.size(), &made, nullptr);
    block.epoch.record(native, contexts);
    if (is_success(native)) return true;
    if (made != nullptr && !block.ends_with_backend()) drop(made);
    return false;
  }
  [[gnu::cold, gnu::noinline]] void drop(c_api::ContextHandle context) const noexcept {
    (void)block.epoch.release([&] { return free(context, nullptr); });
  }

  /// Whether QNN refuses a context the buffers of a lost one that had its number.
  [[nodiscard]] [[gnu::cold, gnu::noinline]] bool is_marked(
      c_api::ContextHandle context, const LostContext& lost) const noexcept {
    const auto reg = block.provider().find<&c_api::InterfaceTable::mem_register>();
    const auto dereg = block.provider().find<&c_api::InterfaceTable::mem_de_register>();
    if (!reg || !dereg) return true;
    ExternalDescriptor custom;
    c_api::MemDescriptor descriptor;
    custom.describe(lost.buffer, lost.fd, lost.buffer_bytes, lost.offset_bytes, descriptor);
    c_api::MemHandle handle = nullptr;
    const std::uint64_t contexts = block.epoch.contexts_created();
    const std::uint64_t refused = (*reg)(context, &descriptor, 1, &handle);
    block.epoch.record(refused, contexts);
    if (!is_success(refused)) return true;
    (void)block.epoch.release([&] { return (*dereg)(&handle, 1); });
    return false;
  }

  /// Makes `made` hold its number, if that is marked.
  [[nodiscard]] [[gnu::cold, gnu::noinline]] bool hold(c_api::ContextHandle made) noexcept {
    const LostContext lost = lost_contexts->find(free, number_of(made), number_of(made));
    if (lost.block == nullptr) return false;
    if (!is_marked(made, lost)) return remove(lost), false;
    lost_contexts->hold(lost, block.backend.get());
    return true;
  }
  [[gnu::cold, gnu::noinline]] void remove(const LostContext& lost) noexcept {
    lost_contexts->remove(lost);
    not_lost.contexts[not_lost.count++] = lost;
  }

  /// Holds numbers until as many contexts as `others` has places get others.
  [[gnu::cold, gnu::noinline]] void hold_all(std::span<c_api::ContextHandle> others) noexcept {
    c_api::ContextHandle made = nullptr;
    std::size_t count = 0;
    while (count < others.size() && make(made))
      if (!hold(made)) others[count++] = made;
    // A library that does not give its last number again gives no number again.
    if (count == others.size() && lost_contexts->find(free, 0, number_of(made)).block != nullptr) {
      drop(others[--count]);
      c_api::ContextHandle again = nullptr;
      if (make(again)) {
        others[count++] = again;
        if (again != made)
          for (LostContext lost; (lost = lost_contexts->find(free, 0, number_of(made))).block;)
            remove(lost);
      }
    }
    while (count > 0) drop(others[--count]);
  }
};

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<void> hold_lost_numbers(const ContextBlock& block,
                                                                         std::size_t count) {
  constexpr const char* step = name_of(c_api::Slot::context_create_from_binary);
  QNNPP_LET(create, block.provider().find<&c_api::InterfaceTable::context_create_from_binary>());
  QNNPP_LET(free, block.provider().find<&c_api::InterfaceTable::context_free>());
  if (lost_contexts->find(*free).block != nullptr) {
    QNNPP_TRY(block.check_whole());
    std::vector<c_api::ContextHandle> others(count);
    NotLost not_lost;
    const std::uint64_t logged = error_lines->count();
    const std::lock_guard guard(block.backend->setup);
    NumberHolder holder{block, *create, *free, not_lost};
    holder.hold_all(others);
    QNNPP_TRY(with_log(check(holder.native, step, block.name), logged));
  }
  if (lost_contexts->count() < most_lost_contexts) return {};
  return fail(Errc::dead, step, block.name,
              {"failed calls have lost ", most_lost_contexts,
               " contexts with their memory; reload the process"});
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void ContextBlock::end_failed_finalize() noexcept {
  const auto create = provider().find<&c_api::InterfaceTable::context_create_from_binary>();
  NotLost not_lost;
  const Ref<BackendBlock> parent = backend;
  const ContextPolicy::Value owned = context.release();
  add_to_lost(owned.free, owned.handle);
  c_api::ContextHandle other = nullptr;
  const std::lock_guard guard(parent->setup);
  NumberHolder holder{*this, *create, owned.free, not_lost};
  holder.drop(owned.handle);
  if (check_whole()) holder.hold_all({&other, 1});
  forget_backend();
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
