// RpcmemAllocator: allocates FastRPC's shared memory, the usual DMA memory on Snapdragon.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/abi/rpcmem.hpp"
#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// The open library and its functions, shared by allocators and buffers.
struct RpcmemBlock : RefCounted<RpcmemBlock> {
  explicit RpcmemBlock(SharedLibrary opened) : library(std::move(opened)) {}

  SharedLibrary library;
  c_api::RpcmemAllocFn alloc = nullptr;
  c_api::RpcmemAlloc2Fn alloc2 = nullptr;  ///< Null if the library is too old to have it.
  c_api::RpcmemFreeFn free = nullptr;
  c_api::RpcmemToFdFn to_fd = nullptr;
};

}  // namespace detail

/// Allocates with rpcmem_alloc2, or with rpcmem_alloc if the library lacks it.
///
/// Copies share the library, and buffers keep it open. Threads: const members are thread-safe.
class RpcmemAllocator {
 public:
  template <detail::ResultOf<RpcmemAllocator> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *allocator, or use value_or_throw()",
                           RpcmemAllocator, const R&);

  /// Any thread may allocate and free.
  static constexpr bool is_thread_safe = true;

  /// Opens the library at `path`. Reports the errors of SharedLibrary::open(); `symbol_missing`.
  [[nodiscard]] static Result<RpcmemAllocator> load(std::string path = "libcdsprpc.so");

  /// Allocates memory from the system heap with default (cached) flags. Errors: `empty` for 0
  /// bytes; `too_large` for more than INT_MAX bytes if the library lacks rpcmem_alloc2 (ALC-01);
  /// `allocation_failed`; `no_file_descriptor`, after which the memory is freed again (ALC-02). A
  /// moved-from allocator is refused (contract).
  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const;

 private:
  static constexpr int heap = c_api::rpcmem_heap_id_system;
  static constexpr std::uint32_t flags = c_api::rpcmem_default_flags;

  explicit RpcmemAllocator(Ref<detail::RpcmemBlock> block) : block_(std::move(block)) {}

  Ref<detail::RpcmemBlock> block_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/memory/rpcmem_allocator.ipp"
#endif
