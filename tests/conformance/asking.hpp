// Questions and answers: each question runs in a separate process and adds words to its answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace conformance {

class Host;

/// Context binary of the command line, and the library's information about it.
struct Binary {
  std::string path;
  std::vector<char> bytes;
  bool readable = false;        ///< Whether the system library can read its metadata.
  std::uint64_t created = ~0u;  ///< Code of contextCreateFromBinary.
  std::uint64_t graphs = 0;
  std::uint64_t weights = 0;     ///< Bytes of weights.
  std::uint64_t spill_fill = 0;  ///< Bytes of spill-fill.
  std::uint64_t alignment = 0;   ///< Start alignment of external buffers.
};

/// Libraries and binaries for the questions.
struct Given {
  const char* htp = nullptr;
  const char* system = nullptr;
  const char* rpcmem = nullptr;
  std::vector<Binary> binaries;
  /// Binary with the largest spill-fill need among the binaries that the library loads.
  const Binary* main = nullptr;
  const Binary* smaller = nullptr;     ///< Binary with a smaller spill-fill need, or NULL.
  const Binary* no_spill = nullptr;    ///< Binary without a spill-fill need, or NULL.
  const Binary* other_arch = nullptr;  ///< Binary for another architecture, or NULL.
  const Binary* two_graphs = nullptr;  ///< Binary with several graphs, or NULL.
  bool log = false;                    ///< Whether to write the library's log to stderr.
  bool no_memory = false;    ///< Whether the library registers no memory: it has no QnnMem.
  bool no_deferral = false;  ///< Whether the library creates no deferred contexts.
};
inline Given given;

/// Answers a question in a child process. The Host has loaded the libraries, but has neither
/// backend nor device.
using Answering = void (*)(Host& host);

struct Question {
  const char* id;
  const char* text;
  Answering answer;
};

/// All questions, in order. Sections add their questions: ask("F-8", "...", [](Host& host) {...}).
class Catalogue {
 public:
  void operator()(const char* id, const char* text, Answering answer) {
    questions_.push_back({id, text, answer});
  }
  const std::vector<Question>& questions() const { return questions_; }

 private:
  std::vector<Question> questions_;
};

/// Adds words to the answer, after a comma. Words before a crash are part of the answer.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);
/// Adds "what code" to the answer and returns the code.
std::uint64_t say_code(const char* what, std::uint64_t code);
/// Adds a whole line, for a question with several lines.
void say_row(const std::string& id, const std::string& text, const std::string& answer);
/// Adds a comment before the answer: what was measured, which differs between runs.
[[gnu::format(printf, 1, 2)]] void note(const char* format, ...);
/// Ends the answer with these words and exits.
[[noreturn]] void give_up(const std::string& words);

void ask_finalize(Catalogue& ask);
void ask_lifetimes(Catalogue& ask);
void ask_properties(Catalogue& ask);
void ask_registration(Catalogue& ask);
void ask_tensors(Catalogue& ask);
void ask_types(Catalogue& ask);
void ask_options(Catalogue& ask);
void ask_creation(Catalogue& ask);
void ask_room(Catalogue& ask);
void ask_lists(Catalogue& ask);
void ask_callbacks(Catalogue& ask);
void ask_threads(Catalogue& ask);
void ask_failures(Catalogue& ask);
void ask_recovery(Catalogue& ask);
void ask_capabilities(Catalogue& ask);
void ask_errors(Catalogue& ask);
void ask_slots(Catalogue& ask);
void ask_power(Catalogue& ask);
void ask_devices(Catalogue& ask);
void ask_profiles(Catalogue& ask);
void ask_graph_options(Catalogue& ask);
void ask_logs(Catalogue& ask);
void ask_profile_files(Catalogue& ask);
void ask_device(Catalogue& ask);
void ask_signals(Catalogue& ask);

}  // namespace conformance
