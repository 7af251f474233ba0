// Exercises each public use of qnnpp on a libQnnHtp.so: simulated, real or on a device. Prints one
// line for each way: its name, and "ok" or the code and step of its error.
//
//   qnnpp_flow [--seconds N] [--verbose] [--only WORDS] HTP RPCMEM BINARY|FOLDER...
//
// Binaries that the library does not restore are used for the ways that need a binary of another
// device. Each way runs in a child process with a time limit; a crash and a hang are outcomes too.
// The exit code is 0 if no way crashed or hung.
#include <dirent.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "flow/contexts.hpp"
#include "flow/devices.hpp"
#include "flow/graph_options.hpp"
#include "flow/models.hpp"
#include "flow/profiles.hpp"
#include "flow/tensors.hpp"
#include "time_limit.hpp"

namespace {

using namespace flow;

/// Names of the kinds of errors, in their order.
constexpr const char* kinds[] = {
    "qnn",
    "library_not_found",
    "library_unusable",
    "symbol_missing",
    "not_qnn",
    "version_unsupported",
    "slot_missing",
    "slot_null",
    "capability_missing",
    "file_unreadable",
    "file_unwritable",
    "empty",
    "allocation_failed",
    "sync_failed",
    "no_file_descriptor",
    "too_large",
    "too_small",
    "misaligned",
    "purpose_mismatch",
    "overlapping",
    "already_registered",
    "memory_type_mismatch",
    "wrong_architecture",
    "raw_memory",
    "unknown_name",
    "duplicate_name",
    "missing_tensor",
    "unwritten_input",
    "wrong_order",
    "type_mismatch",
    "shape_mismatch",
    "size_mismatch",
    "unsupported_tensor",
    "foreign_object",
    "incomplete",
    "in_use",
    "would_deadlock",
    "no_metadata",
    "dead",
    "foreign_process",
    "cancelled",
    "timed_out",
    "malformed",
    "stale",
    "invalid_argument",
};
static_assert(std::size(kinds) == static_cast<std::size_t>(Errc::invalid_argument) + 1,
              "a kind of error was added; give its name here");

bool verbose = false;

std::string words_of(const Error& error) {
  if (verbose) std::fprintf(stderr, "  %s\n", error.message().c_str());
  const std::string what = error.kind == Errc::qnn ? std::to_string(error.code)
                                                   : kinds[static_cast<std::size_t>(error.kind)];
  return what + " " + error.step;
}

/// Runs a way in this process and returns its outcome.
std::string outcome(const Way& way, const Given& given) {
  Tools tools(given);
  std::string text;
  bool is_left_open = false;
  try {
    const std::string more = way.run(tools);
    is_left_open = more == left_open;
    text = more.empty() || is_left_open ? "ok" : "ok, " + more;
  } catch (const Exception& failure) {
    text = words_of(failure.error());
  }
  // After any outcome the device must be free.
  if (const auto closed = tools.close(); !closed && !is_left_open)
    text += "; then " + words_of(closed.error());
  return text;
}

/// Runs a way in a child process with a time limit and returns its outcome.
std::string outcome_in_child(const Way& way, const Given& given, int seconds) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    ::dup2(STDERR_FILENO, STDOUT_FILENO);  // Output of the library is not part of the outcome.
    const std::string text = outcome(way, given);
    const bool is_told = ::write(ends[1], text.data(), text.size()) >= 0;
    ::close(ends[1]);
    std::exit(is_told ? 0 : 1);  // Runs the library's exit handlers.
  }
  ::close(ends[1]);
  std::string text;
  int status = 0;
  bool is_over = false;
  TimeLimit limit(child, seconds);
  while (child > 0 && !is_over) {
    is_over = ::waitpid(child, &status, WNOHANG) == child;
    if (!is_over && limit.is_over()) break;
    pollfd end{ends[0], POLLIN, 0};
    char part[256];
    if (::poll(&end, 1, is_over ? 0 : 10) > 0)
      for (ssize_t got; (got = ::read(ends[0], part, sizeof(part))) > 0;) {
        text.append(part, static_cast<std::size_t>(got));
        if (static_cast<std::size_t>(got) < sizeof(part)) break;
      }
    // The child has closed the pipe; waits only for its exit.
    if (!is_over && (end.revents & POLLHUP) != 0) ::usleep(2000);
  }
  ::close(ends[0]);
  if (child <= 0) return "no child process";
  const std::string before = text.empty() ? "" : text + "; then ";
  if (!is_over) {
    ::kill(child, SIGKILL);
    ::waitpid(child, &status, 0);
    return before + "no end";
  }
  if (WIFSIGNALED(status)) return before + "crash: signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? text : before + "exit " + std::to_string(WEXITSTATUS(status));
}

/// Adds a binary by its path, or all .bin files of a folder.
void add_binaries(const std::string& path, std::vector<std::string>& binaries) {
  DIR* folder = ::opendir(path.c_str());
  if (folder == nullptr) return binaries.push_back(path);
  const std::size_t before = binaries.size();
  while (const dirent* entry = ::readdir(folder))
    if (std::string_view(entry->d_name).ends_with(".bin"))
      binaries.push_back(path + "/" + entry->d_name);
  ::closedir(folder);
  std::sort(binaries.begin() + static_cast<std::ptrdiff_t>(before), binaries.end());
}

}  // namespace

int main(int argc, char** argv) {
  Given given;
  int seconds = 60;
  std::string only;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--verbose")
      verbose = true;
    else if (word == "--seconds" && i + 1 < argc)
      seconds = std::atoi(argv[++i]);
    else if (word == "--only" && i + 1 < argc)
      only = argv[++i];
    else
      words.emplace_back(word);
  }
  std::vector<std::string> binaries;
  for (std::size_t i = 2; i < words.size(); ++i) add_binaries(words[i], binaries);
  if (binaries.empty()) {
    std::fprintf(stderr,
                 "usage: qnnpp_flow [--seconds N] [--verbose] [--only WORDS] HTP RPCMEM "
                 "BINARY|FOLDER...\n");
    return 2;
  }
  given.htp = words[0];
  given.rpcmem = words[1];
  const Way first{"", [](Tools& t) {
                    (void)must(Context<Finalized>::restore(t.backend(), t.binary()));
                    return std::string();
                  }};
  std::string text;
  for (const std::string& path : binaries) {
    text = outcome_in_child(first, {given.htp, given.rpcmem, {path}, {}}, seconds);
    (text == "ok" ? given.binaries : given.refused).push_back(path);
  }
  if (given.binaries.empty()) {
    std::fprintf(stderr, "qnnpp_flow: the library restores none of these binaries: %s\n",
                 text.c_str());
    return 2;
  }

  Ways ways;
  add_backend_ways(ways);
  add_device_ways(ways);
  add_power_ways(ways);
  add_model_ways(ways);
  add_profile_ways(ways);
  add_context_ways(ways);
  add_group_ways(ways);
  add_graph_option_ways(ways);
  add_tensor_ways(ways);
  add_closing_ways(ways);
  std::size_t asked = 0;
  std::size_t unended = 0;
  for (const Way& way : ways) {
    if (std::string_view(way.name).find(only) == std::string_view::npos) continue;
    text = outcome_in_child(way, given, seconds);
    std::printf("%-56s %s\n", way.name, text.c_str());
    std::fflush(stdout);
    ++asked;
    for (const char* bad : {"crash", "no end", "exit ", "no child", "no pipe"})
      if (text.find(bad) != std::string::npos) {
        ++unended;
        break;
      }
  }
  std::fprintf(stderr, "qnnpp_flow: %zu ways, %zu without an end of their own\n", asked, unended);
  return unended == 0 ? 0 : 1;
}
