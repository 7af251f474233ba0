// ContextSettings: settings of each context of a model, for load() and for a Residency.
#pragma once

#include "qnnpp/config.hpp"

#include "qnnpp/abi/common.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Settings of each context of a model: `{.contexts = {.priority = c_api::Priority::high}}`.
struct ContextSettings {
  /// Gives each context a weights buffer of the application if the contexts share an external
  /// spill-fill buffer. Without it, or if the backend refuses such buffers (EXT-08), QNN keeps the
  /// weights.
  bool external_weights = true;
  /// See DeferredOptions::persistent_binary.
  bool persistent_binaries = false;
  /// Lets contexts with DLBC share spill-fill memory; the HTP then turns DLBC off. Without it, such
  /// a context has spill-fill memory of its own, or loading is `capability_missing` if a way of
  /// sharing was asked for.
  bool share_without_dlbc = false;
  /// Priority of each context.
  c_api::Priority priority = c_api::Priority::default_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
