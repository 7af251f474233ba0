// Definitions of prefetcher.hpp.
#pragma once

#include "qnnpp/model/detail/prefetcher.hpp"

#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>
#include <utility>

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

QNNPP_INLINE Prefetcher::Prefetcher(std::function<bool()> step)
    : step_(std::move(step)), thread_([this] { run(); }) {}

QNNPP_INLINE Prefetcher::~Prefetcher() {
  {
    const std::scoped_lock held(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
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
