// ProcessWide: an object that exists once in the process, however many copies of qnnpp it has.
#pragma once

#include "qnnpp/config.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <new>

#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// The objects that all copies share, by their places in the registry. Grows only at its end.
enum class SharedObject : std::uint8_t {
  error_lines,
  lost_contexts,
  spill_fill_memories,
  endless_waits,
  weights_in_use,
};

/// The shared objects of the process. Each shared library of a program may have its own copy of
/// qnnpp, even of another version, with its own static variables: what must exist once is here.
///
/// The first copy makes the registry, and publishes it by a page of a memory file, whose name the
/// others find in /proc/self/maps. It is never freed.
struct ProcessRegistry {
  /// Number of the layout of this class and of all to which it leads. Any change takes a new
  /// number, except another object at the end. It does not follow qnnpp's version.
  static constexpr std::uint32_t layout_number = 1;
  /// Name of the memory file.
  static constexpr char name[] = "qnnpp-registry";

  /// What the page holds.
  struct Page {
    std::atomic<ProcessRegistry*> registry{nullptr};
    std::uint32_t layout = layout_number;
  };

  /// Finds or makes the registry, unless this copy has done so. `step` needs it. Errors:
  /// `file_unreadable` if /proc is not mounted; `allocation_failed`; `version_unsupported` if a
  /// copy of another layout made it.
  [[nodiscard]] static Result<void> open(const char* step);
  /// Returns the registry. Requires that open() succeeds (contract).
  [[nodiscard]] static ProcessRegistry& get() noexcept;

  /// Makes an object at a place, unless it exists.
  template <class T>
  [[nodiscard]] T* object(SharedObject place) noexcept {
    const std::lock_guard guard(mutex);
    void*& at = objects[static_cast<std::size_t>(place)];
    if (at == nullptr) {
      static_assert(sizeof(T) <= sizeof(room) / 2 && alignof(T) <= alignof(std::max_align_t));
      at = new (room.data() + used) T();
      used += (sizeof(T) + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) *
              alignof(std::max_align_t);
    }
    return static_cast<T*>(at);
  }

  std::mutex mutex;  ///< Guards the members below.
  std::array<void*, 64> objects = {};
  std::size_t used = 0;  ///< Bytes of `room`.
  /// Memory of the objects, so that making one cannot fail.
  alignas(std::max_align_t) std::array<std::byte, 65536> room;

 private:
  [[nodiscard]] static Result<void> find(const char* step);
};

/// The registry, once this copy of qnnpp has found it.
inline constinit std::atomic<ProcessRegistry*> process_registry{nullptr};

inline Result<void> ProcessRegistry::open(const char* step) {
  if (process_registry.load(std::memory_order_acquire) != nullptr) [[likely]]
    return {};
  return find(step);
}

/// One shared object. The first access in the process makes it, and nothing destroys it: QNN's
/// threads and older objects of the program may use it until the process ends.
///
/// T consists of numbers, pointers, atomics, and std::mutex or std::condition_variable, which are
/// those of the C library in every C++ library. Its layout is part of
/// ProcessRegistry::layout_number.
template <class T, SharedObject place>
class ProcessWide {
 public:
  [[nodiscard]] T* operator->() noexcept {
    T* const found = found_.load(std::memory_order_acquire);
    return found != nullptr ? found : find();
  }
  [[nodiscard]] T& operator*() noexcept { return *operator->(); }

 private:
  [[gnu::cold, gnu::noinline]] T* find() noexcept {
    T* const found = ProcessRegistry::get().object<T>(place);
    found_.store(found, std::memory_order_release);
    return found;
  }

  std::atomic<T*> found_{nullptr};
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/process_wide.ipp"
#endif
