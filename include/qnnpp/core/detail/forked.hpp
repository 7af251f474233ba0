// Knows whether this process is a child that inherited QNN's objects by fork().
#pragma once

#include "qnnpp/config.hpp"

#include <atomic>
#include <mutex>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Set in a child by the handler of fork(); RestartLog installs it.
inline constinit std::atomic<bool> has_forked{false};

/// Whether this process was forked by one that had loaded QNN (PRC-01). QNN's objects and its
/// session with the DSP belong to the parent, so no C call may be made here.
[[nodiscard]] [[gnu::always_inline]] inline bool is_forked() noexcept {
  return has_forked.load(std::memory_order_relaxed);
}

/// A mutex that another thread of the parent may hold for ever in a forked child: there, another
/// one takes its place. What it guards is whole at any time.
class ForkableMutex {
 public:
  void lock() {
    std::mutex& chosen = is_forked() ? of_child_ : mutex_;
    chosen.lock();
    locked_ = &chosen;
  }
  [[nodiscard]] bool try_lock() {
    std::mutex& chosen = is_forked() ? of_child_ : mutex_;
    if (!chosen.try_lock()) return false;
    locked_ = &chosen;
    return true;
  }
  void unlock() noexcept { locked_->unlock(); }

 private:
  std::mutex mutex_;
  std::mutex of_child_;
  std::mutex* locked_ = nullptr;  // guarded by the mutex to which it points
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
