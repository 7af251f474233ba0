// Tensor memory of a test, registered with one context.
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"

#include "results.hpp"

namespace support {

/// Holds a buffer and its registration.
template <class Form = qnnpp::PerTensor>
struct RegisteredMemory {
  qnnpp::SharedBuffer<Form> memory;
  qnnpp::RegisteredTensors tensors;

  template <class Allocator, class State>
  static RegisteredMemory make(const Allocator& allocator, const qnnpp::Context<State>& context,
                               const std::vector<qnnpp::TensorSpec>& specs) {
    auto memory = must(qnnpp::SharedBuffer<Form>::allocate(allocator, specs));
    auto tensors = must(qnnpp::RegisteredTensors::create(context, memory));
    return {std::move(memory), std::move(tensors)};
  }
  void fill(std::string_view tensor, const std::vector<float>& values) const {
    must(write_elements(memory.template access<float>(tensor, qnnpp::CpuUse::write), values));
  }
  [[nodiscard]] std::vector<float> values(std::string_view tensor) const {
    const auto opened = must(memory.template access<const float>(tensor, qnnpp::CpuUse::read));
    return {opened.elements().begin(), opened.elements().end()};
  }
  [[nodiscard]] qnnpp::Binding<qnnpp::RegisteredIo> as(std::string_view name) const {
    return qnnpp::registered(tensors, name);
  }
};

}  // namespace support
