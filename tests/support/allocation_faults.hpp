// Operations whose allocations fail one by one. Each operation throws std::bad_alloc or returns an
// error, and leaves nothing behind. A program that uses this header links test_heap and has
// exceptions.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <new>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "fixture.hpp"
#include "heap.hpp"
#include "recorder.hpp"

namespace support {

/// Counts of what the device, the allocator and this process hold.
struct Held {
  std::vector<std::uint64_t> alive;
  std::set<int> descriptors;
  std::size_t mappings = 0;
  bool operator==(const Held&) const = default;

  static Held now() {
    const sim::Counters device = control().counters();
    const sim::RpcmemCounters memory = rpcmem_control().counters();
    return {{device.live_logs,
             device.live_backends,
             device.live_devices,
             device.live_contexts,
             device.live_graphs,
             device.live_tensor_registrations,
             device.live_weights_registrations,
             device.live_spill_fill_registrations,
             device.live_platform_infos,
             device.live_messages,
             device.live_binary_pieces,
             device.mapped_fds,
             device.mapped_bytes,
             device.device_bytes,
             device.internal_bytes,
             device.left_registrations,
             memory.live_allocations,
             memory.live_bytes,
             memory.live_fds,
             memory.ignored_frees,
             memory.refused_to_fd},
            open_descriptors(),
            mappings_of("memfd:") + mappings_of("/qnnpp-")};
  }
};

/// Makes each allocation of an operation fail in turn. Everything else is as in a run without
/// faults.
///
/// Allocations inside calls of the recording backend (QNNPP_RECORDER) neither count nor fail,
/// because QNN is not part of qnnpp. The recording backend also stands in for the system library
/// and libcdsprpc.so.
class AllocationFaultsTest : public SimTest {
 protected:
  /// Makes each `step`-th allocation of `operation(prepared)` fail once, and returns the number of
  /// failed allocations. `prepared` is the result of `prepare()`, whose own allocations do not
  /// fail. The operation returns a Result, or any other type for a success; it contains no
  /// expectations of the test. Each run destroys the prepared object and the operation's result.
  template <class Prepare, class Operation>
  std::uint64_t fail_each_allocation(std::string_view name, Prepare prepare, Operation operation,
                                     std::uint64_t step = 1) const {
    const Recording recording(&pause_in_a_call);
    // Runs twice, because a first run may open or keep things that belong to no operation.
    for (int i = 0; i < 2; ++i)
      if (run(0, prepare, operation) != Ended::well) {
        ADD_FAILURE() << name << ": fails without a failing allocation";
        return 0;
      }
    const std::uint64_t all = AllocationFault::allocations();
    // A load keeps a block until the process ends (PRC-04); so may a run with a fault after it.
    const std::size_t kept = AllocationFault::not_freed();
    std::uint64_t failed = 0;
    std::uint64_t handled = 0;
    for (std::uint64_t which = 1; which <= all; which += step) {
      const Held before = Held::now();
      const Ended ended = run(which, prepare, operation);
      const std::size_t not_freed = AllocationFault::not_freed();
      ++failed;
      if (ended == Ended::well) ++handled;
      std::string left;
      if (not_freed > kept) left += std::to_string(not_freed) + " blocks of memory are not freed; ";
      if (Held::now() != before) left += "handles, memory or descriptors are left; ";
      if (control().counters().misuses != 0) left += control().misuse_text(0);
      if (left.empty()) continue;
      ADD_FAILURE() << name << ", allocation " << which << " of " << all << ": " << left;
      control().reset_counters();
      return failed;
    }
    EXPECT_EQ(run(0, prepare, operation), Ended::well) << name << ": does not work again";
    std::printf("  %-46.*s %6llu allocations, %6llu failed, %4llu without an error\n",
                static_cast<int>(name.size()), name.data(), static_cast<unsigned long long>(all),
                static_cast<unsigned long long>(failed), static_cast<unsigned long long>(handled));
    return failed;
  }

  /// Hook that lets no allocation fail inside a reported call.
  static void pause_in_a_call(std::size_t, bool entering, const void* const*) {
    HeapWatch::pause(entering);
  }

 private:
  enum class Ended { well, with_an_error, with_an_exception };

  template <class Prepare, class Operation>
  static Ended run(std::uint64_t which, Prepare& prepare, Operation& operation) {
    std::optional prepared(prepare());
    Ended ended = Ended::well;
    {
      const AllocationFault fault(which);
      try {
        const auto result = operation(*prepared);
        if constexpr (requires { result.error(); })
          if (!result) ended = Ended::with_an_error;
      } catch (const std::bad_alloc&) {
        ended = Ended::with_an_exception;
      }
      prepared.reset();
    }
    control().clear_faults();
    settle_lost_contexts([] { return load_recorder(); });
    return ended;
  }
};

}  // namespace support
