// How the fake libcdsprpc is told what to do, and what it tells.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fakes {

enum class Answer : std::uint32_t { memory, null, map_failed };

struct RpcmemControl {
  // what to do
  Answer answer = Answer::memory;
  int fd = 77;  ///< What rpcmem_to_fd answers.
  // what was done
  int alloc_calls = 0;
  int alloc2_calls = 0;
  int heap = 0;
  std::uint32_t flags = 0;
  std::uint64_t bytes = 0;
  void* given = nullptr;  ///< The last memory handed out: an address to tell by, not to be used.
  void* asked_fd_of = nullptr;
  int to_fd_calls = 0;
  void* freed = nullptr;
  int free_calls = 0;
};

using RpcmemControlFn = RpcmemControl* (*)();  ///< Exported as fake_rpcmem_control.

}  // namespace fakes
