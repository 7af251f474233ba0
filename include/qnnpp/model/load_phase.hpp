// LoadPhase: the phases of loading a context, for progress and for error messages.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Phases of loading a context. Error messages contain their names: "cancelled while querying".
enum class LoadPhase : std::uint8_t {
  surveying,    ///< Reads the needs, to find the largest one of a context group.
  creating,     ///< Opens the binary and creates the context.
  querying,     ///< Asks a deferred context for its needs.
  registering,  ///< Allocates and registers external buffers.
  finalizing,   ///< Calls QnnContext_finalize.
  loaded,       ///< The context is complete.
};

/// Returns the name of a phase, such as "querying".
[[nodiscard]] constexpr const char* name_of(LoadPhase phase) noexcept {
  switch (phase) {
    case LoadPhase::surveying: return "surveying";
    case LoadPhase::creating: return "creating";
    case LoadPhase::querying: return "querying";
    case LoadPhase::registering: return "registering";
    case LoadPhase::finalizing: return "finalizing";
    case LoadPhase::loaded: return "loaded";
  }
  return "?";
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
