// RegisteredTensors: tensor memory that a context knows, to be bound without a copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/memory.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

namespace detail {

/// What a broken contract says of registered tensors.
inline constexpr char moved_registration[] =
    "the registered tensors were moved from or closed; use the object they were moved to";

/// The largest tensor that QNN registers: it counts the bytes in 32 bits (SHB-08).
inline constexpr std::uint64_t max_registered_bytes = (std::uint64_t{1} << 31) - 1;

/// Handles of one batch, which their block keeps. Given back once, in one call: even on failure the
/// valid ones among them are gone (SHB-04).
struct TensorRegistrationPolicy {
  struct Value {
    c_api::MemDeRegisterFn deregister = nullptr;
    const c_api::MemHandle* handles = nullptr;
    std::uint32_t count = 0;
    bool operator==(const Value&) const = default;
  };
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept;
};

/// Members go from the last to the first: the registration, the memory, then the context (ION-04,
/// ORD-08).
struct TensorRegistrationBlock : RefCounted<TensorRegistrationBlock> {
  TensorRegistrationBlock(Ref<ContextBlock> parent, Ref<TensorMemoryBlock> tensors);
  ~TensorRegistrationBlock();

  Ref<ContextBlock> context;
  Ref<TensorMemoryBlock> memory;
  /// By index of the tensor in `memory`; null: not registered here. Tensors that look the same to
  /// QNN and lie in the same bytes have one handle.
  std::vector<c_api::MemHandle> handles;
  /// Each handle once, and where its tensor lies, in the order of the ranges.
  std::vector<c_api::MemHandle> unique_handles;
  std::vector<RegisteredRange> ranges;
  Owner<TensorRegistrationPolicy> registration;

  /// Index of a registered tensor. Error: `unknown_name`.
  [[nodiscard]] Result<std::size_t> find(std::string_view name) const;

  /// Gives the handles back, on any thread.
  std::uint64_t close() noexcept;
};

/// Registers tensors of `memory` with `context`, all or none.
[[nodiscard]] Result<Ref<TensorRegistrationBlock>> register_tensors(
    const Ref<ContextBlock>& context, const Ref<TensorMemoryBlock>& memory,
    std::span<const std::size_t> tensors);

}  // namespace detail

/// The registration of tensors of one SharedBuffer with one context (QnnMem_register): bound to a
/// graph of that context, inference copies nothing.
///
/// Move-only. Keeps context and memory alive; graphs that it is bound to keep it alive as well. Its
/// handles are deregistered once, in one call, before either goes (ION-04). One buffer may be
/// registered with many contexts, each for itself (SHB-05): that is how the output of a graph is
/// the input of the next one's without a copy.
///
/// Threads: registrations of one context may be made and destroyed on any threads at the same time;
/// of two that want the same memory, one succeeds. const members may be called at the same time.
class RegisteredTensors {
 public:
  QNNPP_MOVE_ONLY(RegisteredTensors, "a registration has one owner; write std::move(tensors)");
  template <detail::ResultOf<RegisteredTensors> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *tensors, or use value_or_throw()",
                           RegisteredTensors, const R&);

  /// Registers all tensors of a buffer in one call (ION-01 to ION-03, SHB-01).
  ///
  /// Errors, before any C call: `already_registered` for a tensor whose bytes this context knows
  /// already; `purpose_mismatch` for the context's own weights or spill-fill memory (BUF-07);
  /// `overlapping` where tensors of different type or shape begin at the same byte;
  /// `too_large` for a tensor of 2 GiB or more (SHB-08);
  /// `capability_missing` where the backend does not take dma-bufs (LOAD-04). Then `qnn` with what
  /// QnnMem_register returns, e.g. 8002, 8003. On any error nothing is registered (SHB-03).
  template <class State, class Form>
  [[nodiscard]] static Result<RegisteredTensors> create(const Context<State>& context,
                                                        const SharedBuffer<Form>& buffer) {
    return make(detail::Access::block(context), buffer);
  }

  /// Registers only the tensors of these names, for a context that has no use for the others.
  /// Errors: as above; `unknown_name`; `duplicate_name`; `empty` for no name.
  template <class State, class Form>
  [[nodiscard]] static Result<RegisteredTensors> create(const Context<State>& context,
                                                        const SharedBuffer<Form>& buffer,
                                                        std::span<const std::string> names) {
    return make(detail::Access::block(context), buffer, names);
  }

  template <class Parent, class Buffer>
    requires(detail::AnyResult<Parent> || detail::AnyResult<Buffer>)
  static QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
                      Result<RegisteredTensors>,
                      create(const Parent&, const Buffer&, std::span<const std::string> = {}));

  // Tensors are registered with a context that is complete (ION-02).
  template <class Form>
  static QNNPP_REFUSE("the context is not finalized; register tensors after finalize()",
                      Result<RegisteredTensors>,
                      create(const Context<Deferred>&, const SharedBuffer<Form>&,
                             std::span<const std::string> = {}));
  template <class Form>
  static QNNPP_REFUSE("the context is not finalized; register tensors after finalize()",
                      Result<RegisteredTensors>,
                      create(const Context<Queried>&, const SharedBuffer<Form>&,
                             std::span<const std::string> = {}));
  template <class Form>
  static QNNPP_REFUSE("the context is not finalized; register tensors after finalize()",
                      Result<RegisteredTensors>,
                      create(const Context<Registered>&, const SharedBuffer<Form>&,
                             std::span<const std::string> = {}));

  /// The C handle of a tensor, owned by this object. It belongs to one context. Error:
  /// `unknown_name`.
  [[nodiscard]] Result<c_api::MemHandle> native(std::string_view name) const&;
  QNNPP_REFUSE("native() of a temporary would dangle; name the tensors first",
               Result<c_api::MemHandle>, native(std::string_view) const&&);

  /// How many handles there are.
  [[nodiscard]] std::size_t handle_count() const;

  /// Deregisters now (QnnMem_deRegister) and returns its error; `in_use` while a graph is bound to
  /// any of the tensors.
  [[nodiscard]] Result<void> close() &&;
  QNNPP_REFUSE("close() consumes the registration; write std::move(tensors).close()", Result<void>,
               close() const&);

 private:
  friend struct detail::Access;

  explicit RegisteredTensors(Ref<detail::TensorRegistrationBlock> block)
      : block_(std::move(block)) {}

  /// Registers all tensors of `buffer`.
  [[nodiscard]] static Result<RegisteredTensors> make(const Ref<detail::ContextBlock>& context,
                                                      const TensorMemory& buffer);
  /// Registers the tensors of these names.
  [[nodiscard]] static Result<RegisteredTensors> make(const Ref<detail::ContextBlock>& context,
                                                      const TensorMemory& buffer,
                                                      std::span<const std::string> names);
  [[nodiscard]] static Result<RegisteredTensors> make(
      Result<Ref<detail::TensorRegistrationBlock>> block);

  [[nodiscard]] const detail::TensorRegistrationBlock& block() const;

  Ref<detail::TensorRegistrationBlock> block_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/registered_tensors.ipp"
#endif
