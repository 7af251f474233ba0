// LostContexts: the contexts whose numbers QNN's library must give to no other context.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/core/detail/process_wide.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Most contexts that a process can lose. The library keeps the tensors of each, some 40 MB for a
/// network on images: together a sixth of a process domain.
inline constexpr std::size_t most_lost_contexts = 16;

/// Returns the number of a context: a handle of the HTP library.
[[nodiscard]] inline std::uintptr_t number_of(c_api::ContextHandle context) noexcept {
  return reinterpret_cast<std::uintptr_t>(context);
}

/// A context whose finalize or QnnContext_free failed. The library may then mark its number for the
/// rest of the process: the next context with the number is refused external buffers (8002), but is
/// finalized, and uses those of the lost context, which may be freed by then (RES-05).
///
/// Any copy of qnnpp may read it: its layout is fixed, see ProcessWide.
struct LostContext {
  c_api::ContextFreeFn library = nullptr;  ///< QnnContext_free of the library.
  std::uintptr_t number = 0;               ///< Its handle.
  /// Block with the external buffers. A reference, which the process keeps until it ends.
  void* block = nullptr;
  void (*drop)(void* block) noexcept = nullptr;  ///< Drops the reference.
  /// One of the external buffers.
  c_api::HtpMemType buffer = c_api::HtpMemType::weights_buffer;
  std::int32_t fd = -1;
  std::uint64_t buffer_bytes = 0;
  std::uint64_t offset_bytes = 0;
  /// Bytes that stay in use: of the weights buffer, and of tensors.
  std::uint64_t bytes = 0;
  const void* spill_fill = nullptr;  ///< Shared spill-fill buffer; null: none.
  std::uint64_t spill_fill_bytes = 0;
  /// Backend that holds the number with a context that is never finalized; null: none does.
  const void* holder = nullptr;
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
  /// Removes a context. The caller drops its reference.
  void remove(const LostContext& lost) noexcept;
  /// Returns a context of a library whose number is from `first` to `last`, and held by no backend;
  /// one without block if there is none.
  [[nodiscard]] LostContext find(c_api::ContextFreeFn library, std::uintptr_t first = 0,
                                 std::uintptr_t last = UINTPTR_MAX) noexcept;
  /// Makes `holder`, a backend, hold the number of a context.
  void hold(const LostContext& lost, const void* holder) noexcept;
  /// Frees the contexts with which a backend holds numbers.
  void let_go(const void* holder) noexcept;

 private:
  /// Returns the place of `block`, which is that of a lost context or null: then the end.
  [[nodiscard]] LostContext* place_of(const void* block) noexcept;

  std::mutex mutex_;
  std::array<LostContext, most_lost_contexts + 1> lost_ = {};  // the last one is empty
  std::atomic<std::size_t> count_{0};
};

inline constinit ProcessWide<LostContexts, SharedObject::lost_contexts> lost_contexts;

/// Says in an error what the lost contexts keep, unless it says so.
void say_what_is_lost(Error& error);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/lost_contexts.ipp"
#endif
