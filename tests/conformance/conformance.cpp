// Asks a libQnnHtp.so numbered questions, and prints one line for each:
//
//     id | question | answer
//
// It includes only the C API's declarations of qnnpp and calls the libraries' function tables
// directly, so no wrapper affects the answers. Each question runs in a separate process, which may
// crash or hang. README.md describes how to run it and how to read a line.
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <iterator>

#include "asking.hpp"
#include "host.hpp"
#include "time_limit.hpp"

namespace conformance {
namespace {

int answer_pipe = -1;
bool first_words = true;
int limit_seconds = 20;
constexpr char note_mark = '\x01';  // A note ends with its line; it may be within an answer.

void write_all(const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(answer_pipe, text.data() + done, text.size() - done);
    if (written <= 0) ::_exit(3);
    done += static_cast<std::size_t>(written);
  }
}

}  // namespace

void say(const char* format, ...) {
  char text[1024];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  write_all((first_words ? "" : ", ") + std::string(text));
  first_words = false;
}
std::uint64_t say_code(const char* what, std::uint64_t code) {
  say("%s %llu", what, static_cast<unsigned long long>(code));
  return code;
}
void say_row(const std::string& id, const std::string& text, const std::string& answer) {
  write_all(id + " | " + text + " | " + answer + "\n");
}
void note(const char* format, ...) {
  char text[1024];
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  write_all(note_mark + std::string(text) + "\n");
}
void give_up(const std::string& words) {
  say("%s", words.c_str());
  ::_exit(0);
}

namespace {

[[noreturn]] void answer(const Question& question, int pipe) {
  answer_pipe = pipe;
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  // Output of the libraries is not part of the answer.
  if (std::FILE* const nowhere = std::fopen("/dev/null", "w"); nowhere != nullptr) {
    ::dup2(::fileno(nowhere), STDOUT_FILENO);
    if (!given.log) ::dup2(::fileno(nowhere), STDERR_FILENO);
  }
  Host host;
  host.load();
  question.answer(host);
  ::_exit(0);
}

/// Asks in a child process. Returns the answer, with the child's crash, hang or exit code if it
/// fails.
std::string ask_apart(const Question& question) {
  int ends[2];
  if (::pipe(ends) != 0) return "not asked: no pipe";
  std::fflush(stdout);
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    answer(question, ends[1]);
  }
  ::close(ends[1]);
  std::string text;
  bool hangs = false;
  TimeLimit limit(child, limit_seconds);
  while (true) {
    pollfd ready{ends[0], POLLIN, 0};
    const bool is_quiet = ::poll(&ready, 1, 100) == 0;
    if (limit.is_over()) {
      hangs = true;
      ::kill(child, SIGKILL);
      break;
    }
    if (is_quiet) continue;
    char buffer[4096];
    const ssize_t size = ::read(ends[0], buffer, sizeof buffer);
    if (size <= 0) break;
    text.append(buffer, static_cast<std::size_t>(size));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  std::string end;
  if (hangs) {
    end = "hang";
  } else if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    end = std::string("crash ") + (number == SIGSEGV   ? "SIGSEGV"
                                   : number == SIGBUS  ? "SIGBUS"
                                   : number == SIGABRT ? "SIGABRT"
                                   : number == SIGFPE  ? "SIGFPE"
                                   : number == SIGILL  ? "SIGILL"
                                                       : ::strsignal(number));
  } else if (WEXITSTATUS(status) != 0) {
    end = "exit " + std::to_string(WEXITSTATUS(status));
  }
  if (end.empty()) return text;
  return text.empty() || text.back() == '\n' ? text + end : text + ", " + end;
}

/// Prints the notes, and takes them out of the text.
void print_notes(const Question& question, std::string& text) {
  for (std::size_t at; (at = text.find(note_mark)) != std::string::npos;) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1);
    std::printf("# %s: %s", question.id, text.substr(at + 1, end - at).c_str());
    text.erase(at, end - at + 1);
  }
}

/// Prints the answer: whole rows unchanged, the rest as the row of the question. Returns the number
/// of rows.
int print_answer(const Question& question, std::string text) {
  print_notes(question, text);
  const std::size_t rows = text.rfind('\n') == std::string::npos ? 0 : text.rfind('\n') + 1;
  int count = static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  std::fputs(text.substr(0, rows).c_str(), stdout);
  if (rows == 0 || rows < text.size()) {
    std::printf("%s | %s | %s\n", question.id, question.text, text.c_str() + rows);
    ++count;
  }
  std::fflush(stdout);
  return count;
}

// ---- the binaries, and the library's information about them

/// Binary to examine.
const Binary* examined = nullptr;

void examine(Host& host) {
  SystemContextHandle context = nullptr;
  const SystemContextBinaryInfo* info = nullptr;
  ContextBinarySize size = 0;
  host.system.system_context_create(&context);
  if (host.system.system_context_get_binary_info(context, const_cast<char*>(examined->bytes.data()),
                                                 examined->bytes.size(), &info, &size) != 0)
    return;
  say("readable 1");
  say("graphs %u", info->version == SystemContextBinaryInfoVersion::v3
                       ? info->context_binary_info_v3.num_graphs
                       : info->context_binary_info_v1.num_graphs);
  host.start();
  if (host.create({}, examined).created != 0 || host.core.minor < 27) return;
  const Context deferred = host.create(Options().deferred(), examined);
  std::uint64_t value = 0;
  if (deferred.property(HtpContextPropertyOption::weights_buffer_size, &value) == 0)
    say_code("weights", value);
  if (deferred.property(HtpContextPropertyOption::max_spillfill_buffer_size, &value) == 0)
    say_code("spill", value);
  if (deferred.property(HtpContextPropertyOption::buffer_start_alignment, &value) == 0)
    say_code("alignment", value);
}

void learn(Binary& binary) {
  examined = &binary;
  const std::string text = ask_apart({"", "", examine});
  const auto number = [&text](const char* word, std::uint64_t otherwise) {
    const std::size_t at = text.find(std::string(word) + " ");
    return at == std::string::npos
               ? otherwise
               : std::strtoull(text.c_str() + at + std::strlen(word), nullptr, 10);
  };
  binary.readable = number("readable", 0) != 0;
  binary.graphs = number("graphs", 0);
  binary.created = number("create", ~0ull);
  binary.weights = number("weights", 0);
  binary.spill_fill = number("spill", 0);
  binary.alignment = number("alignment", 0);
  if (given.log) std::fprintf(stderr, "%s: %s\n", binary.path.c_str(), text.c_str());
}

void choose_binaries() {
  for (const Binary& binary : given.binaries) {
    if (!binary.readable) continue;
    const bool refused = binary.created == 5005 || binary.created == 5008;
    if (refused && given.other_arch == nullptr) given.other_arch = &binary;
    if (binary.created != 0) continue;
    if (binary.graphs > 1 && given.two_graphs == nullptr) given.two_graphs = &binary;
    if (binary.graphs > 1) continue;
    if (binary.spill_fill == 0 && given.no_spill == nullptr) given.no_spill = &binary;
    if (given.main == nullptr || given.main->spill_fill < binary.spill_fill) given.main = &binary;
  }
  for (const Binary& binary : given.binaries)
    if (binary.created == 0 && binary.graphs == 1 && binary.spill_fill != 0 &&
        binary.spill_fill < given.main->spill_fill)
      given.smaller = &binary;
}

/// Asks for what Qualcomm's library for x86-64 lacks, because it has no DSP beside it.
void examine_library(Host& host) {
  host.start();
  const Context context = host.create();
  MemHandle handle = nullptr;
  const MemDescriptor descriptor = ion(host.allocate(page_bytes).fd, {64, 64});
  say_code("register", host.qnn.mem_register(context.handle, &descriptor, 1, &handle));
  say_code("deferral",
           host.qnn.property_has_capability(PropertyKey::context_support_deferred_graph_init));
}

void learn_library() {
  const std::string text = ask_apart({"", "", examine_library});
  given.no_memory = text.find("register 1000") != std::string::npos;
  given.no_deferral = text.find("deferral 1000") != std::string::npos;
}

void print_version(Host& host) {
  const char* id = nullptr;
  host.qnn.backend_get_build_id(&id);
  say("%s", id == nullptr ? "" : id);
}

int usage() {
  std::fputs(
      "usage: conformance HTP SYSTEM RPCMEM [--only PREFIX] [--ids ID,ID...] [--limit SECONDS]\n"
      "                   [--within SECONDS] [--log] BINARY...\n"
      "Asks the three libraries and prints 'id | question | answer' for each question.\n",
      stderr);
  return 2;
}

int run(int argc, char** argv) {
  if (argc < 5) return usage();
  given.htp = argv[1], given.system = argv[2], given.rpcmem = argv[3];
  std::string only, ids;
  int within_seconds = 0;
  for (int i = 4; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--log") {
      given.log = true;
    } else if (word == "--only" && i + 1 < argc) {
      only = argv[++i];
    } else if (word == "--ids" && i + 1 < argc) {
      ids = "," + std::string(argv[++i]) + ",";
    } else if (word == "--within" && i + 1 < argc) {
      within_seconds = std::atoi(argv[++i]);
    } else if (word == "--limit" && i + 1 < argc) {
      limit_seconds = std::atoi(argv[++i]);
    } else if (std::ifstream file(word, std::ios::binary); file) {
      Binary binary;
      binary.path = word;
      binary.bytes.assign(std::istreambuf_iterator<char>(file), {});
      given.binaries.push_back(std::move(binary));
    } else {
      std::fprintf(stderr, "conformance: %s cannot be read\n", argv[i]);
      return 2;
    }
  }
  for (Binary& binary : given.binaries) learn(binary);
  choose_binaries();
  if (given.main == nullptr) {
    std::fprintf(stderr, "conformance: the library loads none of the binaries\n");
    return 2;
  }

  learn_library();

  Catalogue ask;
  ask_finalize(ask);
  ask_lifetimes(ask);
  ask_properties(ask);
  ask_registration(ask);
  ask_tensors(ask);
  ask_types(ask);
  ask_options(ask);
  ask_creation(ask);
  ask_room(ask);
  ask_lists(ask);
  ask_callbacks(ask);
  ask_threads(ask);
  ask_failures(ask);
  ask_recovery(ask);
  ask_capabilities(ask);
  ask_errors(ask);
  ask_slots(ask);
  ask_power(ask);
  ask_devices(ask);
  ask_profiles(ask);
  ask_graph_options(ask);
  ask_logs(ask);
  ask_profile_files(ask);
  ask_device(ask);
  ask_signals(ask);
  std::printf("# library %s\n", ask_apart({"", "", print_version}).c_str());
  std::fflush(stdout);
  int count = 0;
  const std::time_t start = std::time(nullptr);
  for (const Question& question : ask.questions()) {
    const std::string id = question.id;
    if (id.rfind(only, 0) != 0) continue;
    if (!ids.empty() && ids.find("," + id + ",") == std::string::npos) continue;
    if (given.log) std::fprintf(stderr, "== %s\n", question.id);
    const bool is_late = within_seconds != 0 && std::time(nullptr) - start >= within_seconds;
    count += print_answer(question, is_late ? "not asked: no time left" : ask_apart(question));
  }
  std::printf("# %d answers\n", count);
  return 0;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) { return conformance::run(argc, argv); }
