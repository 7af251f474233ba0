// SpillFillSharing: how the contexts of a model come by their spill-fill memory.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

namespace qnnpp::inline QNNPP_NAMESPACE::model {

enum class SpillFillSharing : std::uint8_t {
  automatic,        ///< The first of the others that the backend takes.
  external_buffer,  ///< One DMA buffer of the application for all (BUF-10, BUF-11).
  context_group,  ///< One buffer of QNN's own for all (REGISTER_MULTI_CONTEXTS, GRP-01 to GRP-03).
  none,           ///< Each context has its own.
};

[[nodiscard]] constexpr const char* name_of(SpillFillSharing sharing) noexcept {
  switch (sharing) {
    case SpillFillSharing::automatic: return "automatic";
    case SpillFillSharing::external_buffer: return "external_buffer";
    case SpillFillSharing::context_group: return "context_group";
    case SpillFillSharing::none: return "none";
  }
  return "?";
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
