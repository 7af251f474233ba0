// operator new of the programs of this folder: it fails when a test says so.
#pragma once

#include <cstdint>
#include <new>

namespace memory_test {

/// Lets the k-th call of operator new in this thread throw, counted from 0. One lives at a time.
class FailingNew {
 public:
  explicit FailingNew(std::int64_t k) noexcept;
  ~FailingNew();
  FailingNew(const FailingNew&) = delete;
};

/// Calls `operation` with its first allocation failing, then its second, until it succeeds.
/// `nothing_left` is asked after each. Returns how many allocations failed.
template <class Operation, class Check>
int fail_each_allocation(Operation operation, Check nothing_left) {
  for (int k = 0;; ++k) {
    bool succeeded = true;
    try {
      const FailingNew failing(k);
      operation();
    } catch (const std::bad_alloc&) {
      succeeded = false;
    }
    nothing_left();
    if (succeeded) return k;
  }
}

}  // namespace memory_test
