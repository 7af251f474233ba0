// Weights, spill-fill and VTCM backup buffers in memRegister: what the library checks, and misuses
// that it does not see.
#pragma once

#include <algorithm>
#include <cstdint>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/memory.hpp"

#include "sim/api/call.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"

namespace qnnpp::sim::detail {

/// File and size of a descriptor's memory.
struct Described {
  int fd = -1;                    ///< -1 without a file
  std::uint64_t total_bytes = 0;  ///< the descriptor's size; 0 if it has none
};

/// HTP's part of a descriptor of custom memory. Only type CUSTOM has one here; the host library
/// reads it for every type except ION.
inline const c_api::HtpMemDescriptor* custom_of(const c_api::MemDescriptor& descriptor) noexcept {
  return descriptor.mem_type == c_api::MemType::custom
             ? static_cast<const c_api::HtpMemDescriptor*>(descriptor.custom_info)
             : nullptr;
}

/// Purpose of an external buffer; `tensor` for all other descriptors.
inline MemoryUse external_use_of(const c_api::MemDescriptor& descriptor) noexcept {
  const c_api::HtpMemDescriptor* const custom = custom_of(descriptor);
  if (!is_readable(custom, sizeof *custom)) return MemoryUse::tensor;
  if (custom->type == c_api::HtpMemType::weights_buffer) return MemoryUse::weights;
  if (custom->type == c_api::HtpMemType::shared_vtcmbackup_buffer) return MemoryUse::vtcm_backup;
  return custom->type == c_api::HtpMemType::shared_spillfill_buffer ? MemoryUse::spill_fill
                                                                    : MemoryUse::tensor;
}

/// Whether the host library does not know the memory type of this external buffer.
inline bool is_unknown(const Device& d, const c_api::MemDescriptor& descriptor) noexcept {
  return external_use_of(descriptor) == MemoryUse::vtcm_backup &&
         d.host().vtcm_backup == static_cast<std::uint32_t>(c_api::MemError::invalid_handle);
}

/// Checks an external buffer before any registration: the context's state and the size. Compares
/// the sizes modulo 2^64, as the host library does, so an offset beyond the size passes.
inline Status check_external(const Device& d, const Context& context, MemoryUse use,
                             const c_api::HtpMemDescriptor& custom) {
  if (d.config.external_buffers == 0)
    return failure(d.unconfirmed(Unconfirmed::external_refused, c_api::MemError::not_supported),
                   "external buffers need FastRPC, which this platform does not have");
  if (context.secure_domain)
    return failure(d.unconfirmed(Unconfirmed::external_refused, c_api::MemError::not_supported),
                   "a secure process domain excludes external buffers");
  if (context.composed || !context.options.deferred || context.finalized)
    return failure(
        c_api::MemError::invalid_argument,
        "external buffers are for a context created with DEFER_GRAPH_INIT and not yet finalized");
  if (use == MemoryUse::vtcm_backup)  // The library compares no sizes.
    return d.host().vtcm_backup == 0
               ? success()
               : failure(c_api::MemError::not_supported, "external VTCM backup is not supported");
  const bool weights = use == MemoryUse::weights;
  const std::uint64_t need = weights ? context.needs.weights_bytes : context.needs.spill_fill_bytes;
  const std::uint64_t offset =
      weights ? custom.weights_buffer_config.offset : custom.shared_spillfill_buffer_config.offset;
  if (custom.size - offset < need)
    return misused(c_api::MemError::invalid_argument,
                   custom.size >= need ? "BUF-16"
                   : weights           ? "BUF-03"
                                       : "BUF-10",
                   text("size too small. Expected %llu, received %llu for the %s",
                        static_cast<unsigned long long>(need),
                        static_cast<unsigned long long>(custom.size - offset), name_of(use)));
  return success();
}

/// Counts misuses of an external buffer that the host library does not check.
inline void count_misuses(Call& call, const Context& context,
                          const c_api::MemDescriptor& descriptor, const Registration& made,
                          const FileFacts& facts) {
  Device& d = call.dev();
  const std::uint64_t offset = made.region.offset_bytes;
  if (offset > made.told_bytes)
    call.misuse("BUF-16", "an external buffer starts beyond its descriptor's size");
  if (facts.valid && facts.size_bytes != 0 && made.told_bytes > facts.size_bytes)
    call.misuse("BUF-16", "the external buffer is larger than its file");
  if (d.memory.has_other_size(made))
    call.misuse("BUF-16", "the file is registered with another size, which stays mapped");
  if (made.use == MemoryUse::vtcm_backup) {
    std::uint64_t vtcm = d.config.vtcm_bytes;
    for (const GraphPlan& plan : context.plan.graphs) vtcm = std::max(vtcm, plan.vtcm_limit_bytes);
    if (made.size_bytes < vtcm)
      call.misuse("BUF-19", text("the VTCM backup buffer has %llu bytes, and the VTCM %llu",
                                 static_cast<unsigned long long>(made.size_bytes),
                                 static_cast<unsigned long long>(vtcm)));
  }
  if (offset % context.needs.start_alignment_bytes != 0)
    call.misuse("BUF-02",
                text("the %s does not start at a multiple of %llu", name_of(made.use),
                     static_cast<unsigned long long>(context.needs.start_alignment_bytes)));
  if (descriptor.mem_shape.num_dim != 0 || descriptor.mem_shape.dim_size != nullptr ||
      descriptor.mem_shape.shape_config != nullptr ||
      descriptor.data_type != c_api::DataType::undefined)
    call.misuse("BUF-14", text("the %s has a shape or a data type", name_of(made.use)));
  if (made.use == MemoryUse::weights && d.memory.has_weights_in(made.region, made.size_bytes))
    call.misuse("BUF-08", "the weights buffer overlaps another context's weights");
  if (d.rpcmem.is_mapped(made.region.file))
    call.misuse("BUF-04",
                "the client has mapped the external buffer by fastrpc_mmap or "
                "remote_register_dma_handle");
}

/// Computes the part of an external buffer that the context uses. `is_mapped` reports whether
/// FastRPC can map the file at contextFinalize; it maps the descriptor's whole size.
inline Status measure_external(const Config& config, const Context& context, const FileFacts& facts,
                               const Described& described, Registration& made, bool& is_mapped) {
  const std::uint64_t total = described.total_bytes;
  const std::uint64_t offset = made.region.offset_bytes;
  const bool weights = made.use == MemoryUse::weights;
  const bool is_behind = offset > total;
  made.told_bytes = total;
  made.size_bytes = weights ? context.needs.weights_bytes : is_behind ? 0 : total - offset;
  made.is_cut_off = weights && facts.valid &&
                    (offset > facts.size_bytes || made.size_bytes > facts.size_bytes - offset);
  is_mapped = facts.valid && !is_behind && total <= facts.size_bytes && made.size_bytes != 0;
  if (facts.valid) return success();
  // Android maps weights for the CPU during the registration, Linux never. Only FastRPC maps
  // spill-fill.
  if (described.fd < 0 || (weights && config.linux_weights == 0))
    return failure(c_api::MemError::mapping, text("fd %d is not open", described.fd));
  made.region.file = {~std::uint64_t{0}, static_cast<std::uint64_t>(described.fd)};
  return success();
}

}  // namespace qnnpp::sim::detail
