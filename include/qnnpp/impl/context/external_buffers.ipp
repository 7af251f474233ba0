// Definitions of external_buffers.hpp.
#pragma once

#include "qnnpp/context/external_buffers.hpp"

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/core/detail/access.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// First minor version of the HTP's API that knows VTCM backup: older ones answer 1000 to its size
/// and 8001 to its memory.
inline constexpr std::uint32_t first_minor_with_vtcm_backup = 46;

/// Returns the largest VTCM that has to fit a backup buffer: the chip's, or a graph's (BUF-19).
[[nodiscard]] QNNPP_INLINE std::uint64_t vtcm_bytes(const ContextBlock& context) {
  const auto chip = context.backend->chip();
  std::uint64_t largest = chip ? chip->vtcm_bytes : 0;
  for (const GraphSpec& graph : context.graphs)
    largest = std::max(largest, std::uint64_t{graph.preparation.vtcm_mb.value_or(0)} << 20);
  return largest;
}

QNNPP_INLINE Result<BufferRequirements> query_requirements(const ContextBlock& context) {
  QNNPP_LET(get, context.provider().find<&c_api::InterfaceTable::context_get_property>());

  using enum c_api::HtpContextPropertyOption;
  const bool backs_vtcm_up =
      context.provider().backend_version().minor >= first_minor_with_vtcm_backup;
  c_api::HtpContextCustomProperty custom[4] = {};
  custom[0].option = buffer_start_alignment;
  custom[1].option = max_spillfill_buffer_size;
  custom[2].option = weights_buffer_size;
  custom[3].option = max_vtcmbackup_buffer_size;
  c_api::ContextProperty properties[4] = {};
  c_api::ContextProperty* pointers[5] = {};
  for (std::size_t i = 0; i < (backs_vtcm_up ? 4 : 3); ++i) {
    properties[i].option = c_api::ContextPropertyOption::custom;
    properties[i].custom_property = &custom[i];
    pointers[i] = &properties[i];
  }
  QNNPP_LET(got, context.call(name_of(c_api::Slot::context_get_property), context.name, *get,
                              context.handle(), pointers));

  BufferRequirements requirements{.weights_bytes = custom[2].weights_buffer_size,
                                  .spill_fill_bytes = custom[1].spillfill_buffer_size,
                                  .start_alignment = custom[0].buffer_start_alignment};
  if (backs_vtcm_up)
    requirements.vtcm_backup_bytes =
        std::max(custom[3].vtcm_backup_buffer_size, vtcm_bytes(context));
  if (requirements.start_alignment == 0 ||
      (requirements.start_alignment & (requirements.start_alignment - 1)) != 0)
    return fail(Errc::invalid_argument, name_of(c_api::Slot::context_get_property), context.name,
                {"its start alignment, ", requirements.start_alignment,
                 ", is no power of two; use the libraries of another SDK"});
  return requirements;
}

/// Checks that a buffer's file is at least as large as the buffer. QNN does not notice a file that
/// is too short before it uses the missing memory (BUF-16).
[[nodiscard]] QNNPP_INLINE Result<void> fits_its_file(const DmaBlock& buffer,
                                                      const std::string& context) {
  const std::uint64_t file = file_bytes(buffer.fd);
  if (file == 0 || file >= buffer.size_bytes) return {};
  return fail(Error::mismatch(Errc::too_small, "registering the file of an external buffer",
                              context, buffer.size_bytes, file));
}

/// Registers one buffer in one call (BUF-15). The library crashes on two descriptors without a
/// shape in one call, and if the second fails, the first stays marked as registered.
[[nodiscard]] QNNPP_INLINE Result<Owner<RegistrationPolicy>> register_external_buffer(
    const ContextBlock& context, c_api::HtpMemType type, const DmaBlock& buffer,
    std::uint64_t offset_bytes) {
  QNNPP_LET(reg, context.provider().find<&c_api::InterfaceTable::mem_register>());
  QNNPP_LET(dereg, context.provider().find<&c_api::InterfaceTable::mem_de_register>());
  c_api::MemDescriptor descriptor;
  ExternalDescriptor custom;
  custom.describe(type, buffer, offset_bytes, descriptor);
  c_api::MemHandle handle = nullptr;
  auto done = context.setup_call(name_of(c_api::Slot::mem_register), context.name, *reg,
                                 context.handle(), &descriptor, 1, &handle);
  if (!done) {
    done.error().facts |= buffer.facts;
    return fail(std::move(done).error());
  }
  return Owner<RegistrationPolicy>({&context, handle});
}

/// Error for weights in bytes that have another context's weights (BUF-08). Lists the contexts of
/// the backend, of which it may be one.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
weights_of_another(const ContextBlock& context) {
  const std::string others = context.list->text(LiveContexts::Which::all, &context);
  return Error::make(
      Errc::in_use, "registering a weights buffer", context.name,
      {"another context has weights in these bytes", others.empty() ? "" : "; ", others});
}

/// Error for a VTCM backup buffer of contexts with another priority (BUF-19).
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
backs_up_another_priority(const std::string& context) {
  return Error::make(Errc::in_use, "registering a VTCM backup buffer", context,
                     "its contexts have another priority; allocate one for each priority");
}
[[nodiscard]] QNNPP_INLINE std::uint32_t priority_of(const ContextBlock& context) noexcept {
  return static_cast<std::uint32_t>(context.configs.priority());
}

/// Whether QnnMem_register does not know, or the chip does not have, memory of this type.
[[nodiscard]] QNNPP_INLINE bool is_unknown_memory(const Error& error) noexcept {
  return error.kind == Errc::qnn && (error.code == code_of(c_api::CommonError::not_supported) ||
                                     error.code == code_of(c_api::MemError::invalid_handle));
}

/// Registers a VTCM backup buffer. If the library or the chip takes none, leaves it out, and keeps
/// the reason in the context.
[[nodiscard]] QNNPP_INLINE Result<void> register_vtcm_backup(ContextBlock& context,
                                                             SharedVtcmBackup backup) {
  SharedRegionBlock<VtcmBackup>& block = *Access::block(backup);
  std::uint32_t known = block.any;
  const std::uint32_t own = priority_of(context);
  if (!block.priority.compare_exchange_strong(known, own) && known != own)
    return fail(backs_up_another_priority(context.name));
  auto made = register_external_buffer(context, c_api::HtpMemType::shared_vtcmbackup_buffer,
                                       *Access::block(block.region), block.region.offset_bytes());
  if (!made) {
    if (!is_unknown_memory(made.error())) return fail(std::move(made).error());
    context.vtcm_backup_error = Ref<MetadataError>::make(std::move(made).error());
    return {};
  }
  context.vtcm_backup_registration = std::move(*made);
  context.lock = block.lock;
  context.vtcm_backup = std::move(backup);
  return {};
}

QNNPP_INLINE Result<void> check_external_buffers(const ContextBlock& context,
                                                 const BufferRequirements& need,
                                                 const ExternalBuffers& buffers) {
  if (buffers.weights.is_moved_from())
    return fail(Errc::invalid_argument, "registering a weights buffer", context.name,
                "the weights region was moved from; allocate one for each context");
  if (buffers.spill_fill.is_moved_from())
    return fail(Errc::invalid_argument, "registering a spill-fill buffer", context.name,
                moved_region<SpillFill>);
  if (buffers.vtcm_backup.is_moved_from())
    return fail(Errc::invalid_argument, "registering a VTCM backup buffer", context.name,
                moved_region<VtcmBackup>);
  const bool has_weights = need.weights_bytes != 0 && buffers.weights;
  const bool has_spill_fill = need.spill_fill_bytes != 0 && buffers.spill_fill;
  const bool has_backup = need.vtcm_backup_bytes != 0 && buffers.vtcm_backup;
  if ((has_weights || has_spill_fill || has_backup) && context.backend->is_secure)
    return fail(Errc::capability_missing, "registering external buffers", context.name,
                "a secure process domain takes no external buffers");

  if (has_weights) {
    if (buffers.weights.size_bytes() < need.weights_bytes)
      return fail(Error::mismatch(Errc::too_small, "registering a weights buffer", context.name,
                                  need.weights_bytes, buffers.weights.size_bytes()));
    QNNPP_TRY(starts_aligned(buffers.weights, need.start_alignment, "registering a weights buffer",
                             context.name));
    QNNPP_TRY(fits_its_file(*Access::block(buffers.weights), context.name));
    // A host library for Linux maps no weights, and then writes to the offset as an address
    // (EXT-08).
    if (buffers.weights.offset_bytes() != 0 &&
        context.backend->external_weights.get() != ExternalWeights::confirmed)
      return fail(Errc::invalid_argument, "registering a weights buffer", context.name,
                  "weights at an offset crash host libraries for Linux; first finalize "
                  "a context with weights at offset 0 on this backend");
  }
  const auto check_shared = [&](const auto& shared) -> Result<void> {
    const auto& region = Access::block(shared)->region;
    QNNPP_TRY(shared.admit(need, context.name));
    QNNPP_TRY(fits_its_file(*Access::block(region), context.name));
    if (has_weights && is_memory_of(buffers.weights, Access::block(region)->id))
      return fail(Errc::purpose_mismatch, "registering external buffers", context.name,
                  "weights and a shared buffer have the same memory");
    return {};
  };
  if (has_spill_fill) {
    QNNPP_TRY(context.check_dlbc("registering a spill-fill buffer"));
    QNNPP_TRY(check_shared(buffers.spill_fill));
  }
  if (has_backup) {
    QNNPP_TRY(check_shared(buffers.vtcm_backup));
    const auto& backup = *Access::block(buffers.vtcm_backup);
    if (const std::uint32_t known = backup.priority.load(std::memory_order_relaxed);
        known != backup.any && known != priority_of(context))
      return fail(backs_up_another_priority(context.name));
    if (has_spill_fill) {
      const auto& spill_fill = *Access::block(buffers.spill_fill);
      if (is_memory_of(spill_fill.region, backup.id))
        return fail(Errc::purpose_mismatch, "registering external buffers", context.name,
                    "spill-fill and VTCM backup have the same memory");
      if (!(spill_fill.lock == backup.lock))
        return fail(Errc::invalid_argument, "registering external buffers", context.name,
                    "spill-fill and VTCM backup have separate rights to execute; allocate "
                    "the VTCM backup with the spill-fill buffer");
    }
  }
  if (has_weights && !WeightsUse::is_free(buffers.weights))
    return fail(weights_of_another(context));
  return {};
}

QNNPP_INLINE Result<void> register_external_buffers(ContextBlock& context,
                                                    const BufferRequirements& need,
                                                    ExternalBuffers buffers) {
  QNNPP_TRY(check_external_buffers(context, need, buffers));
  const bool has_weights = need.weights_bytes != 0 && buffers.weights;
  const bool has_spill_fill = need.spill_fill_bytes != 0 && buffers.spill_fill;

  Owner<RegistrationPolicy> weights;
  if (has_weights) {
    if (!context.weights_use.take(buffers.weights)) return fail(weights_of_another(context));
    QNNPP_LET(made, register_external_buffer(context, c_api::HtpMemType::weights_buffer,
                                             *Access::block(buffers.weights),
                                             buffers.weights.offset_bytes()));
    weights = std::move(*made);
  }
  if (has_spill_fill) {
    const MemRegion<SpillFill>& region = Access::block(buffers.spill_fill)->region;
    // If this fails, `weights` deregisters its buffer.
    QNNPP_LET(made, register_external_buffer(context, c_api::HtpMemType::shared_spillfill_buffer,
                                             *Access::block(region), region.offset_bytes()));
    context.spill_fill_registration = std::move(*made);
    context.lock = detail::Access::block(buffers.spill_fill)->lock;
    context.spill_fill = std::move(buffers.spill_fill);
  }
  if (need.vtcm_backup_bytes != 0 && buffers.vtcm_backup)
    QNNPP_TRY(register_vtcm_backup(context, std::move(buffers.vtcm_backup)));
  if (has_weights) {
    context.weights_registration = std::move(weights);
    context.weights = std::move(buffers.weights);
  }
  return {};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
