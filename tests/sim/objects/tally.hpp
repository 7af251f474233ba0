// What the report of a process is written from: plain numbers and short texts, without pointers.
// With QNNPP_SIM_COUNTS they stand in a mapped file, so that they outlive a process that ends by a
// signal, abort() or _exit().
#pragma once

#include "qnnpp/platform.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <string>
#include <string_view>
#include <type_traits>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/tables/environment.hpp"

namespace qnnpp::sim {

/// Text of at most `size` - 1 bytes; the rest is cut.
template <std::size_t size>
struct ShortText {
  char bytes[size];
  void set(std::string_view text) noexcept {
    const std::size_t length = std::min(text.size(), size - 1);
    std::memcpy(bytes, text.data(), length);
    bytes[length] = '\0';
  }
  [[nodiscard]] std::string_view get() const noexcept { return {bytes, ::strnlen(bytes, size)}; }
};

/// Misuses of one rule of docs/rules.md.
struct BrokenRule {
  std::uint64_t count;
  ShortText<8> rule;
  ShortText<304> first;  ///< the first misuse: "QnnContext_free: GRP-03: ..."
};

/// Calls of one function that failed with one code.
struct FailedCalls {
  std::uint64_t count;
  std::uint32_t slot;
  std::uint32_t code;
  std::uint32_t injected;  ///< 1: faults made them fail
  ShortText<300> first;    ///< reason of the first one; empty if the function has none
};

/// Something that the simulated HTP lacks, and that a device may have.
struct Lack {
  std::uint64_t count;
  ShortText<152> kind;   ///< equal for the same thing: "ElementWiseSubtract"
  ShortText<304> first;  ///< "the simulated HTP does not compute ElementWiseSubtract (node sub_3)"
};

/// All of it. Zeros are a process without a call. The device's mutex guards it, except for `rpcmem`
/// in a mapped file, which libcdsprpc.so writes.
struct Tally {
  std::uint32_t layout;           ///< sizeof(Tally), once libQnnHtp.so has loaded
  std::uint32_t process;          ///< process id
  std::uint32_t running;          ///< calls that have begun and not returned
  std::uint32_t last_slot;        ///< function of the call that began last
  std::uint32_t last_code;        ///< code of the call that returned last
  std::uint32_t first_fault;      ///< function of the first call that an injected fault made fail
  Counters counters;              ///< with the live objects, after the last call
  RpcmemCounters rpcmem;          ///< of libcdsprpc.so
  std::uint64_t rpcmem_calls[3];  ///< by RpcmemCall; only in a mapped file
  std::uint64_t calls[c_api::slot_count];
  std::uint64_t failures[c_api::slot_count];  ///< calls that returned an error
  std::uint64_t injected;                     ///< calls that a fault made fail
  std::uint64_t unexpected;  ///< failures that are neither injected nor an answer (answers())
  /// Size of all copies that raw executions have allocated, freed ones included (QMEM-03).
  std::uint64_t io_taken_at_execution_bytes;
  std::uint64_t of_failed_creations;  ///< contexts that contextFree ends (ORD-14)
  std::uint64_t of_failed_deferrals;  ///< contexts that only backendFree ends (ORD-17)
  std::uint64_t unfinalized_buffers;  ///< buffers of contexts that were never finalized (ORD-07)
  ShortText<160> graphs;              ///< names of graphs of live contexts, three at most
  std::uint32_t rules_count, failed_count, lacks_count;
  BrokenRule rules[160];
  FailedCalls failed[160];  ///< the first pairs of function and code; `failures` counts all
  Lack lacks[64];

  /// Begins the tally of this process. Keeps what libcdsprpc.so has written, which may have been
  /// loaded earlier.
  void begin() noexcept {
    const RpcmemCounters counted = rpcmem;
    const std::uint64_t called[] = {rpcmem_calls[0], rpcmem_calls[1], rpcmem_calls[2]};
    std::memset(static_cast<void*>(this), 0, sizeof *this);
    rpcmem = counted;
    std::copy(std::begin(called), std::end(called), rpcmem_calls);
    layout = sizeof *this;
    process = static_cast<std::uint32_t>(::getpid());
  }
  /// Counts a misuse of a rule.
  void add_misuse(std::string_view rule, std::string_view what) noexcept {
    for (std::uint32_t i = 0; i < rules_count; ++i)
      if (rules[i].rule.get() == rule) {
        ++rules[i].count;
        return;
      }
    if (rules_count == std::size(rules)) return;
    BrokenRule& made = rules[rules_count++];
    made.count = 1;
    made.rule.set(rule);
    made.first.set(what);
  }
  /// Returns the number of misuses of a rule.
  [[nodiscard]] std::uint64_t misuses(std::string_view rule) const noexcept {
    for (std::uint32_t i = 0; i < rules_count; ++i)
      if (rules[i].rule.get() == rule) return rules[i].count;
    return 0;
  }
  /// Counts a call that failed.
  void add_failure(Slot slot, std::uint32_t code, bool is_injected, std::string_view why) noexcept {
    const auto number = static_cast<std::uint32_t>(slot);
    ++failures[number];
    for (std::uint32_t i = 0; i < failed_count; ++i)
      if (FailedCalls& known = failed[i];
          known.slot == number && known.code == code && (known.injected != 0) == is_injected) {
        ++known.count;
        return;
      }
    if (failed_count == std::size(failed)) return;
    FailedCalls& made = failed[failed_count++];
    made = {1, number, code, is_injected ? 1u : 0u, {}};
    made.first.set(why);
  }
  /// Counts a use of something that the simulated HTP lacks. Returns true for the first one.
  bool add_lack(std::string_view kind, std::string_view what) noexcept {
    for (std::uint32_t i = 0; i < lacks_count; ++i)
      if (lacks[i].kind.get() == kind) {
        ++lacks[i].count;
        return false;
      }
    if (lacks_count == std::size(lacks)) return false;
    Lack& made = lacks[lacks_count++];
    made.count = 1;
    made.kind.set(kind);
    made.first.set(what);
    return true;
  }
  /// Forgets work and misuses. Live objects, and what libcdsprpc.so counts, stay.
  void forget_work() noexcept {
    std::fill(std::begin(calls), std::end(calls), 0);
    std::fill(std::begin(failures), std::end(failures), 0);
    injected = unexpected = io_taken_at_execution_bytes = 0;
    rules_count = failed_count = lacks_count = 0;
  }
};
static_assert(std::is_trivially_copyable_v<Tally> && std::is_standard_layout_v<Tally>);

/// True for a function whose failure answers a question about what there is: a program asks, and
/// does without.
[[nodiscard]] constexpr bool answers(Slot slot) noexcept {
  switch (slot) {
    case Slot::property_has_capability:
    case Slot::backend_validate_op_config:
    case Slot::backend_get_property:
    case Slot::context_validate_binary:
    case Slot::context_get_property:
    case Slot::graph_get_property: return true;
    default: return false;
  }
}

/// Replaces %p in the name of a file by the process id.
[[nodiscard]] inline std::string file_of_process(std::string_view name) {
  std::string file{name};
  if (const auto at = file.find("%p"); at != std::string::npos)
    file.replace(at, 2, std::to_string(::getpid()));
  return file;
}

/// Maps the file that QNNPP_SIM_COUNTS names, for both libraries of the process. Returns NULL
/// without the variable, and after a line on stderr if the file cannot be mapped.
[[nodiscard]] inline Tally* map_tally() {
  const std::string_view name = variable("QNNPP_SIM_COUNTS");
  if (name.empty()) return nullptr;
  const std::string file = file_of_process(name);
  const int fd = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  void* mapped = MAP_FAILED;
  if (fd >= 0 && ::ftruncate(fd, sizeof(Tally)) == 0)
    mapped = ::mmap(nullptr, sizeof(Tally), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped == MAP_FAILED)
    std::fprintf(stderr, "simulated HTP: QNNPP_SIM_COUNTS: %s: %s\n", file.c_str(),
                 std::strerror(errno));
  if (fd >= 0) ::close(fd);
  return mapped == MAP_FAILED ? nullptr : static_cast<Tally*>(mapped);
}

}  // namespace qnnpp::sim
