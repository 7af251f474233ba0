// Errors to come: which call fails, with which code, once or for good.
#pragma once

#include <cstdint>
#include <vector>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/sim/control.hpp"

namespace qnnpp::sim {

/// The faults that a test has set. Not locked: the device's mutex guards it.
class Faults {
 public:
  void add(const Fault& fault) { faults_.push_back({fault, 0}); }
  void clear() { faults_.clear(); }

  /// Whether it restarts the sub-system.
  [[nodiscard]] static bool restarts(const Fault& fault) noexcept {
    switch (static_cast<FaultRestart>(fault.restart)) {
      case FaultRestart::never: return false;
      case FaultRestart::always: return true;
      default:
        return fault.code == c_api::code_of(c_api::CommonError::system_communication) ||
               fault.code == c_api::code_of(c_api::CommonError::system_communication_fatal);
    }
  }

  /// Counts a call of `slot`; the fault it is to fail with, of code 0 for none. The first fault
  /// that fires wins.
  [[nodiscard]] Fault next(Slot slot) {
    Fault fired{};
    for (Pending& pending : faults_) {
      if (pending.fault.slot != any_slot && pending.fault.slot != static_cast<std::uint32_t>(slot))
        continue;
      ++pending.seen;
      const bool fires = pending.fault.persistent != 0 ? pending.seen >= pending.fault.at_call
                                                       : pending.seen == pending.fault.at_call;
      if (fires && fired.code == 0) fired = pending.fault;
    }
    return fired;
  }

 private:
  struct Pending {
    Fault fault;
    std::uint64_t seen;
  };
  std::vector<Pending> faults_;
};

}  // namespace qnnpp::sim
