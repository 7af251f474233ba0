// Controls the fake libcdsprpc, and reports its calls.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fakes {

enum class Answer : std::uint32_t { memory, null, map_failed };

struct RpcmemControl {
  // settings
  Answer answer = Answer::memory;
  int fd = 77;  ///< answer of rpcmem_to_fd
  // records
  int alloc_calls = 0;
  int alloc2_calls = 0;
  int heap = 0;
  std::uint32_t flags = 0;
  std::uint64_t bytes = 0;
  void* given = nullptr;  ///< last memory returned: an address for comparison only
  void* asked_fd_of = nullptr;
  int to_fd_calls = 0;
  void* freed = nullptr;
  int free_calls = 0;
};

using RpcmemControlFn = RpcmemControl* (*)();  ///< exported as fake_rpcmem_control

}  // namespace fakes
