// Tests the time limit with children that wait, that compute, and that compute on a loaded
// processor.
#include "time_limit.hpp"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <vector>

namespace {

pid_t spawn(void (*run)()) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  for (;;) run();
}

void wait_a_moment() { ::usleep(200'000); }
void compute() {
  for (volatile int i = 0; i < 1'000'000;) i = i + 1;
}

constexpr double most = 60;

/// Returns the seconds after which the limit of one second is over, or `most`, and ends the child.
double seconds_until_over(pid_t child) {
  const auto start = std::chrono::steady_clock::now();
  const auto passed = [&start] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  TimeLimit limit(child, 1);
  while (!limit.is_over() && passed() < most) ::usleep(10'000);
  const double seconds = passed();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  return seconds;
}

/// A child that gets less of the machine than expected is over later.
bool expect(const char* what, double seconds, double least) {
  std::printf("%s: over after %.1f s\n", what, seconds);
  return seconds >= least && seconds < most;
}

}  // namespace

int main() {
  bool is_right = expect("a child that waits", seconds_until_over(spawn(wait_a_moment)), 0.9);
  is_right &= expect("a child that computes", seconds_until_over(spawn(compute)), 0.9);

  // Five children on one processor: each gets a fifth of it.
  cpu_set_t all;
  ::sched_getaffinity(0, sizeof(all), &all);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int i = 0; CPU_COUNT(&one) == 0; ++i)
    if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
  ::sched_setaffinity(0, sizeof(one), &one);
  std::vector<pid_t> others;
  for (int i = 0; i < 4; ++i) others.push_back(spawn(compute));
  is_right &= expect("a child that gets little", seconds_until_over(spawn(compute)), 2.5);
  for (const pid_t other : others) {
    ::kill(other, SIGKILL);
    ::waitpid(other, nullptr, 0);
  }
  return is_right ? 0 : 1;
}
