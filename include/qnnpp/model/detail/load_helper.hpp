// LoadHelper: the thread that prepares the next contexts of one load while QNN works on another.
#pragma once

#include "qnnpp/config.hpp"

#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/core/result.hpp"
#include "qnnpp/core/states.hpp"
#include "qnnpp/memory/detail/allocator_ref.hpp"
#include "qnnpp/memory/mem_region.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// What is prepared for a context before its load begins.
struct Preparation {
  /// Size and alignment of the weights buffer to allocate; 0 bytes: none.
  BufferRequirements need = {};
  /// Bytes of the binary, whose pages are read. They stay valid until take() or stop().
  std::span<const std::byte> bytes = {};

  [[nodiscard]] bool is_empty() const noexcept { return need.weights_bytes == 0 && bytes.empty(); }
};

/// What was prepared for a context: a weights buffer, or why there is none.
struct Prepared {
  /// Size and alignment that the allocator was asked for; 0 bytes if it was not asked.
  BufferRequirements need = {};
  MemRegion<Weights> weights = {};
  /// Error of the allocation.
  std::optional<Error> error = {};
  /// What the allocator has thrown.
  std::exception_ptr thrown = {};

  /// Whether the allocator was asked for a buffer for these needs.
  [[nodiscard]] bool is_for(const BufferRequirements& wanted) const noexcept {
    return need.weights_bytes != 0 && need.weights_bytes == wanted.weights_bytes &&
           need.start_alignment == wanted.start_alignment;
  }
};

/// Prepares the contexts of one load in their order, `ahead` of the one that QNN works on, on a
/// thread that starts with the first preparation and ends after the last. It calls only the
/// allocator and the kernel, with all signals blocked. If the system gives no thread, nothing is
/// prepared.
///
/// An object without contexts prepares nothing. Its other functions belong to the loading thread.
class LoadHelper {
 public:
  LoadHelper() noexcept = default;
  /// `order`: the contexts in the order of their loads.
  LoadHelper(const qnnpp::detail::AllocatorRef& allocator, std::vector<std::size_t> order,
             std::size_t ahead)
      : shared_(std::make_unique<Shared>(allocator, std::move(order), ahead)) {}
  LoadHelper(LoadHelper&&) noexcept = default;
  LoadHelper& operator=(LoadHelper&& other) noexcept {
    stop();
    shared_ = std::move(other.shared_);
    return *this;
  }
  ~LoadHelper() { stop(); }

  /// Begins the load of context `i`, and returns what was prepared for it: waits for its buffer,
  /// and stops reading its binary. Nothing at a second call for the same context.
  [[nodiscard]] Prepared take(std::size_t i);

  /// Returns the next context to prepare, while fewer than `ahead` are prepared beyond the one of
  /// the last take().
  [[nodiscard]] std::optional<std::size_t> next() const noexcept;
  /// Lets the thread prepare the context that next() returned.
  void prepare(const Preparation& what);

  /// Ends the thread, and frees what nobody has taken. Nothing is prepared any more.
  void stop() noexcept;

 private:
  struct Slot {
    Preparation what;
    Prepared made;
  };

  /// State that both threads use. Contexts are counted in the order of their loads.
  struct Shared {
    Shared(const qnnpp::detail::AllocatorRef& from, std::vector<std::size_t> all, std::size_t most)
        : allocator(from),
          order(std::move(all)),
          ahead(std::min(most, order.size())),
          slots(std::max<std::size_t>(ahead, 1)) {}

    [[nodiscard]] Slot& slot(std::size_t number) noexcept { return slots[number % slots.size()]; }
    void run() noexcept;
    void work(Slot& slot, std::size_t number) noexcept;

    const qnnpp::detail::AllocatorRef allocator;
    const std::vector<std::size_t> order;
    const std::size_t ahead;
    /// Slots of the contexts from `begun` to `given`.
    std::vector<Slot> slots;
    std::mutex mutex;
    std::condition_variable changed;
    /// Number of contexts whose load has begun: their pages need not be read any more.
    std::atomic<std::size_t> begun = 0;
    /// Index of the last of them.
    std::size_t last = SIZE_MAX;
    /// Numbers of contexts that were given to the thread, and that it has prepared. The first
    /// context is not prepared: its load begins at once.
    std::size_t given = 1;
    std::size_t done = 1;
    bool is_over = false;
    bool is_running = false;
    pthread_t thread{};
  };

  [[nodiscard]] bool start();

  std::unique_ptr<Shared> shared_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/load_helper.ipp"
#endif
