// NotedAllocator: rpcmem, with the calling thread of each call; fails or throws where a test says.
#pragma once

#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/memory/rpcmem_allocator.hpp"

namespace support {

/// What an allocator of these tests does and has done.
struct Allocations {
  std::mutex mutex;
  std::vector<std::thread::id> threads;  ///< The calling thread of each call.
  std::size_t failing = 0;               ///< Number of the call that fails, from 1.
  std::size_t throwing = 0;              ///< Number of the call that throws, from 1.

  [[nodiscard]] std::size_t count() {
    const std::scoped_lock known(mutex);
    return threads.size();
  }
};

/// Forwards to rpcmem and notes the calls.
template <bool declares>
class NotedAllocator {
 public:
  static constexpr bool is_thread_safe = declares;

  NotedAllocator(qnnpp::RpcmemAllocator rpcmem, Allocations& allocations)
      : rpcmem_(std::move(rpcmem)), allocations_(&allocations) {}

  qnnpp::Result<qnnpp::DmaBuffer> allocate(std::uint64_t bytes) const {
    {
      const std::scoped_lock known(allocations_->mutex);
      allocations_->threads.push_back(std::this_thread::get_id());
      const std::size_t number = allocations_->threads.size();
      if (number == allocations_->failing)
        return qnnpp::fail(qnnpp::Errc::allocation_failed, "allocating in a test",
                           "buffer " + std::to_string(number));
#ifdef __cpp_exceptions
      if (number == allocations_->throwing)
        throw std::runtime_error("call " + std::to_string(number));
#endif
    }
    return rpcmem_.allocate(bytes);
  }

 private:
  qnnpp::RpcmemAllocator rpcmem_;
  Allocations* allocations_;
};

}  // namespace support
