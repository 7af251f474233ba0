// ContextSettings: settings of each context of a model, for load() and for a Residency.
#pragma once

#include "qnnpp/config.hpp"

#include "qnnpp/abi/common.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Settings of each context of a model: `{.contexts = {.priority = c_api::Priority::high}}`.
struct ContextSettings {
  /// Gives each context a weights buffer of the application if the contexts share an external
  /// spill-fill buffer. Without it, or if the backend refuses such buffers (EXT-08) or automatic
  /// sharing finds no room for them, QNN keeps the weights.
  bool external_weights = true;
  /// See DeferredOptions::persistent_binary.
  bool persistent_binaries = false;
  /// Lets contexts with DLBC share spill-fill memory; the HTP then turns DLBC off. Without it, such
  /// a context has spill-fill memory of its own, or loading is `capability_missing` if a way of
  /// sharing was asked for.
  bool share_without_dlbc = false;
  /// See DeferredOptions::init_acceleration; ContextMemory::acceleration tells of each context. Not
  /// for contexts that LoadOptions::in_one_call loads.
  bool init_acceleration = false;
  /// Gives the contexts one VTCM backup buffer if they share an external spill-fill buffer and the
  /// library takes it (SharedVtcmBackup). The memory report says whether it does. Off, because only
  /// graphs that others interrupt need it, and it is memory beside that of QNN. A Residency then
  /// asks QNN for the needs of all contexts when it is created, also for those that are expected.
  bool vtcm_backup = false;
  /// Promises that tensors of one graph of a context are registered at a time; with
  /// LoadOptions::in_one_call, of one graph of all contexts. Their process domain then counts those
  /// of the largest graph, in whole megabytes, instead of all, so more contexts fit
  /// (REUSED_IO_LIMIT). QNN's copies of tensors that were prepared as raw count always. Registering
  /// more is `too_large` (PD-02). Without effect if the library does not take the limit, if a size
  /// is not known, or if it saves no room: MemoryReport::reason says so.
  bool one_graph_at_a_time = false;
  /// Priority of each context.
  c_api::Priority priority = c_api::Priority::default_;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
