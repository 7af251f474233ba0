// Whether the system lets a program see its own system calls, for tests of Config::see_syncs.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace sim_test {

/// Whether the system has seccomp's user notification and grants it. Some containers and kernels
/// before Linux 5.19 do not. A child asks, because a filter stays.
inline bool has_user_notification() {
  const pid_t child = ::fork();
  if (child == 0) {
    sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    const sock_fprog program{1, &allow};
    constexpr unsigned long wait_killable_recv = 1UL << 5;  // Headers before Linux 5.19 lack it.
    constexpr unsigned long flags = SECCOMP_FILTER_FLAG_NEW_LISTENER | wait_killable_recv;
    const bool granted = ::prctl(PR_SET_NO_NEW_PRIVS, 1UL, 0UL, 0UL, 0UL) == 0 &&
                         ::syscall(SYS_seccomp, static_cast<unsigned long>(SECCOMP_SET_MODE_FILTER),
                                   flags, &program) >= 0;
    ::_exit(granted ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace sim_test
