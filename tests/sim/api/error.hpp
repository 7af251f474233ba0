// Texts of error codes: errorGetMessage, errorGetVerboseMessage and what frees the latter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "qnnpp/abi/interface.hpp"
#include "sim/api/call.hpp"

namespace qnnpp::sim {

/// Text of a code, NULL for one that is none. Static.
[[nodiscard]] inline const char* error_text(std::uint32_t code) noexcept {
  switch (code) {
    case 0: return "success";
    case 1000: return "not supported";
    case 1002:
      return "out of memory: process domain full, mapping failed, or the DSP library is missing";
    case 1003: return "system";
    case 1004: return "invalid argument";
    case 1005: return "operation not permitted";
    case 1006: return "platform not supported";
    case 1007:
      return "the sub-system restarted and is up again: contexts, graphs and memory handles are "
             "gone";
    case 1008: return "incompatible binaries";
    case 1009: return "loading binaries";
    case 1010: return "resource unavailable";
    case 1011: return "the sub-system restarted and is not up";
    case 1100: return "general";
    case 2000: return "property: unknown key";
    case 3110: return "op package: validation failure";
    case 4000: return "backend: cannot initialize";
    case 4002: return "backend: terminate failed";
    case 4003: return "backend: not supported";
    case 4004: return "backend: invalid argument";
    case 4005: return "backend: op package not found";
    case 4006: return "backend: op package if provider not found";
    case 4007: return "backend: op package registration failed";
    case 4008: return "backend: op package unsupported version";
    case 4009: return "backend: op package duplicate";
    case 4010: return "backend: inconsistent config";
    case 4011: return "backend: invalid handle";
    case 4012: return "backend: invalid config";
    case 5000: return "context: invalid argument";
    case 5001: return "context: ctx does not exist";
    case 5002: return "context: invalid handle";
    case 5003: return "context: not finalized";
    case 5004: return "context: binary version";
    case 5005: return "context: create from binary";
    case 5006: return "context: get binary size failed";
    case 5007: return "context: get binary failed";
    case 5008: return "context: binary configuration";
    case 5009: return "context: set profile";
    case 5010: return "context: invalid config";
    case 5011: return "context: binary suboptimal";
    case 5012: return "context: aborted";
    case 5013: return "context: timed out";
    case 5014: return "context: increment invalid buffer";
    case 6000: return "graph: invalid argument";
    case 6001: return "graph: invalid handle";
    case 6002: return "graph: graph does not exist";
    case 6003: return "graph: invalid name";
    case 6004: return "graph: invalid tensor";
    case 6005: return "graph: invalid op config";
    case 6006: return "graph: set profile";
    case 6007: return "graph: unconnected node";
    case 6020: return "graph: create failed";
    case 6021: return "graph: optimization failed";
    case 6022: return "graph: finalize failed";
    case 6023: return "graph: graph not finalized";
    case 6024: return "graph: graph finalized";
    case 6025: return "graph: execution async fifo full";
    case 6030: return "graph: signal in use";
    case 6031: return "graph: aborted";
    case 6032: return "graph: profile in use";
    case 6033: return "graph: timed out";
    case 6034: return "graph: subgraph";
    case 6035: return "graph: disabled";
    case 6036: return "graph: dynamic tensor shape";
    case 6037: return "graph: tensor sparsity";
    case 6038: return "graph: early termination";
    case 6039: return "graph: invalid context";
    case 7001: return "tensor: invalid handle";
    case 7002: return "tensor: does not exist";
    case 7003: return "tensor: already exists";
    case 7004: return "tensor: invalid tensor param";
    case 7005: return "tensor: unsupported tensor param";
    case 7006: return "tensor: name hash collision";
    case 7007: return "tensor: incompatible tensor update";
    case 8000: return "memory: invalid argument";
    case 8001: return "memory: invalid handle";
    case 8002: return "memory: already registered";
    case 8003: return "memory: mapping";
    case 8004: return "memory: invalid shape";
    case 8005: return "memory: unsupported memtype";
    case 9000: return "signal: signal in use";
    case 9001: return "signal: signal idle";
    case 9002: return "signal: invalid argument";
    case 9003: return "signal: invalid handle";
    case 9004: return "signal: timeout";
    case 9005: return "signal: incompatible signal type";
    case 10000: return "error text: invalid argument";
    case 10001: return "error text: invalid error handle";
    case 11002: return "log: initialization";
    case 11003: return "log: invalid argument";
    case 11004: return "log: invalid handle";
    case 12000: return "profile: invalid handle";
    case 12001: return "profile: handle in use";
    case 12002: return "profile: incompatible event";
    case 13000: return "performance infrastructure: invalid handle ptr";
    case 13001: return "performance infrastructure: invalid input";
    case 13002: return "performance infrastructure: unsupported config";
    case 13003: return "performance infrastructure: transport";
    case 13004: return "performance infrastructure: unsupported";
    case 13005: return "performance infrastructure: mem alloc";
    case 13006: return "performance infrastructure: failed";
    case 14000: return "device: invalid handle";
    case 14001: return "device: invalid config";
    case 14002: return "device: hardware unavailable";
    case 14003: return "device: associated to context";
    case 15000: return "global config: invalid config";
    default: return nullptr;
  }
}

namespace api {

inline c_api::ErrorHandle error_get_message(c_api::ErrorHandle error, const char** message) {
  Call call{Slot::error_get_message};
  if (const auto code = call.gate()) return call.fail(code);
  if (message == nullptr) return call.fail(c_api::ErrorError::invalid_argument, "message is NULL");
  *message = error_text(static_cast<std::uint32_t>(error & 0xFFFF));
  if (*message == nullptr)
    return call.fail(c_api::ErrorError::invalid_error_handle, "unknown error code");
  return call.ok();
}

inline c_api::ErrorHandle error_get_verbose_message(c_api::ErrorHandle error,
                                                    const char** message) {
  Call call{Slot::error_get_verbose_message};
  if (const auto code = call.gate()) return call.fail(code);
  if (message == nullptr) return call.fail(c_api::ErrorError::invalid_argument, "message is NULL");
  *message = nullptr;
  const auto number = static_cast<std::uint32_t>(error & 0xFFFF);
  const char* const brief = error_text(number);
  if (brief == nullptr)
    return call.fail(c_api::ErrorError::invalid_error_handle, "unknown error code");
  const std::string verbose = text("QNN error %u (0x%x): %s", number, number, brief);
  auto copy = std::make_unique<char[]>(verbose.size() + 1);
  std::memcpy(copy.get(), verbose.c_str(), verbose.size() + 1);
  *message = copy.get();
  call.dev().messages.emplace(copy.get(), std::move(copy));
  return call.ok();
}

inline c_api::ErrorHandle error_free_verbose_message(const char* message) {
  Call call{Slot::error_free_verbose_message};
  if (message == nullptr || call.dev().messages.erase(message) == 0)
    return call.fail(c_api::ErrorError::invalid_argument, "no such message is handed out");
  return call.ok();
}

}  // namespace api
}  // namespace qnnpp::sim
