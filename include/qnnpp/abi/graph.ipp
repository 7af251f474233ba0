// Numbers of graph.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/graph.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum GraphConfigOption;
  using detail::is;
  return is(custom, 0) && is(priority, 3) && is(profile_handle, 4) && is(set_profiling_state, 5) &&
         is(set_profiling_num_executions, 6) && is(enable_binary_section_weights_updates, 7) &&
         is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum GraphProfilingState;
  using detail::is;
  return is(enabled, 1) && is(disabled, 2) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum GraphPropertyOption;
  using detail::is;
  return is(custom, 0) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum GraphExecuteEnvironmentOption;
  using detail::is;
  return is(bind_mem_handles, 0) && is(populate_client_bufs, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum GraphValidateOption;
  using detail::is;
  return is(custom, 0) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum GraphNodeValidationStatus;
  using detail::is;
  return is(supported, 0) && is(unsupported, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
