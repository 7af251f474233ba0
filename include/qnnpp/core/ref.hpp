// Ref<T>: a strong reference to a control block that counts its references itself.
//
// A child holds a Ref to its parent's block, never to the parent's wrapper object. The program may
// therefore destroy its objects in any order: QNN's objects are freed in the right order (ORD-08).
#pragma once

#include "qnnpp/config.hpp"

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Base class of every control block: `Block` derives from RefCounted<Block>. The last Ref destroys
/// the block, on the thread that releases it. Threads: references on several threads may share a
/// block.
template <class Block>
class RefCounted {
 public:
  /// Starts with one reference.
  RefCounted() noexcept = default;
  RefCounted(const RefCounted&) = delete;
  RefCounted& operator=(const RefCounted&) = delete;

 protected:
  ~RefCounted() = default;

 private:
  template <class>
  friend class Ref;
  mutable std::atomic<std::uint32_t> references_{1};
};

/// Strong reference. Copies share the block; the last one deletes it.
/// Threads: as for std::shared_ptr.
template <class Block>
class Ref {
 public:
  /// Refers to no block.
  Ref() noexcept = default;
  /// Adds a reference to the block of `other`.
  Ref(const Ref& other) noexcept : block_(other.block_) { retain(); }
  /// Moves the reference out of `other`, which becomes null.
  Ref(Ref&& other) noexcept : block_(other.release()) {}
  /// Adds a reference to a block of a derived class. Block then has a virtual destructor.
  template <class Derived>
    requires std::is_convertible_v<Derived*, Block*>
  Ref(const Ref<Derived>& other) noexcept : block_(other.get()) {
    retain();
  }
  // Two assignment operators instead of one with a parameter by value: in a template, clang 14
  // leaks such a parameter when {} is assigned.
  /// Releases the old block and adds a reference to the block of `other`.
  Ref& operator=(const Ref& other) noexcept { return *this = Ref(other); }
  /// Releases the old block and moves the reference out of `other`, which becomes null.
  Ref& operator=(Ref&& other) noexcept {
    Ref taken(std::move(other));
    Block* const old = block_;
    block_ = taken.block_;
    taken.block_ = old;
    return *this;
  }
  /// Releases the reference; deletes the block if this is the last one.
  ~Ref() { drop(); }

  /// Creates a block and returns the only Ref to it.
  template <class... Args>
  [[nodiscard]] static Ref make(Args&&... args) {
    Ref ref;
    ref.block_ = new Block(std::forward<Args>(args)...);
    return ref;
  }

  /// Makes a Ref of a pointer that release() returned. Does not add a reference.
  [[nodiscard]] static Ref adopt(Block* block) noexcept {
    Ref ref;
    ref.block_ = block;
    return ref;
  }
  /// Returns the block without releasing the reference, for adopt(). This Ref becomes null.
  [[nodiscard]] Block* release() noexcept {
    Block* const given = block_;
    block_ = nullptr;
    return given;
  }

  /// Returns the block; null if there is none.
  [[nodiscard]] Block* get() const noexcept { return block_; }
  /// Accesses the block, which must exist.
  [[nodiscard]] Block* operator->() const noexcept { return block_; }
  /// Returns the block, which must exist.
  [[nodiscard]] Block& operator*() const noexcept { return *block_; }
  /// Returns whether this refers to a block.
  [[nodiscard]] explicit operator bool() const noexcept { return block_ != nullptr; }
  /// Returns whether both refer to the same block, or both are null.
  [[nodiscard]] friend bool operator==(const Ref& a, const Ref& b) noexcept {
    return a.block_ == b.block_;
  }

  /// Returns the number of references to the block; 0 if there is no block.
  [[nodiscard]] std::uint32_t use_count() const noexcept {
    return block_ == nullptr ? 0 : block_->references_.load(std::memory_order_acquire);
  }

 private:
  void retain() const noexcept {
    if (block_ != nullptr) block_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  void drop() noexcept {
    if (block_ != nullptr) drop(block_);
  }
  [[gnu::noinline]] static void drop(const Block* block) noexcept {
    if (block->references_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete block;
  }

  Block* block_ = nullptr;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
