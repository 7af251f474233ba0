// Setup calls that run at the same time. QNN requires the client to serialise the calls for a
// handle, its parent and its dependents (THR-01).
#pragma once

#include "qnnpp/platform.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace qnnpp::sim {

/// Backend and context of a setup call, known after the call has checked its handles.
struct SetupScope {
  bool is_known = false;
  std::uint64_t backend = 0;
  std::uint64_t context = 0;  ///< 0: the backend itself, also for creations
  /// Calls that ran when this one started, or that started before this scope was known.
  std::vector<std::shared_ptr<SetupScope>> beside;
};

/// All running setup calls, including those that wait for the device's mutex. Thread-safe.
class SetupCalls {
 public:
  [[nodiscard]] std::shared_ptr<SetupScope> begin() {
    auto scope = std::make_shared<SetupScope>();
    const std::lock_guard lock{mutex_};
    scope->beside = running_;
    running_.push_back(scope);
    return scope;
  }
  void end(const std::shared_ptr<SetupScope>& scope) {
    const std::lock_guard lock{mutex_};
    std::erase(running_, scope);
    scope->beside.clear();
  }

  /// Sets the backend and the context of a call, once. Returns the number of parallel calls that
  /// the client must serialise with it. Each pair counts once, for the call that is resolved last.
  [[nodiscard]] std::size_t resolve(const std::shared_ptr<SetupScope>& scope, std::uint64_t backend,
                                    std::uint64_t context) {
    const std::lock_guard lock{mutex_};
    if (scope->is_known) return 0;
    scope->is_known = true;
    scope->backend = backend;
    scope->context = context;
    std::size_t overlaps = 0;
    for (const auto& other : std::exchange(scope->beside, {})) {
      if (!other->is_known) {
        other->beside.push_back(scope);
      } else if (other->backend == backend &&
                 (other->context == context || other->context == 0 || context == 0)) {
        ++overlaps;
      }
    }
    return overlaps;
  }

 private:
  std::mutex mutex_;
  std::vector<std::shared_ptr<SetupScope>> running_;
};

}  // namespace qnnpp::sim
