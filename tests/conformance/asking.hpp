// Questions and how they are answered: each runs in a process of its own and adds words to its
// answer.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace conformance {

class Host;

/// A context binary given on the command line, and what the library itself says about it.
struct Binary {
  std::string path;
  std::vector<char> bytes;
  bool readable = false;        ///< The system library reads its metadata.
  std::uint64_t created = ~0u;  ///< Code of contextCreateFromBinary.
  std::uint64_t graphs = 0;
  std::uint64_t weights = 0;     ///< Bytes of weights.
  std::uint64_t spill_fill = 0;  ///< Bytes of spill-fill.
  std::uint64_t alignment = 0;   ///< Where an external buffer starts.
};

/// What the questions are asked of, and with.
struct Given {
  const char* htp = nullptr;
  const char* system = nullptr;
  const char* rpcmem = nullptr;
  std::vector<Binary> binaries;
  const Binary* main =
      nullptr;  ///< Of those that the library loads, the one with the most spill-fill.
  const Binary* smaller = nullptr;     ///< One that needs less spill-fill, but some, or NULL.
  const Binary* no_spill = nullptr;    ///< One without a need of spill-fill, or NULL.
  const Binary* other_arch = nullptr;  ///< One for another architecture, or NULL.
  const Binary* two_graphs = nullptr;  ///< One with several graphs, or NULL.
  bool log = false;                    ///< Whether the library's log goes to stderr.
};
inline Given given;

/// A question. Runs in a child process, with a Host that is loaded, but has neither backend nor
/// device yet.
using Answering = void (*)(Host& host);

struct Question {
  const char* id;
  const char* text;
  Answering answer;
};

/// All questions, in the order in which they are asked. Sections add theirs: ask("F-8", "...",
/// [](Host& host) {...}).
class Catalogue {
 public:
  void operator()(const char* id, const char* text, Answering answer) {
    questions_.push_back({id, text, answer});
  }
  const std::vector<Question>& questions() const { return questions_; }

 private:
  std::vector<Question> questions_;
};

/// Adds words to the answer, after a comma. What is said before a crash is part of the answer.
[[gnu::format(printf, 1, 2)]] void say(const char* format, ...);
/// Says "what code" and returns the code.
std::uint64_t say_code(const char* what, std::uint64_t code);
/// Says a whole line: for a question that answers many.
void say_row(const std::string& id, const std::string& text, const std::string& answer);
/// Ends the answer, and the process, with these words.
[[noreturn]] void give_up(const std::string& words);

void ask_finalize(Catalogue& ask);
void ask_lifetimes(Catalogue& ask);
void ask_properties(Catalogue& ask);
void ask_registration(Catalogue& ask);
void ask_tensors(Catalogue& ask);
void ask_options(Catalogue& ask);
void ask_creation(Catalogue& ask);
void ask_lists(Catalogue& ask);
void ask_callbacks(Catalogue& ask);
void ask_threads(Catalogue& ask);
void ask_failures(Catalogue& ask);
void ask_capabilities(Catalogue& ask);
void ask_errors(Catalogue& ask);
void ask_slots(Catalogue& ask);

}  // namespace conformance
