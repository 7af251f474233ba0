// Ref<T>: a strong reference to a control block that counts its references itself.
//
// A child holds a Ref to its parent's block, never to the parent's wrapper object; so any order of
// destruction in the user's code gives QNN the right one (ORD-08).
#pragma once

#include <atomic>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Base of every control block. `Block` derives from RefCounted<Block>; it is destroyed by the last
/// Ref, on whichever thread drops it.
template <class Block>
class RefCounted {
 public:
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

/// Strong reference. Copies share; the last one deletes the block. Thread-safe as a shared_ptr is.
template <class Block>
class Ref {
 public:
  Ref() noexcept = default;
  Ref(const Ref& other) noexcept : block_(other.block_) { retain(); }
  Ref(Ref&& other) noexcept : block_(other.release()) {}
  /// Of a block that derives from this one, whose destructor is virtual then.
  template <class Derived>
    requires std::is_convertible_v<Derived*, Block*>
  Ref(const Ref<Derived>& other) noexcept : block_(other.get()) {
    retain();
  }
  // Two assignments that drop the old block themselves: clang 14 leaks the argument of an
  // assignment from {} in a template, where it is taken by value.
  Ref& operator=(const Ref& other) noexcept { return *this = Ref(other); }
  Ref& operator=(Ref&& other) noexcept {
    Ref taken(std::move(other));
    Block* const old = block_;
    block_ = taken.block_;
    taken.block_ = old;
    return *this;
  }
  ~Ref() { drop(); }

  /// Makes a block; the Ref returned is its only one.
  template <class... Args>
  [[nodiscard]] static Ref make(Args&&... args) {
    Ref ref;
    ref.block_ = new Block(std::forward<Args>(args)...);
    return ref;
  }

  /// Takes over a reference that release() gave up.
  [[nodiscard]] static Ref adopt(Block* block) noexcept {
    Ref ref;
    ref.block_ = block;
    return ref;
  }
  /// Gives the reference up: somebody adopts it.
  [[nodiscard]] Block* release() noexcept {
    Block* const given = block_;
    block_ = nullptr;
    return given;
  }

  [[nodiscard]] Block* get() const noexcept { return block_; }
  [[nodiscard]] Block* operator->() const noexcept { return block_; }
  [[nodiscard]] Block& operator*() const noexcept { return *block_; }
  [[nodiscard]] explicit operator bool() const noexcept { return block_ != nullptr; }
  [[nodiscard]] friend bool operator==(const Ref& a, const Ref& b) noexcept {
    return a.block_ == b.block_;
  }

  /// How many references there are. 1: this is the only one.
  [[nodiscard]] std::uint32_t use_count() const noexcept {
    return block_ == nullptr ? 0 : block_->references_.load(std::memory_order_acquire);
  }

 private:
  void retain() const noexcept {
    if (block_ != nullptr) block_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  void drop() noexcept {
    if (block_ != nullptr && block_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete block_;
  }

  Block* block_ = nullptr;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE
