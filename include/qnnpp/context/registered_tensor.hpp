// RegisteredTensor: memory of one tensor, registered with one context (QNN_MEM_TYPE_ION).
#pragma once

#include <gsl/assert>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/memory.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/mem_region.hpp"

namespace qnnpp {

namespace detail {

/// Members go from the last to the first: the registration, the memory, then the context (ION-04).
struct RegisteredTensorBlock : RefCounted<RegisteredTensorBlock> {
  RegisteredTensorBlock(Ref<ContextBlock> parent, MemRegion<TensorIo> memory, TensorSpec described)
      : context(std::move(parent)), region(std::move(memory)), spec(std::move(described)) {}

  Ref<ContextBlock> context;
  MemRegion<TensorIo> region;
  TensorSpec spec;
  Owner<RegistrationPolicy> registration;

  [[nodiscard]] abi::MemHandle handle() const noexcept { return registration.get().handles[0]; }
};

}  // namespace detail

/// Memory that a context knows: bound to a graph of it, inference copies nothing.
///
/// Move-only. Keeps the context and the memory alive; deregisters once, before either goes. A graph
/// it is bound to keeps it alive as well.
class RegisteredTensor {
 public:
  QNNPP_MOVE_ONLY(RegisteredTensor, "a registration has one owner; write std::move(tensor)");

  /// Registers `region` as the memory of a tensor like `spec` (QnnMem_register, ION-01 to ION-03).
  /// The region moves in: one tensor, one buffer, one descriptor, one handle.
  ///
  /// Errors: `too_small` (both sizes), `misaligned` for a region that does not begin at its buffer's
  /// start, `purpose_mismatch` for the context's own weights or spill-fill memory (BUF-07), those of
  /// TensorSpec::size_bytes(), and what QnnMem_register returns, e.g. 8002, 8003.
  template <class State>
  [[nodiscard]] static Result<RegisteredTensor> create(const Context<State>& context,
                                                       MemRegion<TensorIo> region,
                                                       TensorSpec spec) {
    return create_in(context.control(), std::move(region), std::move(spec));
  }

  // Tensors are registered with a context that is complete (ION-02).
  static QNNPP_REFUSE("the context is not finalized; register tensors after finalize()",
                      Result<RegisteredTensor>,
                      create(const Context<Deferred>&, MemRegion<TensorIo>, TensorSpec));
  static QNNPP_REFUSE("the context is not finalized; register tensors after finalize()",
                      Result<RegisteredTensor>,
                      create(const Context<Queried>&, MemRegion<TensorIo>, TensorSpec));
  static QNNPP_REFUSE("the context is not finalized; register tensors after finalize()",
                      Result<RegisteredTensor>,
                      create(const Context<Registered>&, MemRegion<TensorIo>, TensorSpec));
  // A descriptor has one purpose (BUF-07).
  template <class State>
  static QNNPP_REFUSE("weights memory holds no tensors; allocate a MemRegion<TensorIo>",
                      Result<RegisteredTensor>,
                      create(const Context<State>&, const MemRegion<Weights>&, TensorSpec));
  template <class State>
  static QNNPP_REFUSE("spill-fill memory holds no tensors; allocate a MemRegion<TensorIo>",
                      Result<RegisteredTensor>,
                      create(const Context<State>&, const MemRegion<SpillFill>&, TensorSpec));
  template <class State>
  static QNNPP_REFUSE("spill-fill memory holds no tensors; allocate a MemRegion<TensorIo>",
                      Result<RegisteredTensor>,
                      create(const Context<State>&, const SharedSpillFill&, TensorSpec));

  [[nodiscard]] const TensorSpec& spec() const& { return block().spec; }
  QNNPP_REFUSE("spec() of a temporary would dangle; name the tensor first", const TensorSpec&,
               spec() const&&);

  /// The bytes, for the CPU; see MemRegion::access for memory that must be synced.
  [[nodiscard]] std::span<std::byte> bytes() const& { return block().region.bytes(); }
  QNNPP_REFUSE("bytes() of a temporary would dangle; name the tensor first", std::span<std::byte>,
               bytes() const&&);
  [[nodiscard]] CpuAccess access(CpuUse use) const { return block().region.access(use); }

  /// The elements, for the CPU. Error: `type_mismatch` where T does not carry the tensor's type.
  template <class T>
  [[nodiscard]] Result<std::span<T>> as() const& {
    if (!carries<T>(block().spec.data_type))
      return fail(Error::make(Errc::type_mismatch, "viewing a tensor", block().spec.name,
                              std::string("the tensor is ") + name_of(block().spec.data_type) +
                                  ", the view is " + name_of(data_type_of<T>)));
    const auto bytes_of_tensor = block().spec.size_bytes();
    if (!bytes_of_tensor) return fail(bytes_of_tensor.error());
    return std::span<T>(reinterpret_cast<T*>(bytes().data()),
                        static_cast<std::size_t>(*bytes_of_tensor) / sizeof(T));
  }

  /// The C handle, owned by this object. It belongs to one context.
  [[nodiscard]] abi::MemHandle native() const& { return block().handle(); }
  QNNPP_REFUSE("native() of a temporary would dangle; name the tensor first", abi::MemHandle,
               native() const&&);

  /// Deregisters now (QnnMem_deRegister) and returns its error; `in_use` while a graph is bound to
  /// it.
  [[nodiscard]] Result<void> close() && {
    Expects(block_);
    Ref<detail::RegisteredTensorBlock> last = std::move(block_);
    if (last.use_count() != 1)
      return fail(Error::mismatch(Errc::in_use, "closing a registration", last->spec.name, 1,
                                  last.use_count()));
    return check(last->registration.close(), "QnnMem_deRegister", last->spec.name);
  }
  QNNPP_REFUSE("close() consumes the registration; write std::move(tensor).close()", Result<void>,
               close() const&);

  /// For the layers above.
  [[nodiscard]] const Ref<detail::RegisteredTensorBlock>& control() const noexcept {
    return block_;
  }

 private:
  explicit RegisteredTensor(Ref<detail::RegisteredTensorBlock> block) : block_(std::move(block)) {}

  [[nodiscard]] static Result<RegisteredTensor> create_in(const Ref<detail::ContextBlock>& context,
                                                          MemRegion<TensorIo> region,
                                                          TensorSpec spec);

  [[nodiscard]] detail::RegisteredTensorBlock& block() const {
    Expects(block_);
    return *block_;
  }

  Ref<detail::RegisteredTensorBlock> block_;
};

// ---------------------------------------------------------------------------------------------

inline Result<RegisteredTensor> RegisteredTensor::create_in(
    const Ref<detail::ContextBlock>& context, MemRegion<TensorIo> region, TensorSpec spec) {
  constexpr const char* step = "QnnMem_register";
  Expects(context);
  const auto bytes = spec.size_bytes();
  if (!bytes) return fail(bytes.error());
  if (!region || region.size_bytes() < *bytes)
    return fail(Error::mismatch(Errc::too_small, "registering a tensor", spec.name, *bytes,
                                region.size_bytes()));
  if (region.offset_bytes() != 0)
    return fail(Error::mismatch(Errc::misaligned, "registering a tensor", spec.name, 0,
                                region.offset_bytes()));
  if (context->is_external_buffer(region.fd()))
    return fail(Error::make(Errc::purpose_mismatch, "registering a tensor", spec.name,
                            "its descriptor is the weights or spill-fill buffer of " +
                                context->name));

  const auto reg = context->provider().slot<&abi::InterfaceTable::mem_register>();
  const auto dereg = context->provider().slot<&abi::InterfaceTable::mem_de_register>();
  if (!reg) return fail(reg.error());
  if (!dereg) return fail(dereg.error());

  abi::MemDescriptor descriptor;
  std::memset(&descriptor, 0, sizeof(descriptor));
  descriptor.mem_shape.num_dim = static_cast<std::uint32_t>(spec.dimensions.size());
  descriptor.mem_shape.dim_size = spec.dimensions.data();
  descriptor.data_type = spec.data_type;
  descriptor.mem_type = abi::MemType::ion;
  descriptor.ion_info.fd = region.fd();
  abi::MemHandle handle = nullptr;
  if (auto done = check((*reg)(context->handle(), &descriptor, 1, &handle), step, spec.name); !done)
    return fail(std::move(done).error());

  auto block = Ref<detail::RegisteredTensorBlock>::make(context, std::move(region), std::move(spec));
  block->registration = Owner<detail::RegistrationPolicy>({*dereg, {handle}, 1});
  return RegisteredTensor(std::move(block));
}

}  // namespace qnnpp
