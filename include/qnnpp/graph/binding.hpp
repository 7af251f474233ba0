// Binding: memory for one input or output of a graph, by name.
#pragma once

#include <gsl/assert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "qnnpp/config.hpp"
#include "qnnpp/context/registered_tensor.hpp"
#include "qnnpp/core/data_type.hpp"

namespace qnnpp {

/// Says which memory a tensor of a graph uses. Made by raw() or registered(), used by bind().
class Binding {
 public:
  /// Name of the graph's tensor.
  [[nodiscard]] std::string_view name() const noexcept { return name_; }
  /// First byte of raw memory; null for registered memory.
  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::uint64_t size_bytes() const noexcept { return size_bytes_; }
  [[nodiscard]] bool writable() const noexcept { return writable_; }
  /// The element type of raw memory, for messages.
  [[nodiscard]] abi::DataType data_type() const noexcept { return data_type_; }
  /// Whether raw memory of this element type may carry a tensor of `type`.
  [[nodiscard]] bool carries(abi::DataType type) const noexcept { return carries_(type); }
  /// Dimensions that the caller states; empty: not stated.
  [[nodiscard]] std::span<const std::uint32_t> dimensions() const noexcept { return dimensions_; }
  [[nodiscard]] const Ref<detail::RegisteredTensorBlock>& registration() const noexcept {
    return registration_;
  }

  template <class T>
  [[nodiscard]] static Binding of_raw(std::string_view name, std::span<T> elements,
                                      std::span<const std::uint32_t> dimensions) {
    Binding binding;
    binding.name_ = name;
    // QNN only reads inputs; bind() refuses read-only memory for an output.
    binding.data_ = const_cast<void*>(static_cast<const void*>(elements.data()));
    binding.size_bytes_ = elements.size_bytes();
    binding.writable_ = !std::is_const_v<T>;
    binding.data_type_ = data_type_of<T>;
    binding.carries_ = &qnnpp::carries<T>;
    binding.dimensions_ = dimensions;
    return binding;
  }

  [[nodiscard]] static Binding of_registered(std::string_view name,
                                             const RegisteredTensor& tensor) {
    Expects(tensor.control());  // ORD-09
    Binding binding;
    binding.name_ = name;
    binding.writable_ = true;
    binding.registration_ = tensor.control();
    return binding;
  }

 private:
  Binding() = default;

  std::string_view name_;
  void* data_ = nullptr;
  std::uint64_t size_bytes_ = 0;
  bool writable_ = false;
  abi::DataType data_type_ = abi::DataType::undefined;
  bool (*carries_)(abi::DataType) noexcept = &qnnpp::carries<std::byte>;
  std::span<const std::uint32_t> dimensions_;
  Ref<detail::RegisteredTensorBlock> registration_;
};

namespace detail {

template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t N>
inline constexpr bool is_span<std::span<T, N>> = true;

/// Memory that outlives the call: a named container, or a view.
template <class R>
concept LastingMemory = (std::is_lvalue_reference_v<R> || is_span<std::remove_cvref_t<R>>) &&
                        requires(R&& range) { std::span(range); };

}  // namespace detail

/// Binds plain memory: QNN copies it at every inference. `elements` is a container or span; it must
/// stay in place until the bound graph is gone or unbound. `dimensions`, where stated, must be those
/// of the graph's tensor. Element types: see carries().
template <detail::LastingMemory R>
[[nodiscard]] Binding raw(std::string_view name, R&& elements,
                          std::span<const std::uint32_t> dimensions = {}) {
  const std::span all(elements);
  return Binding::of_raw<typename decltype(all)::element_type>(name, all, dimensions);
}
template <class R>
  requires(!detail::LastingMemory<R>)
QNNPP_REFUSE("the memory of a temporary would dangle; name the buffer first", Binding,
             raw(std::string_view, R&&, std::span<const std::uint32_t> = {}));

/// Binds registered memory to the tensor of the same name: nothing is copied.
[[nodiscard]] inline Binding registered(const RegisteredTensor& tensor) {
  return Binding::of_registered(tensor.spec().name, tensor);
}
/// Binds registered memory to a tensor of another name.
[[nodiscard]] inline Binding registered(std::string_view name, const RegisteredTensor& tensor) {
  return Binding::of_registered(name, tensor);
}

}  // namespace qnnpp
