// An allocator that is chosen on the command line.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

namespace run {

/// Kind of memory for buffers.
enum class MemoryKind : std::uint8_t { rpcmem, dma_heap, memfd };

/// Allocates by the chosen allocator. Move-only.
class Allocator {
 public:
  /// Opens the allocator. `rpcmem`: path of libcdsprpc.so. `heap`: path of a DMA-BUF heap. Throws
  /// qnnpp::Exception on failure.
  [[nodiscard]] static Allocator open(MemoryKind kind, const std::string& rpcmem,
                                      const std::string& heap) {
    switch (kind) {
      case MemoryKind::dma_heap:
        return Allocator(qnnpp::value_or_throw(qnnpp::DmaHeapAllocator::open(heap)));
      case MemoryKind::memfd: return Allocator(qnnpp::MemfdAllocator());
      case MemoryKind::rpcmem: break;
    }
    return Allocator(qnnpp::value_or_throw(qnnpp::RpcmemAllocator::load(rpcmem)));
  }

  /// Allocates and maps a buffer. Errors: the errors of the chosen allocator.
  [[nodiscard]] qnnpp::Result<qnnpp::DmaBuffer> allocate(std::uint64_t bytes) const {
    return std::visit([bytes](const auto& chosen) { return chosen.allocate(bytes); }, chosen_);
  }

 private:
  using Chosen =
      std::variant<qnnpp::RpcmemAllocator, qnnpp::DmaHeapAllocator, qnnpp::MemfdAllocator>;
  explicit Allocator(Chosen chosen) : chosen_(std::move(chosen)) {}
  Chosen chosen_;
};

}  // namespace run
