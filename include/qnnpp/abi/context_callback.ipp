// Numbers of context_callback.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/context_callback.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum ContextBinaryRawBufferCallbackVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ContextBinaryDmaBufferCallbackVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ContextBinaryCallbackType;
  using detail::is;
  return is(raw_buffer, 1) && is(dma_buffer, 2) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
