// Memory registration of the C API: the device maps each file itself, and knows what each handle is
// for.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/memory.hpp"
#include "sim/api/call.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"
#include "sim/objects/registration_table.hpp"
#include "sim/ops/network.hpp"

namespace qnnpp::sim {

namespace detail {

/// Bytes of a tensor's shape in a descriptor; 8004 or 8000 where there is none.
inline Status shape_bytes(const c_api::MemDescriptor& descriptor, Registration& out) {
  const c_api::MemShape& shape = descriptor.mem_shape;
  if (shape.num_dim == 0 || shape.dim_size == nullptr || shape.num_dim > max_rank)
    return failure(c_api::MemError::invalid_shape, "a tensor's memory needs the tensor's shape");
  Tensor tensor;
  tensor.data_type = descriptor.data_type;
  tensor.dimensions.assign(shape.dim_size, shape.dim_size + shape.num_dim);
  if (element_bytes(tensor.data_type) == 0)
    return failure(c_api::MemError::invalid_argument,
                   "a tensor's memory needs the tensor's data type");
  out.size_bytes = tensor_bytes(tensor);
  if (out.size_bytes == 0) return failure(c_api::MemError::invalid_shape, "the shape has no size");
  if (out.size_bytes > 0xFFFFFFFFull)
    return misused(c_api::MemError::invalid_argument, "SHB-08",
                   "the tensor's bytes exceed 32 bits");
  if (out.size_bytes >= std::uint64_t{1} << 31)
    return failure(c_api::MemError::not_supported, "SHB-08: a tensor is smaller than 2 GiB");
  out.data_type = tensor.data_type;
  return success();
}

/// Rules between registrations: one fd, one use (BUF-07); nothing twice (SHB-05); a weights buffer
/// is one context's own (BUF-08). Tensors may overlap: lifetimes are the client's (SHB-02).
inline Status fits_beside(const RegistrationTable& table, const Registration& made) {
  const MemoryUse use = table.use_of(made.region.file, made.use);
  if (made.use != use)
    return failure(c_api::MemError::unsupported_memtype,
                   text("the buffer is registered as %s and cannot be %s too", name_of(use),
                        name_of(made.use)));
  if (table.has(made.region, made.context))
    return failure(c_api::MemError::already_registered,
                   "the buffer is registered with this context already");
  if (made.use == MemoryUse::weights && table.overlaps(made.region, made.size_bytes))
    return failure(c_api::MemError::already_registered, "the weights buffer is registered already");
  return success();
}

/// Weights or spill-fill: when, how often, how large and where. `total_bytes` is the descriptor's
/// size, which counts from the start of the file (BUF-16); sets the bytes that the context uses.
inline Status check_external(const Device& d, const Context& context,
                             const c_api::MemDescriptor& descriptor, std::uint64_t total_bytes,
                             Registration& made) {
  const bool weights = made.use == MemoryUse::weights;
  if (d.config.external_buffers == 0)
    return failure(d.unconfirmed(Unconfirmed::external_refused, c_api::MemError::not_supported),
                   "external buffers need FastRPC, this platform is not one");
  if (context.secure_domain)
    return failure(d.unconfirmed(Unconfirmed::external_refused, c_api::MemError::not_supported),
                   "external buffers do not go with a secure process domain");
  if (context.composed || !context.options.deferred || context.finalized)
    return failure(
        c_api::MemError::invalid_argument,
        "external buffers are for a context created with DEFER_GRAPH_INIT and not yet finalized");
  if ((weights ? context.external_weights : context.external_spill_fill) != nullptr)
    return failure(c_api::MemError::already_registered,
                   text("the context has a %s already", name_of(made.use)));
  if (descriptor.mem_shape.num_dim != 0 || descriptor.mem_shape.dim_size != nullptr ||
      descriptor.mem_shape.shape_config != nullptr)
    return failure(c_api::MemError::invalid_shape, "weights and spill-fill buffers have no shape");
  if (descriptor.data_type != c_api::DataType::undefined)
    return failure(c_api::MemError::invalid_argument,
                   "weights and spill-fill buffers have no data type");
  const std::uint64_t need = weights ? context.needs.weights_bytes : context.needs.spill_fill_bytes;
  if (need == 0)
    return failure(c_api::MemError::invalid_argument,
                   text("the context needs no %s", name_of(made.use)));
  const std::uint64_t offset = made.region.offset_bytes;
  if (offset > total_bytes)
    return misused(c_api::MemError::invalid_argument, "BUF-16",
                   "an external buffer that begins behind its descriptor's size");
  if (total_bytes - offset < need)
    return failure(c_api::MemError::invalid_argument,
                   text("the %s has %llu bytes from its offset on, the context needs %llu",
                        name_of(made.use), static_cast<unsigned long long>(total_bytes - offset),
                        static_cast<unsigned long long>(need)));
  made.size_bytes = weights ? need : total_bytes - offset;
  made.told_bytes = total_bytes;
  if (made.region.offset_bytes % context.needs.start_alignment_bytes != 0)
    return failure(c_api::MemError::invalid_argument,
                   text("the %s does not start at a multiple of %llu", name_of(made.use),
                        static_cast<unsigned long long>(context.needs.start_alignment_bytes)));
  return success();
}

/// Reads one descriptor. `fd` is -1 where it names none.
inline Status read_descriptor(const Device& d, const c_api::MemDescriptor& descriptor,
                              Registration& made, int& fd, std::uint64_t& total_bytes) {
  fd = -1;
  total_bytes = 0;
  switch (descriptor.mem_type) {
    case c_api::MemType::ion: fd = descriptor.ion_info.fd; return shape_bytes(descriptor, made);
    case c_api::MemType::dma_buf:
      if (d.config.dma_buf == 0)
        return failure(
            d.unconfirmed(Unconfirmed::dma_buf_refused, c_api::MemError::unsupported_memtype),
            "this device has no tensor memory of type DMA_BUF (capability 1104)");
      if (descriptor.dma_buf_info.data == nullptr)
        return failure(c_api::MemError::invalid_argument, "a dma-buf that is mapped nowhere");
      fd = descriptor.dma_buf_info.fd;
      return shape_bytes(descriptor, made);
    case c_api::MemType::custom: break;
    default: return failure(c_api::MemError::unsupported_memtype, "unknown memory type");
  }
  const auto* const custom = static_cast<const c_api::HtpMemDescriptor*>(descriptor.custom_info);
  if (custom == nullptr)
    return misused(c_api::MemError::invalid_argument, "BUF-14",
                   "NULL custom memory info, which crashes the host library");
  switch (custom->type) {
    case c_api::HtpMemType::shared_buffer:
      fd = custom->shared_buffer_config.fd;
      made.region.offset_bytes = custom->shared_buffer_config.offset;
      total_bytes = custom->size;
      if (total_bytes == 0)
        return failure(c_api::MemError::invalid_argument, "a shared buffer of no size");
      return shape_bytes(descriptor, made);
    case c_api::HtpMemType::weights_buffer:
      made.use = MemoryUse::weights;
      fd = custom->weights_buffer_config.fd;
      made.region.offset_bytes = custom->weights_buffer_config.offset;
      break;
    case c_api::HtpMemType::shared_spillfill_buffer:
      made.use = MemoryUse::spill_fill;
      fd = custom->shared_spillfill_buffer_config.fd;
      made.region.offset_bytes = custom->shared_spillfill_buffer_config.offset;
      break;
    case c_api::HtpMemType::undefined:
      return failure(c_api::MemError::invalid_argument, "undefined HTP memory type");
    default: return failure(c_api::MemError::invalid_handle, "unknown HTP memory type");
  }
  total_bytes = custom->size;
  return success();
}

/// True for weights or spill-fill without a shape: of two of them in one call the host library
/// crashes (BUF-15).
inline bool is_shapeless_external(const c_api::MemDescriptor& descriptor) {
  if (descriptor.mem_type != c_api::MemType::custom || descriptor.custom_info == nullptr ||
      descriptor.mem_shape.num_dim != 0)
    return false;
  const auto type = static_cast<const c_api::HtpMemDescriptor*>(descriptor.custom_info)->type;
  return type == c_api::HtpMemType::weights_buffer ||
         type == c_api::HtpMemType::shared_spillfill_buffer;
}

/// Checks one descriptor against the context and everything registered, and maps its memory.
inline Status register_one(Call& call, Context& context, const c_api::MemDescriptor& descriptor,
                           std::uint64_t& out) {
  Device& d = call.dev();
  auto made = std::make_shared<Registration>();
  made->context = context.id;
  int fd = -1;
  std::uint64_t total = 0;
  if (Status status = read_descriptor(d, descriptor, *made, fd, total); !status.ok()) return status;
  if (made->use != MemoryUse::tensor) {
    if (Status status = check_external(d, context, descriptor, total, *made); !status.ok())
      return status;
  }
  const FileFacts facts = facts_of(fd);
  if (!facts.valid)
    return failure(fd < 0 ? static_cast<std::uint32_t>(c_api::MemError::mapping)
                          : d.unconfirmed(Unconfirmed::fd_not_open, c_api::MemError::mapping),
                   text("fd %d is not open", fd));
  const std::uint32_t too_short =
      d.unconfirmed(Unconfirmed::fd_too_short, c_api::MemError::mapping);
  made->region.file = facts.key;
  const std::uint64_t offset = made->region.offset_bytes;
  const bool external = made->use != MemoryUse::tensor;
  if (total > facts.size_bytes)
    return external && facts.size_bytes != 0
               ? misused(too_short, "BUF-16", "the external buffer is larger than its file")
               : failure(too_short, "the shared buffer is larger than its fd");
  if (total != 0 && (offset > total || made->size_bytes > total - offset))
    return failure(c_api::MemError::invalid_argument,
                   "the tensor does not lie within the shared buffer");
  if (offset > facts.size_bytes || made->size_bytes > facts.size_bytes - offset)
    return failure(too_short, text("fd %d has %llu bytes, %llu from %llu on are wanted", fd,
                                   static_cast<unsigned long long>(facts.size_bytes),
                                   static_cast<unsigned long long>(made->size_bytes),
                                   static_cast<unsigned long long>(offset)));
  if (Status status = fits_beside(d.memory, *made); !status.ok()) return status;
  if ((d.config.max_mappings != 0 && d.memory.size() >= d.config.max_mappings) ||
      (d.config.max_mapped_bytes != 0 &&
       d.memory.totals().mapped_bytes + made->size_bytes > d.config.max_mapped_bytes))
    return failure(d.unconfirmed(Unconfirmed::mapping_limit, c_api::MemError::mapping),
                   "the device cannot map more memory");
  if (external && d.memory.told_bytes(made->region.file, total) != total)
    call.misuse("BUF-16", "the file is registered with another size, which is what stays mapped");
  out = d.memory.insert(made, fd, facts.size_bytes);
  if (out == 0) return failure(c_api::MemError::mapping, text("fd %d cannot be mapped", fd));
  // Allocators may round up to whole pages; more than that is another size (SHB-01).
  if (!external && total != 0 && (total + 4095) / 4096 * 4096 < facts.size_bytes)
    call.misuse("SHB-01", "the descriptor's size is not that of the whole shared buffer");
  if (made->use == MemoryUse::weights) {
    context.external_weights = std::move(made);
    context.external_weights_id = out;
  } else if (made->use == MemoryUse::spill_fill) {
    context.external_spill_fill = std::move(made);
    context.external_spill_fill_id = out;
  }
  return success();
}

/// Takes a registration away, also from the context that it serves.
inline void forget(Device& d, Context* context, std::uint64_t id) {
  if (context != nullptr && context->external_weights_id == id) {
    context->external_weights = nullptr;
    context->external_weights_id = 0;
  }
  if (context != nullptr && context->external_spill_fill_id == id) {
    context->external_spill_fill = nullptr;
    context->external_spill_fill_id = 0;
  }
  d.memory.erase(id);
}

}  // namespace detail

namespace api {

/// All or nothing. The handles are set to NULL first.
inline c_api::ErrorHandle mem_register(c_api::ContextHandle handle,
                                       const c_api::MemDescriptor* descriptors, std::uint32_t count,
                                       c_api::MemHandle* handles) {
  Call call{Slot::mem_register};
  if (handles != nullptr)
    for (std::uint32_t i = 0; i < count; ++i) handles[i] = nullptr;
  if (const auto code = call.gate()) return call.fail(code);
  Device& d = call.dev();
  const auto context = d.contexts.find(handle);
  if (context == nullptr)
    return call.fail(c_api::MemError::invalid_handle, "unknown context handle");
  call.about_backend(context->backend);
  if (descriptors == nullptr || handles == nullptr || count == 0)
    return call.fail(c_api::MemError::invalid_argument, "no descriptors, or no room for handles");

  if (std::count_if(descriptors, descriptors + count, detail::is_shapeless_external) > 1)
    return call.fail(misused(c_api::MemError::invalid_argument, "BUF-15",
                             "two external buffers without a shape in one call crash the "
                             "host library; register each in a call of its own"));

  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t id = 0;
    if (Status status = detail::register_one(call, *context, descriptors[i], id); !status.ok()) {
      for (std::uint32_t before = 0; before < i; ++before) {
        detail::forget(d, context.get(), id_of(handles[before]));
        handles[before] = nullptr;
      }
      status.reason = text("descriptor %u: %s", i, status.reason.c_str());
      return call.fail(status);
    }
    handles[i] = handle_of<c_api::MemHandle>(id);
  }
  note_peaks(d);
  return call.ok();
}

/// On failure the valid handles of the array are deregistered all the same. Weights and spill-fill
/// buffers cannot be given back once their context is finalized: contextFree does that (ORD-06).
inline c_api::ErrorHandle mem_de_register(const c_api::MemHandle* handles, std::uint32_t count) {
  Call call{Slot::mem_de_register};
  Device& d = call.dev();
  if (handles == nullptr || count == 0)
    return call.fail(c_api::MemError::invalid_argument, "no handles");
  bool all_known = true;
  bool all_open = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto registration = d.memory.find(handles[i]);
    if (registration == nullptr) {
      all_known = false;
      if (!call.injected() && d.memory.is_stale(id_of(handles[i])))
        call.misuse("ION-04",
                    "the memory handle is deregistered already, or died with its context");
      continue;
    }
    const auto context = d.contexts.find(registration->context);
    if (context != nullptr) call.about_backend(context->backend);
    if (context != nullptr && context->finalized && registration->use != MemoryUse::tensor) {
      all_open = false;
      call.misuse("ORD-06",
                  "weights and spill-fill buffers are not deregistered after contextFinalize");
      continue;
    }
    detail::forget(d, context.get(), id_of(handles[i]));
  }
  if (!all_known)
    return call.fail(c_api::MemError::invalid_handle,
                     "a handle is NULL, unknown or not to be given back");
  if (!all_open)
    return call.fail(c_api::MemError::invalid_argument,
                     "a handle is its context's until contextFree");
  return call.ok();
}

}  // namespace api
}  // namespace qnnpp::sim
