// Which setup calls run at the same time: QNN leaves it to the client to serialise calls of a
// handle, of its parent, and of handles that depend on it (THR-01).
#pragma once

#include "qnnpp/platform.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace qnnpp::sim {

/// What a setup call that began is about, as far as it is known.
struct SetupScope {
  bool is_known = false;
  std::uint64_t backend = 0;
  std::uint64_t context = 0;  ///< 0: the backend itself, as creations are
  /// Calls that ran when this one began, or that began before this scope was known.
  std::vector<std::shared_ptr<SetupScope>> beside;
};

/// The setup calls that have begun and not ended, those that wait for the device's mutex included.
/// Guards itself.
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

  /// Says what a call is about, once. Returns how many calls beside it need serialising with it:
  /// each such pair counts for the call that is known last.
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
