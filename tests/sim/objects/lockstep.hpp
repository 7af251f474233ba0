// Makes parallel executions alternate node by node. Their effect on shared memory is then the same
// in every run, so a test detects a missing lock reliably.
#pragma once

#include "qnnpp/platform.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <vector>

namespace qnnpp::sim {

/// Turns of the parallel executions. Thread-safe.
class Lockstep {
 public:
  /// Joins, then waits until `meet` executions have joined or `timeout` has passed.
  void enter(std::uint64_t execution, std::uint32_t meet, std::chrono::milliseconds timeout) {
    std::unique_lock lock{mutex_};
    members_.push_back(execution);
    changed_.notify_all();
    changed_.wait_for(lock, timeout, [&] { return members_.size() >= meet; });
  }

  /// Passes the turn on and waits for its own turn, or until `timeout` has passed.
  void step(std::uint64_t execution, std::chrono::milliseconds timeout) {
    std::unique_lock lock{mutex_};
    if (started_with(execution)) pass_turn(execution);
    changed_.wait_for(lock, timeout, [&] { return holder() == execution; });
    holder_ = execution;
    changed_.notify_all();
  }

  void leave(std::uint64_t execution) {
    const std::lock_guard lock{mutex_};
    if (holder_ == execution) pass_turn(execution);
    std::erase(members_, execution);
    if (holder_ == execution) holder_ = 0;
    changed_.notify_all();
  }

 private:
  [[nodiscard]] bool started_with(std::uint64_t execution) const { return holder_ == execution; }
  /// Returns the execution that may run: the holder, or the first member before any has started.
  [[nodiscard]] std::uint64_t holder() const {
    if (holder_ != 0) return holder_;
    return members_.empty() ? 0 : members_.front();
  }
  void pass_turn(std::uint64_t execution) {
    const auto at = std::find(members_.begin(), members_.end(), execution);
    if (at == members_.end()) return;
    const auto next = at + 1 == members_.end() ? members_.begin() : at + 1;
    holder_ = *next;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::uint64_t> members_;
  std::uint64_t holder_ = 0;
};

}  // namespace qnnpp::sim
