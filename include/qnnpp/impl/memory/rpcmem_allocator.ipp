// Definitions of rpcmem_allocator.hpp.
#pragma once

#include "qnnpp/memory/rpcmem_allocator.hpp"

#include <cstddef>

#include <climits>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/core/detail/forked.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<RpcmemAllocator> RpcmemAllocator::load(std::string path) {
  QNNPP_LET(library, SharedLibrary::open(std::move(path), "rpcmem_alloc"));
  auto block = Ref<detail::RpcmemBlock>::make(std::move(*library));
  const SharedLibrary& opened = block->library;
  QNNPP_LET(alloc, opened.symbol("rpcmem_alloc"));
  QNNPP_LET(free, opened.symbol("rpcmem_free"));
  QNNPP_LET(to_fd, opened.symbol("rpcmem_to_fd"));
  block->alloc = reinterpret_cast<c_api::RpcmemAllocFn>(*alloc);
  block->free = reinterpret_cast<c_api::RpcmemFreeFn>(*free);
  block->to_fd = reinterpret_cast<c_api::RpcmemToFdFn>(*to_fd);
  if (const auto alloc2 = opened.symbol("rpcmem_alloc2"))
    block->alloc2 = reinterpret_cast<c_api::RpcmemAlloc2Fn>(*alloc2);
  return RpcmemAllocator(std::move(block));
}

QNNPP_INLINE Result<DmaBuffer> RpcmemAllocator::allocate(std::uint64_t bytes) const {
  qnnpp::detail::expects(block_,
                         "the rpcmem allocator was moved from; use the object it was moved to");
  const std::string& name = block_->library.path();
  if (bytes == 0) return fail(Errc::empty, "rpcmem_alloc", name);
  if (detail::is_forked()) return fail(Errc::foreign_process, "rpcmem_alloc", name);
  const char* step = block_->alloc2 != nullptr ? "rpcmem_alloc2" : "rpcmem_alloc";
  if (block_->alloc2 == nullptr && bytes > INT_MAX)
    return fail(detail::beyond_limit(
        step, name, bytes, INT_MAX,
        "more than INT_MAX bytes need rpcmem_alloc2, which this library lacks"));
  auto made = Ref<detail::DmaBlock>::make(bytes);
  made->facts = detail::fact::rpcmem;
  made->owner = Ref<detail::RpcmemBlock>(block_).release();
  made->free = [](detail::DmaBlock& freed) noexcept {
    // rpcmem_free requires the exact start address, not an aligned one inside the memory.
    const auto library =
        Ref<detail::RpcmemBlock>::adopt(static_cast<detail::RpcmemBlock*>(freed.owner));
    if (freed.data() != nullptr && !freed.is_left_to_exit && !detail::is_forked())
      library->free(freed.data());
  };
  void* const data = block_->alloc2 != nullptr
                         ? block_->alloc2(heap, flags, static_cast<std::size_t>(bytes))
                         : block_->alloc(heap, flags, static_cast<int>(bytes));
  // The library may return MAP_FAILED instead of null (ALC-02).
  if (data == nullptr || data == reinterpret_cast<void*>(std::intptr_t{-1}))
    return fail(Error::mismatch(Errc::allocation_failed, step, name, bytes, 0));
  made->adopt(block_->to_fd(data), false, data);
  if (made->fd < 0) return fail(Errc::no_file_descriptor, "rpcmem_to_fd", name);
  return detail::Access::make<DmaBuffer>(std::move(made));
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
