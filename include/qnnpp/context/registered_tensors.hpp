// RegisteredTensors: tensor memory that a context knows, to be bound without a copy.
#pragma once

#include <gsl/assert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/in_order.hpp"
#include "qnnpp/memory/shared_buffer.hpp"

namespace qnnpp {

namespace detail {

/// Handles of one batch. Given back once, in one call: even on failure the valid ones among them are
/// gone (SHB-04).
struct TensorRegistrationPolicy {
  struct Value {
    abi::MemDeRegisterFn deregister = nullptr;
    std::vector<abi::MemHandle> handles = {};
    bool operator==(const Value&) const = default;
  };
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept {
    return value.deregister(value.handles.data(), static_cast<std::uint32_t>(value.handles.size()));
  }
};

/// Members go from the last to the first: the registration, the memory, then the context (ION-04,
/// ORD-08).
struct TensorRegistrationBlock : RefCounted<TensorRegistrationBlock> {
  TensorRegistrationBlock(Ref<ContextBlock> parent, Ref<TensorMemoryBlock> tensors)
      : context(std::move(parent)), memory(std::move(tensors)) {}
  ~TensorRegistrationBlock() { (void)close(); }

  Ref<ContextBlock> context;
  Ref<TensorMemoryBlock> memory;
  /// By index of the tensor in `memory`; null: not registered here. Tensors that look the same to
  /// QNN and lie in the same bytes have one handle.
  std::vector<abi::MemHandle> handles;
  std::vector<RegisteredRange> ranges;
  Owner<TensorRegistrationPolicy> registration;

  /// Index of a registered tensor. Error: `unknown_name`.
  [[nodiscard]] Result<std::size_t> find(std::string_view name) const {
    auto at = memory->find(name);
    if (at && handles[*at] == nullptr)
      return fail(Error::make(Errc::unknown_name, "finding a tensor", std::string(name),
                              "the buffer holds it, but it is not registered with " +
                                  context->name));
    return at;
  }

  std::uint64_t close() noexcept {
    for (const RegisteredRange& range : ranges) context->registered_ranges.erase(range);
    ranges.clear();
    if (context->birth.is_over()) {
      (void)registration.release();  // Dead with the DSP that gave them (SSR-01).
      return 0;
    }
    const std::uint64_t moment = context->birth.moment();
    const std::uint64_t native = registration.close();
    context->birth.note(native, moment);
    return native;
  }
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
/// registered with many contexts, each for itself (SHB-05): that is how the output of a graph is the
/// input of the next one's without a copy.
class RegisteredTensors {
 public:
  QNNPP_MOVE_ONLY(RegisteredTensors, "a registration has one owner; write std::move(tensors)");

  /// Registers all tensors of a buffer in one call (ION-01 to ION-03, SHB-01).
  ///
  /// Errors, before any C call: `already_registered` for a tensor whose bytes this context knows
  /// already; `purpose_mismatch` for the context's own weights or spill-fill memory (BUF-07);
  /// `overlapping` where tensors of different type or shape begin at the same byte;
  /// `capability_missing` where the backend does not take dma-bufs (LOAD-04). Then `qnn` with what
  /// QnnMem_register returns, e.g. 8002, 8003. On any error nothing is registered (SHB-03).
  template <class State, class Form>
  [[nodiscard]] static Result<RegisteredTensors> create(const Context<State>& context,
                                                        const SharedBuffer<Form>& buffer) {
    Expects(buffer.control());  // ORD-09
    std::vector<std::size_t> all(buffer.tensors().size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return make(detail::register_tensors(context.control(), buffer.control(), all));
  }

  /// Registers only the tensors of these names, for a context that has no use for the others.
  /// Errors: as above; `unknown_name`; `duplicate_name`; `empty` for no name.
  template <class State, class Form>
  [[nodiscard]] static Result<RegisteredTensors> create(const Context<State>& context,
                                                        const SharedBuffer<Form>& buffer,
                                                        std::span<const std::string> names) {
    return create_with(context.control(), buffer, names);
  }

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
  [[nodiscard]] Result<abi::MemHandle> native(std::string_view name) const& {
    return block().find(name).and_then(
        [&](std::size_t at) -> Result<abi::MemHandle> { return block().handles[at]; });
  }
  QNNPP_REFUSE("native() of a temporary would dangle; name the tensors first",
               Result<abi::MemHandle>, native(std::string_view) const&&);

  /// How many handles there are.
  [[nodiscard]] std::size_t handle_count() const {
    return block().registration.get().handles.size();
  }

  /// Deregisters now (QnnMem_deRegister) and returns its error; `in_use` while a graph is bound to
  /// any of the tensors.
  [[nodiscard]] Result<void> close() && {
    Expects(block_);
    const Ref<detail::TensorRegistrationBlock> last = std::move(block_);
    std::size_t first = 0;
    while (last->handles[first] == nullptr) ++first;
    const std::string& name = last->memory->tensors[first].spec.name;
    if (last.use_count() != 1)
      return fail(
          Error::mismatch(Errc::in_use, "closing a registration", name, 1, last.use_count()));
    return check(last->close(), "QnnMem_deRegister", name);
  }
  QNNPP_REFUSE("close() consumes the registration; write std::move(tensors).close()", Result<void>,
               close() const&);

  /// For the layers above.
  [[nodiscard]] static Result<RegisteredTensors> create_with(
      const Ref<detail::ContextBlock>& context, const TensorMemory& buffer,
      std::span<const std::string> names) {
    Expects(buffer.control());  // ORD-09
    std::vector<std::size_t> some;
    for (const std::string& name : names) {
      const auto found = buffer.control()->find(name);
      if (!found) return fail(found.error());
      detail::insert_in_order(some, *found, [](std::size_t a, std::size_t b) { return a < b; });
    }
    for (std::size_t i = 1; i < some.size(); ++i)
      if (some[i] == some[i - 1])
        return fail(Error::make(Errc::duplicate_name, "registering tensors",
                                buffer.tensors()[some[i]].spec.name));
    return make(detail::register_tensors(context, buffer.control(), some));
  }
  [[nodiscard]] const Ref<detail::TensorRegistrationBlock>& control() const noexcept {
    return block_;
  }

 private:
  explicit RegisteredTensors(Ref<detail::TensorRegistrationBlock> block)
      : block_(std::move(block)) {}

  [[nodiscard]] static Result<RegisteredTensors> make(
      Result<Ref<detail::TensorRegistrationBlock>> block) {
    if (!block) return fail(std::move(block).error());
    return RegisteredTensors(std::move(*block));
  }

  [[nodiscard]] const detail::TensorRegistrationBlock& block() const {
    Expects(block_);  // ORD-09
    return *block_;
  }

  Ref<detail::TensorRegistrationBlock> block_;
};

// ---------------------------------------------------------------------------------------------

namespace detail {

/// Describes one tensor to QNN. `custom` is read during the call only.
inline void describe(const TensorMemoryBlock& memory, std::size_t index, TensorSpec& spec,
                     abi::MemDescriptor& descriptor, abi::HtpMemDescriptor& custom) {
  const DmaBlock& block = memory.memory_of(index);
  // Every byte counts (SHB-01).
  std::memset(&descriptor, 0, sizeof(descriptor));
  std::memset(&custom, 0, sizeof(custom));
  descriptor.mem_shape.num_dim = static_cast<std::uint32_t>(spec.dimensions.size());
  descriptor.mem_shape.dim_size = spec.dimensions.data();
  descriptor.data_type = spec.data_type;
  descriptor.mem_type = memory.type;
  switch (memory.type) {
    case abi::MemType::ion: descriptor.ion_info.fd = block.fd; break;
    case abi::MemType::dma_buf:
      descriptor.dma_buf_info.fd = block.fd;
      descriptor.dma_buf_info.data = block.data;
      break;
    default:
      custom.type = abi::HtpMemType::shared_buffer;
      custom.size = block.size_bytes;
      custom.shared_buffer_config.fd = block.fd;
      custom.shared_buffer_config.offset = memory.tensors[index].offset_bytes;
      descriptor.custom_info = &custom;
      break;
  }
}

inline Result<Ref<TensorRegistrationBlock>> register_tensors(const Ref<ContextBlock>& context,
                                                             const Ref<TensorMemoryBlock>& memory,
                                                             std::span<const std::size_t> tensors) {
  constexpr const char* step = "registering tensors";
  Expects(context);  // ORD-09
  if (tensors.empty()) return fail(Error::make(Errc::empty, step, context->name));
  if (memory->type == abi::MemType::dma_buf)
    if (auto able = context->backend->require(abi::PropertyKey::memory_support_mem_type_dma_buf,
                                              "tensor memory as dma-bufs", context->name);
        !able)
      return fail(std::move(able).error());

  auto block = Ref<TensorRegistrationBlock>::make(context, memory);
  block->handles.assign(memory->tensors.size(), nullptr);

  // Tensors in the order of their bytes: those that begin together are neighbours.
  std::vector<std::size_t> order;
  order.reserve(tensors.size());
  const auto range_of = [&](std::size_t tensor) {
    return RegisteredRange{memory->memory_of(tensor).fd, memory->tensors[tensor].offset_bytes};
  };
  for (const std::size_t tensor : tensors)
    insert_in_order(order, tensor, [&](std::size_t a, std::size_t b) {
      const auto order_of_ranges = range_of(a) <=> range_of(b);
      return order_of_ranges == 0 ? a < b : order_of_ranges < 0;
    });
  std::vector<std::size_t> unique;
  for (const std::size_t tensor : order) {
    const TensorSpec& spec = memory->tensors[tensor].spec;
    const RegisteredRange range = range_of(tensor);
    if (!unique.empty() && range_of(unique.back()) == range) {
      const TensorSpec& other = memory->tensors[unique.back()].spec;
      if (other.data_type != spec.data_type || other.dimensions != spec.dimensions)
        return fail(Error::make(Errc::overlapping, step, spec.name,
                                "it begins at the same byte as " + other.name +
                                    ", which differs in type or shape"));
      continue;
    }
    if (context->is_external_buffer(range.fd))
      return fail(Error::make(Errc::purpose_mismatch, step, spec.name,
                              "its descriptor is the weights or spill-fill buffer of " +
                                  context->name));
    if (context->registered_ranges.contains(range))
      return fail(Error::make(Errc::already_registered, step, spec.name,
                              context->name + " knows its memory already"));
    unique.push_back(tensor);
  }

  const auto reg = context->provider().find<&abi::InterfaceTable::mem_register>();
  const auto dereg = context->provider().find<&abi::InterfaceTable::mem_de_register>();
  if (!reg) return fail(reg.error());
  if (!dereg) return fail(dereg.error());

  std::vector<abi::MemDescriptor> descriptors(unique.size());
  std::vector<abi::HtpMemDescriptor> custom(unique.size());
  for (std::size_t i = 0; i < unique.size(); ++i)
    describe(*memory, unique[i], memory->tensors[unique[i]].spec, descriptors[i], custom[i]);
  TensorRegistrationPolicy::Value registered{*dereg, {}};
  registered.handles.assign(unique.size(), nullptr);
  auto done = context->call("QnnMem_register", memory->tensors[tensors.front()].spec.name, *reg,
                            context->handle(), descriptors.data(),
                            static_cast<std::uint32_t>(descriptors.size()),
                            registered.handles.data());
  if (!done) {  // All or nothing: there is nothing to give back (SHB-03).
    if (tensors.size() > 1)
      done.error().detail = "the first of " + std::to_string(tensors.size()) +
                            " tensors that were registered with " + context->name;
    return fail(std::move(done).error());
  }

  for (std::size_t i = 0, next = 0; i < order.size(); ++i) {
    if (next < unique.size() && order[i] == unique[next]) ++next;
    block->handles[order[i]] = registered.handles[next - 1];
  }
  for (const std::size_t tensor : unique) {
    block->ranges.push_back(range_of(tensor));
    context->registered_ranges.insert(block->ranges.back());
  }
  block->registration = Owner<TensorRegistrationPolicy>(std::move(registered));
  return block;
}

}  // namespace detail
}  // namespace qnnpp
