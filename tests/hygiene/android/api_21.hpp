// Replaces the C library of Android API 21, the oldest with arm64, on a machine without an NDK:
// included before a source, it makes each use of a function that came later an error.
// tests/android.sh compiles with the real headers of Android.
#pragma once

#include <dlfcn.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// Headers of C++ that use or name them.
#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <ctime>
#include <future>
#include <locale>
#include <map>
#include <mutex>
#include <random>
#include <semaphore>
#include <shared_mutex>
#include <string>
#include <thread>

// API 23
#pragma GCC poison posix_madvise mkostemp mkostemps mkfifoat sigqueue sigtimedwait sigwaitinfo
// API 24
#pragma GCC poison getifaddrs freeifaddrs preadv pwritev
#pragma GCC poison pthread_barrier_init pthread_barrier_wait pthread_spin_lock pthread_spin_unlock
// API 26
#pragma GCC poison getsubopt pthread_getname_np strtod_l strtof_l sync_file_range
// API 28
#pragma GCC poison aligned_alloc getentropy getrandom glob posix_spawn posix_spawnp
#pragma GCC poison fexecve pthread_mutexattr_setprotocol pthread_setschedprio swab syncfs
// API 29
#pragma GCC poison getloadavg reallocarray timespec_get
// API 30
#pragma GCC poison memfd_create mlock2 pthread_cond_clockwait pthread_mutex_clocklock renameat2
#pragma GCC poison sem_clockwait statx
// API 31
#pragma GCC poison process_madvise
// API 33
#pragma GCC poison preadv2 pwritev2
// API 34
#pragma GCC poison close_range copy_file_range
// API 35
#pragma GCC poison epoll_pwait2 timespec_getres
// API 36
#pragma GCC poison mseal pthread_getaffinity_np pthread_setaffinity_np qsort_r
