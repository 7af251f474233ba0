// Definitions of registered_tensors.hpp.
#pragma once

#include "qnnpp/context/registered_tensors.hpp"

#include <algorithm>
#include <cstring>
#include <linux/dma-buf.h>
#include <mutex>
#include <numeric>

#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE std::uint64_t TensorRegistrationPolicy::close(Value value) noexcept {
  return value.deregister(value.handles, value.count);
}

QNNPP_INLINE TensorRegistrationBlock::TensorRegistrationBlock(Ref<ContextBlock> parent,
                                                              Ref<TensorMemoryBlock> tensors,
                                                              std::size_t first)
    : context(std::move(parent)),
      memory(std::move(tensors)),
      user(*context, memory->order ? "the cache with " : "the registration of ",
           memory->tensors[first].spec.name) {}

QNNPP_INLINE TensorRegistrationBlock::~TensorRegistrationBlock() { (void)close(); }

QNNPP_INLINE Result<std::size_t> TensorRegistrationBlock::find(std::string_view name) const {
  auto at = memory->find(name);
  if (at && handles[*at] == nullptr) {
    NameList known(name);
    for (std::size_t i = 0; i < handles.size(); ++i)
      if (handles[i] != nullptr) known.add("", memory->tensors[i].spec.name);
    return fail(Errc::unknown_name, "finding a tensor", name,
                {"the buffer holds it, but it is not registered with ", context->name,
                 "; registered: ", known.empty() ? "none" : known.text()});
  }
  return at;
}

/// Adds `times` (1, or -1 modulo 2^64) uses of the block's memory to the limit.
QNNPP_INLINE void count_uses(IoLimit& limit, const TensorRegistrationBlock& block,
                             std::size_t times) {
  const TensorMemoryBlock& memory = *block.memory;
  for (const RegisteredRange& range : block.ranges) {
    const auto of_range = [&](const IoLimit::Use& use) { return use.memory == range.memory; };
    auto use = std::find_if(limit.uses.begin(), limit.uses.end(), of_range);
    if (use == limit.uses.end()) {
      const auto tensor = static_cast<std::size_t>(range.tensor - memory.tensors.data());
      use = limit.uses.insert(use, {range.memory, memory.memory_of(tensor).size_bytes, 0});
    }
    use->ranges += times;
  }
  std::erase_if(limit.uses, [](const IoLimit::Use& use) { return use.ranges == 0; });
}

QNNPP_INLINE std::uint64_t TensorRegistrationBlock::close() noexcept {
  if (!registration) return 0;
  const TensorRegistrationPolicy::Value owned = registration.release();
  if (context->epoch.log->has_ended()) {  // PRC-04
    for (const Ref<DmaBlock>& block : memory->memory) block->is_left_to_exit = true;
    return 0;
  }
  const std::lock_guard guard(context->objects);
  context->registered_ranges.erase(ranges);
  if (const auto& limit = context->io_limit) {
    const std::lock_guard counting(limit->mutex);
    count_uses(*limit, *this, static_cast<std::size_t>(-1));
  }
  return context->epoch.release([&] { return TensorRegistrationPolicy::close(owned); });
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<c_api::MemHandle> RegisteredTensors::native(std::string_view name) const& {
  QNNPP_LET(at, block().find(name));
  if (block().is_by_address)
    return fail(Errc::capability_missing, "finding a handle", name,
                "the tensor is bound by address; load the backend with TensorMemory::registered");
  return block().handles[*at];
}

QNNPP_INLINE Result<void> RegisteredTensors::close() && {
  qnnpp::detail::expects(block_, detail::moved_registration);
  const Ref<detail::TensorRegistrationBlock> last = std::move(block_);
  std::size_t first = 0;
  while (last->handles[first] == nullptr) ++first;
  const std::string& name = last->memory->tensors[first].spec.name;
  if (last.use_count() != 1) {
    Error error =
        Error::mismatch(Errc::in_use, "closing a registration", name, 1, last.use_count());
    const detail::ContextBlock& context = *last->context;
    error.detail =
        detail::joined({context.name, " is held by ", context.list->holders_of(context)});
    return fail(std::move(error));
  }
  const std::uint64_t logged = detail::error_lines->count();
  return detail::with_log(check(last->close(), name_of(c_api::Slot::mem_de_register), name),
                          logged);
}

QNNPP_INLINE Result<RegisteredTensors> RegisteredTensors::make(
    const Ref<detail::ContextBlock>& context, const Ref<detail::TensorMemoryBlock>& memory,
    std::optional<std::span<const std::string>> names) {
  qnnpp::detail::expects(memory, detail::moved_buffer);  // ORD-09
  std::vector<std::size_t> chosen(names ? 0 : memory->tensors.size());
  if (!names) {
    std::iota(chosen.begin(), chosen.end(), std::size_t{0});
  } else {
    for (const std::string& name : *names) {
      QNNPP_LET(found, memory->find(name));
      chosen.push_back(*found);
      if (memory->next_shape.empty()) continue;
      for (auto next = memory->next_shape[*found]; next != detail::NameTable::none;
           next = memory->next_shape[next])
        chosen.push_back(next);
    }
    std::sort(chosen.begin(), chosen.end());
    if (const auto twice = std::adjacent_find(chosen.begin(), chosen.end()); twice != chosen.end())
      return fail(Errc::duplicate_name, "registering tensors", memory->tensors[*twice].spec.name);
  }
  QNNPP_LET(block, detail::register_tensors(context, memory, chosen));
  return RegisteredTensors(std::move(*block));
}

QNNPP_INLINE std::size_t RegisteredTensors::handle_count() const {
  return block().is_by_address ? 0 : block().unique_handles.size();
}

QNNPP_INLINE const detail::TensorRegistrationBlock& RegisteredTensors::block() const {
  qnnpp::detail::expects(block_, detail::moved_registration);  // ORD-09
  return *block_;
}

}}  // namespace qnnpp::QNNPP_NAMESPACE

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Describes one tensor to QNN. QNN reads `custom` during the call only.
QNNPP_INLINE void describe(TensorMemoryBlock& memory, std::size_t index,
                           c_api::MemDescriptor& descriptor, c_api::HtpMemDescriptor& custom) {
  TensorPlacement& placed = memory.tensors[index];
  const DmaBlock& block = memory.memory_of(index);
  // Initializes every byte (SHB-01).
  std::memset(&descriptor, 0, sizeof(descriptor));
  std::memset(&custom, 0, sizeof(custom));
  descriptor.mem_shape.num_dim = static_cast<std::uint32_t>(placed.spec.dimensions.size());
  descriptor.mem_shape.dim_size = placed.spec.dimensions.data();
  descriptor.data_type = placed.spec.data_type;
  descriptor.mem_type = memory.type;
  switch (memory.type) {
    case c_api::MemType::ion: descriptor.ion_info.fd = block.fd; break;
    case c_api::MemType::dma_buf:
      descriptor.dma_buf_info.fd = block.fd;
      descriptor.dma_buf_info.data = block.data();
      break;
    default:
      custom.type = c_api::HtpMemType::shared_buffer;
      custom.size = block.size_bytes;
      custom.shared_buffer_config.fd = block.fd;
      custom.shared_buffer_config.offset = placed.offset_bytes;
      descriptor.custom_info = &custom;
      break;
  }
}

/// Step in the errors of register_tensors().
inline constexpr char registering[] = "registering tensors";

/// Fills `ranges` with the tensors in the order of their bytes, so that tensors which share a
/// handle are neighbours. Error: `too_large`.
[[nodiscard]] QNNPP_INLINE Result<void> list_ranges(const TensorMemoryBlock& memory,
                                                    std::span<const std::size_t> tensors,
                                                    std::vector<RegisteredRange>& ranges) {
  ranges = std::vector<RegisteredRange>(tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const TensorPlacement& placed = memory.tensors[tensors[i]];
    if (placed.size_bytes > max_registered_bytes)
      return fail(
          beyond_limit(registering, placed.spec.name, placed.size_bytes, max_registered_bytes));
    ranges[i] = {&placed, memory.memory_of(tensors[i]).id};
  }
  // Tensors are usually given in the order of their bytes.
  if (!std::is_sorted(ranges.begin(), ranges.end())) {
    std::make_heap(ranges.begin(), ranges.end());  // A third of the code of std::sort().
    std::sort_heap(ranges.begin(), ranges.end());
  }
  return {};
}

/// Index of the tensor of a range in its memory.
[[nodiscard]] QNNPP_INLINE std::size_t index_of(const TensorMemoryBlock& memory,
                                                const RegisteredRange& range) {
  return static_cast<std::size_t>(range.tensor - memory.tensors.data());
}

/// Keeps each range of the block once. Returns the tensors that share the handle of an earlier one,
/// each with the index of that handle. Error: `purpose_mismatch`.
[[nodiscard]] QNNPP_INLINE Result<std::vector<std::pair<std::size_t, std::uint32_t>>> share_handles(
    TensorRegistrationBlock& block) {
  std::vector<RegisteredRange>& ranges = block.ranges;
  std::vector<std::pair<std::size_t, std::uint32_t>> sharing;
  std::uint32_t count = 0;
  for (const RegisteredRange& range : ranges) {
    if (count != 0 && !(ranges[count - 1] < range)) {
      sharing.emplace_back(index_of(*block.memory, range), count - 1);
      continue;
    }
    const bool is_new_memory = count == 0 || ranges[count - 1].memory != range.memory;
    if (is_new_memory && block.context->is_external_buffer(range.memory))
      return fail(Errc::purpose_mismatch, registering, range.tensor->spec.name,
                  {"its memory is the weights or spill-fill buffer of ", block.context->name});
    ranges[count++] = range;
  }
  ranges.erase(ranges.begin() + count, ranges.end());
  block.unique_handles = std::vector<c_api::MemHandle>(count);
  return sharing;
}

/// Makes the addresses of the block's ranges their handles, and maps their memory. Returns the
/// function that deregisters them: it has nothing to do.
[[nodiscard]] QNNPP_INLINE Result<c_api::MemDeRegisterFn> take_addresses(
    TensorRegistrationBlock& block) {
  for (std::size_t i = 0; i < block.ranges.size(); ++i) {
    const std::size_t tensor = index_of(*block.memory, block.ranges[i]);
    QNNPP_LET(start, block.memory->shared_memory_of(tensor)->map());
    block.unique_handles[i] =
        reinterpret_cast<c_api::MemHandle>(*start + block.memory->tensors[tensor].offset_bytes);
  }
  block.is_by_address = true;
  return [](const c_api::MemHandle*, std::uint32_t) -> c_api::ErrorHandle { return 0; };
}

/// Registers the block's ranges with QNN in one call, for `tensors`. Returns the function that
/// deregisters them.
[[nodiscard]] QNNPP_INLINE Result<c_api::MemDeRegisterFn> take_handles(
    TensorRegistrationBlock& block, std::span<const std::size_t> tensors) {
  TensorMemoryBlock& memory = *block.memory;
  const ContextBlock& context = *block.context;
  const std::string& first = memory.tensors[tensors.front()].spec.name;
  if (memory.type == c_api::MemType::dma_buf) {  // Its descriptor needs the CPU's address.
    QNNPP_TRY(context.backend->require(c_api::PropertyKey::memory_support_mem_type_dma_buf,
                                       "tensor memory as dma-bufs", context.name));
    for (const std::size_t tensor : tensors) QNNPP_TRY(memory.shared_memory_of(tensor)->map());
  }
  QNNPP_LET(reg, context.provider().find<&c_api::InterfaceTable::mem_register>());
  QNNPP_LET(dereg, context.provider().find<&c_api::InterfaceTable::mem_de_register>());
  const auto count = static_cast<std::uint32_t>(block.ranges.size());
  std::vector<c_api::MemDescriptor> descriptors(count);
  std::vector<c_api::HtpMemDescriptor> custom(count);
  for (std::uint32_t i = 0; i < count; ++i)
    describe(memory, index_of(memory, block.ranges[i]), descriptors[i], custom[i]);
  auto done = context.call(name_of(c_api::Slot::mem_register), first, *reg, context.handle(),
                           descriptors.data(), count, block.unique_handles.data());
  if (done) return *dereg;  // Else QNN registered nothing, so nothing is deregistered (SHB-03).
  std::uint32_t of_all = fact::rpcmem | fact::dma_heap;
  for (const std::size_t tensor : tensors) of_all &= memory.memory_of(tensor).facts;
  done.error().facts |= of_all;
  if (tensors.size() > 1)
    done.error().detail =
        detail::joined({"the first of ", tensors.size(), " tensors in one call for ", context.name,
                        done.error().detail.empty() ? "" : "; ", done.error().detail});
  return fail(std::move(done).error());
}

/// Registers the block's ranges as the backend's TensorMemory says. Returns the function that
/// deregisters them.
[[nodiscard]] QNNPP_INLINE Result<c_api::MemDeRegisterFn> register_ranges(
    TensorRegistrationBlock& block, std::span<const std::size_t> tensors) {
  const BackendBlock& backend = *block.context->backend;
  const TensorMemory mode = backend.tensor_memory.load(std::memory_order_relaxed);
  if (mode == TensorMemory::by_address) return take_addresses(block);
  auto taken = take_handles(block, tensors);
  if (taken && mode == TensorMemory::either) (void)backend.decide(TensorMemory::registered);
  if (taken || taken.error().kind != Errc::qnn ||
      taken.error().code != code_of(c_api::MemError::not_supported))
    return taken;
  if (backend.decide(TensorMemory::by_address) == TensorMemory::by_address)
    return take_addresses(block);
  taken.error().detail +=
      detail::joined({taken.error().detail.empty() ? "" : "; ",
                      "a library without registered memory takes it by address: "
                      "see BackendOptions::tensor_memory"});
  return taken;
}

/// Registers the block's ranges if they stay within the context's limit. Error: `too_large`.
[[nodiscard]] [[gnu::noinline]] QNNPP_INLINE Result<c_api::MemDeRegisterFn> register_within_limit(
    TensorRegistrationBlock& block, std::span<const std::size_t> tensors) {
  IoLimit& limit = *block.context->io_limit;
  const std::lock_guard guard(limit.mutex);
  count_uses(limit, block, 1);
  std::uint64_t sum = limit.copies_bytes;
  for (const IoLimit::Use& use : limit.uses) sum += use.bytes;
  auto done = [&]() -> Result<c_api::MemDeRegisterFn> {
    if (sum <= limit.limit_bytes) return register_ranges(block, tensors);
    Error error =
        Error::mismatch(Errc::too_large, registering,
                        block.memory->tensors[tensors.front()].spec.name, sum, limit.limit_bytes);
    error.detail = joined(
        {"the inputs and outputs of ", block.context->name, " would have ", sum, " bytes, of them ",
         limit.copies_bytes, " in copies by QNN, and REUSED_IO_LIMIT counts ", limit.limit_bytes,
         "; close what is registered for other graphs first, or load it without ", "this limit"});
    return fail(std::move(error));
  }();
  if (!done) count_uses(limit, block, static_cast<std::size_t>(-1));
  return done;
}

QNNPP_INLINE Result<Ref<TensorRegistrationBlock>> register_tensors(
    const Ref<ContextBlock>& context, const Ref<TensorMemoryBlock>& memory,
    std::span<const std::size_t> tensors) {
  qnnpp::detail::expects(context, moved_context);  // ORD-09
  if (tensors.empty()) return fail(Errc::empty, registering, context->name, "no tensors");
  auto block = Ref<TensorRegistrationBlock>::make(context, memory, tensors.front());
  block->handles = std::vector<c_api::MemHandle>(memory->tensors.size());
  std::vector<RegisteredRange>& ranges = block->ranges;
  QNNPP_TRY(list_ranges(*memory, tensors, ranges));
  QNNPP_LET(sharing, share_handles(*block));

  std::unique_lock guard(context->objects);
  if (!context->registered_ranges.empty())
    for (const RegisteredRange& range : ranges)
      if (context->registered_ranges.contains(range))
        return fail(Errc::already_registered, registering, range.tensor->spec.name,
                    {"its memory is already registered with ", context->name,
                     " for a tensor of this type and shape"});
  context->registered_ranges.reserve_more(ranges.size());
  QNNPP_LET(deregister, context->io_limit ? register_within_limit(*block, tensors)
                                          : register_ranges(*block, tensors));
  // Nothing allocates from here on, so the handles always have an owner.
  block->registration = Owner<TensorRegistrationPolicy>(
      {*deregister, block->unique_handles.data(), static_cast<std::uint32_t>(ranges.size())});
  context->registered_ranges.insert(ranges);
  guard.unlock();

  for (std::size_t i = 0; i < ranges.size(); ++i)
    block->handles[index_of(*memory, ranges[i])] = block->unique_handles[i];
  for (const auto& [tensor, handle] : *sharing)
    block->handles[tensor] = block->unique_handles[handle];
  return block;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
