// Numbers of context_section.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/context_section.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum ContextSectionType;
  using detail::is;
  return is(updatable, 1) && is(updatable_weights, 2) && is(updatable_quant_params, 3) &&
         is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ContextMemType;
  using detail::is;
  return is(raw, 0) && is(memhandle, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ContextBufferVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
