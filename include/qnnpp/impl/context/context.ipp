// Definitions of context.hpp.
#pragma once

#include "qnnpp/context/context.hpp"

#include <optional>
#include <span>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/profiled_call.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/context/detail/lost_context.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE ContextBlock& ContextHandle::block() const {
  qnnpp::detail::expects(block_, moved_context);  // ORD-09
  return *block_;
}

/// Checks that a binary is for the architecture that DeviceOptions asked for. The device's own
/// report does not say, and a library ignores an option that it does not read (CFG-05).
[[nodiscard]] QNNPP_INLINE Result<void> check_prepared(const ContextBlock& context,
                                                       std::span<const std::byte> binary) {
  const std::optional<std::uint32_t> asked = context.backend->prepares_for;
  if (!asked || !context.backend->system) return {};
  const auto spec = context.backend->system->metadata(binary, context.name);
  if (!spec || !spec->dsp_arch || *spec->dsp_arch == *asked) return {};
  Error error = Error::mismatch(Errc::wrong_architecture, name_of(c_api::Slot::context_get_binary),
                                context.name, *spec->dsp_arch, *asked);
  error.detail = detail::joined({"DeviceOptions asked for v", *asked, ", and ",
                                 context.backend->library.path(), " ignored them"});
  return fail(std::move(error));
}

/// Creates the context of a block from its binary, again if QNN says UNDEFINED (RES-03). Explains
/// its error.
[[nodiscard]] QNNPP_INLINE Result<void> create_from_binary(ContextBlock& block, Profile* profile,
                                                           const CallLimits& limits = {}) {
  auto created = try_again(creation, [&]() -> Result<void> {
    if (lost_contexts->count() != 0) {
      QNNPP_TRY(hold_lost_numbers(block, 1));
      // A restart that these calls have reported concerns older contexts only.
      block.epoch = Epoch::of_new_context(*block.backend->restart_log);
    }
    return block.create_from_binary(profile, limits);
  });
  if (!created) return fail(explain_refusal(block, std::move(created).error()));
  return {};
}

QNNPP_INLINE Ref<ContextBlock> ContextHandle::take() {
  qnnpp::detail::expects(block_, moved_context);
  return std::move(block_);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<Context<Finalized>> Context<Finalized>::restore(const Backend<Htp>& backend,
                                                                    ContextBinary binary,
                                                                    const RestoreOptions& options) {
  auto block =
      Ref<detail::ContextBlock>::make(detail::Access::block(backend), std::move(binary).name());
  if (options.graph_switching && !options.persistent_binary)  // EXT-09
    return fail(Errc::invalid_argument, "restoring a context", block->name,
                "graph_switching needs persistent_binary; give both");
  block->binary = std::move(binary);  // NOLINT(bugprone-use-after-move): only its name was
  detail::configure(*block, options);
  if (options.graph_switching) block->configs.switch_graphs();
  if (options.strict_compatibility)
    block->configs.binary_compatibility(c_api::ContextBinaryCompatibilityType::strict);
  if (options.group) {
    const Ref<detail::ContextBlock>& head = detail::Access::block(options.group);
    if (head && !(head->backend == detail::Access::block(backend)))
      return fail(Errc::foreign_object, "joining a context group", block->name,
                  {"its head ", head->name, " belongs to another backend"});
    if (head && !head->is_group_head)
      return fail(
          Errc::invalid_argument, "joining a context group", block->name,
          {head->name, " was not restored with ContextGroup::head(); give a context that was"});
    if (!head && options.group.max_spill_fill_bytes() == 0)
      return fail(Errc::invalid_argument, "leading a context group", block->name,
                  "a group of 0 bytes; restore the context without a group");
    block->is_group_head = !head;
    block->group_bytes = head ? head->group_bytes : options.group.max_spill_fill_bytes();
    block->group_head = head;
    block->lock = head ? head->lock : Ref<detail::ExecutionLock>::make();
    block->configs.register_multi_contexts(head ? head->handle() : nullptr,
                                           options.group.max_spill_fill_bytes());
  }
  QNNPP_TRY(detail::create_from_binary(*block, options.profile, {options.stop, options.at_most}));
  if (!block->persistent) block->binary.reset();
  return Context(std::move(block));
}

QNNPP_INLINE ContextGroup Context<Finalized>::as_group_head() const {
  (void)block();
  return detail::Access::make<ContextGroup>(detail::Access::block(*this));
}

QNNPP_INLINE Result<void> Context<Finalized>::check_reclaim() const {
  (void)block();
  return detail::check_unused(detail::Access::block(*this));
}

QNNPP_INLINE Result<MemRegion<Weights>> Context<Finalized>::reclaim() && {
  Ref<detail::ContextBlock> block = take();
  QNNPP_TRY(detail::close_context(block));
  return std::move(block->weights);
}

QNNPP_INLINE Result<Context<Finalized>> Context<Registered>::finalize(Profile* profile) && {
  Ref<detail::ContextBlock> block = take();
  QNNPP_LET(finalize, block->provider().find<&c_api::InterfaceTable::context_finalize>());
  constexpr const char* step = name_of(c_api::Slot::context_finalize);
  detail::ProfiledCall profiled(profile, step);
  QNNPP_TRY(profiled.check(block->backend, block->name));
  QNNPP_TRY(block->check_whole());
  auto done = [&] {
    const std::lock_guard guard(block->backend->setup);
    return profiled([&](c_api::ProfileHandle with) {
      return block->call(step, block->name, *finalize, block->handle(), with);
    });
  }();
  // From now on only QnnContext_free releases these registrations (ORD-06).
  if (done) block->leave_external_buffers();
  profiled.record(block->name, done);
  if (!done) {
    block->is_finalize_failed = block->has_external_buffers() && done.error().kind == Errc::qnn &&
                                !detail::is_undefined(done.error());
    Error error = detail::explain_refusal(*block, std::move(done).error());
    const std::size_t lost = detail::lost_contexts->count();
    block = {};
    if (detail::lost_contexts->count() > lost) detail::say_what_is_lost(error);
    return fail(std::move(error));
  }
  block->is_initialised = true;
  if (block->weights) block->backend->external_weights.confirm();
  if (!block->persistent) block->binary.reset();
  return Context<Finalized>(std::move(block));
}

QNNPP_INLINE BufferRequirements Context<Queried>::requirements() const {
  (void)block();
  return requirements_;
}

QNNPP_INLINE Result<void> Context<Queried>::check_buffers(const ExternalBuffers& buffers) const {
  return detail::check_external_buffers(block(), requirements_, buffers);
}

QNNPP_INLINE Result<Context<Registered>> Context<Queried>::register_buffers(
    ExternalBuffers buffers) && {
  Ref<detail::ContextBlock> block = take();
  QNNPP_LET(registered,
            detail::register_external_buffers(*block, requirements_, std::move(buffers)));
  return Context<Registered>(std::move(block));
}

QNNPP_INLINE Result<Context<Deferred>> Context<Deferred>::create(const Backend<Htp>& backend,
                                                                 ContextBinary binary,
                                                                 const DeferredOptions& options) {
  auto block =
      Ref<detail::ContextBlock>::make(detail::Access::block(backend), std::move(binary).name());
  QNNPP_TRY(block->backend->require(c_api::PropertyKey::context_support_deferred_graph_init,
                                    "deferred graph initialisation", block->name));
  block->binary = std::move(binary);  // NOLINT(bugprone-use-after-move): only its name was
  detail::configure(*block, options);
  block->configs.defer_graph_init();
  QNNPP_TRY(detail::create_from_binary(*block, options.profile));
  return Context(std::move(block));
}

QNNPP_INLINE Result<Context<Queried>> Context<Deferred>::query() && {
  Ref<detail::ContextBlock> block = take();
  QNNPP_LET(requirements, detail::query_requirements(*block));
  return Context<Queried>(std::move(block), *requirements);
}

QNNPP_INLINE Result<std::vector<std::byte>> Context<Composed>::serialize() const {
  QNNPP_LET(get_size, block().provider().find<&c_api::InterfaceTable::context_get_binary_size>());
  QNNPP_LET(get, block().provider().find<&c_api::InterfaceTable::context_get_binary>());
  c_api::ContextBinarySize size = 0;
  QNNPP_TRY(block().call(name_of(c_api::Slot::context_get_binary_size), name(), *get_size, native(),
                         &size));
  constexpr std::uint64_t limit = PTRDIFF_MAX;
  if (size > limit)
    return fail(
        detail::beyond_limit(name_of(c_api::Slot::context_get_binary_size), name(), size, limit));
  std::vector<std::byte> bytes(static_cast<std::size_t>(size));
  c_api::ContextBinarySize written = 0;
  QNNPP_TRY(block().call(name_of(c_api::Slot::context_get_binary), name(), *get, native(),
                         bytes.data(), size, &written));
  if (written > size)
    return fail(Error::mismatch(Errc::size_mismatch, name_of(c_api::Slot::context_get_binary),
                                name(), size, written));
  bytes.resize(static_cast<std::size_t>(written));
  QNNPP_TRY(detail::check_prepared(block(), bytes));
  detail::RestartLog::end_at_exit(block().backend->restart_log);  // as after finalize()
  return bytes;
}

QNNPP_INLINE Result<void> Context<Composing>::check_finalize() const {
  if (block().unfinished_graphs == 0) return {};
  return fail(Error::mismatch(Errc::incomplete, "finalizing a composed context", name(), 0,
                              block().unfinished_graphs));
}

QNNPP_INLINE Result<Context<Composed>> Context<Composing>::finalize() && {
  auto complete = check_finalize();
  Ref<detail::ContextBlock> block = take();
  if (!complete) return fail(std::move(complete).error());
  // The first graphs that a library composes make it load another library and make further objects
  // of static storage, which exit() destroys before those of the load (PRC-04).
  detail::RestartLog::end_at_exit(block->backend->restart_log);
  return Context<Composed>(std::move(block));
}

QNNPP_INLINE Result<Context<Composing>> Context<Composing>::create(const Backend<Htp>& backend,
                                                                   const ComposeOptions& options) {
  auto block = Ref<detail::ContextBlock>::make(detail::Access::block(backend), options.name);
  block->configs.priority(options.priority);
  if (options.weight_sharing) block->configs.weight_sharing();
  QNNPP_LET(create, block->provider().find<&c_api::InterfaceTable::context_create>());
  QNNPP_LET(free, block->provider().find<&c_api::InterfaceTable::context_free>());
  QNNPP_TRY(block->check_options());
  QNNPP_LET(created, block->own_created(*free, [&]() -> Result<void> {
    for (;;) {
      QNNPP_TRY(block->setup_call(name_of(c_api::Slot::context_create), block->name, *create,
                                  block->backend->backend.get().handle,
                                  block->backend->device.get().handle, block->configs.c_array(),
                                  &block->created));
      // A context with the number of a lost one holds it, and another is created (RES-05).
      const std::uintptr_t number = detail::number_of(block->created);
      const auto lost = detail::lost_contexts->find(*free, number, number);
      if (lost.block == nullptr) return {};
      detail::lost_contexts->hold(lost, block->backend.get());
      block->created = nullptr;
    }
  }));
  return Context(std::move(block));
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
