// ExternalBuffers: the application's memory for a deferred context, and its registration.
#pragma once

#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/detail/external_descriptor.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Memory of the application for a context, at most one buffer of each kind (BUF-13). QNN allocates
/// a buffer that is left out. A buffer that the context does not need is not registered (BUF-09). A
/// buffer that was moved from is an error.
struct ExternalBuffers {
  /// Buffer for the weights of this context only (BUF-08). The context owns it, and frees it after
  /// QNN's context.
  MemRegion<Weights> weights = {};
  /// Buffer for spill-fill, which contexts may share. Each context registers it and keeps it alive
  /// (BUF-11).
  SharedSpillFill spill_fill = {};
  /// Buffer for the backup of VTCM, which contexts of one priority may share. A library or chip
  /// that takes none leaves it out: Context<Finalized>::vtcm_backup() says so. Contexts with both
  /// shared buffers need two with one right to execute, see SharedVtcmBackup.
  SharedVtcmBackup vtcm_backup = {};
};

namespace detail {

/// Reads the requirements (QnnContext_getProperty), all or none.
[[nodiscard]] Result<BufferRequirements> query_requirements(const ContextBlock& context);

/// Checks that `buffers` fit `need`, and that no other context has weights in their bytes. Does not
/// call QNN.
[[nodiscard]] Result<void> check_external_buffers(const ContextBlock& context,
                                                  const BufferRequirements& need,
                                                  const ExternalBuffers& buffers);

/// Checks `buffers`, registers those that the context needs, and moves them into the context.
[[nodiscard]] Result<void> register_external_buffers(ContextBlock& context,
                                                     const BufferRequirements& need,
                                                     ExternalBuffers buffers);

}  // namespace detail
}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/external_buffers.ipp"
#endif
