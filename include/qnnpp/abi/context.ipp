// Numbers of context.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/context.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum ContextConfigOption;
  using detail::is;
  return is(custom, 0) && is(priority, 1) && is(error_reporting, 2) && is(oem_string, 3) &&
         is(async_execution_queue_depth, 4) && is(enable_graphs, 5) && is(memory_limit_hint, 6) &&
         is(persistent_binary, 7) && is(binary_compatibility, 8) && is(defer_graph_init, 9) &&
         is(graph_retention_order, 10) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ContextBinaryCompatibilityType;
  using detail::is;
  return is(permissive, 0) && is(strict, 1) && is(undefined, 0x7FFFFFF);
}());

static_assert([] {
  using enum ContextAsyncExecutionQueueDepthType;
  using detail::is;
  return is(numeric, 0) && is(undefined, 0x7FFFFFF);
}());

static_assert([] {
  using enum ContextPropertyOption;
  using detail::is;
  return is(custom, 0) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum ContextNotifyType;
  using detail::is;
  return is(graph_init, 0) && is(context_init, 1) && is(undefined, 0x7FFFFFF);
}());

static_assert([] {
  using enum ContextParamsVersion;
  using detail::is;
  return is(v1, 1) && is(v2, 2) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
