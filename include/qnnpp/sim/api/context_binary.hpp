// The other way out of a context: its binary, whole or in pieces. Sections are not supported.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "qnnpp/abi/context_section.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/sim/api/call.hpp"
#include "qnnpp/sim/binary.hpp"
#include "qnnpp/sim/context.hpp"
#include "qnnpp/sim/device.hpp"

namespace qnnpp::sim {

namespace detail {

/// Bytes of one piece of an incremental binary.
inline constexpr std::uint64_t piece_bytes = std::uint64_t{256} << 10;

/// Makes the context's binary, once: 1005 for a context from a binary, 5003 before all graphs are
/// finalized.
inline Status make_binary(Call& call, abi::ContextHandle handle,
                          std::shared_ptr<Context>& context) {
  context = call.dev().contexts.find(handle);
  if (context == nullptr)
    return failure(abi::ContextError::invalid_handle, "unknown context handle");
  call.about_backend(context->backend);
  if (!context->composed)
    return failure(abi::CommonError::operation_not_permitted, "the context comes from a binary");
  if (context->graphs.empty())
    return failure(abi::ContextError::not_finalized, "the context has no graph");
  for (const auto& [name, graph] : context->graphs)
    if (!graph.second->finalized)
      return failure(abi::ContextError::not_finalized,
                     text("graph \"%s\" is not finalized", name.c_str()));
  if (context->serialized.empty()) {
    NetworkPlan plan = context->plan;
    plan.weights_bytes = layout_weights(context->network, plan.graphs);
    context->serialized = serialize(context->network, plan, context->target);
  }
  return success();
}

}  // namespace detail

namespace api {

inline abi::ErrorHandle context_get_binary_size(abi::ContextHandle handle,
                                                abi::ContextBinarySize* size) {
  Call call{Slot::context_get_binary_size};
  if (const auto code = call.gate()) return call.fail(code);
  if (size == nullptr) return call.fail(abi::ContextError::invalid_argument, "size is NULL");
  std::shared_ptr<Context> context;
  if (Status status = detail::make_binary(call, handle, context); !status.ok())
    return call.fail(status);
  *size = context->serialized.size();
  return call.ok();
}

inline abi::ErrorHandle context_get_binary(abi::ContextHandle handle, void* buffer,
                                           abi::ContextBinarySize size,
                                           abi::ContextBinarySize* written) {
  Call call{Slot::context_get_binary};
  if (const auto code = call.gate()) return call.fail(code);
  if (buffer == nullptr || written == nullptr)
    return call.fail(abi::ContextError::invalid_argument, "buffer or written size is NULL");
  std::shared_ptr<Context> context;
  if (Status status = detail::make_binary(call, handle, context); !status.ok())
    return call.fail(status);
  if (size < context->serialized.size())
    return call.fail(abi::ContextError::invalid_argument, "the buffer is too small");
  std::memcpy(buffer, context->serialized.data(), context->serialized.size());
  *written = context->serialized.size();
  return call.ok();
}

/// Hands out the next piece; after the last one a NULL piece of no size.
inline abi::ErrorHandle context_get_incremental_binary(abi::ContextHandle handle,
                                                       const void** buffer,
                                                       abi::ContextBinarySize* start_offset,
                                                       abi::ContextBinarySize* written) {
  Call call{Slot::context_get_incremental_binary};
  if (const auto code = call.gate()) return call.fail(code);
  if (buffer == nullptr || start_offset == nullptr || written == nullptr)
    return call.fail(abi::ContextError::invalid_argument, "an argument is NULL");
  std::shared_ptr<Context> context;
  if (Status status = detail::make_binary(call, handle, context); !status.ok())
    return call.fail(status);
  const std::uint64_t total = context->serialized.size();
  const std::uint64_t offset = context->next_piece;
  *start_offset = offset;
  if (offset >= total) {
    *buffer = nullptr;
    *written = 0;
    context->next_piece = 0;
    return call.ok();
  }
  const std::uint64_t bytes =
      total - offset < detail::piece_bytes ? total - offset : detail::piece_bytes;
  const std::byte* const from = context->serialized.data() + offset;
  std::vector<std::byte>& piece = context->pieces[offset];
  piece.assign(from, from + bytes);
  context->next_piece = offset + bytes;
  *buffer = piece.data();
  *written = bytes;
  return call.ok();
}

inline abi::ErrorHandle context_release_incremental_binary(abi::ContextHandle handle,
                                                           const void* buffer,
                                                           abi::ContextBinarySize start_offset) {
  Call call{Slot::context_release_incremental_binary};
  const auto context = call.dev().contexts.find(handle);
  if (context == nullptr)
    return call.fail(abi::ContextError::invalid_handle, "unknown context handle");
  call.about_backend(context->backend);
  const auto piece = context->pieces.find(start_offset);
  if (piece == context->pieces.end() || piece->second.data() != buffer)
    return call.fail(abi::ContextError::increment_invalid_buffer, "no such piece is handed out");
  context->pieces.erase(piece);
  return call.ok();
}

inline abi::ErrorHandle context_get_binary_section_size(abi::ContextHandle handle, abi::GraphHandle,
                                                        abi::ContextSectionType,
                                                        abi::ContextBinarySize*) {
  Call call{Slot::context_get_binary_section_size};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().contexts.find(handle) == nullptr)
    return call.fail(abi::ContextError::invalid_handle, "unknown context handle");
  return call.fail(abi::ContextError::unsupported_feature, "this device has no binary sections");
}

inline abi::ErrorHandle context_get_binary_section(abi::ContextHandle handle, abi::GraphHandle,
                                                   abi::ContextSectionType,
                                                   const abi::ContextBuffer*,
                                                   abi::ContextBinarySize*, abi::ProfileHandle,
                                                   abi::SignalHandle) {
  Call call{Slot::context_get_binary_section};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().contexts.find(handle) == nullptr)
    return call.fail(abi::ContextError::invalid_handle, "unknown context handle");
  return call.fail(abi::ContextError::unsupported_feature, "this device has no binary sections");
}

inline abi::ErrorHandle context_apply_binary_section(abi::ContextHandle handle, abi::GraphHandle,
                                                     abi::ContextSectionType,
                                                     const abi::ContextBuffer*, abi::ProfileHandle,
                                                     abi::SignalHandle) {
  Call call{Slot::context_apply_binary_section};
  if (const auto code = call.gate()) return call.fail(code);
  if (call.dev().contexts.find(handle) == nullptr)
    return call.fail(abi::ContextError::invalid_handle, "unknown context handle");
  return call.fail(abi::ContextError::unsupported_feature, "this device has no binary sections");
}

inline abi::ErrorHandle context_get_binary_section_update(
    const abi::ContextBuffer*, const abi::ContextBuffer*, const abi::Tensor**, std::uint64_t,
    std::uint8_t, abi::LogHandle, abi::ProfileHandle, abi::SignalHandle, abi::ContextBuffer*) {
  Call call{Slot::context_get_binary_section_update};
  if (const auto code = call.gate()) return call.fail(code);
  return call.fail(abi::ContextError::unsupported_feature, "this device has no binary sections");
}

inline abi::ErrorHandle context_free_binary_section_update(abi::ContextBuffer, abi::LogHandle) {
  Call call{Slot::context_free_binary_section_update};
  return call.fail(abi::ContextError::unsupported_feature, "this device has no binary sections");
}

}  // namespace api
}  // namespace qnnpp::sim
