// Memory registration of the C API. The device maps each file itself, and knows the purpose of each
// handle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/memory.hpp"

#include "sim/api/call.hpp"
#include "sim/api/external_memory.hpp"
#include "sim/objects/client_structs.hpp"
#include "sim/objects/context.hpp"
#include "sim/objects/device.hpp"
#include "sim/objects/registration_table.hpp"
#include "sim/ops/network.hpp"

namespace qnnpp::sim {

namespace detail {

/// Reads the data type and the shape of a tensor's descriptor, and computes its size in bytes.
inline Status read_shape(const c_api::MemDescriptor& descriptor, Registration& out) {
  const c_api::MemShape& shape = descriptor.mem_shape;
  if (shape.num_dim > max_rank)
    return failure(c_api::MemError::invalid_argument, text("%u dimensions", shape.num_dim));
  Tensor tensor;
  tensor.data_type = descriptor.data_type;
  tensor.dimensions.assign(shape.dim_size, shape.dim_size + shape.num_dim);
  const std::uint64_t element = element_bits(tensor.data_type) / 8;
  if (element == 0)
    return failure(c_api::MemError::invalid_argument,
                   "a tensor's memory needs the tensor's data type, of 8 bits or more");
  // The host library reads a tensor without a shape as one element, except in ION memory.
  const bool is_shapeless = tensor.dimensions.empty();
  if (is_shapeless && descriptor.mem_type != c_api::MemType::custom)
    return failure(c_api::MemError::invalid_argument, "a tensor's memory needs the tensor's shape");
  out.size_bytes = is_shapeless ? element : tensor_bytes(tensor);
  if (out.size_bytes == 0)
    return failure(c_api::MemError::invalid_argument, "the shape has no size");
  if (out.size_bytes > 0xFFFFFFFFull)
    return misused(c_api::MemError::invalid_argument, "SHB-08",
                   "the tensor's bytes exceed 32 bits");
  if (out.size_bytes >= std::uint64_t{1} << 31)
    return failure(c_api::MemError::not_supported, "SHB-08: a tensor is smaller than 2 GiB");
  out.tensor.data_type = tensor.data_type;
  out.tensor.dimensions = std::move(tensor.dimensions);
  return success();
}

/// Refuses descriptors that crash the host library, before any other check.
inline Status check_pointers(const Config& config, const c_api::MemDescriptor& descriptor) {
  using c_api::MemError;
  if (descriptor.mem_type == c_api::MemType::dma_buf) {
    if (config.dma_buf == 0)
      return crashing(MemError::unsupported_memtype, "LOAD-04",
                      "memory of type DMA_BUF without capability 1104 is read as custom memory");
  } else if (descriptor.mem_type != c_api::MemType::ion) {
    if (descriptor.mem_type != c_api::MemType::custom)
      return crashing(MemError::unsupported_memtype, "BUF-14",
                      "memory of an unknown type is read as custom memory");
    if (descriptor.custom_info == nullptr)
      return crashing(MemError::invalid_argument, "BUF-14", "NULL custom memory info");
    if (!is_readable(descriptor.custom_info, sizeof(c_api::HtpMemDescriptor)))
      return dead_pointer(MemError::invalid_argument, "the custom memory info");
  }
  if (descriptor.mem_shape.num_dim != 0 && descriptor.mem_shape.dim_size == nullptr)
    return crashing(MemError::invalid_shape,
                    external_use_of(descriptor) == MemoryUse::tensor ? "SHB-06" : "BUF-14",
                    "dimensions without their extents");
  if (!is_readable_array(descriptor.mem_shape.dim_size, descriptor.mem_shape.num_dim))
    return dead_pointer(MemError::invalid_shape, "the extents of the dimensions");
  return success();
}

/// Reads one descriptor that check_pointers() has accepted.
inline Status read_descriptor(const c_api::MemDescriptor& descriptor, Registration& made,
                              Described& out) {
  made.tensor.type = descriptor.mem_type;
  if (descriptor.mem_type == c_api::MemType::ion) {
    out.fd = descriptor.ion_info.fd;
    return read_shape(descriptor, made);
  }
  if (descriptor.mem_type == c_api::MemType::dma_buf) {
    if (descriptor.dma_buf_info.data == nullptr)
      return failure(c_api::MemError::invalid_argument, "the dma-buf has no address");
    out.fd = descriptor.dma_buf_info.fd;
    return read_shape(descriptor, made);
  }
  const c_api::HtpMemDescriptor& custom = *custom_of(descriptor);
  out.total_bytes = custom.size;
  switch (custom.type) {
    case c_api::HtpMemType::shared_buffer:
      out.fd = custom.shared_buffer_config.fd;
      made.region.offset_bytes = custom.shared_buffer_config.offset;
      if (Status status = read_shape(descriptor, made); !status.ok()) return status;
      if (out.total_bytes < made.size_bytes ||
          made.region.offset_bytes > out.total_bytes - made.size_bytes)
        return out.total_bytes == 0
                   ? failure(c_api::MemError::invalid_argument, "the shared buffer's size is 0")
                   : failure(c_api::MemError::invalid_argument,
                             "the tensor does not lie within the shared buffer");
      return success();
    case c_api::HtpMemType::weights_buffer:
      made.use = MemoryUse::weights;
      out.fd = custom.weights_buffer_config.fd;
      made.region.offset_bytes = custom.weights_buffer_config.offset;
      return success();
    case c_api::HtpMemType::shared_spillfill_buffer:
      made.use = MemoryUse::spill_fill;
      out.fd = custom.shared_spillfill_buffer_config.fd;
      made.region.offset_bytes = custom.shared_spillfill_buffer_config.offset;
      return success();
    case c_api::HtpMemType::shared_vtcmbackup_buffer:
      made.use = MemoryUse::vtcm_backup;
      out.fd = custom.shared_vtcmbackup_buffer_config.fd;
      made.region.offset_bytes = custom.shared_vtcmbackup_buffer_config.offset;
      return success();
    case c_api::HtpMemType::undefined:
      return failure(c_api::MemError::invalid_argument, "undefined HTP memory type");
    default: return failure(c_api::MemError::invalid_handle, "unknown HTP memory type");
  }
}

/// Checks that a tensor's memory can be mapped. FastRPC maps it during the registration.
inline Status measure_tensor(const Device& d, const FileFacts& facts, const Described& described,
                             Registration& made) {
  const std::uint64_t offset = made.region.offset_bytes;
  if (described.fd < 0)
    return failure(c_api::MemError::mapping, text("fd %d is not open", described.fd));
  made.tensor.context = made.context;
  made.tensor.fd = described.fd;
  made.tensor.offset_bytes = offset;
  if (d.memory.has(made.tensor))
    return failure(c_api::MemError::already_registered,
                   "the tensor's memory is registered with this context already");
  made.told_bytes = described.total_bytes != 0 ? described.total_bytes : made.size_bytes;
  if (d.host().checks_mapped_size && d.memory.has_other_size(made))
    return failure(c_api::MemError::invalid_argument,
                   "the memory is registered with another size, which stays mapped");
  if (!facts.valid)
    return failure(d.unconfirmed(Unconfirmed::fd_not_open, c_api::MemError::mapping),
                   text("fd %d is not open", described.fd));
  const std::uint32_t too_short =
      d.unconfirmed(Unconfirmed::fd_too_short, c_api::MemError::mapping);
  if (described.total_bytes > facts.size_bytes)
    return failure(too_short, "the shared buffer is larger than its fd");
  if (offset > facts.size_bytes || made.size_bytes > facts.size_bytes - offset)
    return failure(too_short, text("fd %d has %llu bytes, %llu from %llu on are wanted",
                                   described.fd, static_cast<unsigned long long>(facts.size_bytes),
                                   static_cast<unsigned long long>(made.size_bytes),
                                   static_cast<unsigned long long>(offset)));
  return success();
}

/// Creates one registration for an admitted descriptor, and maps its memory.
inline Status register_one(Call& call, Context& context, const c_api::MemDescriptor& descriptor,
                           std::uint64_t& out) {
  Device& d = call.dev();
  auto made = std::make_shared<Registration>();
  made->context = context.id;
  Described described;
  if (is_unknown(d, descriptor))
    return failure(c_api::MemError::invalid_handle, "unknown HTP memory type");
  if (Status status = read_descriptor(descriptor, *made, described); !status.ok()) return status;
  const bool external = made->use != MemoryUse::tensor;
  const bool weights = made->use == MemoryUse::weights;
  const auto mark = d.marks.find(context.id);
  const bool backup = made->use == MemoryUse::vtcm_backup;
  if (external && ((mark != d.marks.end() && mark->second.has(made->use)) ||
                   (weights  ? context.external_weights != nullptr || context.lost_weights
                    : backup ? context.external_vtcm_backup != nullptr
                             : context.external_spill_fill != nullptr || context.lost_spill_fill)))
    return failure(c_api::MemError::already_registered,
                   text("the context has a %s already", name_of(made->use)));
  const FileFacts facts = facts_of(described.fd);
  made->region.file = facts.key;
  bool is_mapped = true;
  if (Status status = external
                          ? measure_external(d.config, context, facts, described, *made, is_mapped)
                          : measure_tensor(d, facts, described, *made);
      !status.ok())
    return status;
  if ((d.config.max_mappings != 0 && d.memory.size() >= d.config.max_mappings) ||
      (d.config.max_mapped_bytes != 0 &&
       d.memory.totals().mapped_bytes + made->size_bytes > d.config.max_mapped_bytes))
    return failure(d.unconfirmed(Unconfirmed::mapping_limit, c_api::MemError::mapping),
                   "the device cannot map more memory");
  const MemoryUse other = d.memory.other_use_of(made->region.file, made->use);
  const bool is_known = d.memory.knows(made->region.file);
  if (backup && other == MemoryUse::spill_fill)
    return failure(c_api::MemError::invalid_argument, "the memory is registered as spill-fill");
  if (external) count_misuses(call, context, descriptor, *made, facts);
  if (external && !weights && d.host().checks_mapped_size && d.memory.has_other_size(*made))
    is_mapped = false;
  out = d.memory.insert(made, described.fd, facts.size_bytes, is_mapped);
  if (out == 0)
    return failure(c_api::MemError::mapping, text("fd %d cannot be mapped", described.fd));
  d.lost_memory.erase(out);  // the number may be reused, and is then valid
  if (other != made->use)
    call.misuse("BUF-07", text("memory that is registered as %s is registered as %s, too",
                               name_of(other), name_of(made->use)));
  if (!is_known && (!facts.valid || !is_dma_memory(described.fd)))
    call.misuse("BUF-01", text("fd %d is no DMA memory", described.fd));
  // Accepts a size that is smaller by less than a page, because allocators round up to whole pages
  // (SHB-01).
  if (!external && described.total_bytes != 0 && in_pages(described.total_bytes) < facts.size_bytes)
    call.misuse("SHB-01", "the descriptor's size is not the size of the whole shared buffer");
  if (!external && made->tensor.dimensions.empty())
    call.misuse("SHB-06", "the memory of a tensor is registered without its shape");
  if (weights) {
    context.external_weights = std::move(made);
    context.external_weights_id = out;
  } else if (backup) {
    context.external_vtcm_backup = std::move(made);
    context.external_vtcm_backup_id = out;
  } else if (external) {
    context.external_spill_fill = std::move(made);
    context.external_spill_fill_id = out;
  }
  return success();
}

/// Counts as misuse if the contexts of an I/O limit have registered more inputs and outputs than it
/// says. Each file counts once, with its largest size, because the device maps it once.
inline void check_io_limit(Call& call, const Context& context) {
  const Device& d = call.dev();
  if (context.io_limit == nullptr) return;
  std::map<FileKey, std::uint64_t> files;
  for (const auto& [number, other] : d.contexts.all()) {
    if (other->io_limit != context.io_limit) continue;
    for (const std::uint64_t id : d.memory.handles_of(other->id)) {
      const auto one = d.memory.find(id);
      if (one->use != MemoryUse::tensor) continue;
      std::uint64_t& bytes = files[one->region.file];
      bytes = std::max(bytes, one->told_bytes);
    }
  }
  std::uint64_t sum = 0;
  for (const auto& [file, bytes] : files) sum = saturating_sum({sum, bytes});
  if (sum > context.io_limit->bytes)
    call.misuse("PD-02", text("%llu bytes of inputs and outputs are registered, and "
                              "REUSED_IO_LIMIT says %llu",
                              static_cast<unsigned long long>(sum),
                              static_cast<unsigned long long>(context.io_limit->bytes)));
}

/// Removes a registration, also from its context.
inline void forget(Device& d, Context* context, std::uint64_t id) {
  if (context != nullptr && context->external_weights_id == id) {
    context->external_weights = nullptr;
    context->external_weights_id = 0;
  }
  if (context != nullptr && context->external_spill_fill_id == id) {
    context->external_spill_fill = nullptr;
    context->external_spill_fill_id = 0;
  }
  if (context != nullptr && context->external_vtcm_backup_id == id) {
    context->external_vtcm_backup = nullptr;
    context->external_vtcm_backup_id = 0;
  }
  d.memory.erase(id);
}

/// Removes a registration of a call that failed at a later descriptor. The context still counts an
/// external buffer as registered.
inline void lose(Device& d, Context& context, std::uint64_t id) {
  context.lost_weights = context.lost_weights || context.external_weights_id == id;
  context.lost_spill_fill = context.lost_spill_fill || context.external_spill_fill_id == id;
  forget(d, &context, id);
}

/// Counts that the client calls rpcmem_free() for registered memory, and notes it for memory that a
/// later context will use.
inline void memory_freed(std::uint64_t file_system, std::uint64_t inode) {
  Call call{Slot::mem_de_register, Call::Continued{}};
  const RegistrationTable& memory = call.dev().memory;
  const FileKey key{file_system, inode};
  const auto unmap = [&](const std::shared_ptr<Registration>& buffer) {
    if (call.dev().host().checks_mapped_size && buffer != nullptr && buffer->region.file == key)
      buffer->data = nullptr;
  };
  for (auto& [number, mark] : call.dev().marks) {
    mark.is_freed = mark.is_freed || mark.names(key);
    unmap(mark.spill_fill);
  }
  for (const auto& [number, context] : call.dev().contexts.all()) {
    if (!context->finalized) {
      unmap(context->external_spill_fill);
      unmap(context->external_vtcm_backup);
    }
    for (const auto& buffer :
         {context->external_weights, context->external_spill_fill, context->external_vtcm_backup})
      if (buffer != nullptr && buffer->region.file == key) buffer->is_freed = true;
  }
  if (!memory.knows(key)) return;
  // True for a file that is registered for tensors only.
  const bool tensors = memory.other_use_of(key, MemoryUse::tensor) == MemoryUse::tensor;
  if (tensors)
    call.misuse_of("rpcmem_free", "ION-04", "memory that is registered for tensors");
  else
    call.misuse_of("rpcmem_free", "BUF-06", "memory that is registered as an external buffer");
}

}  // namespace detail

namespace api {

/// Registers all tensors or none. A refusal before the first registration leaves the handles as
/// they are; later failures set them to NULL. An external buffer before the failed descriptor is
/// lost: its context counts it as registered, and the client cannot deregister it (BUF-15).
inline c_api::ErrorHandle mem_register(c_api::ContextHandle handle,
                                       const c_api::MemDescriptor* descriptors, std::uint32_t count,
                                       c_api::MemHandle* handles) {
  device().rpcmem.look(detail::memory_freed);
  const auto is_external = [](const c_api::MemDescriptor& descriptor) {
    return detail::external_use_of(descriptor) != MemoryUse::tensor;
  };
  const bool can_be_read = is_readable_array(descriptors, count);
  Call call{Slot::mem_register, descriptors != nullptr && can_be_read &&
                                    std::any_of(descriptors, descriptors + count, is_external)};
  const auto clear = [&] {
    if (handles != nullptr) std::fill_n(handles, count, nullptr);
  };
  if (const auto code = call.gate()) {
    clear();
    return call.fail(code);
  }
  Device& d = call.dev();
  const auto context = d.contexts.find(handle);
  if (context == nullptr)
    return call.fail(unknown(call, call.dev().contexts, handle, c_api::MemError::invalid_handle));
  call.about_backend(context->backend);
  call.sets_up_in(context->backend, context->id);
  if (descriptors == nullptr || handles == nullptr)
    return call.fail(c_api::MemError::invalid_argument, "descriptors or handles is NULL");

  if (!can_be_read)
    return call.fail(dead_pointer(c_api::MemError::invalid_argument, "the array of descriptors"));
  const std::span<const c_api::MemDescriptor> all{descriptors, count};
  for (const c_api::MemDescriptor& descriptor : all)
    if (Status status = detail::check_pointers(d.config, descriptor); !status.ok())
      return call.fail(status);
  if (std::count_if(all.begin(), all.end(), is_external) > 1) {
    if (std::count_if(all.begin(), all.end(), [&](const c_api::MemDescriptor& descriptor) {
          return is_external(descriptor) && descriptor.mem_shape.num_dim == 0;
        }) > 1)
      return call.fail(crashing(c_api::MemError::invalid_argument, "BUF-15",
                                "two external buffers without a shape in one call; register each "
                                "in a separate call"));
    call.misuse("BUF-15", "two external buffers in one call; register each in a separate call");
  }
  for (const c_api::MemDescriptor& descriptor : all) {
    if (!is_external(descriptor) || detail::is_unknown(d, descriptor)) continue;
    if (Status status = detail::check_external(d, *context, detail::external_use_of(descriptor),
                                               *detail::custom_of(descriptor));
        !status.ok())
      return call.fail(status);
  }

  clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint64_t id = 0;
    if (Status status = detail::register_one(call, *context, descriptors[i], id); !status.ok()) {
      for (std::uint32_t before = 0; before < i; ++before) {
        detail::lose(d, *context, id_of(handles[before]));
        handles[before] = nullptr;
      }
      status.reason = text("descriptor %u: %s", i, status.reason.c_str());
      return call.fail(status);
    }
    handles[i] = handle_of<c_api::MemHandle>(id);
  }
  detail::check_io_limit(call, *context);
  note_peaks(d);
  return call.ok();
}

/// Deregisters the valid handles of the array even if the call fails. Weights and spill-fill
/// buffers of a finalized context cannot be deregistered; contextFree does so (ORD-06).
inline c_api::ErrorHandle mem_de_register(const c_api::MemHandle* handles, std::uint32_t count) {
  Call call{Slot::mem_de_register};
  Device& d = call.dev();
  if (handles == nullptr) return call.fail(c_api::MemError::invalid_argument, "no handles");
  if (!is_readable_array(handles, count))
    return call.fail(dead_pointer(c_api::MemError::invalid_argument, "the array of handles"));
  bool all_known = true;
  bool all_open = true;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto registration = d.memory.find(handles[i]);
    if (registration == nullptr) {
      // Accepts handles that a failed finalize or backendFree has destroyed.
      if (!d.lost_memory.contains(id_of(handles[i]))) all_known = false;
      if (!call.injected() && d.memory.is_stale(id_of(handles[i])))
        call.misuse("ION-04",
                    "the memory handle is deregistered already, or died with its context");
      continue;
    }
    const auto context = d.contexts.find(registration->context);
    if (context != nullptr) call.about_backend(context->backend);
    const bool external = registration->use != MemoryUse::tensor;
    if (context != nullptr && context->finalizing && external) {
      all_open = false;
      call.misuse("THR-01", "an external buffer is deregistered during contextFinalize");
      continue;
    }
    if (context != nullptr && external && context->failed_to_finalize &&
        d.marks.contains(context->id)) {
      all_open = false;
      continue;
    }
    if (context != nullptr && (context->finalized || context->stuck) && external) {
      all_open = false;
      call.misuse("ORD-06",
                  "weights and spill-fill buffers are not deregistered after contextFinalize");
      continue;
    }
    detail::forget(d, context.get(), id_of(handles[i]));
  }
  if (!all_known)
    return call.fail(c_api::MemError::invalid_handle,
                     "a handle is NULL, unknown or already deregistered");
  if (!all_open)
    return call.fail(c_api::MemError::invalid_argument,
                     "a handle belongs to its context until contextFree");
  return call.ok();
}

}  // namespace api
}  // namespace qnnpp::sim
