// Sees the DMA_BUF_IOCTL_SYNC calls of this process, which only the kernel gets (SHB-07). A seccomp
// filter passes each to a thread of this library, while the calling thread waits. The thread
// answers calls for memfds, which the kernel would refuse; all others go on to the kernel. A filter
// cannot be removed: while Config::see_syncs is 0, every call goes on.
#pragma once

#include "qnnpp/platform.hpp"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <linux/dma-buf.h>
#include <mutex>
#include <optional>

#include "sim/objects/client_memory.hpp"
#include "sim/objects/device.hpp"
#include "sim/objects/device_memory.hpp"

namespace qnnpp::sim {

namespace detail {

/// Makes the filter for all threads of the process. Returns its listener, or an errno with a minus.
inline int make_sync_filter() noexcept {
#if defined(__x86_64__)
  constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
  constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#else
  return -ENOSYS;
#endif
  // The request has 32 bits, which are the first ones: both architectures are little-endian.
  constexpr std::size_t request = offsetof(seccomp_data, args) + sizeof(seccomp_data::args[0]);
  sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 0, 5),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, request),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, DMA_BUF_IOCTL_SYNC, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program{sizeof steps / sizeof steps[0], steps};
  // SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV, which headers before Linux 5.19 lack: no signal ends a
  // call that the thread has received, so that no call comes, and counts, twice.
  constexpr unsigned long wait_killable_recv = 1UL << 5;
  constexpr unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | SECCOMP_FILTER_FLAG_TSYNC |
                                  SECCOMP_FILTER_FLAG_TSYNC_ESRCH | SECCOMP_FILTER_FLAG_SPEC_ALLOW |
                                  wait_killable_recv;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) != 0) return -errno;
  const long made =
      ::syscall(SYS_seccomp, static_cast<unsigned long>(SECCOMP_SET_MODE_FILTER), flags, &program);
  return made < 0 ? -errno : static_cast<int>(made);
}

/// A struct of the listener, with room for the members that a newer kernel adds.
template <class Struct>
union Roomy {
  std::byte room[256];
  Struct known;
};

// The kernel is called directly: a program may define its own ioctl(), and ThreadSanitizer does not
// know that the thread that uses a descriptor waits.

/// Returns false for an error.
inline bool ask_listener(int listener, unsigned long request, void* argument) noexcept {
  return ::syscall(SYS_ioctl, listener, request, argument) == 0;
}

/// Returns the file of an open fd of DMA memory.
inline std::optional<FileKey> dma_file(int fd) noexcept {
  struct stat status{};
  if (!is_dma_memory(fd) || ::syscall(SYS_fstat, fd, &status) != 0) return std::nullopt;
  return FileKey{static_cast<std::uint64_t>(status.st_dev),
                 static_cast<std::uint64_t>(status.st_ino)};
}

/// Returns the errno of a sync of a dma-buf, as the kernel's driver chooses it; 0 for none.
inline int error_of(const std::optional<dma_buf_sync>& sync) noexcept {
  if (!sync) return EFAULT;
  const bool is_known = (sync->flags & ~std::uint64_t{DMA_BUF_SYNC_VALID_FLAGS_MASK}) == 0;
  return is_known && (sync->flags & DMA_BUF_SYNC_RW) != 0 ? 0 : EINVAL;
}

/// Answers one call. Keeps the device locked until the call is counted, because its thread goes on
/// once it has the answer. A call whose process is killed gets no answer.
inline void answer_sync(Device& d, int listener, const seccomp_notif& call) {
  const int fd = static_cast<int>(call.data.args[0]);
  // A forked child inherits the filter.
  const bool is_own = ::syscall(SYS_tgkill, ::getpid(), call.pid, 0) == 0;
  Roomy<seccomp_notif_resp> answer{};
  answer.known.id = call.id;
  answer.known.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
  std::optional<dma_buf_sync> sync;
  const std::lock_guard lock{d.mutex};
  const auto file = d.config.see_syncs != 0 && is_own ? dma_file(fd) : std::nullopt;
  if (file) {
    const auto address = static_cast<std::uintptr_t>(call.data.args[2]);
    sync = read_client(reinterpret_cast<const dma_buf_sync*>(address));
    if (const bool is_memfd = ::syscall(SYS_fcntl, fd, F_GET_SEALS) >= 0; is_memfd)
      answer.known = {.id = call.id, .val = 0, .error = -error_of(sync), .flags = 0};
  }
  const bool is_sent = ask_listener(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  if (is_sent && file && error_of(sync) == 0)
    d.note_cpu_access(*file, (sync->flags & DMA_BUF_SYNC_END) == 0);
}

/// Body of the thread: answers until the process ends, or until it has closed the listener.
inline void* answer_syncs(void* device) {
  Device& d = *static_cast<Device*>(device);
  d.sync_listener.wait(Device::no_sync_listener);
  const int listener = d.sync_listener;
  while (listener >= 0) {
    Roomy<seccomp_notif> call{};
    if (ask_listener(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
      answer_sync(d, listener, call.known);
    else if (errno != EINTR && errno != ENOENT)  // ENOENT: a signal has ended the call.
      break;
  }
  return nullptr;
}

/// Closes a forked child's copy of the listener. Otherwise the child's calls would wait for ever
/// once the parent has ended.
inline void leave_listener() noexcept { ::close(device().sync_listener); }

/// Makes the filter and its thread. Returns 0 or an errno.
inline int make_sync_thread(Device& d) noexcept {
  // The thread runs no handler of the program.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const int error = ::pthread_create(&thread, nullptr, answer_syncs, &d);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (error != 0) return error;
  const int listener = make_sync_filter();
  d.sync_listener = listener;
  d.sync_listener.notify_one();
  if (listener < 0) {
    ::pthread_join(thread, nullptr);
    d.sync_listener = Device::no_sync_listener;
    return -listener;
  }
  ::pthread_detach(thread);
  ::pthread_atfork(nullptr, nullptr, leave_listener);

  return 0;
}

}  // namespace detail

/// Begins to see syncs, once in a process. Returns false and says why on stderr if the system
/// refuses it. Requires the device's mutex.
inline bool see_syncs(Device& d) noexcept {
  if (d.sync_listener >= 0) return true;
  const int error = detail::make_sync_thread(d);
  if (error != 0)
    std::fprintf(stderr,
                 "simulated HTP: QNNPP_SIM_SEE_SYNCS: DMA_BUF_IOCTL_SYNC calls are not seen: %s; "
                 "seccomp must have user notification (Linux 5.19, not under qemu-user or "
                 "valgrind), and no process above this one may use it\n",
                 std::strerror(error));
  return error == 0;
}

}  // namespace qnnpp::sim
