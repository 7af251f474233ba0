// Definitions of binding.hpp.
#pragma once

#include "qnnpp/graph/binding.hpp"

#include "qnnpp/core/detail/contract.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE RegisteredBinding::RegisteredBinding(std::string_view name,
                                                  const RegisteredTensors& tensors,
                                                  std::string_view registered_name) {
  QNNPP_EXPECTS(detail::Access::block(tensors), detail::moved_registration);  // ORD-09
  name_ = name;
  writable_ = true;
  block_ = detail::Access::block(tensors);
  registered_name_ = registered_name;
}

QNNPP_INLINE RegisteredBinding registered(const RegisteredTensors& tensors, std::string_view name) {
  return RegisteredBinding(name, tensors, name);
}

QNNPP_INLINE RegisteredBinding registered(std::string_view name, const RegisteredTensors& tensors,
                                          std::string_view registered_name) {
  return RegisteredBinding(name, tensors, registered_name);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
