// Definitions of prefetcher.hpp.
#pragma once

#include "qnnpp/model/detail/prefetcher.hpp"

#include "qnnpp/config.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <utility>

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

QNNPP_INLINE void Turns::wait(std::unique_lock<std::mutex>& known, Clock::time_point until,
                              bool looks_again) {
  if (looks_again) until = std::min(until, Clock::now() + std::chrono::milliseconds(10));
  ++sleepers_;
  if (until == Clock::time_point::max())
    changed_.wait(known);
  else
    (void)changed_.wait_until(known, until);
  --sleepers_;
}

QNNPP_INLINE void Turns::wait_for_turn(std::unique_lock<std::mutex>& known) {
  ++wanted_;
  while (turn_ != no_thread) wait(known, Clock::time_point::max(), false);
  --wanted_;
}

QNNPP_INLINE Result<void> Prefetcher::start() {
  pthread_t thread{};
  const auto body = [](void* self) -> void* {
    static_cast<Prefetcher*>(self)->run();
    return nullptr;
  };
  if (const int failed = ::pthread_create(&thread, nullptr, body, this); failed != 0) {
    Error error = Error::make(Errc::allocation_failed, "pthread_create", "the prefetching thread");
    error.code = static_cast<std::uint16_t>(failed);
    return fail(std::move(error));
  }
  thread_ = thread;
  return {};
}

QNNPP_INLINE Prefetcher::~Prefetcher() {
  if (!thread_) return;
  {
    const std::scoped_lock held(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  (void)::pthread_join(*thread_, nullptr);
}

QNNPP_INLINE void Prefetcher::wake() {
  {
    const std::scoped_lock held(mutex_);
    ++changes_;
  }
  changed_.notify_all();
}

QNNPP_INLINE void Prefetcher::settle() {
  std::unique_lock held(mutex_);
  const std::uint64_t until = changes_;
  changed_.wait(held, [&] { return settled_ >= until; });
}

QNNPP_INLINE void Prefetcher::run() {
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

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
