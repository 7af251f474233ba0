// RegisteredTensors: tensors whose memory is registered with a context, to bind without a copy.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/memory.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

class KvCache;  // memory/kv_cache.hpp

namespace detail {

/// State of a context that registers no tensors yet. For refusals.
template <class State>
concept BeforeFinalize = std::same_as<State, Deferred> || std::same_as<State, Queried> ||
                         std::same_as<State, Registered>;

/// Contract message for registered tensors that own nothing.
inline constexpr char moved_registration[] =
    "the registered tensors were moved from or closed; use the object they were moved to";

/// Bytes of the largest tensor that QNN registers, because QNN counts bytes in 32 bits (SHB-08).
inline constexpr std::uint64_t max_registered_bytes = (std::uint64_t{1} << 31) - 1;

/// Handles of one registration, in memory of its block. Deregisters all of them in one call, once:
/// even a failed call invalidates the handles (SHB-04).
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

/// Destroys its members from the last to the first: the registration, the memory, then the context
/// (ION-04, ORD-08).
struct TensorRegistrationBlock : RefCounted<TensorRegistrationBlock> {
  /// `first`: index of the first tensor to register, whose name stands for all in errors.
  TensorRegistrationBlock(Ref<ContextBlock> parent, Ref<TensorMemoryBlock> tensors,
                          std::size_t first);
  ~TensorRegistrationBlock();

  Ref<ContextBlock> context;
  Ref<TensorMemoryBlock> memory;
  /// Whether each handle is the address of the tensor's first byte, not a handle of QNN
  /// (TensorMemory::by_address).
  bool is_by_address = false;
  /// Handle of each tensor in `memory`, by its index; null if it is not registered. Tensors with
  /// the same type, shape and bytes share a handle.
  std::vector<c_api::MemHandle> handles;
  /// Each handle once, in the order of `ranges`; `ranges` has the memory of each.
  std::vector<c_api::MemHandle> unique_handles;
  std::vector<RegisteredRange> ranges;
  Owner<TensorRegistrationPolicy> registration;
  ContextUser user;

  /// Index of a registered tensor. Error: `unknown_name`.
  [[nodiscard]] Result<std::size_t> find(std::string_view name) const;

  /// Deregisters the handles. May be called on any thread.
  std::uint64_t close() noexcept;
};

/// Registers tensors of `memory` with `context`, all or none.
[[nodiscard]] Result<Ref<TensorRegistrationBlock>> register_tensors(
    const Ref<ContextBlock>& context, const Ref<TensorMemoryBlock>& memory,
    std::span<const std::size_t> tensors);

}  // namespace detail

/// Tensors of one SharedBuffer, registered with one context (QnnMem_register). A graph of that
/// context executes with them without copying.
///
/// With TensorMemory::by_address, the same calls give QNN the addresses of the tensors instead of
/// registering them. Then there are no handles, any buffer that the CPU can map will do, and QNN
/// copies the tensors at each execution.
///
/// Move-only. Keeps context and memory alive; graphs bound to it keep it alive. The handles are
/// deregistered in one call before context and memory are released (ION-04). One buffer may be
/// registered with several contexts (SHB-05), so that the output of a graph is the input of a graph
/// of another context without a copy.
///
/// Threads: registrations of one context may be made and destroyed on several threads at the same
/// time. If two threads register the same memory, one of them succeeds. Several threads may call
/// const members at the same time.
class RegisteredTensors {
 public:
  QNNPP_MOVE_ONLY(RegisteredTensors, "a registration has one owner; write std::move(tensors)");
  template <detail::ResultOf<RegisteredTensors> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *tensors, or use value_or_throw()",
                           RegisteredTensors, const R&);

  /// Registers all tensors of a buffer in one call (ION-01 to ION-03, SHB-01).
  ///
  /// Errors before any C call:
  /// - `already_registered` for a tensor whose bytes are registered with this context already, for
  ///   a tensor of the same type and dimensions. Tensors of other types or dimensions may begin at
  ///   the same byte: QNN gives each its own handle.
  /// - `purpose_mismatch` for memory of the context's weights or spill-fill buffer (BUF-07).
  /// - `too_large` for a tensor of 2 GiB or more (SHB-08).
  /// - `capability_missing` if the backend does not support dma-bufs (LOAD-04), unless it is
  ///   TensorMemory::by_address.
  ///
  /// Errors of the call: `qnn` with the code of QnnMem_register, such as 8002 or 8003. By address,
  /// the errors of mapping the memory for the CPU instead: `allocation_failed`, `too_small`. On any
  /// error nothing is registered (SHB-03).
  template <class State, class Form>
    requires(!detail::BeforeFinalize<State>)
  [[nodiscard]] static Result<RegisteredTensors> create(const Context<State>& context,
                                                        const SharedBuffer<Form>& buffer) {
    return make(detail::Access::block(context), detail::Access::block(buffer));
  }

  /// Registers only the tensors with these names, for a context that does not use the others.
  /// Errors: as above; `unknown_name`; `duplicate_name`; `empty` if `names` is empty.
  template <class State, class Form>
    requires(!detail::BeforeFinalize<State>)
  [[nodiscard]] static Result<RegisteredTensors> create(const Context<State>& context,
                                                        const SharedBuffer<Form>& buffer,
                                                        std::span<const std::string> names) {
    return make(detail::Access::block(context), detail::Access::block(buffer), names);
  }

  template <class Parent, class Buffer>
    requires(detail::AnyResult<Parent> || detail::AnyResult<Buffer>)
  static QNNPP_REFUSE("an argument is a Result; test it and pass *result, or use value_or_throw()",
                      Result<RegisteredTensors>,
                      create(const Parent&, const Buffer&, std::span<const std::string> = {}));

  template <class Finalised, std::same_as<KvCache> Cache>
  static QNNPP_REFUSE("a cache is no buffer; pass its memory: cache.memory()",
                      Result<RegisteredTensors>, create(const Context<Finalised>&, const Cache&));

  // Tensors are registered with a finalized context only (ION-02).
  template <class State, class Form>
    requires(detail::BeforeFinalize<State>)
  static QNNPP_REFUSE("the context is not finalized; register tensors after finalize()",
                      Result<RegisteredTensors>,
                      create(const Context<State>&, const SharedBuffer<Form>&,
                             std::span<const std::string> = {}));

  /// The C handle of a tensor, owned by this object and valid in one context only. Errors:
  /// `unknown_name`; `capability_missing` by address, where there are no handles.
  [[nodiscard]] Result<c_api::MemHandle> native(std::string_view name) const&;
  QNNPP_REFUSE("native() of a temporary would dangle; name the tensors first",
               Result<c_api::MemHandle>, native(std::string_view) const&&);

  /// Number of handles; 0 by address. Tensors with the same type, shape and bytes share a handle.
  [[nodiscard]] std::size_t handle_count() const;

  /// Deregisters the tensors now (QnnMem_deRegister) and returns its error. Error: `in_use` while a
  /// graph is bound to one of the tensors, with the holders of the context; the last such graph
  /// deregisters them.
  [[nodiscard]] Result<void> close() &&;
  QNNPP_REFUSE("close() consumes the registration; write std::move(tensors).close()", Result<void>,
               close() const&);

 private:
  friend struct detail::Access;

  explicit RegisteredTensors(Ref<detail::TensorRegistrationBlock> block)
      : block_(std::move(block)) {}

  /// Registers the tensors with these names, or all tensors of `memory`.
  [[nodiscard]] static Result<RegisteredTensors> make(
      const Ref<detail::ContextBlock>& context, const Ref<detail::TensorMemoryBlock>& memory,
      std::optional<std::span<const std::string>> names = std::nullopt);

  [[nodiscard]] const detail::TensorRegistrationBlock& block() const;

  Ref<detail::TensorRegistrationBlock> block_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/registered_tensors.ipp"
#endif
