// Prefetcher: a thread that works ahead whenever it is told that something has changed.
#pragma once

#include "qnnpp/config.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Runs `step` until it finds nothing to do, each time it is woken. The destructor waits for the
/// step that is under way.
class Prefetcher {
 public:
  /// `step` does one thing at a time; false: there was nothing to do.
  explicit Prefetcher(std::function<bool()> step)
      : step_(std::move(step)), thread_([this] { run(); }) {}
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;
  ~Prefetcher() {
    {
      const std::scoped_lock held(mutex_);
      stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }

  /// Something has changed.
  void wake() {
    {
      const std::scoped_lock held(mutex_);
      ++changes_;
    }
    changed_.notify_all();
  }
  /// Waits until there is nothing to do after all changes so far.
  void settle() {
    std::unique_lock held(mutex_);
    const std::uint64_t until = changes_;
    changed_.wait(held, [&] { return settled_ >= until; });
  }

 private:
  void run() {
    std::unique_lock held(mutex_);
    for (;;) {
      changed_.wait(held, [&] { return stopping_ || settled_ != changes_; });
      if (stopping_) return;
      const std::uint64_t seen = changes_;
      held.unlock();
      const bool worked = step_();
      held.lock();
      if (worked) continue;
      settled_ = seen;
      changed_.notify_all();
    }
  }

  std::function<bool()> step_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t changes_ = 0;
  std::uint64_t settled_ = 0;
  bool stopping_ = false;
  /// The last member: it runs from here on.
  std::thread thread_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
