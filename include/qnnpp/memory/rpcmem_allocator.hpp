// RpcmemAllocator: FastRPC's shared memory, the usual DMA memory on Snapdragon.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/abi/rpcmem.hpp"
#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {

struct RpcmemBlock : RefCounted<RpcmemBlock> {
  explicit RpcmemBlock(SharedLibrary opened) : library(std::move(opened)) {}

  SharedLibrary library;
  c_api::RpcmemAllocFn alloc = nullptr;
  c_api::RpcmemAlloc2Fn alloc2 = nullptr;  ///< Newer libraries only.
  c_api::RpcmemFreeFn free = nullptr;
  c_api::RpcmemToFdFn to_fd = nullptr;
};

}  // namespace detail

/// Allocates by rpcmem_alloc2, or by rpcmem_alloc where the library lacks it.
///
/// Copies share the library; buffers keep it open. allocate() may be called from several threads.
class RpcmemAllocator {
 public:
  template <detail::ResultOf<RpcmemAllocator> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *allocator, or use value_or_throw()",
                           RpcmemAllocator, const R&);

  /// Opens `path` (libcdsprpc.so). Errors: those of SharedLibrary::open(), `symbol_missing`.
  [[nodiscard]] static Result<RpcmemAllocator> load(std::string path = "libcdsprpc.so");

  /// Allocates cached memory from the system heap. Errors: `empty` for 0 bytes; `too_large` for
  /// more than INT_MAX bytes where the library has no rpcmem_alloc2 (ALC-01); `allocation_failed`;
  /// `no_file_descriptor` (ALC-02; the memory is freed again).
  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const;

 private:
  static constexpr int heap = c_api::rpcmem_heap_id_system;
  static constexpr std::uint32_t flags = c_api::rpcmem_default_flags;

  explicit RpcmemAllocator(Ref<detail::RpcmemBlock> block) : block_(std::move(block)) {}

  Ref<detail::RpcmemBlock> block_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/rpcmem_allocator.ipp"
#endif
