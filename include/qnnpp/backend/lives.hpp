// Lives: which contexts of a backend live after restarts of the DSP, and how their graphs learn it.
#pragma once

#include <cstdint>
#include <utility>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/graph.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/atomic.hpp"
#include "qnnpp/core/detail/mutex.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::detail {

class ExecuteGate;

/// Contexts are numbered as they are made. A restart of the DSP ends all that were made before the
/// call that reports it, with their graphs and registrations (SSR-01). They are dead for use, and
/// are still released. A report without a restart (SSR-02) ends them too: they are made again.
class Lives {
 public:
  Lives() = default;
  Lives(const Lives&) = delete;
  Lives& operator=(const Lives&) = delete;

  /// Restarts that calls have told of.
  [[nodiscard]] std::uint32_t restarts() const noexcept { return restarts_.load(Order::acquire); }

 private:
  friend struct Birth;
  friend class ExecuteGate;

  /// Closes all gates: contexts have come or died.
  void close_gates() noexcept;

  Atomic<std::uint64_t> births_{0};
  Atomic<std::uint64_t> first_alive_{0};
  Atomic<std::uint32_t> restarts_{0};
  /// Held for a few instructions, when a graph comes or goes, and when a context comes or dies.
  Mutex mutex_;
  ExecuteGate* gates_ = nullptr;
};

/// When a context was made, among all of its backend. Does not outlive the backend's block.
struct Birth {
  Lives* lives = nullptr;
  std::uint64_t number = 0;
  bool operator==(const Birth&) const = default;

  [[nodiscard]] static Birth now(Lives& lives) noexcept {
    const Birth made{&lives, lives.births_.fetch_add(1)};
    lives.close_gates();
    return made;
  }
  /// Whether the context's handles died with a restart since: they are released, not used.
  [[nodiscard]] bool is_over() const noexcept { return number < lives->first_alive_.load(); }
  /// To be asked before a call that is told to note().
  [[nodiscard]] std::uint64_t moment() const noexcept { return lives->births_.load(); }
  /// Remembers a restart that a call told of: 1007 (recovered) or 1011 (fatal). Whatever was made
  /// before the call began is dead; what was made while it ran may be of after the restart, and
  /// tells for itself. One restart counts once, however many calls tell.
  void note(std::uint64_t native, std::uint64_t moment) const noexcept {
    const std::uint16_t code = c_api::code_of(native);
    if (code != c_api::code_of(c_api::CommonError::system_communication) &&
        code != c_api::code_of(c_api::CommonError::system_communication_fatal))
      return;
    std::uint64_t alive = lives->first_alive_.load();
    while (alive < moment)
      if (lives->first_alive_.compare_exchange(alive, moment)) {
        lives->restarts_.fetch_add(1, Order::acquire_release);
        lives->close_gates();
        return;
      }
  }
  /// The same for a call that has just ended, whoever made it.
  void note(std::uint64_t native) const noexcept { note(native, moment()); }
  /// Calls `function`, which releases handles of this context, and returns its error. QNN keeps
  /// dead handles until they are released, each by one call: its answer is ignored then (SSR-01).
  template <class Function>
  std::uint64_t release(Function function) const noexcept {
    const bool was_dead = is_over();
    const std::uint64_t before = moment();
    const std::uint64_t native = function();
    if (was_dead) return 0;
    note(native, before);
    return native;
  }
};

/// A call of QnnGraph_execute, made ready: all that an execution reads, in one place.
struct ExecuteCall {
  /// QnnGraph_execute. It is C and throws nothing, so callers need no code for an exception of it.
  using Function = std::uint64_t (*)(c_api::GraphHandle, const c_api::Tensor*, std::uint32_t,
                                     c_api::Tensor*, std::uint32_t, c_api::ProfileHandle,
                                     c_api::SignalHandle) noexcept;

  /// A key that nobody has: no address of an object, nor null.
  static constexpr std::uintptr_t closed = 1;

  /// The one who may call: the address of the lock that is held meanwhile, 0 where there is none.
  Atomic<std::uintptr_t> key{closed};
  Function execute = nullptr;
  c_api::GraphHandle graph = nullptr;
  const c_api::Tensor* inputs = nullptr;
  c_api::Tensor* outputs = nullptr;
  std::uint32_t input_count = 0;
  std::uint32_t output_count = 0;

  [[nodiscard]] bool is_open_for(std::uintptr_t who) const noexcept {
    return key.load(Order::relaxed) == who;
  }
  /// To be asked first: is_open_for().
  [[nodiscard]] QNNPP_ALWAYS_INLINE std::uint64_t operator()() const noexcept {
    return execute(graph, inputs, input_count, outputs, output_count, nullptr, nullptr);
  }
};

/// The call of no graph: never open.
inline constexpr ExecuteCall no_call{};

/// Where a graph's call is. Whoever is moved from has that of no graph.
class CallPointer {
 public:
  explicit CallPointer(const ExecuteCall& call) noexcept : call_(&call) {}
  CallPointer(CallPointer&& other) noexcept : call_(std::exchange(other.call_, &no_call)) {}
  CallPointer& operator=(CallPointer&& other) noexcept {
    call_ = std::exchange(other.call_, &no_call);
    return *this;
  }
  [[nodiscard]] const ExecuteCall& operator*() const noexcept { return *call_; }

 private:
  const ExecuteCall* call_;
};

/// A graph's call, and who closes it: once a context has come or died, nobody has its key. So an
/// execution asks one question for the lease and for the DSP, and yet no call is made with a dead
/// handle, and every call that fails knows which contexts were there when it began.
class ExecuteGate {
 public:
  ExecuteGate(const Birth& birth, c_api::GraphExecuteFn execute, c_api::GraphHandle graph) noexcept
      : birth_(birth) {
    call.execute = reinterpret_cast<ExecuteCall::Function>(execute);
    call.graph = graph;
    const LockGuard guard(birth_.lives->mutex_);
    next_ = birth_.lives->gates_;
    if (next_ != nullptr) next_->previous_ = this;
    birth_.lives->gates_ = this;
  }
  ExecuteGate(const ExecuteGate&) = delete;
  ExecuteGate& operator=(const ExecuteGate&) = delete;
  ~ExecuteGate() {
    const LockGuard guard(birth_.lives->mutex_);
    if (next_ != nullptr) next_->previous_ = previous_;
    (previous_ != nullptr ? previous_->next_ : birth_.lives->gates_) = next_;
  }

  /// Made by one thread at a time.
  ExecuteCall call;

  [[nodiscard]] bool is_closed() const noexcept { return call.is_open_for(ExecuteCall::closed); }

  /// Gives the call to whoever has `key`. False if the graph is dead; then it stays closed.
  [[nodiscard]] bool open(std::uintptr_t key) noexcept {
    // In this order: who closes it has counted before, and is seen here or closes it after.
    call.key.store(key);
    moment_ = birth_.moment();
    if (!birth_.is_over()) return true;
    call.key.store(ExecuteCall::closed);
    return false;
  }

  /// The contexts that had been made when the last call began.
  [[nodiscard]] std::uint64_t moment() const noexcept { return moment_; }

 private:
  friend class Lives;

  Birth birth_;
  std::uint64_t moment_ = 0;
  // Of the list of all gates of a backend.
  ExecuteGate* next_ = nullptr;
  ExecuteGate* previous_ = nullptr;
};

inline void Lives::close_gates() noexcept {
  const LockGuard guard(mutex_);
  for (ExecuteGate* gate = gates_; gate != nullptr; gate = gate->next_)
    gate->call.key.store(ExecuteCall::closed);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::detail
