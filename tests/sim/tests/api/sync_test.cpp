// Syncs that the simulated HTP sees itself (Config::see_syncs): what they count, for which calls
// and threads. A program of its own, because a filter stays until the process ends, also in its
// children.
#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <linux/dma-buf.h>
#include <string>
#include <thread>
#include <vector>

#include "ended.hpp"
#include "fixture.hpp"
#include "temporary_folder.hpp"
#include "user_notification.hpp"

namespace sim_test { namespace {

constexpr std::uint64_t start = DMA_BUF_SYNC_START | DMA_BUF_SYNC_RW;
constexpr std::uint64_t end = DMA_BUF_SYNC_END | DMA_BUF_SYNC_RW;

/// Returns 0 or the errno.
int sync(int fd, std::uint64_t flags) {
  dma_buf_sync argument{flags};
  return ::ioctl(fd, DMA_BUF_IOCTL_SYNC, &argument) == 0 ? 0 : errno;
}

/// Runs the function in a thread that blocks all signals.
void in_thread_without_signals(const std::function<void()>& act) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread{act};
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  thread.join();
}

/// A graph with registered tensors. Syncs are not seen yet.
class sim_unseen_syncs : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    if (!has_user_notification()) GTEST_SKIP() << "the system grants no user notification";
    ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context_)), 0u);
    contexts.push_back(context_);
    ASSERT_EQ(compose(context_, chain_, &graph_), 0u);
    const TensorDescriptor first{in_.fd, chain_.width};
    const TensorDescriptor second{out_.fd, chain_.width};
    const c_api::MemDescriptor both[2] = {first.descriptor, second.descriptor};
    ASSERT_EQ(code(qnn().mem_register(context_, both, 2, handles_)), 0u);
  }
  void TearDown() override {
    if (handles_[0] != nullptr) {
      EXPECT_EQ(code(qnn().mem_de_register(handles_, 2)), 0u);
    }
    SimTest::TearDown();
  }

  static void see(bool sees) {
    sim::Config config = control().config();
    config.see_syncs = sees ? 1 : 0;
    ASSERT_TRUE(control().set_config(config));
  }
  /// Executes the graph. Returns the number of misuses of SHB-07 that this counts.
  std::uint64_t misuses_of_an_execution() {
    const std::uint64_t before = control().misuses("SHB-07");
    const ChainIds ids = ids_of(chain_);
    const c_api::Tensor input = registered(ids.in, c_api::TensorType::app_write, handles_[0]);
    c_api::Tensor output = registered(ids.out, c_api::TensorType::app_read, handles_[1]);
    EXPECT_EQ(code(qnn().graph_execute(graph_, &input, 1, &output, 1, nullptr, nullptr)), 0u);
    return control().misuses("SHB-07") - before;
  }

  Chain chain_;
  Dma in_{chain_.io_bytes()};
  Dma out_{chain_.io_bytes()};
  c_api::ContextHandle context_ = nullptr;
  c_api::GraphHandle graph_ = nullptr;
  c_api::MemHandle handles_[2]{};
};

class sim_syncs : public sim_unseen_syncs {
 protected:
  void SetUp() override {
    sim_unseen_syncs::SetUp();
    if (!IsSkipped()) see(true);
  }
};

TEST_F(sim_unseen_syncs, go_to_the_kernel) {
  EXPECT_EQ(sync(in_.fd, start), ENOTTY);
  EXPECT_EQ(misuses_of_an_execution(), 0u);
}

TEST_F(sim_unseen_syncs, of_a_thread_that_is_older_than_the_filter_are_seen_from_then_on) {
  // Each test runs in a process of its own, so that here the filter is made.
  std::atomic<bool> is_seen = false;
  std::thread older([&] {
    is_seen.wait(false);
    EXPECT_EQ(sync(in_.fd, start), 0);
  });
  see(true);
  is_seen = true;
  is_seen.notify_one();
  older.join();
  EXPECT_EQ(misuses_of_an_execution(), 1u);
  EXPECT_EQ(sync(in_.fd, end), 0);
}

TEST_F(sim_syncs, SHB_07_an_execution_counts_each_open_tensor) {
  EXPECT_EQ(misuses_of_an_execution(), 0u);
  EXPECT_EQ(sync(in_.fd, start), 0);
  EXPECT_EQ(misuses_of_an_execution(), 1u);
  EXPECT_EQ(sync(out_.fd, start), 0);
  EXPECT_EQ(misuses_of_an_execution(), 2u);
  EXPECT_EQ(sync(in_.fd, end), 0);
  EXPECT_EQ(misuses_of_an_execution(), 1u);
  EXPECT_EQ(sync(out_.fd, end), 0);
  EXPECT_EQ(misuses_of_an_execution(), 0u);
}

TEST_F(sim_syncs, of_a_second_descriptor_open_the_same_memory) {
  const int other = ::dup(in_.fd);
  EXPECT_EQ(sync(other, start), 0);
  ::close(other);
  EXPECT_EQ(misuses_of_an_execution(), 1u);
  EXPECT_EQ(sync(in_.fd, end), 0);
  EXPECT_EQ(misuses_of_an_execution(), 0u);
}

TEST_F(sim_syncs, that_are_not_to_be_seen_any_more_go_to_the_kernel) {
  see(false);
  EXPECT_EQ(sync(in_.fd, start), ENOTTY);
  EXPECT_EQ(misuses_of_an_execution(), 0u);
  see(true);
  EXPECT_EQ(sync(in_.fd, start), 0);
  EXPECT_EQ(misuses_of_an_execution(), 1u);
  EXPECT_EQ(sync(in_.fd, end), 0);
}

TEST_F(sim_syncs, of_other_files_and_other_requests_are_answered_by_the_kernel) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  EXPECT_EQ(sync(pipe[0], start), ENOTTY);
  ASSERT_EQ(::write(pipe[1], "abc", 3), 3);
  int bytes = 0;
  EXPECT_EQ(::ioctl(pipe[0], FIONREAD, &bytes), 0);
  EXPECT_EQ(bytes, 3);
  ::close(pipe[0]);
  ::close(pipe[1]);
  EXPECT_EQ(sync(pipe[0], start), EBADF);
}

TEST_F(sim_syncs, of_a_file_that_looks_like_a_dma_buf_are_answered_by_the_kernel) {
  const support::TemporaryFolder folder;
  const std::string name = folder.file("dmabuf");
  ASSERT_EQ(::mkfifo(name.c_str(), 0600), 0);
  const int file = ::open(name.c_str(), O_RDWR);
  EXPECT_EQ(sync(file, start), ENOTTY);
  ::close(file);
}

TEST_F(sim_syncs, of_a_thread_that_blocks_all_signals_are_seen) {
  in_thread_without_signals([&] { EXPECT_EQ(sync(in_.fd, start), 0); });
  EXPECT_EQ(misuses_of_an_execution(), 1u);
  in_thread_without_signals([&] { EXPECT_EQ(sync(in_.fd, end), 0); });
  EXPECT_EQ(misuses_of_an_execution(), 0u);
}

std::atomic<int> signals = 0;

/// False for a kernel that can repeat a call which has its answer
/// (SECCOMP_FILTER_FLAG_WAIT_KILLABLE_RECV).
bool never_repeats_an_answered_call() {
  utsname kernel{};
  int major = 0;
  int minor = 0;
  EXPECT_EQ(::uname(&kernel), 0);
  EXPECT_EQ(std::sscanf(kernel.release, "%d.%d", &major, &minor), 2);
  return major > 6 || (major == 6 && minor >= 18);
}

TEST_F(sim_syncs, that_signals_interrupt_are_counted_once) {
  if (!never_repeats_an_answered_call()) GTEST_SKIP() << "Linux 6.18 repeats none";
  struct sigaction action{};
  action.sa_handler = [](int) { ++signals; };
  for (const int flags : {0, SA_RESTART}) {
    action.sa_flags = flags;
    ASSERT_EQ(::sigaction(SIGUSR1, &action, nullptr), 0);
    const int before = signals;
    std::atomic<bool> is_over = false;
    std::atomic<int> interrupted = 0;
    std::thread thread([&] {
      const auto surely = [&](std::uint64_t which) {
        int error = 0;
        while ((error = sync(in_.fd, which)) == EINTR) ++interrupted;
        EXPECT_EQ(error, 0);
      };
      for (int i = 0; i < 2000 || signals - before < 100; ++i) {
        surely(start);
        surely(start);
        surely(end);
        surely(end);
      }
      surely(start);
      is_over = true;
    });
    while (!is_over) ::pthread_kill(thread.native_handle(), SIGUSR1);
    thread.join();
    EXPECT_EQ(misuses_of_an_execution(), 1u) << "one start is left";
    EXPECT_EQ(sync(in_.fd, end), 0);
    EXPECT_EQ(misuses_of_an_execution(), 0u);
    EXPECT_TRUE(flags == 0 || interrupted == 0) << "the kernel repeats the call";
  }
}

TEST_F(sim_syncs, are_answered_by_a_thread_that_takes_no_signal_of_the_program) {
  sigset_t one;
  sigset_t before;
  ::sigemptyset(&one);
  ::sigaddset(&one, SIGUSR2);
  ::pthread_sigmask(SIG_BLOCK, &one, &before);
  ASSERT_EQ(::kill(::getpid(), SIGUSR2), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds{50});
  const timespec now{};
  EXPECT_EQ(::sigtimedwait(&one, nullptr, &now), SIGUSR2) << "it still waits";
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

TEST_F(sim_syncs, of_four_threads_balance) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int k = 0; k < 500; ++k) {
        EXPECT_EQ(sync(in_.fd, start), 0);
        EXPECT_EQ(sync(in_.fd, end), 0);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(misuses_of_an_execution(), 0u);
}

TEST_F(sim_syncs, of_a_forked_child_go_to_the_kernel) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(sync(in_.fd, start));
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, ENOTTY << 8);
  EXPECT_EQ(misuses_of_an_execution(), 0u);
}

TEST_F(sim_syncs, of_a_program_that_the_process_starts_go_to_the_kernel_and_it_says_so) {
  EXPECT_EQ(run("", QNNPP_SIM_SYNCS, "unseen").code, 0);
  const Ended ended = run("QNNPP_SIM_SEE_SYNCS=1", QNNPP_SIM_SYNCS, "unseen");
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.first_line().find("simulated HTP: QNNPP_SIM_SEE_SYNCS: DMA_BUF_IOCTL_SYNC calls "
                                    "are not seen: Device or resource busy; "),
            0u)
      << ended.said;
}

}}  // namespace sim_test
