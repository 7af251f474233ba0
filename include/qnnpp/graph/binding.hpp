// Binding: memory for one input or output of a graph, by name; IoCost: the cost of that memory.
//
// The types RawBinding and RegisteredBinding state the kind of memory, so that a graph refuses the
// wrong kind at compile time. A Binding holds either kind.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

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
  /// Subtracts each number of `other`, which was added before.
  constexpr IoCost& operator-=(const IoCost& other) noexcept {
    copied_bytes_per_inference -= other.copied_bytes_per_inference;
    allocated_bytes_at_first_inference -= other.allocated_bytes_at_first_inference;
    preallocated_bytes_unused -= other.preallocated_bytes_unused;
    return *this;
  }
  /// Returns whether all numbers are equal.
  friend constexpr bool operator==(const IoCost&, const IoCost&) = default;
};

/// Memory for one tensor of a graph. raw() and registered() create it; Graph::bind() uses it. Owns
/// the names and shares the registration. Borrows raw memory, which must stay in place while the
/// graph is bound to it. Threads: as for std::string.
class Binding {
 public:
  /// Name of the graph's tensor.
  [[nodiscard]] const std::string& name() const& noexcept { return name_; }
  QNNPP_REFUSE("name() of a temporary would dangle; name the binding first", const std::string&,
               name() const&&);
  /// First byte of raw memory; null for registered memory.
  [[nodiscard]] void* data() const noexcept { return data_; }
  /// Bytes of raw memory; 0 for registered memory.
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return size_bytes_; }
  /// Returns false for raw memory with const elements: an output cannot use it.
  [[nodiscard]] bool writable() const noexcept { return writable_; }
  /// Element type of raw memory, for messages; UNDEFINED if QNN has no type for it.
  [[nodiscard]] c_api::DataType data_type() const noexcept { return data_type_; }
  /// Returns whether elements of this raw memory can hold a tensor of `type`, see qnnpp::carries().
  [[nodiscard]] bool carries(c_api::DataType type) const noexcept { return carries_(type); }
  /// Dimensions that the caller stated for raw memory; empty if not stated.
  [[nodiscard]] const std::vector<std::uint32_t>& dimensions() const& noexcept {
    return dimensions_;
  }
  QNNPP_REFUSE("dimensions() of a temporary would dangle; name the binding first",
               const std::vector<std::uint32_t>&, dimensions() const&&);
  /// Name of the registered tensor in its buffer; empty for raw memory.
  [[nodiscard]] const std::string& registered_name() const& noexcept { return registered_name_; }
  QNNPP_REFUSE("registered_name() of a temporary would dangle; name the binding first",
               const std::string&, registered_name() const&&);

 protected:
  friend struct detail::Access;

  /// For the derived classes, which set the members.
  Binding() = default;

  std::string name_;                                        ///< See name().
  void* data_ = nullptr;                                    ///< See data().
  std::uint64_t size_bytes_ = 0;                            ///< See size_bytes().
  bool writable_ = false;                                   ///< See writable().
  c_api::DataType data_type_ = c_api::DataType::undefined;  ///< See data_type().
  /// See carries().
  bool (*carries_)(c_api::DataType) noexcept = &qnnpp::carries<std::byte>;
  std::vector<std::uint32_t> dimensions_;       ///< See dimensions().
  Ref<detail::TensorRegistrationBlock> block_;  ///< The registration; null for raw memory.
  std::string registered_name_;                 ///< See registered_name().
};

/// Binding of plain memory. QNN copies the memory at every inference. raw() creates it.
/// Threads: as for std::string.
class RawBinding : public Binding {
 public:
  /// Binds `elements` to the graph's tensor `name`. Same rules as raw().
  template <class T>
  RawBinding(std::string_view name, std::span<T> elements,
             std::span<const std::uint32_t> dimensions) {
    name_ = name;
    // QNN only reads inputs; bind() refuses read-only memory for an output.
    data_ = const_cast<void*>(static_cast<const void*>(elements.data()));
    size_bytes_ = elements.size_bytes();
    writable_ = !std::is_const_v<T>;
    data_type_ = data_type_of<T>;
    carries_ = &qnnpp::carries<T>;
    dimensions_.assign(dimensions.begin(), dimensions.end());
  }
};

/// Binding of registered memory. QNN uses the memory in place. registered() creates it.
/// Threads: as for std::string.
class RegisteredBinding : public Binding {
 public:
  /// Binds the registered tensor `registered_name` to the graph's tensor `name`.
  RegisteredBinding(std::string_view name, const RegisteredTensors& tensors,
                    std::string_view registered_name);
};

/// Binds plain memory to the graph's tensor `name`. QNN copies the memory at every inference.
///
/// `elements` is a container or a span. Its memory must stay in place until the bound graph is
/// unbound or destroyed. `dimensions`, if stated, must equal the dimensions of the graph's tensor.
/// For the element types see carries(). bind() checks type, dimensions and size.
template <detail::LastingMemory R>
[[nodiscard]] RawBinding raw(std::string_view name, R&& elements,
                             std::span<const std::uint32_t> dimensions = {}) {
  const std::span all(elements);  // Has a fixed extent for an array.
  return RawBinding(name, std::span<typename decltype(all)::element_type>(all), dimensions);
}
template <class R>
  requires(!detail::LastingMemory<R>)
QNNPP_REFUSE("the memory of a temporary would dangle; name the buffer first", RawBinding,
             raw(std::string_view, R&&, std::span<const std::uint32_t> = {}));

/// Binds the registered tensor `name` to the graph's tensor of the same name. QNN copies nothing.
/// `tensors` must not be moved from (contract). The result keeps the registration alive.
[[nodiscard]] RegisteredBinding registered(const RegisteredTensors& tensors, std::string_view name);
/// Binds the registered tensor `registered_name` to the graph's tensor `name`. Otherwise like the
/// function above.
[[nodiscard]] RegisteredBinding registered(std::string_view name, const RegisteredTensors& tensors,
                                           std::string_view registered_name);

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/graph/binding.ipp"
#endif
