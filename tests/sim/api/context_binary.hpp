// The binary of a composed context. Pieces and sections are not supported.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/abi/interface.hpp"

#include "sim/api/call.hpp"
#include "sim/binary/binary.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"

namespace qnnpp::sim {

namespace detail {

/// Serializes the context at the first call. Returns 1005 for a context from a binary, and 5003
/// before all graphs are finalized.
inline Status make_binary(Call& call, c_api::ContextHandle handle,
                          std::shared_ptr<Context>& context) {
  context = call.dev().contexts.find(handle);
  if (context == nullptr)
    return unknown(call, call.dev().contexts, handle, c_api::ContextError::invalid_handle);
  call.about_backend(context->backend);
  if (!context->composed)
    return failure(c_api::CommonError::operation_not_permitted, "the context comes from a binary");
  if (context->graphs.empty())
    return failure(c_api::ContextError::not_finalized, "the context has no graph");
  for (const auto& [name, graph] : context->graphs)
    if (!graph.second->finalized)
      return failure(c_api::ContextError::not_finalized,
                     text("graph \"%s\" is not finalized", name.c_str()));
  if (context->serialized.empty()) {
    NetworkPlan plan = context->plan;
    layout_weights(context->network, plan);
    context->serialized = serialize(context->network, plan, context->target);
  }
  return success();
}

}  // namespace detail

namespace api {

inline c_api::ErrorHandle context_get_binary_size(c_api::ContextHandle handle,
                                                  c_api::ContextBinarySize* size) {
  Call call{Slot::context_get_binary_size};
  if (const auto code = call.gate()) return call.fail(code);
  std::shared_ptr<Context> context;
  if (Status status = detail::make_binary(call, handle, context); !status.ok())
    return call.fail(status);
  if (size == nullptr) return call.fail(c_api::ContextError::invalid_argument, "size is NULL");
  *size = context->serialized.size() + call.dev().unconfirmed(Unconfirmed::binary_slack);
  return call.ok();
}

inline c_api::ErrorHandle context_get_binary(c_api::ContextHandle handle, void* buffer,
                                             c_api::ContextBinarySize size,
                                             c_api::ContextBinarySize* written) {
  Call call{Slot::context_get_binary};
  if (const auto code = call.gate()) return call.fail(code);
  if (buffer == nullptr || written == nullptr)
    return call.fail(c_api::ContextError::invalid_argument, "buffer or written size is NULL");
  std::shared_ptr<Context> context;
  if (Status status = detail::make_binary(call, handle, context); !status.ok())
    return call.fail(status);
  if (size < context->serialized.size())
    return call.fail(c_api::ContextError::invalid_argument, "the buffer is too small");
  if (!is_readable(buffer, size) || !is_readable(written, sizeof *written))
    return call.fail(
        dead_pointer(c_api::ContextError::invalid_argument, "the buffer or the written size"));
  std::memcpy(buffer, context->serialized.data(), context->serialized.size());
  *written = context->serialized.size();
  return call.ok();
}

/// Fails: HTP returns no binary in pieces, as capability 216 reports.
inline c_api::ErrorHandle context_get_incremental_binary(c_api::ContextHandle, const void**,
                                                         c_api::ContextBinarySize*,
                                                         c_api::ContextBinarySize*) {
  Call call{Slot::context_get_incremental_binary};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(c_api::ContextError::unsupported_feature,
                   "this device gives no binary in pieces");
}

inline c_api::ErrorHandle context_release_incremental_binary(c_api::ContextHandle, const void*,
                                                             c_api::ContextBinarySize) {
  Call call{Slot::context_release_incremental_binary};
  return call.fail(c_api::ContextError::unsupported_feature,
                   "this device gives no binary in pieces");
}

inline c_api::ErrorHandle context_get_binary_section_size(c_api::ContextHandle handle,
                                                          c_api::GraphHandle,
                                                          c_api::ContextSectionType,
                                                          c_api::ContextBinarySize*) {
  Call call{Slot::context_get_binary_section_size};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().contexts.find(handle) == nullptr)
    return call.fail(
        unknown(call, call.dev().contexts, handle, c_api::ContextError::invalid_handle));
  return call.fail(c_api::ContextError::unsupported_feature, "this device has no binary sections");
}

inline c_api::ErrorHandle context_get_binary_section(c_api::ContextHandle handle,
                                                     c_api::GraphHandle, c_api::ContextSectionType,
                                                     const c_api::ContextBuffer*,
                                                     c_api::ContextBinarySize*,
                                                     c_api::ProfileHandle, c_api::SignalHandle) {
  Call call{Slot::context_get_binary_section};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().contexts.find(handle) == nullptr)
    return call.fail(
        unknown(call, call.dev().contexts, handle, c_api::ContextError::invalid_handle));
  return call.fail(c_api::ContextError::unsupported_feature, "this device has no binary sections");
}

inline c_api::ErrorHandle context_apply_binary_section(c_api::ContextHandle, c_api::GraphHandle,
                                                       c_api::ContextSectionType,
                                                       const c_api::ContextBuffer*,
                                                       c_api::ProfileHandle, c_api::SignalHandle) {
  Call call{Slot::context_apply_binary_section};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(c_api::ContextError::unsupported_feature, "this device has no binary sections");
}

inline c_api::ErrorHandle context_get_binary_section_update(
    const c_api::ContextBuffer*, const c_api::ContextBuffer*, const c_api::Tensor**, std::uint64_t,
    std::uint8_t, c_api::LogHandle, c_api::ProfileHandle, c_api::SignalHandle,
    c_api::ContextBuffer*) {
  Call call{Slot::context_get_binary_section_update};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(c_api::ContextError::unsupported_feature, "this device has no binary sections");
}

inline c_api::ErrorHandle context_free_binary_section_update(c_api::ContextBuffer,
                                                             c_api::LogHandle) {
  Call call{Slot::context_free_binary_section_update};
  return call.fail(c_api::ContextError::unsupported_feature, "this device has no binary sections");
}

}  // namespace api
}  // namespace qnnpp::sim
