// Prefetcher: a thread that works ahead whenever it is told that something has changed.
#pragma once

#include "qnnpp/config.hpp"

#include <pthread.h>

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "qnnpp/core/result.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// Runs `step` until it finds nothing to do, each time it is woken. The destructor waits for the
/// step that is under way.
class Prefetcher {
 public:
  /// `step` does one thing at a time; false: there was nothing to do. No thread runs before
  /// start().
  explicit Prefetcher(std::function<bool()> step) : step_(std::move(step)) {}
  Prefetcher(const Prefetcher&) = delete;
  Prefetcher& operator=(const Prefetcher&) = delete;
  ~Prefetcher();

  /// Starts the thread. Error: `allocation_failed` with errno where the system gives none.
  [[nodiscard]] Result<void> start();

  /// Something has changed.
  void wake();
  /// Waits until there is nothing to do after all changes so far.
  void settle();

 private:
  void run();

  std::function<bool()> step_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::uint64_t changes_ = 0;
  std::uint64_t settled_ = 0;
  bool stopping_ = false;
  // A std::thread that cannot start throws; it ends the process where there are no exceptions.
  std::optional<pthread_t> thread_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/prefetcher.ipp"
#endif
