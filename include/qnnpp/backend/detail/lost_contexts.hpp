// LostContexts: the contexts whose numbers QNN's library must give to no other context.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/core/detail/never_destroyed.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

struct BackendBlock;
struct ContextBlock;

/// Most contexts that a process can lose. The library keeps the tensors of each, some 40 MB for a
/// network on images: together a sixth of a process domain.
inline constexpr std::size_t most_lost_contexts = 16;

/// A context whose finalize or QnnContext_free failed. The library may then mark its number for the
/// rest of the process: the next context with the number is refused external buffers (8002), but is
/// finalized, and uses those of the lost context, which may be freed by then (RES-05).
struct LostContext {
  c_api::ContextFreeFn library = nullptr;  ///< QnnContext_free of the library.
  std::uintptr_t number = 0;               ///< Its handle.
  /// Block with the external buffers. A reference, which the process keeps until it ends.
  ContextBlock* block = nullptr;
  /// Bytes that stay in use: of the weights buffer, and of tensors.
  std::uint64_t bytes = 0;
  const void* spill_fill = nullptr;  ///< Shared spill-fill buffer; null: none.
  std::uint64_t spill_fill_bytes = 0;
  /// Backend that holds the number with a context that is never finalized; null: none does.
  const BackendBlock* holder = nullptr;
};

/// The lost contexts of the process. Thread-safe.
class LostContexts {
 public:
  [[nodiscard]] std::size_t count() const noexcept {
    return count_.load(std::memory_order_acquire);
  }
  /// Bytes that stay in use, those of a shared buffer once.
  [[nodiscard]] std::uint64_t bytes() noexcept;

  /// Adds a context, unless is_full().
  void add(const LostContext& lost) noexcept;
  /// Removes the context of `block`, and returns its reference.
  [[nodiscard]] ContextBlock* remove(const ContextBlock& block) noexcept;
  [[nodiscard]] bool contains(const ContextBlock& block) noexcept;
  /// Returns a context of a library whose number is from `first` to `last`, and held by no backend;
  /// null if there is none.
  [[nodiscard]] ContextBlock* find(c_api::ContextFreeFn library, std::uintptr_t first = 0,
                                   std::uintptr_t last = UINTPTR_MAX) noexcept;
  /// Makes `holder` hold the number of `block`.
  void hold(const ContextBlock& block, const BackendBlock& holder) noexcept;
  /// Frees the contexts with which a backend holds numbers.
  void let_go(const BackendBlock& holder) noexcept;

 private:
  /// Returns the place of `block`, which is a lost context or null: then the end.
  [[nodiscard]] LostContext* place_of(const ContextBlock* block) noexcept;

  std::mutex mutex_;
  std::array<LostContext, most_lost_contexts + 1> lost_ = {};  // the last one is empty
  std::atomic<std::size_t> count_{0};
};

inline constinit NeverDestroyed<LostContexts> lost_contexts;

/// Says in an error what the lost contexts keep, unless it says so.
void say_what_is_lost(Error& error);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/lost_contexts.ipp"
#endif
