// Step: the steps of loading a context, for progress and for error messages.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// Steps of loading a context. Error messages contain their names: "cancelled while querying".
enum class Step : std::uint8_t {
  surveying,    ///< Reads the needs, to find the largest one of a context group.
  creating,     ///< Opens the binary and creates the context.
  querying,     ///< Asks a deferred context for its needs.
  registering,  ///< Allocates and registers external buffers.
  finalizing,   ///< Calls QnnContext_finalize.
  loaded,       ///< The context is complete.
};

/// Returns the name of a step, such as "querying".
[[nodiscard]] constexpr const char* name_of(Step step) noexcept {
  switch (step) {
    case Step::surveying: return "surveying";
    case Step::creating: return "creating";
    case Step::querying: return "querying";
    case Step::registering: return "registering";
    case Step::finalizing: return "finalizing";
    case Step::loaded: return "loaded";
  }
  return "?";
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
