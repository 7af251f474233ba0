// An allocator that is chosen on the command line.
#pragma once

#include <cstdint>
#include <string>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

namespace run {

/// Kind of memory for buffers.
enum class MemoryKind : std::uint8_t { rpcmem, dma_heap, memfd };

/// The chosen allocator.
using Allocator = qnnpp::AnyAllocator;

/// Opens an allocator. `rpcmem`: path of libcdsprpc.so. `heap`: path of a DMA-BUF heap. Throws
/// qnnpp::Exception on failure.
[[nodiscard]] inline Allocator open_allocator(MemoryKind kind, const std::string& rpcmem,
                                              const std::string& heap) {
  switch (kind) {
    case MemoryKind::dma_heap: return qnnpp::value_or_throw(qnnpp::DmaHeapAllocator::open(heap));
    case MemoryKind::memfd: return qnnpp::MemfdAllocator();
    case MemoryKind::rpcmem: break;
  }
  return qnnpp::value_or_throw(qnnpp::RpcmemAllocator::load(rpcmem));
}

}  // namespace run
