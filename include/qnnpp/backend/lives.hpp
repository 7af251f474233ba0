// Lives: which contexts of a backend live, after restarts of the DSP; and what tells their graphs.
#pragma once

#include <cstdint>

#include "qnnpp/abi/graph_functions.hpp"
#include "qnnpp/core/atomic.hpp"
#include "qnnpp/core/mutex.hpp"

namespace qnnpp::detail {

class ExecuteGate;

/// Contexts are numbered as they are made. A restart of the DSP ends all that were made before the
/// call that tells of it, with their graphs and registrations (SSR-01).
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

  /// Closes all gates: contexts have come or gone.
  void close_gates() noexcept;

  Atomic<std::uint64_t> births_{0};
  Atomic<std::uint64_t> first_alive_{0};
  Atomic<std::uint32_t> restarts_{0};
  /// Held for a few instructions, when a graph or a context comes or goes.
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
  /// Whether the context's handles died with a restart since.
  [[nodiscard]] bool is_over() const noexcept { return number < lives->first_alive_.load(); }
  /// To be asked before a call that is told to note().
  [[nodiscard]] std::uint64_t moment() const noexcept { return lives->births_.load(); }
  /// Remembers a restart that a call told of: 1007 (recovered) or 1011 (fatal). Whatever was made
  /// before the call began is dead; what was made while it ran may be of after the restart, and
  /// tells for itself. One restart counts once, however many calls tell.
  void note(std::uint64_t native, std::uint64_t moment) const noexcept {
    const std::uint64_t code = native & 0xFFFFu;
    if (code != 1007 && code != 1011) return;
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
};

/// What a graph calls to execute: QnnGraph_execute, or, once a context has come or gone, a function
/// that only answers `closed`. So an execution asks nothing before the call, and yet no call is made
/// with a dead handle, and every call that fails knows which contexts were there when it began.
class ExecuteGate {
  static std::uint64_t answer_closed(abi::GraphHandle, const abi::Tensor*, std::uint32_t,
                                     abi::Tensor*, std::uint32_t, abi::ProfileHandle,
                                     abi::SignalHandle) noexcept {
    return closed;
  }

 public:
  /// Answer of a closed gate. Its code is none of QNN's.
  static constexpr std::uint64_t closed = 0xFFFF;

  /// QnnGraph_execute. It is C and throws nothing, so callers need no code for an exception of it.
  using Function = decltype(&answer_closed);

  ExecuteGate(const Birth& birth, abi::GraphExecuteFn execute) noexcept
      : birth_(birth), execute_(reinterpret_cast<Function>(execute)) {
    const Held held(birth_.lives->mutex_);
    next_ = birth_.lives->gates_;
    if (next_ != nullptr) next_->previous_ = this;
    birth_.lives->gates_ = this;
  }
  ExecuteGate(const ExecuteGate&) = delete;
  ExecuteGate& operator=(const ExecuteGate&) = delete;
  ~ExecuteGate() {
    const Held held(birth_.lives->mutex_);
    if (next_ != nullptr) next_->previous_ = previous_;
    (previous_ != nullptr ? previous_->next_ : birth_.lives->gates_) = next_;
  }

  /// To be called as QnnGraph_execute, by one thread at a time.
  [[nodiscard]] Function function() const noexcept { return function_.load(Order::relaxed); }

  /// Whether function() answers `closed` now.
  [[nodiscard]] bool is_closed() const noexcept { return function() == answer_closed; }

  /// After the answer `closed`: opens the gate. False if the graph is dead.
  [[nodiscard]] bool open() noexcept {
    // In this order: who closes it has counted before, and is seen here or closes it after.
    function_.store(execute_);
    moment_ = birth_.moment();
    if (!birth_.is_over()) return true;
    function_.store(answer_closed);
    return false;
  }

  /// The contexts that had been made when the last call began.
  [[nodiscard]] std::uint64_t moment() const noexcept { return moment_; }

 private:
  friend class Lives;

  Atomic<Function> function_{answer_closed};
  Birth birth_;
  Function execute_;
  std::uint64_t moment_ = 0;
  // Of the list of all gates of a backend.
  ExecuteGate* next_ = nullptr;
  ExecuteGate* previous_ = nullptr;
};

inline void Lives::close_gates() noexcept {
  const Held held(mutex_);
  for (ExecuteGate* gate = gates_; gate != nullptr; gate = gate->next_)
    gate->function_.store(ExecuteGate::answer_closed);
}

}  // namespace qnnpp::detail
