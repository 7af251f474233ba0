// Binding: memory for one input or output of a graph, by name; IoCost: the cost of that memory.
//
// The types Binding<RawIo> and Binding<RegisteredIo> state the kind of memory, so that a graph
// refuses the wrong kind at compile time. A Binding<> holds either kind.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/states.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Cost of bound tensor memory in bytes, by the kinds of memory (QMEM-01 to QMEM-04):
///
///   prepared    bound        copied each inference   allocated at the first   preallocated, unused
///   raw         raw          all                     -                        -
///   raw         registered   -                       -                        all
///   registered  raw          all                     all                      -
///   registered  registered   -                       -                        -
struct IoCost {
  std::uint64_t copied_bytes_per_inference = 0;          ///< QNN copies them at every inference.
  std::uint64_t allocated_bytes_at_first_inference = 0;  ///< QNN allocates them once.
  std::uint64_t preallocated_bytes_unused = 0;  ///< QNN allocated them with the graph, unused.

  /// Returns the cost of one tensor of `bytes` bytes. Each `prepared` value other than memhandle
  /// counts as raw. `registered`: the bound memory is registered.
  [[nodiscard]] static constexpr IoCost of(c_api::TensorMemType prepared, bool registered,
                                           std::uint64_t bytes) noexcept {
    const bool for_registered = prepared == c_api::TensorMemType::memhandle;
    return {.copied_bytes_per_inference = registered ? 0 : bytes,
            .allocated_bytes_at_first_inference = for_registered && !registered ? bytes : 0,
            .preallocated_bytes_unused = !for_registered && registered ? bytes : 0};
  }

  /// Adds each number of `other`.
  constexpr IoCost& operator+=(const IoCost& other) noexcept {
    copied_bytes_per_inference += other.copied_bytes_per_inference;
    allocated_bytes_at_first_inference += other.allocated_bytes_at_first_inference;
    preallocated_bytes_unused += other.preallocated_bytes_unused;
    return *this;
  }
  /// Returns whether all numbers are equal.
  friend constexpr bool operator==(const IoCost&, const IoCost&) = default;
};

namespace detail {

/// Contents of a Binding. Owns the names and shares the registration. Borrows raw memory.
struct BindingBlock {
  std::string name;                ///< Name of the graph's tensor.
  void* data = nullptr;            ///< First byte of raw memory.
  std::uint64_t size_bytes = 0;    ///< Bytes of raw memory.
  bool is_writable = false;        ///< False for const elements: an output cannot use them.
  c_api::DataType data_type = {};  ///< Element type of raw memory, for messages.
  /// Whether elements of the raw memory can hold a tensor of a type, see qnnpp::carries().
  bool (*carries)(c_api::DataType) noexcept = nullptr;
  std::vector<std::uint32_t> dimensions = {};      ///< Stated for raw memory; empty if not stated.
  Ref<TensorRegistrationBlock> registration = {};  ///< Null for raw memory.
  std::string registered_name = {};                ///< Name of the tensor in its buffer.
  /// Index of the registered tensor in its buffer; NameTable::none if the buffer lacks it.
  std::uint32_t registered_tensor = NameTable::none;
};

}  // namespace detail

/// Memory for one tensor of a graph. raw() and registered() create it; Graph::bind() uses it. Owns
/// the names and shares the registration. Borrows raw memory, which must stay in place while the
/// graph is bound to it. Threads: as for std::string.
///
/// Io is the kind of the memory: RawIo, which QNN copies at every inference; RegisteredIo, which
/// QNN uses in place; or AnyIo, to which both kinds convert.
template <class Io = AnyIo>
class Binding {
 public:
  /// Converts a binding whose type states the kind.
  template <class Kind>
    requires(std::is_same_v<Io, AnyIo> && !std::is_same_v<Kind, AnyIo>)
  Binding(Binding<Kind> other) : block_(std::move(other.block_)) {}

 private:
  template <class>
  friend class Binding;
  friend struct detail::Access;

  explicit Binding(detail::BindingBlock block) : block_(std::move(block)) {}
  [[nodiscard]] static Binding make(detail::BindingBlock block) {
    return Binding(std::move(block));
  }

  detail::BindingBlock block_;
};

/// Binds plain memory to the graph's tensor `name`. QNN copies the memory at every inference.
///
/// `elements` is a container or a span. Its memory must stay in place until the bound graph is
/// unbound or destroyed. `dimensions`, if stated, must equal the dimensions of the graph's tensor.
/// For the element types see carries(). bind() checks type, dimensions and size.
template <detail::LastingMemory R>
[[nodiscard]] Binding<RawIo> raw(std::string_view name, R&& elements,
                                 std::span<const std::uint32_t> dimensions = {}) {
  const std::span all(elements);
  using T = typename decltype(all)::element_type;
  return detail::Access::make<Binding<RawIo>>(
      detail::BindingBlock{.name = std::string(name),
                           // QNN only reads inputs; bind() refuses read-only memory for an output.
                           .data = const_cast<void*>(static_cast<const void*>(all.data())),
                           .size_bytes = all.size_bytes(),
                           .is_writable = !std::is_const_v<T>,
                           .data_type = data_type_of<T>,
                           .carries = &carries<T>,
                           .dimensions = {dimensions.begin(), dimensions.end()}});
}
template <class R>
  requires(!detail::LastingMemory<R>)
QNNPP_REFUSE("the memory of a temporary would dangle; name the buffer first", Binding<RawIo>,
             raw(std::string_view, R&&, std::span<const std::uint32_t> = {}));

/// Binds the registered tensor `registered_name` to the graph's tensor `name`. QNN copies nothing,
/// unless the backend is TensorMemory::by_address. `tensors` must not be moved from (contract). The
/// result keeps the registration alive.
[[nodiscard]] inline Binding<RegisteredIo> registered(std::string_view name,
                                                      const RegisteredTensors& tensors,
                                                      std::string_view registered_name) {
  const auto& registration = detail::Access::block(tensors);
  qnnpp::detail::expects(registration, detail::moved_registration);  // ORD-09
  return detail::Access::make<Binding<RegisteredIo>>(
      detail::BindingBlock{.name = std::string(name),
                           .registration = registration,
                           .registered_name = std::string(registered_name),
                           .registered_tensor = registration->memory->index_of(registered_name)});
}
/// Binds the registered tensor `name` to the graph's tensor of the same name.
[[nodiscard]] inline Binding<RegisteredIo> registered(const RegisteredTensors& tensors,
                                                      std::string_view name) {
  return registered(name, tensors, name);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
