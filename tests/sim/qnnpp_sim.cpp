// qnnpp-sim: runs a program on the simulated HTP beside it, and prints the report of the program
// however it ends; or runs the program once for each call, with that call failing.
#include "qnnpp/platform.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <climits>

#include "sim/objects/report.hpp"
#include "sim/objects/tally.hpp"
#include "sim/tables/environment.hpp"
#include "sim/tables/text.hpp"

namespace {

using namespace qnnpp::sim;

constexpr int failed_itself = 125;  ///< exit code of an error of this command, as that of `timeout`

constexpr const char* usage =
    "usage: qnnpp-sim report COMMAND [ARGUMENT...]\n"
    "       qnnpp-sim each-call [--code N] [--calls N] [--seconds N] COMMAND [ARGUMENT...]\n"
    "\n"
    "report     Runs the command on the simulated HTP, and prints the report of each process to\n"
    "           stderr, also after a signal, abort() and _exit(). Ends as the command does, or "
    "with\n"
    "           128 and the number of the signal; QNNPP_SIM_STRICT and _STRICT_CALLS apply.\n"
    "each-call  Runs the command once without and once for each of its calls, which then fails\n"
    "           with code N (1003). Prints a table: the call, the exit code or the signal of the\n"
    "           program, the objects that it leaves alive, and the rules of docs/rules.md that it\n"
    "           breaks. Discards the program's output. Fails the first N calls of each kind at "
    "most\n"
    "           (all); a run may last N seconds (60). Ends with 1 if a run has ended by a signal, "
    "has\n"
    "           left an object alive or has broken a rule, else with 0.\n"
    "\n"
    "Puts the folder of this program, with the simulated libraries, in front of LD_LIBRARY_PATH.\n";

/// What one run of the command has left.
struct Run {
  int exit_code = -1;  ///< -1 for a signal
  int signal = 0;      ///< 0 for none
  bool hung = false;   ///< ended by this command, because it lasted too long
  ::pid_t process = 0;
  std::vector<std::unique_ptr<Tally>> tallies;  ///< of each process that loaded the simulated HTP
};

/// A folder for the counts of the processes, which ends with its object.
class CountsFolder {
 public:
  CountsFolder() {
    const std::string_view temporary = variable("TMPDIR");
    path_ = std::string{temporary.empty() ? "/tmp" : temporary} + "/qnnpp-sim-XXXXXX";
    if (::mkdtemp(path_.data()) == nullptr) {
      std::fprintf(stderr, "qnnpp-sim: %s: %s\n", path_.c_str(), std::strerror(errno));
      std::exit(failed_itself);
    }
  }
  CountsFolder(const CountsFolder&) = delete;
  CountsFolder& operator=(const CountsFolder&) = delete;
  ~CountsFolder() {
    static_cast<void>(take());
    ::rmdir(path_.c_str());
  }
  [[nodiscard]] std::string pattern() const { return path_ + "/%p"; }

  /// Reads and removes the counts of all processes, in the order of their numbers.
  [[nodiscard]] std::vector<std::unique_ptr<Tally>> take() {
    std::vector<std::unique_ptr<Tally>> tallies;
    ::DIR* const folder = ::opendir(path_.c_str());
    if (folder == nullptr) return tallies;
    while (const ::dirent* const entry = ::readdir(folder)) {
      if (entry->d_name[0] == '.') continue;
      const std::string file = path_ + "/" + entry->d_name;
      auto tally = std::make_unique<Tally>();
      if (const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC); fd >= 0) {
        const ::ssize_t got = ::read(fd, tally.get(), sizeof(Tally));
        ::close(fd);
        // 0: only libcdsprpc.so was loaded.
        if (got == static_cast<::ssize_t>(sizeof(Tally)) && tally->layout == sizeof(Tally))
          tallies.push_back(std::move(tally));
      }
      ::unlink(file.c_str());
    }
    ::closedir(folder);
    std::sort(tallies.begin(), tallies.end(),
              [](const auto& a, const auto& b) { return a->process < b->process; });
    return tallies;
  }

 private:
  std::string path_;
};

/// Returns the folder of this program, which has the simulated libraries.
std::string own_folder() {
  char path[PATH_MAX];
  const ::ssize_t length = ::readlink("/proc/self/exe", path, sizeof path);
  const std::string_view whole{path, length < 0 ? 0 : static_cast<std::size_t>(length)};
  return std::string{whole.substr(0, whole.rfind('/'))};
}

/// Sets the library path and the file of the counts for the command.
void prepare_environment(const CountsFolder& counts) {
  const std::string_view before = variable("LD_LIBRARY_PATH");
  const std::string path = own_folder() + (before.empty() ? "" : ":") + std::string{before};
  ::setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  ::setenv("QNNPP_SIM_COUNTS", counts.pattern().c_str(), 1);
}

/// Replaces a forked child by the command. `is_quiet` discards its input and output, and ends it
/// with this program.
[[noreturn]] void become(char** command, bool is_quiet) {
  ::signal(SIGINT, SIG_DFL);
  ::signal(SIGQUIT, SIG_DFL);
  if (is_quiet) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int nowhere = ::open("/dev/null", O_RDWR);
    for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nowhere, fd);
  }
  ::execvp(command[0], command);
  std::fprintf(stderr, "qnnpp-sim: %s: %s\n", command[0], std::strerror(errno));
  ::_exit(errno == ENOENT ? 127 : 126);
}

/// Waits for a process, for at most this number of seconds; 0: without a limit. Returns false after
/// it had to be ended.
bool wait_for(::pid_t process, std::uint64_t seconds, int& status) {
  if (seconds == 0) {
    while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
    }
    return true;
  }
  const std::time_t end = std::time(nullptr) + static_cast<std::time_t>(seconds);
  const ::timespec pause{0, 1000000};
  while (::waitpid(process, &status, WNOHANG) == 0) {
    if (std::time(nullptr) > end) {
      ::kill(-process, SIGKILL);
      ::waitpid(process, &status, 0);
      return false;
    }
    ::nanosleep(&pause, nullptr);
  }
  return true;
}

Run run(char** command, CountsFolder& counts, bool is_quiet, std::uint64_t seconds) {
  Run result;
  std::fflush(nullptr);
  result.process = ::fork();
  if (result.process == 0) become(command, is_quiet);
  if (result.process < 0) {
    std::fprintf(stderr, "qnnpp-sim: fork: %s\n", std::strerror(errno));
    std::exit(failed_itself);
  }
  int status = 0;
  result.hung = !wait_for(result.process, seconds, status);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  result.tallies = counts.take();
  return result;
}

std::string name_of_signal(int signal) {
  constexpr struct {
    int number;
    const char* name;
  } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},
               {SIGFPE, "SIGFPE"},   {SIGILL, "SIGILL"},   {SIGTRAP, "SIGTRAP"},
               {SIGKILL, "SIGKILL"}, {SIGTERM, "SIGTERM"}, {SIGPIPE, "SIGPIPE"},
               {SIGINT, "SIGINT"}};
  for (const auto& each : names)
    if (each.number == signal) return each.name;
  return "signal " + std::to_string(signal);
}

unsigned long long wide(std::uint64_t number) { return number; }

/// Returns where a process was in its calls when it ended.
std::string last_call(const Tally& tally) {
  if (tally.counters.calls == 0 && tally.running == 0) return "before its first call";
  const auto slot = static_cast<Slot>(tally.last_slot);
  std::uint64_t all = 0;
  for (const std::uint64_t of_slot : tally.calls) all += of_slot;
  const std::string call =
      text("call %llu (%s %llu)", wide(all), name_of(slot), wide(tally.calls[tally.last_slot]));
  if (tally.running != 0) return "during " + call;
  return tally.last_code == 0 ? "after " + call
                              : "after " + call + text(", which failed with %u", tally.last_code);
}

int report(char** command) {
  CountsFolder counts;
  prepare_environment(counts);
  // A terminal's interrupt is for the command; this program stays and reports.
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGQUIT, SIG_IGN);
  const Run ended = run(command, counts, false, 0);
  if (ended.exit_code == 126 || ended.exit_code == 127) return ended.exit_code;
  bool complains = false, has_unexpected = false;
  for (const auto& tally : ended.tallies) {
    const Report made = report_of(*tally);
    complains = complains || made.complains();
    has_unexpected = has_unexpected || made.unexpected != 0;
    if (ended.tallies.size() > 1) std::fprintf(stderr, "\nprocess %u\n", tally->process);
    if (ended.signal != 0 && static_cast<::pid_t>(tally->process) == ended.process)
      std::fprintf(stderr, "simulated HTP: the process was ended by %s, %s\n",
                   name_of_signal(ended.signal).c_str(), last_call(*tally).c_str());
    std::fputs(made.text.c_str(), stderr);
  }
  if (ended.tallies.empty())
    std::fprintf(stderr, "qnnpp-sim: the program has not loaded libQnnHtp.so of %s\n",
                 own_folder().c_str());
  if (ended.signal != 0) return 128 + ended.signal;
  if (ended.exit_code != 0) return ended.exit_code;
  if (complains)
    if (const auto code = read_variable("QNNPP_SIM_STRICT", 255); code.value_or(0) != 0)
      return static_cast<int>(*code);
  return has_unexpected ? static_cast<int>(read_variable("QNNPP_SIM_STRICT_CALLS", 255).value_or(0))
                        : 0;
}

/// The table of each-call, and what its rows have in common.
class Table {
 public:
  Table() {
    std::printf("%6s  %-44s %4s  %-8s %5s  %s\n", "call", "function", "exit", "signal", "left",
                "rules");
  }

  void row(const std::string& call, const std::string& function, const Run& run) {
    std::uint64_t left = 0;
    std::vector<std::string> rules;
    for (const auto& tally : run.tallies) {
      const Report made = report_of(*tally);
      left += made.left_alive;
      for (const Misuses& broken : made.broken) rules.push_back(broken.rule);
    }
    std::sort(rules.begin(), rules.end());
    rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
    std::string list;
    for (const std::string& rule : rules) list += (list.empty() ? "" : " ") + rule;
    const std::string signal = run.hung          ? "hung"
                               : run.signal == 0 ? "-"
                                                 : name_of_signal(run.signal);
    std::printf("%6s  %-44s %4s  %-8s %5llu  %s\n", call.c_str(), function.c_str(),
                run.exit_code < 0 ? "-" : std::to_string(run.exit_code).c_str(), signal.c_str(),
                wide(left), list.empty() ? "-" : list.c_str());
    std::fflush(stdout);
    ++runs_;
    by_signal_ += run.exit_code < 0 ? 1 : 0;
    leaking_ += left != 0 ? 1 : 0;
    breaking_ += rules.empty() ? 0 : 1;
  }
  /// Prints the sum, and returns the exit code.
  [[nodiscard]] int end() const {
    std::printf("%llu runs: %llu ended by a signal, %llu left something alive, %llu broke a rule\n",
                wide(runs_), wide(by_signal_), wide(leaking_), wide(breaking_));
    return by_signal_ + leaking_ + breaking_ == 0 ? 0 : 1;
  }

 private:
  std::uint64_t runs_ = 0, by_signal_ = 0, leaking_ = 0, breaking_ = 0;
};

struct EachCall {
  std::uint64_t code = 1003;
  std::uint64_t calls = UINT64_MAX;
  std::uint64_t seconds = 60;
};

int each_call(char** command, const EachCall& options) {
  CountsFolder counts;
  prepare_environment(counts);
  for (const char* const name : {"QNNPP_SIM_REPORT", "QNNPP_SIM_STRICT", "QNNPP_SIM_STRICT_CALLS"})
    ::unsetenv(name);
  const std::string before{variable("QNNPP_SIM_FAULT")};
  const auto run_with = [&](const std::string& fault) {
    ::setenv("QNNPP_SIM_FAULT", (before.empty() ? fault : before + "; " + fault).c_str(), 1);
    return run(command, counts, true, options.seconds);
  };
  const Run plain = run(command, counts, true, options.seconds);
  if (plain.tallies.empty()) {
    std::fprintf(stderr,
                 "qnnpp-sim: the program has not loaded libQnnHtp.so of %s; it ended with %d\n",
                 own_folder().c_str(), plain.signal != 0 ? 128 + plain.signal : plain.exit_code);
    return failed_itself;
  }
  std::uint64_t most = 0, most_rpcmem[3] = {};
  for (const auto& tally : plain.tallies) {
    most = std::max(most, tally->counters.calls);
    for (std::size_t i = 0; i < 3; ++i)
      most_rpcmem[i] = std::max(most_rpcmem[i], tally->rpcmem_calls[i]);
  }
  Table table;
  table.row("none", "-", plain);
  for (std::uint64_t call = 1; call <= std::min(most, options.calls); ++call) {
    const Run one = run_with(text("any %llu %llu", wide(call), wide(options.code)));
    const char* function = "not reached";
    for (const auto& tally : one.tallies)
      if (tally->counters.faults_fired != 0)
        function = name_of(static_cast<Slot>(tally->first_fault));
    table.row(std::to_string(call), function, one);
  }
  constexpr struct {
    const char* name;
    const char* answer;
  } rpcmem[] = {{"rpcmem_alloc", "NULL"}, {"rpcmem_alloc2", "NULL"}, {"rpcmem_to_fd", "-1"}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::uint64_t call = 1; call <= std::min(most_rpcmem[i], options.calls); ++call)
      table.row(std::to_string(call), rpcmem[i].name,
                run_with(text("%s %llu %s", rpcmem[i].name, wide(call), rpcmem[i].answer)));
  return table.end();
}

int wrong(const char* what) {
  std::fprintf(stderr, "qnnpp-sim: %s\n%s", what, usage);
  return failed_itself;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view mode = argc < 2 ? "" : argv[1];
  if (mode == "-h" || mode == "--help") return std::fputs(usage, stdout) < 0 ? failed_itself : 0;
  if (mode != "report" && mode != "each-call") return wrong("report or each-call comes first");
  EachCall options;
  int at = 2;
  for (; at < argc && argv[at][0] == '-'; at += 2) {
    const std::string_view name = argv[at];
    const bool is_given = at + 1 < argc && number_in(argv[at + 1]).has_value();
    if (mode == "report" || !is_given) return wrong("an option is unknown, or has no number");
    const std::uint64_t number = number_in(argv[at + 1]).value_or(0);
    if (name == "--code" && number >= 1 && number <= 65535)
      options.code = number;
    else if (name == "--calls")
      options.calls = number;
    else if (name == "--seconds" && number >= 1)
      options.seconds = number;
    else
      return wrong("an option is unknown, or its number is not possible");
  }
  if (at >= argc) return wrong("there is no command");
  return mode == "report" ? report(argv + at) : each_call(argv + at, options);
}
