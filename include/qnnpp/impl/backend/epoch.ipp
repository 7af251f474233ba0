// Definitions of epoch.hpp.
#pragma once

#include "qnnpp/backend/detail/epoch.hpp"

#include <pthread.h>

#include "qnnpp/backend/shared_library.hpp"

/// Registers a handler of exit() with an argument, in the C++ ABI of every supported platform.
// NOLINTNEXTLINE(bugprone-reserved-identifier)
extern "C" int __cxa_atexit(void (*handler)(void*), void* argument, void* of_object) noexcept;

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE void RestartLog::end_at_fork() noexcept {
  // Locked during a fork, so that the list is whole in the child.
  static const int installed = ::pthread_atfork(
      [] { restart_logs->mutex.lock(); }, [] { restart_logs->mutex.unlock(); },
      [] {
        has_forked.store(true, std::memory_order_relaxed);
        for (RestartLog* log = restart_logs->first; log != nullptr; log = log->next) log->end();
        restart_logs->mutex.unlock();
      });
  (void)installed;  // Without memory for it, a child is on its own.
}

QNNPP_INLINE RestartLog::RestartLog() noexcept : list_(&restart_logs.object) {
  end_at_fork();
  const std::lock_guard guard(list_->mutex);
  list_->add(*this);
}

QNNPP_INLINE RestartLog::~RestartLog() { list_->remove(*this); }

QNNPP_INLINE bool RestartLog::claim(const void* library, const void* backend) noexcept {
  const std::lock_guard guard(list_->mutex);
  const bool is_taken = list_->find([&](const RestartLog& other) {
    return other.backend_.load(std::memory_order_acquire) == backend &&
           other.library_.load(std::memory_order_relaxed) == library;
  }) != nullptr;
  if (!is_taken) note(library, backend);
  return !is_taken;
}

QNNPP_INLINE void RestartLog::end_at_exit(const Ref<RestartLog>& log) noexcept {
  void (*const handler)(void*) = [](void* kept) {
    Ref<RestartLog>::adopt(static_cast<RestartLog*>(kept))->end();
  };
  // The handler belongs to no shared object: dlclose() of a plugin with qnnpp must not run it,
  // because the process then goes on. So the plugin stays mapped. The program itself does anyway.
  pin_object_of(reinterpret_cast<const void*>(handler));
  // Its own address is the handle of no shared object. With null, the thread sanitizer's runtime
  // calls the handler without its argument.
  RestartLog* const kept = Ref<RestartLog>(log).release();
  if (::__cxa_atexit(handler, kept, kept) != 0) (void)Ref<RestartLog>::adopt(kept);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
