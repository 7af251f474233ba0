// A libcdsprpc.so that records its calls and returns addresses without memory.
#include "fakes/rpcmem.hpp"

namespace {

fakes::RpcmemControl control;
alignas(4096) unsigned char arena[16 * 4096];
int handed_out = 0;

void* answer(int heap, std::uint32_t flags, std::uint64_t bytes) {
  control.heap = heap;
  control.flags = flags;
  control.bytes = bytes;
  switch (control.answer) {
    case fakes::Answer::null: control.given = nullptr; break;
    case fakes::Answer::map_failed:
      control.given = reinterpret_cast<void*>(std::intptr_t{-1});
      break;
    case fakes::Answer::memory: control.given = &arena[4096 * (handed_out++ % 16)]; break;
  }
  return control.given;
}

}  // namespace

extern "C" fakes::RpcmemControl* fake_rpcmem_control() { return &control; }

extern "C" void* rpcmem_alloc(int heap, std::uint32_t flags, int size) {
  ++control.alloc_calls;
  return answer(heap, flags, static_cast<std::uint64_t>(size));
}

#ifdef WITH_ALLOC2
extern "C" void* rpcmem_alloc2(int heap, std::uint32_t flags, std::size_t size) {
  ++control.alloc2_calls;
  return answer(heap, flags, size);
}
#endif

#ifdef WITH_TO_FD
extern "C" int rpcmem_to_fd(void* memory) {
  ++control.to_fd_calls;
  control.asked_fd_of = memory;
  return control.fd;
}
#endif

extern "C" void rpcmem_free(void* memory) {
  ++control.free_calls;
  control.freed = memory;
}
