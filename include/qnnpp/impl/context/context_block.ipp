// Definitions of context_block.hpp.
#pragma once

#include "qnnpp/context/detail/context_block.hpp"

#include "qnnpp/config.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/backend/detail/profiled_call.hpp"
#include "qnnpp/backend/detail/signalled_call.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Returns the number of references to a context.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::uint32_t references_to(
    const LiveContext& context) noexcept {
  const auto* const block = static_cast<const ContextBlock*>(&context);
  auto seen = Ref<ContextBlock>::adopt(const_cast<ContextBlock*>(block));
  const std::uint32_t count = seen.use_count();
  (void)seen.release();
  return count;
}

QNNPP_INLINE ContextBlock::ContextBlock(Ref<BackendBlock> parent, std::string label)
    : LiveContext(std::move(label), &references_to), backend(std::move(parent)) {
  qnnpp::detail::expects(backend, moved_backend);  // ORD-09
  list = &backend->live_contexts;
  epoch = Epoch::of_new_context(*backend->restart_log);
}

QNNPP_INLINE ContextBlock::~ContextBlock() {
  LiveContexts::remove(*this);
  if (!backend || !epoch.log->has_ended()) return;  // A lost context has no backend.
  // PRC-04: the context stays alive, so its external buffers do, too.
  if (weights) Access::block(weights)->is_left_to_exit = true;
  if (spill_fill) Access::block(Access::block(spill_fill)->region)->is_left_to_exit = true;
  if (vtcm_backup) Access::block(Access::block(vtcm_backup)->region)->is_left_to_exit = true;
}

[[gnu::noinline]] QNNPP_INLINE bool RegisteredRange::is_less_at_the_offset_of(
    const RegisteredRange& other) const noexcept {
  if (memory != other.memory) return memory < other.memory;
  const TensorSpec& mine = tensor->spec;
  const TensorSpec& others = other.tensor->spec;
  if (mine.data_type != others.data_type) return mine.data_type < others.data_type;
  return mine.dimensions < others.dimensions;
}

QNNPP_INLINE bool RegisteredRanges::contains(const RegisteredRange& range) const noexcept {
  return std::binary_search(ranges_.begin(), ranges_.end(), range);
}

QNNPP_INLINE void RegisteredRanges::insert(std::span<const RegisteredRange> ranges) {
  // Always so for the first ranges.
  const bool are_last = ranges_.empty() || ranges_.back() < ranges.front();
  for (const RegisteredRange& range : ranges)
    ranges_.insert(
        are_last ? ranges_.end() : std::upper_bound(ranges_.begin(), ranges_.end(), range), range);
}

QNNPP_INLINE void RegisteredRanges::erase(std::span<const RegisteredRange> ranges) noexcept {
  auto next = ranges.begin();
  auto kept = ranges_.begin();
  for (const RegisteredRange& known : ranges_) {
    while (next != ranges.end() && *next < known) ++next;
    if (next == ranges.end() || known < *next) *kept++ = known;
  }
  ranges_.erase(kept, ranges_.end());
}

/// Returns the list of the weights in a memory.
[[nodiscard]] QNNPP_INLINE NodeList<WeightsUse>& weights_in(const MemoryId& memory) noexcept {
  auto& lists = *weights_in_use;
  return lists[(memory.device ^ memory.inode) % lists.size()];
}

QNNPP_INLINE WeightsUse::~WeightsUse() {
  if (end != 0) weights_in(memory).remove(*this);
}

/// Whether a context has weights in the bytes of `region`. Requires the mutex of `list`.
[[nodiscard]] QNNPP_INLINE bool are_listed(const NodeList<WeightsUse>& list,
                                           const MemRegion<Weights>& region) noexcept {
  const MemoryId memory = Access::block(region)->id;
  const std::uint64_t begin = region.offset_bytes();
  return list.find([&](const WeightsUse& other) {
    return other.memory == memory && other.begin < begin + region.size_bytes() && begin < other.end;
  }) != nullptr;
}

QNNPP_INLINE bool WeightsUse::is_free(const MemRegion<Weights>& region) noexcept {
  NodeList<WeightsUse>& list = weights_in(Access::block(region)->id);
  const std::lock_guard guard(list.mutex);
  return !are_listed(list, region);
}

QNNPP_INLINE bool WeightsUse::take(const MemRegion<Weights>& region) noexcept {
  NodeList<WeightsUse>& list = weights_in(Access::block(region)->id);
  const std::lock_guard guard(list.mutex);
  if (are_listed(list, region)) return false;
  memory = Access::block(region)->id;
  begin = region.offset_bytes();
  end = begin + region.size_bytes();
  list.add(*this);
  return true;
}

QNNPP_INLINE std::uint64_t ContextPolicy::close(Value value) noexcept {
  // Tested before the lock, which another thread may hold when the process exits (PRC-04).
  const Epoch& epoch = value.listed->epoch;
  if (epoch.log->has_ended()) return 0;
  const std::lock_guard guard(*value.setup);
  const auto native = epoch.release([&] { return value.free(value.handle, nullptr); });
  LiveContexts::remove(*value.listed);
  return native;
}

QNNPP_INLINE std::uint64_t RegistrationPolicy::close(Value value) noexcept {
  if (value.context->epoch.log->has_ended()) return 0;  // PRC-04
  const std::lock_guard guard(value.context->backend->setup);
  const auto deregister = value.context->provider().find<&c_api::InterfaceTable::mem_de_register>();
  // Called once, even if it fails (SHB-04). The function exists: registering has checked it.
  return value.context->epoch.release([&] { return (*deregister)(&value.handle, 1); });
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error ContextBlock::with_facts(Error error) const {
  if (error.kind != Errc::qnn) return error;
  std::uint32_t& facts = error.facts;
  // A lost context is not listed, and still has room.
  if (!list->has_others(this) && lost_contexts->count() == 0) facts |= fact::alone;
  if (graphs.size() == 1) facts |= fact::one_graph;
  if (spill_fill || group_bytes != 0 || needs.spill_fill_bytes == std::uint64_t{0})
    facts |= fact::spill_fill_shared;
  if (!weights) facts |= fact::own_weights;
  if (backend->external_weights.get() == ExternalWeights::confirmed) facts |= fact::weights_worked;
  if (is_exhausted(error) && backend->is_emulation()) facts |= fact::emulation;
  return error;
}

[[gnu::noinline]] QNNPP_INLINE Result<void> ContextBlock::called(const char* step,
                                                                 const std::string& object,
                                                                 std::uint64_t native,
                                                                 std::uint64_t contexts,
                                                                 std::uint64_t logged) const {
  epoch.record(native, contexts);
  if (is_success(native)) return {};
  Error error = with_facts(with_log(Error::from_qnn(native, step, object), logged));
  // explain_refusal() does it for the steps that read a binary.
  if (is_exhausted(error) && (step_of(error.step) & (step::reads | step::finalize)) == 0)
    name_live_contexts(error, *list, this);
  return fail(std::move(error));
}

QNNPP_INLINE void ContextBlock::note_bytes(std::uint64_t io_bytes) noexcept {
  live_bytes = needs.weights_bytes.value_or(binary->bytes().size()) +
               needs.spill_fill_bytes.value_or(0) + io_bytes;
}

QNNPP_INLINE void ContextBlock::own(c_api::ContextFreeFn free, c_api::ContextHandle made) {
  epoch = Epoch::of_new_context(*backend->restart_log);
  created = made;
  context = Owner<ContextPolicy>({free, made, this, &backend->setup});
  is_initialised = !configs.is_deferred();
  list->add(*this, group_head.get());
}

/// First minor version of the HTP's API in which QnnContext_free of what a failed deferred creation
/// has left returns 0, and QnnDevice_free and QnnBackend_free then fail until the process
/// ends. 5.51 frees it, but needs no such call.
inline constexpr std::uint32_t first_minor_with_fatal_deferrals = 46;

QNNPP_INLINE bool ContextBlock::ends_with_backend() const noexcept {
  if (provider().backend_version().minor < first_minor_with_fatal_deferrals) return false;
  backend->frees_device_last = true;
  return true;
}

QNNPP_INLINE void ContextBlock::end_failed_creation() noexcept {
  if (context && configs.is_deferred() && ends_with_backend()) (void)context.release();
  (void)context.close();
  LiveContexts::remove(*this);
  created = nullptr;
}

QNNPP_INLINE bool have_tensors(const std::vector<GraphSpec>& graphs) noexcept {
  for (const GraphSpec& graph : graphs)
    if (graph.inputs.empty() || graph.outputs.empty()) return false;
  return !graphs.empty();
}

QNNPP_INLINE Result<void> ContextBlock::check_whole() const {
  if (is_whole(binary->bytes())) return {};
  return fail(Errc::file_unreadable, "read", name, became_shorter);
}

QNNPP_INLINE Result<void> ContextBlock::read_metadata() {
  for (const std::string& graph : configs.enabled_graphs())
    QNNPP_TRY(check_name(graph, "enabling a graph"));
  QNNPP_TRY(check_whole());
  if (!backend->system) {
    if (backend->system_error) metadata_error = Ref<MetadataError>::make(*backend->system_error);
    return {};
  }
  if (auto told = backend->system->metadata(binary->bytes(), name)) {
    made_by = sdk_of(std::string_view(told->build_id));
    needed_api_minor = told->backend_api.minor;
    needed_arch = told->dsp_arch.value_or(0);
    graphs = std::move(told->graphs);
    needs = needs_of(graphs);
  } else if (stated_graphs != nullptr && have_tensors(*stated_graphs)) {
    graphs = std::vector<GraphSpec>(*stated_graphs);
  } else {
    metadata_error = Ref<MetadataError>::make(std::move(told).error());
    return {};
  }
  QNNPP_TRY(require_graphs(graphs, configs.enabled_graphs(), name));
  left_out = keep_graphs(graphs, configs.enabled_graphs());
  return {};
}

/// Text that names the backend library and its SDK, or its version if the build id names no SDK.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string library_words(
    const ContextBlock& context) {
  const std::string sdk = context.backend->sdk();
  return context.backend->library.path() +
         (sdk.empty() ? detail::joined({" has backend API ",
                                        version_text(context.provider().backend_version())})
                      : detail::joined({" is from SDK ", sdk}));
}

QNNPP_INLINE Ref<IoLimit> limit_io(ContextConfigs& configs, const IoNeeds& io, bool to_one_graph) {
  if (const std::uint64_t megabytes = io.limit_mb(); to_one_graph && megabytes != 0) {
    configs.reused_io_limit_mb(megabytes);
    configs.io_mem_estimation();
  }
  const std::uint64_t megabytes = configs.reused_io_limit_mb();
  if (megabytes == 0) return {};
  return Ref<IoLimit>::make(megabytes > UINT64_MAX >> 20 ? UINT64_MAX : megabytes << 20, io.copies);
}

QNNPP_INLINE Result<void> ContextBlock::check_shared_weights() const {
  for (const GraphSpec& graph : graphs)
    if (graph.shared_weights_bytes.value_or(0) != 0 && backend->is_emulation())
      return fail(
          Errc::capability_missing, name_of(c_api::Slot::context_create_from_binary), name,
          {"graph ", graph.name, " shares its weights, ", library_words(*this),
           " for x86-64, which loads no such binary; load it on a device, or compose without ",
           "weight_sharing"});
  return {};
}

QNNPP_INLINE Result<void> ContextBlock::check_dlbc(const char* step) const {
  return share_without_dlbc ? Result<void>() : require_no_dlbc(graphs, step, name);
}

QNNPP_INLINE Result<void> check_htp_options(const ContextConfigs& configs, OptionPlace place,
                                            const BackendBlock& backend, const std::string& name) {
  const c_api::Version has = backend.provider.backend_version();
  const HtpOption* unknown = configs.unknown_to(has, place);
  if (unknown == nullptr) return {};
  const bool is_gap = unknown->again != 0 && has.major == 5 && has.minor > unknown->minor;
  return fail(Errc::capability_missing, "creating a context", name,
              {"option ", unknown->name, " needs HTP 5.", is_gap ? unknown->again : unknown->minor,
               is_gap ? ", or a list" : "", "; ", backend.library.path(), " is ", has.major, ".",
               has.minor, "; leave the option out, or use another library"});
}

QNNPP_INLINE bool takes_io_limit(const BackendBlock& backend, OptionPlace place) noexcept {
  ContextConfigs limited;
  limited.reused_io_limit_mb(1);
  return !backend.is_emulation() &&
         limited.unknown_to(backend.provider.backend_version(), place) == nullptr;
}

QNNPP_INLINE Result<void> ContextBlock::check_options() const {
  if (!is_priority(configs.priority()))
    return fail(Errc::invalid_argument, "creating a context", name, unknown_priority);
  QNNPP_TRY(check_htp_options(configs, OptionPlace::context, *backend, name));
  const char* wrong = configs.wrong_patch();
  if (wrong == nullptr) return {};
  return fail(Errc::invalid_argument, "creating a context", name, wrong);
}

QNNPP_INLINE Acceleration ContextBlock::acceleration() const noexcept {
  using enum c_api::HtpContextConfigOption;
  if (!configs.has(init_acceleration)) return Acceleration::not_requested;
  if (needed_api_minor == 0) return Acceleration::unknown;
  if (needed_api_minor == provider().backend_version().minor) return Acceleration::effective;
  return configs.has(concurrent_deserialization_patch) ? Acceleration::patched
                                                       : Acceleration::other_version;
}

QNNPP_INLINE Result<void> ContextBlock::create_from_binary(Profile* profile,
                                                           const CallLimits& limits) {
  QNNPP_LET(create, provider().find<&c_api::InterfaceTable::context_create_from_binary>());
  QNNPP_LET(free, provider().find<&c_api::InterfaceTable::context_free>());
  const auto bytes = binary->bytes();
  qnnpp::detail::expects(!bytes.empty(), moved_binary);  // ORD-09
  QNNPP_TRY(check_options());
  QNNPP_TRY(read_metadata());
  QNNPP_TRY(check_shared_weights());
  if (!io_limit) {
    IoNeeds io;
    const bool is_known = io.add(graphs);
    io_limit = limit_io(configs, io, limits_io_to_one_graph && is_known);
    note_bytes(io.all);
  }
  if (const auto& need = needs.spill_fill_bytes; group_bytes != 0 && need != 0) {
    constexpr const char* step = "joining a context group";
    if (need && *need > group_bytes)  // GRP-01
      return fail(Error::mismatch(Errc::too_small, step, name, *need, group_bytes));
    QNNPP_TRY(check_dlbc(step));
  }
  constexpr const char* step = name_of(c_api::Slot::context_create_from_binary);
  ProfiledCall profiled(profile, step);
  QNNPP_TRY(profiled.check(backend, name));
  CallSignals signals;
  SignalledCall signalled(limits, "creating a context", name);
  c_api::ContextCreateFromBinaryWithSignalFn create_signalled = nullptr;
  if (limits) {
    const auto found =
        provider().find<&c_api::InterfaceTable::context_create_from_binary_with_signal>();
    if (found) create_signalled = *found;
  }
  auto done = own_created(*free, [&]() -> Result<void> {
    const std::lock_guard guard(backend->setup);
    if (limits)
      QNNPP_TRY(signalled.begin(*backend, create_signalled != nullptr ? &signals : nullptr));
    return profiled([&](c_api::ProfileHandle with) {
      const c_api::BackendHandle parent = backend->backend.get().handle;
      const c_api::DeviceHandle device = backend->device.get().handle;
      if (signalled.signal() != nullptr)
        return call(step, name, create_signalled, parent, device, configs.c_array(), bytes.data(),
                    bytes.size(), &created, with, signalled.signal());
      return call(step, name, *create, parent, device, configs.c_array(), bytes.data(),
                  bytes.size(), &created, with);
    });
  });
  if (limits) done = signalled.finished(std::move(done));
  profiled.record(name, done);
  if (done && metadata_error && backend->system) {
    // BIN-02: QNN accepts the binary, but the context would have no graphs, and look complete.
    (void)context.close();
    created = nullptr;
    Error unread = metadata_error->error;
    if (const std::string& reader = backend->system->path();
        unread.detail.find(reader) == std::string::npos)
      unread.detail += joined({unread.detail.empty() ? "read by " : "; read by ", reader});
    return fail(std::move(unread));
  }
  return done;
}

QNNPP_INLINE std::uint64_t ContextBlock::give_external_buffers_back() noexcept {
  std::uint64_t first = 0;
  for (auto* const each :
       {&weights_registration, &spill_fill_registration, &vtcm_backup_registration})
    if (const std::uint64_t native = each->close(); is_success(first)) first = native;
  return first;
}

QNNPP_INLINE void ContextBlock::leave_external_buffers() noexcept {
  has_left_buffers = has_external_buffers();
  (void)weights_registration.release();
  (void)spill_fill_registration.release();
  (void)vtcm_backup_registration.release();
}

QNNPP_INLINE std::uint64_t ContextBlock::note_freed(c_api::ContextHandle freed,
                                                    std::uint64_t native) noexcept {
  if (!is_success(native) && has_left_buffers) not_freed = freed;
  return native;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void ContextBlock::add_to_lost(
    c_api::ContextFreeFn free, c_api::ContextHandle number) noexcept {
  // The table keeps a reference; the last one has just been dropped.
  auto dropped = Ref<ContextBlock>::adopt(this);
  (void)Ref<ContextBlock>(dropped).release();
  (void)dropped.release();
  LostContext lost{.library = free,
                   .number = reinterpret_cast<std::uintptr_t>(number),
                   .block = this,
                   .drop =
                       [](void* lost_block) noexcept {
                         auto block =
                             Ref<ContextBlock>::adopt(static_cast<ContextBlock*>(lost_block));
                         block->not_freed = nullptr;
                       },
                   .fd = weights.fd(),
                   .buffer_bytes = weights.buffer_bytes(),
                   .offset_bytes = weights.offset_bytes(),
                   .bytes = weights.size_bytes()};
  for (const GraphSpec& graph : graphs) lost.bytes += io_bytes(graph).value_or(0);
  // The buffers that contexts share count once.
  const auto add_shared = [&](const auto& shared, c_api::HtpMemType type) {
    if (!shared) return;
    if (lost.spill_fill == nullptr) lost.spill_fill = Access::block(shared).get();
    lost.spill_fill_bytes += shared.size_bytes();
    if (lost.fd >= 0) return;
    const auto& region = Access::block(shared)->region;
    lost.buffer = type;
    lost.fd = region.fd();
    lost.buffer_bytes = region.buffer_bytes();
    lost.offset_bytes = region.offset_bytes();
  };
  add_shared(spill_fill, c_api::HtpMemType::shared_spillfill_buffer);
  add_shared(vtcm_backup, c_api::HtpMemType::shared_vtcmbackup_buffer);
  lost_contexts->add(lost);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void ContextBlock::forget_backend() noexcept {
  LiveContexts::remove(*this);
  is_finalize_failed = false;
  binary.reset();
  backend = {};
}

QNNPP_INLINE void ContextBlock::operator delete(ContextBlock* block,
                                                std::destroying_delete_t) noexcept {
  (void)block->give_external_buffers_back();
  if (block->is_finalize_failed && !block->epoch.log->has_ended()) [[unlikely]]
    return block->end_failed_finalize();
  if (block->context) (void)block->free_context();
  if (block->not_freed != nullptr) [[unlikely]] {
    // The function exists: the context was to be freed with it.
    block->add_to_lost(*block->provider().find<&c_api::InterfaceTable::context_free>(),
                       block->not_freed);
    return block->forget_backend();
  }
  block->~ContextBlock();
  ::operator delete(block);
}

QNNPP_INLINE bool ContextBlock::is_external_buffer(const MemoryId& memory) const noexcept {
  return is_memory_of(weights, memory) ||
         (spill_fill && is_memory_of(Access::block(spill_fill)->region, memory)) ||
         (vtcm_backup && is_memory_of(Access::block(vtcm_backup)->region, memory));
}

QNNPP_INLINE Result<void> check_unused(const Ref<ContextBlock>& block, const char* step) {
  if (block.use_count() == 1) return {};
  Error error = Error::mismatch(Errc::in_use, step, block->name, 1, block.use_count());
  const std::string holders = block->list->holders_of(*block);
  if (!holders.empty()) error.detail = joined({"held by ", holders});
  return fail(std::move(error));
}

QNNPP_INLINE Result<void> close_context(const Ref<ContextBlock>& block, Profile* profile) {
  QNNPP_TRY(check_unused(block));
  constexpr const char* step = name_of(c_api::Slot::context_free);
  if (block->is_borrowed) profile = nullptr;  // There is no call.
  ProfiledCall profiled(profile, step);
  QNNPP_TRY(profiled.check(block->backend, block->name));
  const std::uint64_t logged = error_lines->count();
  auto deregistered = check(block->give_external_buffers_back(),
                            name_of(c_api::Slot::mem_de_register), block->name);
  auto freed = [&] {
    if (profile == nullptr) return check(block->free_context(), step, block->name);
    const std::lock_guard guard(block->backend->setup);
    const ContextPolicy::Value owned = block->context.release();
    return profiled([&](c_api::ProfileHandle with) {
      const auto native = block->epoch.release([&] { return owned.free(owned.handle, with); });
      return check(block->note_freed(owned.handle, native), step, block->name);
    });
  }();
  profiled.record(block->name, freed);
  auto done = with_log(!deregistered ? std::move(deregistered) : std::move(freed), logged);
  if (block->not_freed != nullptr && !done)
    done.error().detail = joined({"QNN may use its buffers until the process ends",
                                  done.error().detail.empty() ? "" : "; ", done.error().detail});
  return done;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
