// A tape of operations. Its bytes choose operations on backends, pools, contexts, buffers,
// registrations and graphs, which are compared with the model of
// reliability/machine/state_machine.hpp. The program ends if the library differs from the model.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include "reliability/machine/state_machine.hpp"

namespace {

namespace machine = support::machine;

/// Returns the binaries that all tapes share. Configures the device as the tests do.
const machine::World& world() {
  static const machine::World* const made = [] {
    support::sim::Config config = support::control().config();
    config.vtcm_bytes = 1024;
    if (!support::control().set_config(config)) std::abort();
    return new machine::World;
  }();
  return *made;
}

void apply(machine::Machine& one, const machine::Step& step, std::string& done) {
  const machine::Step fitted = one.fitted(step);
  if (one.apply(fitted) == machine::Applied::done) done += "  " + machine::words(fitted) + "\n";
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::span<const std::uint8_t> tape(data, size);
  machine::Machine one(world());
  std::string done;
  for (const machine::Step& step : machine::prelude) apply(one, step, done);
  while (tape.size() >= machine::bytes_of_a_step && one.difference().empty()) {
    apply(one, machine::step_of(tape), done);
    tape = tape.subspan(machine::bytes_of_a_step);
  }
  if (one.difference().empty()) one.end();
  if (one.difference().empty()) return 0;
  std::fprintf(stderr, "%s\nafter\n%s", one.difference().c_str(), done.c_str());
  std::abort();
}
