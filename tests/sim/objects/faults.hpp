// Injected faults: which call fails, with which code, once or from then on.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/objects/fault_text.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// Error that a later call returns.
struct Fault {
  std::uint32_t slot = any_slot;  ///< Slot, any_slot, remote_call or own_allocation
  std::uint32_t code = 0;
  std::uint64_t at_call = 0;  ///< number of the matching call to fail, from 1 for the next one
  bool persistent = false;    ///< whether all later matching calls fail too
  FaultRestart restart = FaultRestart::by_code;
  bool tells = false;      ///< stderr gets a line when it fires for the first time
  std::uint64_t seen = 0;  ///< of a fault that fires: number of the matching call
};

/// Returns the line about a fault of QNNPP_SIM_FAULT that fires in call `call` of all, and call
/// `of_slot` of its function.
[[nodiscard]] inline std::string line_of(const Fault& fault, std::uint64_t call, Slot slot,
                                         std::uint64_t of_slot) {
  const auto wide = [](std::uint64_t number) { return static_cast<unsigned long long>(number); };
  const std::string where = text("call %llu (%s %llu)", wide(call), name_of(slot), wide(of_slot));
  const char* const more = fault.persistent ? ", as each later one" : "";
  if (fault.slot == own_allocation)
    return text("QNNPP_SIM_FAULT: allocation %llu of the library itself returns NULL%s, in %s",
                wide(fault.seen), more, where.c_str());
  if (fault.slot == remote_call)
    return text("QNNPP_SIM_FAULT: remote call %llu fails with %u%s, in %s", wide(fault.seen),
                fault.code, more, where.c_str());
  return text("QNNPP_SIM_FAULT: %s fails with %u%s", where.c_str(), fault.code, more);
}

/// Faults that a test has set. Not thread-safe: the device's mutex guards them.
class Faults {
 public:
  void add(const Fault& fault) { faults_.push_back({fault, false}); }
  void clear() { faults_.clear(); }

  /// Adds the faults of QNNPP_SIM_FAULT, named by C function; "any" names every function, and
  /// "remote_call" the calls to the DSP, "own_allocation" the library's own memory.
  void add_from_environment() {
    read_faults(std::getenv("QNNPP_SIM_FAULT"), FaultForm::reported,
                [this](const FaultText& text) -> const char* {
                  if (rpcmem_call_of(text.name)) return nullptr;  // libcdsprpc.so reads it
                  if (text.name == "own_allocation") {
                    if (text.answer != "NULL")
                      return "an allocation of the library fails with NULL";
                    add({own_allocation, 1, text.at_call, text.always, FaultRestart::never, true});
                    return nullptr;
                  }
                  std::uint16_t code = 0;
                  if (!read_number(text.answer, code) || code == 0)
                    return "an error code is 1 to 65535";
                  if (text.name == "remote_call") {
                    add({remote_call, code, text.at_call, text.always, FaultRestart::never, true});
                    return nullptr;
                  }
                  std::uint32_t slot = text.name == "any" ? any_slot : 0;
                  while (slot < c_api::slot_count && text.name != name_of(static_cast<Slot>(slot)))
                    ++slot;
                  if (slot == c_api::slot_count) return "no function of QNN has this name";
                  add({slot, code, text.at_call, text.always, FaultRestart::by_code, true});
                  return nullptr;
                });
  }

  /// True if the fault restarts the sub-system.
  [[nodiscard]] static bool restarts(const Fault& fault) noexcept {
    switch (fault.restart) {
      case FaultRestart::never: return false;
      case FaultRestart::always: return true;
      default:
        return fault.code == c_api::code_of(c_api::CommonError::system_communication) ||
               fault.code == c_api::code_of(c_api::CommonError::system_communication_fatal);
    }
  }

  /// Counts a call of `slot`, which is no any_slot, and returns the fault that it fails with; its
  /// code is 0 for none. If several faults fire, the first one added wins.
  [[nodiscard]] Fault next(std::uint32_t slot) {
    Fault fired{};
    for (Pending& pending : faults_) {
      if (pending.fault.slot != slot && (pending.fault.slot != any_slot || slot >= own_allocation))
        continue;
      const std::uint64_t seen = ++pending.fault.seen;
      const bool fires =
          pending.fault.persistent ? seen >= pending.fault.at_call : seen == pending.fault.at_call;
      if (!fires || fired.code != 0) continue;
      fired = pending.fault;
      fired.tells = fired.tells && !std::exchange(pending.has_fired, true);
    }
    return fired;
  }

 private:
  struct Pending {
    Fault fault;
    bool has_fired;
  };
  std::vector<Pending> faults_;
};

}  // namespace qnnpp::sim
