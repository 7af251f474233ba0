// Queue of one context's asynchronous executions, and the thread that runs them in order.
#pragma once

#include "qnnpp/platform.hpp"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

namespace qnnpp::sim {

/// One queued execution. The queue calls its functions without holding any lock.
class AsyncJob {
 public:
  AsyncJob() = default;
  AsyncJob(const AsyncJob&) = delete;
  AsyncJob& operator=(const AsyncJob&) = delete;
  virtual ~AsyncJob() = default;
  virtual void execute() = 0;
  /// Notifies the client. The execution is over, so the client may free the context from here on.
  virtual void notify() = 0;
};

/// Thread-safe. The caller must not hold the device's mutex, except for close() and is_busy().
class AsyncQueue {
 public:
  enum class Put : std::uint8_t { done, full, closed };

  /// Starts the thread, which ends when the queue is closed and empty.
  [[nodiscard]] static std::shared_ptr<AsyncQueue> start(std::size_t depth) {
    auto queue = std::make_shared<AsyncQueue>(depth);
    std::thread thread{[queue] { queue->work(); }};
    {
      const std::lock_guard lock{queue->mutex_};
      queue->worker_ = thread.get_id();
    }
    thread.detach();
    return queue;
  }
  explicit AsyncQueue(std::size_t depth) noexcept : depth_(depth) {}

  /// Blocks while the queue is full. Returns `full` on the queue's own thread instead, which would
  /// wait for itself. Moves `job` only if it returns `done`.
  [[nodiscard]] Put put(std::unique_ptr<AsyncJob>& job) {
    std::unique_lock lock{mutex_};
    if (jobs_.size() >= depth_ && std::this_thread::get_id() == worker_) return Put::full;
    changed_.wait(lock, [this] { return closed_ || jobs_.size() < depth_; });
    if (closed_) return Put::closed;
    jobs_.push_back(std::move(job));
    changed_.notify_all();
    return Put::done;
  }

  /// Blocks until every job is executed; the last notification may still be pending. Returns at
  /// once on the queue's own thread.
  void drain() {
    std::unique_lock lock{mutex_};
    if (std::this_thread::get_id() == worker_) return;
    changed_.wait(lock, [this] { return jobs_.empty() && !running_; });
  }
  [[nodiscard]] bool is_busy() const {
    const std::lock_guard lock{mutex_};
    return running_ || !jobs_.empty();
  }
  /// Refuses further jobs. Queued jobs still run, and fail if their context is not alive.
  void close() {
    const std::lock_guard lock{mutex_};
    closed_ = true;
    changed_.notify_all();
  }

 private:
  void work() {
    std::unique_lock lock{mutex_};
    for (;;) {
      changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
      if (jobs_.empty()) return;
      std::unique_ptr<AsyncJob> job = std::move(jobs_.front());
      jobs_.pop_front();
      running_ = true;
      changed_.notify_all();
      lock.unlock();
      job->execute();
      lock.lock();
      running_ = false;
      changed_.notify_all();
      lock.unlock();
      job->notify();
      job = nullptr;
      lock.lock();
    }
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  const std::size_t depth_;
  std::deque<std::unique_ptr<AsyncJob>> jobs_;
  std::thread::id worker_;
  bool running_ = false;
  bool closed_ = false;
};

}  // namespace qnnpp::sim
