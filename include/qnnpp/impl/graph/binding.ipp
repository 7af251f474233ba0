// Definitions of binding.hpp.
#pragma once

#include "qnnpp/graph/binding.hpp"

#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "qnnpp/config.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/detail/access.hpp"
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

namespace detail {

QNNPP_INLINE std::vector<Binding> bindings_of(
    std::initializer_list<const RegisteredTensors*> registrations) {
  std::vector<Binding> bindings;
  for (const RegisteredTensors* each : registrations) {
    QNNPP_EXPECTS(detail::Access::block(*each), moved_registration);  // ORD-09
    const auto& all = detail::Access::block(*each)->memory->tensors;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (detail::Access::block(*each)->handles[i] != nullptr)
        bindings.push_back(registered(*each, all[i].spec.name));
  }
  return bindings;
}

}  // namespace detail
}  // namespace qnnpp::inline QNNPP_NAMESPACE
