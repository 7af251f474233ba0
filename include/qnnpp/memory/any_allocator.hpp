// AnyAllocator: an allocator of any class, for a choice at run time.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <utility>

#include "qnnpp/core/ref.hpp"
#include "qnnpp/memory/detail/allocator_ref.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// An allocator that AnyAllocators share.
struct SharedAllocator : RefCounted<SharedAllocator> {
  virtual ~SharedAllocator() = default;
};

}  // namespace detail

/// Shares the ownership of an allocator whose class is chosen at run time:
///
///   const AnyAllocator memory = is_device ? AnyAllocator(value_or_throw(RpcmemAllocator::load()))
///                                         : AnyAllocator(MemfdAllocator());
///
/// Copies and moved-from objects keep the allocator. Asks it for every alignment, and its buffers
/// state what it promises. Threads: as the allocator.
class AnyAllocator : private detail::AllocatorRef {
 public:
  /// Takes an allocator over.
  template <DmaAllocator Allocator>
    requires(!std::same_as<Allocator, AnyAllocator>)
  AnyAllocator(Allocator allocator) : AnyAllocator(Held<Allocator>::make(std::move(allocator))) {}
  template <detail::AnyResult R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(allocator), or use "
      "value_or_throw()",
      AnyAllocator, const R&);

  /// Shares the allocator of another.
  AnyAllocator(const AnyAllocator&) = default;
  /// Gives the allocator up and shares that of another.
  AnyAllocator& operator=(const AnyAllocator&) = default;

  using AllocatorRef::allocate;
  using AllocatorRef::is_thread_safe;
  using AllocatorRef::start_alignment;

 private:
  template <class Allocator>
  struct Holder : detail::SharedAllocator {
    explicit Holder(Allocator owned) : allocator(std::move(owned)) {}
    const Allocator allocator;
  };
  template <class Allocator>
  using Held = Ref<Holder<Allocator>>;

  template <class Allocator>
  explicit AnyAllocator(Held<Allocator> owned)
      : AllocatorRef(owned->allocator), owned_(std::move(owned)) {}

  Ref<detail::SharedAllocator> owned_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
