// Binding: memory for one input or output of a graph, by name; IoCost: what that memory costs.
//
// RawBinding and RegisteredBinding say which kind of memory in their type, so that a graph can
// refuse the wrong kind when the program is compiled. A Binding is either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "qnnpp/abi/tensor.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Bytes that binding one kind of tensor memory costs (QMEM-01 to QMEM-04):
///
///   prepared    bound        copied each inference   allocated at the first   preallocated, unused
///   raw         raw          all                     -                        -
///   raw         registered   -                       -                        all
///   registered  raw          all                     all                      -
///   registered  registered   -                       -                        -
struct IoCost {
  std::uint64_t copied_bytes_per_inference = 0;
  std::uint64_t allocated_bytes_at_first_inference = 0;
  std::uint64_t preallocated_bytes_unused = 0;

  /// The cost of one tensor of so many bytes. What was not prepared for registered memory counts as
  /// raw.
  [[nodiscard]] static constexpr IoCost of(c_api::TensorMemType prepared, bool registered,
                                           std::uint64_t bytes) noexcept {
    const bool for_registered = prepared == c_api::TensorMemType::memhandle;
    return {.copied_bytes_per_inference = registered ? 0 : bytes,
            .allocated_bytes_at_first_inference = for_registered && !registered ? bytes : 0,
            .preallocated_bytes_unused = !for_registered && registered ? bytes : 0};
  }

  constexpr IoCost& operator+=(const IoCost& other) noexcept {
    copied_bytes_per_inference += other.copied_bytes_per_inference;
    allocated_bytes_at_first_inference += other.allocated_bytes_at_first_inference;
    preallocated_bytes_unused += other.preallocated_bytes_unused;
    return *this;
  }
  friend constexpr bool operator==(const IoCost&, const IoCost&) = default;
};

/// Says which memory a tensor of a graph uses. Made by raw() or registered(), used by bind(). It
/// owns the names; raw memory stays in place while it is used.
class Binding {
 public:
  /// Name of the graph's tensor.
  [[nodiscard]] const std::string& name() const& noexcept { return name_; }
  QNNPP_REFUSE("name() of a temporary would dangle; name the binding first", const std::string&,
               name() const&&);
  /// First byte of raw memory; null for registered memory.
  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return size_bytes_; }
  [[nodiscard]] bool writable() const noexcept { return writable_; }
  /// The element type of raw memory, for messages.
  [[nodiscard]] c_api::DataType data_type() const noexcept { return data_type_; }
  /// Whether raw memory of this element type may carry a tensor of `type`.
  [[nodiscard]] bool carries(c_api::DataType type) const noexcept { return carries_(type); }
  /// Dimensions that the caller states; empty: not stated.
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

  Binding() = default;

  std::string name_;
  void* data_ = nullptr;
  std::uint64_t size_bytes_ = 0;
  bool writable_ = false;
  c_api::DataType data_type_ = c_api::DataType::undefined;
  bool (*carries_)(c_api::DataType) noexcept = &qnnpp::carries<std::byte>;
  std::vector<std::uint32_t> dimensions_;
  Ref<detail::TensorRegistrationBlock> block_;  // null for raw memory
  std::string registered_name_;
};

/// Plain memory: QNN copies it at every inference.
class RawBinding : public Binding {
 public:
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

/// Registered memory: used in place, nothing is copied.
class RegisteredBinding : public Binding {
 public:
  RegisteredBinding(std::string_view name, const RegisteredTensors& tensors,
                    std::string_view registered_name);
};

/// Binds plain memory: QNN copies it at every inference. `elements` is a container or span; it must
/// stay in place until the bound graph is gone or unbound. `dimensions`, where stated, must be
/// those of the graph's tensor. Element types: see carries().
template <detail::LastingMemory R>
[[nodiscard]] RawBinding raw(std::string_view name, R&& elements,
                             std::span<const std::uint32_t> dimensions = {}) {
  const std::span all(elements);  // Of fixed extent for an array.
  return RawBinding(name, std::span<typename decltype(all)::element_type>(all), dimensions);
}
template <class R>
  requires(!detail::LastingMemory<R>)
QNNPP_REFUSE("the memory of a temporary would dangle; name the buffer first", RawBinding,
             raw(std::string_view, R&&, std::span<const std::uint32_t> = {}));

/// Binds a registered tensor to the graph's tensor of the same name: nothing is copied.
[[nodiscard]] RegisteredBinding registered(const RegisteredTensors& tensors, std::string_view name);
/// Binds the registered tensor `registered_name` to the graph's tensor `name`.
[[nodiscard]] RegisteredBinding registered(std::string_view name, const RegisteredTensors& tensors,
                                           std::string_view registered_name);

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/graph/binding.ipp"
#endif
