// Sweeps the failures of a load: lets a remote call, a mapping and an allocation fail at each place
// of loading, executing and releasing in turn, once and lasting, with each way of loading. After
// each failure a load without one, in the same way and in that of `none`, must succeed and compute
// the same, or say that the process must be started again.
//
//   qnnpp_sweep [--places N] [--seconds N] [--only WORDS] [--verbose] HTP RPCMEM BINARY...
//
// Two contexts are loaded, from the first binaries that the library restores. Failures come from
// the simulated HTP's control tables or from the stand-in for FastRPC. Each way and failure runs in
// a child process; another child goes on after a crash, a hang, and a failure that only a new
// process ends. The exit code is 0 if each process came back from each failure.
#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/sim/control.hpp"

#include "flow/ways.hpp"

namespace {

using namespace flow;
using model::SpillFillSharing;

// ---- ways of loading

/// What a load and its executions have given.
struct Loaded {
  std::vector<std::byte> outputs;  ///< first bytes of each output, one output after another
  std::uint64_t lost_bytes = 0;    ///< what the report of the load counts as lost
};

/// Number of bytes of a tensor that are written or compared.
constexpr std::size_t looked_at = 1024;

/// Executes each graph of a context once, and adds its outputs.
void execute_into(std::vector<std::byte>& outputs, const Context<Finalized>& context,
                  const RpcmemAllocator& rpcmem) {
  for (const GraphSpec& spec : context.graphs()) {
    auto graph = must(must(Graph<Retrieved>::retrieve(context, spec.name)).bind(rpcmem));
    for (const TensorSpec& input : spec.inputs) {
      const auto bytes = must(graph.input<std::byte>(input.name));
      const auto elements = bytes.elements();
      for (std::size_t i = 0; i < std::min(looked_at, elements.size()); ++i)
        elements[i] = static_cast<std::byte>(i % 4 == 3 ? 0x3D : 37 * i);  // as float: 0.03 to 0.12
    }
    must(graph.execute());
    for (const TensorSpec& output : spec.outputs) {
      const auto bytes = must(graph.output<std::byte>(output.name));
      const auto elements = bytes.elements();
      outputs.insert(
          outputs.end(), elements.begin(),
          elements.begin() + static_cast<std::ptrdiff_t>(std::min(looked_at, elements.size())));
    }
  }
}

Loaded load(Tools& t, model::LoadOptions options) {
  options.contexts.share_without_dlbc = true;
  const auto loaded = must(model::load(t.backend(), t.rpcmem(), t.given.binaries, options));
  Loaded all;
  all.lost_bytes = loaded.report().lost_bytes;
  for (std::size_t i = 0; i < loaded.size(); ++i)
    execute_into(all.outputs, loaded.context(i), t.rpcmem());
  return all;
}

Loaded take_turns(Tools& t) {
  auto residents = must(model::Residency<>::create(
      t.backend(), t.rpcmem(), model::BinarySource::files(t.given.binaries),
      {.max_contexts = 1, .contexts = {.share_without_dlbc = true}}));
  Loaded all;
  for (std::size_t i = 0; i < residents.size(); ++i) {
    const auto pinned = must(residents.acquire(i));
    execute_into(all.outputs, pinned.context(), t.rpcmem());
  }
  all.lost_bytes = residents.stats().lost_bytes;
  return all;
}

Loaded finalize_each(Tools& t) {
  std::vector<Context<Queried>> asked;
  for (std::size_t i = 0; i < t.given.binaries.size(); ++i) asked.push_back(queried(t, i));
  const auto spill_fill = must(SharedSpillFill::allocate(t.rpcmem(), asked));
  std::vector<Context<Finalized>> contexts;
  for (auto& context : asked)
    contexts.push_back(must(std::move(context)
                                .register_buffers({.spill_fill = spill_fill})
                                .and_then(transition::finalize)));
  Loaded all;
  for (const auto& context : contexts) execute_into(all.outputs, context, t.rpcmem());
  return all;
}

/// Repeats a load after UNDEFINED, as a program that loads in single steps must (RES-03).
Loaded finalize_by_hand(Tools& t) {
  for (int tries = 1;; ++tries) try {
      return finalize_each(t);
    } catch (const Exception& failure) {
      if (tries == 3 || failure.error().code != c_api::code_of(c_api::CommonError::undefined))
        throw;
    }
}

struct WayToLoad {
  const char* name;
  Loaded (*run)(Tools& tools);
};
/// Each context alone, without buffers of the application.
constexpr WayToLoad apart{"none",
                          [](Tools& t) { return load(t, {.sharing = SpillFillSharing::none}); }};
constexpr WayToLoad ways[] = {
    {"automatic", [](Tools& t) { return load(t, {}); }},
    {"external_buffer",
     [](Tools& t) { return load(t, {.sharing = SpillFillSharing::external_buffer}); }},
    {"external_buffer_without_weights",
     [](Tools& t) {
       return load(t, {.sharing = SpillFillSharing::external_buffer,
                       .contexts = {.external_weights = false}});
     }},
    {"context_group",
     [](Tools& t) { return load(t, {.sharing = SpillFillSharing::context_group}); }},
    apart,
    {"in_one_call",
     [](Tools& t) {
       return load(t, {.sharing = SpillFillSharing::none, .in_one_call = restore_list});
     }},
    {"residency", &take_turns},
    {"by_hand", &finalize_by_hand}};

// ---- failures

enum class Kind { remote_call, mapping, allocation };

struct Failure {
  const char* name;
  Kind kind;
  bool is_lasting;
  int code = 0;  ///< value that a remote call returns
};
constexpr int code_of_failure = 1, code_of_restart = 39;
constexpr Failure failures[] = {{"remote_call_once", Kind::remote_call, false, code_of_failure},
                                {"remote_call_lasting", Kind::remote_call, true, code_of_failure},
                                {"restart_once", Kind::remote_call, false, code_of_restart},
                                {"restart_lasting", Kind::remote_call, true, code_of_restart},
                                {"mapping_once", Kind::mapping, false},
                                {"mapping_lasting", Kind::mapping, true},
                                {"allocation_once", Kind::allocation, false},
                                {"allocation_lasting", Kind::allocation, true}};

/// What lives outside the library.
struct Left {
  int allocations = 0;
  int mappings = 0;
  bool operator==(const Left&) const = default;
};

/// Makes calls of the DSP's side fail, and counts what it sees.
class Faults {
 public:
  virtual ~Faults() = default;
  /// Lets the call of this kind fail that follows `place` others; if lasting, all later ones too.
  virtual void fail(const Failure& failure, int place) = 0;
  /// Ends the failure. Returns whether a call met it.
  virtual bool clear() = 0;
  [[nodiscard]] virtual Left left() const = 0;
  /// Returns how often freed memory was used since the process began.
  [[nodiscard]] virtual int uses_of_freed_memory() const = 0;
};

/// Failures of the simulated HTP, as the library of its profile.
class SimulatedFaults final : public Faults {
 public:
  SimulatedFaults(const sim::Control& htp, const sim::RpcmemControl& rpcmem)
      : htp_(htp), rpcmem_(rpcmem) {
    sim::Config config = htp_.config();
    config.recycled_handles = 1;
    if (!htp_.set_config(config)) std::abort();
  }

  void fail(const Failure& failure, int place) override {
    const std::uint64_t call = static_cast<std::uint64_t>(place) + 1;
    fired_before_ = fired();
    switch (failure.kind) {
      case Kind::remote_call:
        return htp_.fail_remote_call(call, failure.code == code_of_restart ? 1007 : 5000,
                                     failure.is_lasting);
      case Kind::mapping:
        return htp_.fail_call(sim::Slot::mem_register, call, 8003, failure.is_lasting);
      case Kind::allocation:
        return rpcmem_.fail_call(sim::RpcmemCall::alloc2, call, failure.is_lasting);
    }
  }
  bool clear() override {
    htp_.clear_faults();
    rpcmem_.clear_faults();
    return fired() != fired_before_;
  }
  [[nodiscard]] Left left() const override {
    return {static_cast<int>(rpcmem_.counters().live_allocations),
            static_cast<int>(htp_.counters().device_mappings)};
  }
  [[nodiscard]] int uses_of_freed_memory() const override {
    return static_cast<int>(htp_.misuses("BUF-06"));
  }

 private:
  [[nodiscard]] std::uint64_t fired() const {
    return htp_.counters().faults_fired + rpcmem_.counters().failed_allocations;
  }

  sim::Control htp_;
  sim::RpcmemControl rpcmem_;
  std::uint64_t fired_before_ = 0;
};

/// Failures of the stand-in for FastRPC, which the process has loaded (standin/fastrpc.c).
class StandInFaults final : public Faults {
 public:
  /// Returns null if the process has no stand-in.
  static std::unique_ptr<Faults> find() {
    auto found = std::make_unique<StandInFaults>();
    return found->is_complete_ ? std::move(found) : nullptr;
  }

  void fail(const Failure& failure, int place) override {
    const int count = failure.is_lasting ? std::numeric_limits<int>::max() : 1;
    fired_before_ = failures_();
    switch (failure.kind) {
      case Kind::remote_call: return fail_return_(place, count, failure.code);
      case Kind::mapping: return fail_map_(place, count, 1);
      case Kind::allocation: return fail_allocation_(place, count);
    }
  }
  bool clear() override {
    fail_return_(0, 0, 0);
    fail_map_(0, 0, 0);
    fail_allocation_(0, 0);
    return failures_() != fired_before_;
  }
  [[nodiscard]] Left left() const override { return {allocations_(), live_maps_()}; }
  [[nodiscard]] int uses_of_freed_memory() const override { return uses_of_freed_memory_(); }

 private:
  using Count = int (*)();
  template <class Function>
  Function function(const char* name) {
    const auto found = reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
    is_complete_ = is_complete_ && found != nullptr;
    return found;
  }

  bool is_complete_ = true;
  void (*fail_return_)(int, int, int) = function<void (*)(int, int, int)>("standin_fail_return");
  void (*fail_map_)(int, int, int) = function<void (*)(int, int, int)>("standin_fail_map");
  void (*fail_allocation_)(int, int) = function<void (*)(int, int)>("standin_fail_allocation");
  Count failures_ = function<Count>("standin_failures");
  Count allocations_ = function<Count>("standin_allocations");
  Count live_maps_ = function<Count>("standin_live_maps");
  Count uses_of_freed_memory_ = function<Count>("standin_uses_of_freed_memory");
  int fired_before_ = 0;
};

std::unique_ptr<Faults> faults_of(const Given& given, bool& is_simulated) {
  const auto htp = sim::Control::from(::dlopen(given.htp.c_str(), RTLD_NOW));
  const auto rpcmem = sim::RpcmemControl::from(::dlopen(given.rpcmem.c_str(), RTLD_NOW));
  is_simulated = htp && rpcmem;
  if (is_simulated) return std::make_unique<SimulatedFaults>(htp, rpcmem);
  return StandInFaults::find();
}

// ---- the sweep

/// Settings of the command line.
struct Settings {
  int places = std::numeric_limits<int>::max();  ///< places of a failure, at most
  unsigned seconds = 60;                         ///< time limit of a place
  std::string only;                              ///< words in "way, failure"
  bool is_verbose = false;
};

/// What a sweep has seen; children and parent share it.
struct Seen {
  int place = 0;              ///< place that is tried now
  bool is_over = false;       ///< no further place fails
  bool is_refused = false;    ///< the library cannot load so, even without a failure
  bool is_excused = false;    ///< a load with a failure, or the library's exit handlers run now
  bool is_simulated = false;  ///< the library is the simulated HTP
  // Totals.
  int failures = 0;       ///< loads with a failure
  int came_back = 0;      ///< clean loads after a failure that succeeded
  int new_processes = 0;  ///< clean loads whose error says that a new process is needed
  int failed = 0;         ///< other clean loads that failed, or computed something else
  int uses_of_freed = 0;  ///< uses of freed memory
  int unclosed = 0;       ///< backends that could not be closed
  int unended = 0;        ///< crashes and hangs after a failure
  // Does not count against a host library, which does both by itself.
  int left = 0;     ///< failures that left memory without saying so
  int crashed = 0;  ///< crashes and hangs under a failure, or when the process ends
};

/// Outcome of a load: what it has given, or the message of its error.
struct Outcome {
  Loaded loaded;
  std::string error;

  [[nodiscard]] bool computes(const Outcome& other) const {
    return error.empty() && loaded.outputs == other.loaded.outputs;
  }
};
Outcome outcome(const WayToLoad& way, Tools& tools) {
  try {
    return {way.run(tools), {}};
  } catch (const Exception& failure) {
    return {{}, failure.error().message()};
  }
}

/// Whether an error says that only a new process helps: "reload the process", "restart the
/// process".
bool asks_for_new_process(const Outcome& outcome) {
  return outcome.error.find("reload the process") != std::string::npos ||
         outcome.error.find("restart the process") != std::string::npos;
}
/// What an error says that leaves memory in use.
constexpr std::string_view lost_words = "until the process ends";

class Sweep {
 public:
  Sweep(const WayToLoad& way, const Failure& failure, const WayToLoad& next, const Given& given,
        const Settings& settings, Seen& seen)
      : way_(way),
        failure_(failure),
        next_(next),
        settings_(settings),
        seen_(seen),
        tools_(given) {}

  /// Goes on at the place of Seen, until a place is not met or a new process is needed.
  void run() {
    ::alarm(settings_.seconds);
    faults_ = faults_of(tools_.given, seen_.is_simulated);
    if (!faults_) return report("no means to fail"), refuse();
    const Outcome first = outcome(way_, tools_);
    if (!first.error.empty()) {
      if (settings_.is_verbose) report("loads never: " + first.error);
      return refuse();
    }
    left_ = faults_->left();
    bool goes_on = true;
    while (goes_on && seen_.place < settings_.places) goes_on = fail_once(first);
    ::alarm(settings_.seconds);
    const auto closed = tools_.close();
    // A process that must end need not close its backend.
    if (closed || !goes_on) return;
    ++seen_.unclosed;
    report("then the backend does not close: " + closed.error().message());
  }

 private:
  void end() { seen_.is_over = true; }
  void refuse() {
    seen_.is_refused = true;
    end();
  }

  void report(const std::string& what) const {
    std::printf("%s, %s at %d, then %s: %s\n", way_.name, failure_.name, seen_.place, next_.name,
                what.c_str());
    std::fflush(stdout);
  }

  /// Tries one place. Returns false if only a new process can go on.
  bool fail_once(const Outcome& expected) {
    ::alarm(settings_.seconds);
    faults_->fail(failure_, seen_.place);
    seen_.is_excused = true;
    const Outcome failed = outcome(way_, tools_);
    seen_.is_excused = false;
    if (!faults_->clear()) return end(), false;
    ++seen_.failures;
    const std::string after =
        " (after: " + (failed.error.empty() ? "a success" : failed.error) + ")";
    if (settings_.is_verbose) report("the failure:" + after);
    if (failed.error.empty() && !failed.computes(expected)) {
      ++seen_.failed;
      report("something else is computed");
    }
    const Outcome clean = outcome(next_, tools_);
    const bool is_back = clean.computes(expected);
    if (is_back) {
      ++seen_.came_back;
    } else if (asks_for_new_process(failed) || asks_for_new_process(clean)) {
      ++seen_.new_processes;
    } else {
      ++seen_.failed;
      report((clean.error.empty() ? "something else is computed" : clean.error) + after);
    }
    if (const int uses = faults_->uses_of_freed_memory(); uses != uses_) {
      seen_.uses_of_freed += uses - std::exchange(uses_, uses);
      report("freed memory is used" + after);
    }
    const std::uint64_t lost_bytes = std::max(failed.loaded.lost_bytes, clean.loaded.lost_bytes);
    if (const Left left = faults_->left(); left != left_ && is_back) {
      const bool is_told =
          lost_bytes > lost_bytes_ || failed.error.find(lost_words) != std::string::npos;
      if (!is_told) {
        ++seen_.left;
        report("left are " + std::to_string(left.allocations - left_.allocations) +
               " allocations and " + std::to_string(left.mappings - left_.mappings) + " mappings" +
               after);
      }
      left_ = left;
    }
    lost_bytes_ = std::max(lost_bytes_, lost_bytes);
    ++seen_.place;
    return is_back;
  }

  const WayToLoad& way_;
  const Failure& failure_;
  const WayToLoad& next_;
  const Settings& settings_;
  Seen& seen_;
  Tools tools_;
  std::unique_ptr<Faults> faults_;
  Left left_;
  int uses_ = 0;
  std::uint64_t lost_bytes_ = 0;
};

/// Runs a function in a child process, which returns its result as exit code. Returns the status of
/// waitpid.
template <class Function>
int in_child(Function function) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) std::exit(function());  // Runs the library's exit handlers.
  int status = 0;
  if (child > 0 && ::waitpid(child, &status, 0) == child) return status;
  std::perror("qnnpp_sweep");
  std::exit(2);
}

/// Sweeps in child processes until no further place fails.
void sweep(const WayToLoad& way, const Failure& failure, const WayToLoad& next, const Given& given,
           const Settings& settings, Seen& seen) {
  seen.place = 0;
  seen.is_over = seen.is_refused = false;
  while (!seen.is_over && seen.place < settings.places) {
    const int status = in_child([&] {
      seen.is_excused = false;
      Sweep(way, failure, next, given, settings, seen).run();
      seen.is_excused = true;
      return 0;
    });
    if (status == 0) continue;
    ++(seen.is_excused ? seen.crashed : seen.unended);
    std::printf("%s, %s at %d, then %s: the process ends with %s %d\n", way.name, failure.name,
                seen.place, next.name, WIFSIGNALED(status) ? "signal" : "exit code",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    std::fflush(stdout);
    ++seen.place;
  }
}

/// Returns two of the binaries that the library restores, or one twice.
std::vector<std::string> choose(const Given& given, const Settings& settings) {
  std::vector<std::string> chosen;
  for (const std::string& path : given.binaries) {
    const int status = in_child([&] {
      ::alarm(settings.seconds);
      const Given one{given.htp, given.rpcmem, {path}, {}};
      Tools tools(one);
      const std::string error = outcome(apart, tools).error;
      if (settings.is_verbose && !error.empty()) std::printf("not swept: %s\n", error.c_str());
      return error.empty() ? 0 : 1;
    });
    if (status == 0) chosen.push_back(path);
    if (chosen.size() == 2) return chosen;
  }
  if (!chosen.empty()) chosen.push_back(chosen.front());
  return chosen;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--verbose")
      settings.is_verbose = true;
    else if (word == "--places" && i + 1 < argc)
      settings.places = std::atoi(argv[++i]);
    else if (word == "--seconds" && i + 1 < argc)
      settings.seconds = static_cast<unsigned>(std::atoi(argv[++i]));
    else if (word == "--only" && i + 1 < argc)
      settings.only = argv[++i];
    else
      words.emplace_back(word);
  }
  if (words.size() < 3) {
    std::fprintf(stderr,
                 "usage: qnnpp_sweep [--places N] [--seconds N] [--only WORDS] [--verbose] HTP "
                 "RPCMEM BINARY...\n");
    return 2;
  }
  Given given{words[0], words[1], {words.begin() + 2, words.end()}, {}};
  given.binaries = choose(given, settings);
  if (given.binaries.empty()) {
    std::fprintf(stderr, "qnnpp_sweep: the library restores none of these binaries\n");
    return 2;
  }
  void* const shared =
      ::mmap(nullptr, sizeof(Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) return std::perror("qnnpp_sweep"), 2;
  Seen& seen = *new (shared) Seen;
  int swept = 0;
  for (const WayToLoad& way : ways) {
    bool is_refused = true;
    for (const Failure& failure : failures) {
      if ((std::string(way.name) + ", " + failure.name).find(settings.only) == std::string::npos)
        continue;
      sweep(way, failure, way, given, settings, seen);
      if (!seen.is_refused && way.run != apart.run)
        sweep(way, failure, apart, given, settings, seen);
      if (seen.is_refused) break;
      is_refused = false;
    }
    swept += is_refused ? 0 : 1;
  }
  std::printf(
      "sweep: %d ways, %d failures, %d clean loads, %d that need a new process, %d that fail, %d "
      "uses of freed memory, %d backends not closed, %d crashes; by the library itself: %d "
      "crashes, memory left %d times\n",
      swept, seen.failures, seen.came_back, seen.new_processes, seen.failed, seen.uses_of_freed,
      seen.unclosed, seen.unended, seen.crashed, seen.left);
  int wrong = seen.failed + seen.uses_of_freed + seen.unclosed + seen.unended;
  if (seen.is_simulated) wrong += seen.crashed + seen.left;
  return seen.failures != 0 && wrong == 0 ? 0 : 1;
}
