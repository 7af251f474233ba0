// Definitions of load_helper.hpp.
#pragma once

#include "qnnpp/model/detail/load_helper.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <utility>

#include "qnnpp/core/detail/forked.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// The pages of a binary in memory. Reading them raises no SIGBUS: the kernel refuses pages beyond
/// the end of a truncated file.
class Pages {
 public:
  explicit Pages(std::span<const std::byte> bytes) noexcept {
    if (bytes.empty()) return;
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t skipped = reinterpret_cast<std::uintptr_t>(bytes.data()) % page;
    start_ = const_cast<std::byte*>(bytes.data()) - skipped;
    length_ = bytes.size() + skipped;
  }

  /// Lets the kernel begin to read them.
  void request() const noexcept {
    if (length_ != 0) (void)::madvise(start_, length_, MADV_WILLNEED);
  }
  /// Reads and maps them piece by piece until `ends` returns true. Does nothing on a kernel before
  /// 5.14.
  template <class Ends>
  void read(Ends ends) const noexcept {
    constexpr int populate_read = 22;  // MADV_POPULATE_READ; older headers lack it.
    constexpr std::size_t piece = std::size_t{1} << 20;
    for (std::size_t at = 0; at < length_ && !ends(); at += piece)
      if (::madvise(start_ + at, std::min(piece, length_ - at), populate_read) != 0) return;
  }

 private:
  std::byte* start_ = nullptr;
  std::size_t length_ = 0;
};

QNNPP_INLINE bool LoadHelper::start() {
  Shared& shared = *shared_;
  if (shared.is_running || shared.is_over) return shared.is_running;
  const auto body = [](void* self) -> void* {
    static_cast<Shared*>(self)->run();
    return nullptr;
  };
  // The thread inherits the mask: the handlers of the program's signals run on its own threads.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  (void)::pthread_sigmask(SIG_SETMASK, &all, &before);
  shared.is_running = ::pthread_create(&shared.thread, nullptr, body, &shared) == 0;
  (void)::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!shared.is_running) shared.is_over = true;
  return shared.is_running;
}

QNNPP_INLINE Prepared LoadHelper::take(std::size_t i) {
  // A forked child has no other thread, which would finish what it was given (PRC-01).
  if (!shared_ || shared_->last == i || qnnpp::detail::is_forked()) return {};
  Shared& shared = *shared_;
  shared.last = i;
  const std::size_t number = shared.begun.fetch_add(1, std::memory_order_relaxed);
  if (number == 0 || number >= shared.given) return {};
  std::unique_lock known(shared.mutex);
  shared.changed.wait(known, [&] { return shared.done > number; });
  return std::exchange(shared.slot(number).made, {});
}

QNNPP_INLINE std::optional<std::size_t> LoadHelper::next() const noexcept {
  if (!shared_ || qnnpp::detail::is_forked()) return {};
  const Shared& shared = *shared_;
  const std::size_t number = shared.given;
  // Only the loading thread changes these.
  if (shared.is_over || number >= shared.order.size() ||
      number >= shared.begun.load(std::memory_order_relaxed) + shared.ahead)
    return {};
  return shared.order[number];
}

QNNPP_INLINE void LoadHelper::prepare(const Preparation& what) {
  Shared& shared = *shared_;
  if (!what.is_empty() && !start()) return;
  const std::scoped_lock known(shared.mutex);
  Slot& slot = shared.slot(shared.given);
  slot.what = what;
  slot.made = {};
  // An empty preparation does not wake the thread.
  if (shared.given == shared.done && what.is_empty()) ++shared.done;
  ++shared.given;
  if (!what.is_empty()) shared.changed.notify_one();
}

QNNPP_INLINE void LoadHelper::stop() noexcept {
  if (!shared_) return;
  if (qnnpp::detail::is_forked()) return (void)shared_.release();  // The thread may hold the mutex.
  if (shared_->is_running) {
    shared_->begun.store(SIZE_MAX, std::memory_order_relaxed);
    {
      const std::scoped_lock known(shared_->mutex);
      shared_->is_over = true;
      shared_->changed.notify_one();
    }
    (void)::pthread_join(shared_->thread, nullptr);
  }
  shared_.reset();
}

QNNPP_INLINE void LoadHelper::Shared::run() noexcept {
  std::unique_lock known(mutex);
  while (done != order.size()) {
    changed.wait(known, [&] { return is_over || done != given; });
    if (is_over) return;
    const std::size_t number = done;
    known.unlock();
    work(slot(number), number);
    known.lock();
    ++done;
    changed.notify_one();
  }
}

QNNPP_INLINE void LoadHelper::Shared::work(Slot& slot, std::size_t number) noexcept {
  const Preparation& what = slot.what;
  const Pages pages(what.bytes);
  // Requested first: the kernel reads while the allocator fills the buffer with zeros.
  pages.request();
  if (what.need.weights_bytes != 0) {
    slot.made.need = what.need;
    const auto allocate = [&] {
      auto made = MemRegion<Weights>::allocate(allocator, what.need);
      if (made)
        slot.made.weights = std::move(*made);
      else
        slot.made.error = std::move(made).error();
    };
#ifdef __cpp_exceptions
    try {
      allocate();
    } catch (...) {
      slot.made.thrown = std::current_exception();
    }
#else
    allocate();
#endif
  }
  // Not when QNN is about to read them itself.
  pages.read([&] { return number < begun.load(std::memory_order_relaxed); });
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
