// Definitions of restore_list.hpp.
#pragma once

#include "qnnpp/context/restore_list.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "qnnpp/abi/context_callback.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/detail/signalled_call.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/context/detail/lost_context.hpp"
#include "qnnpp/core/detail/access.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Data of one call for many contexts: all memory that QNN received, and the reports of QNN, which
/// arrive on any thread, before or after the call returns. Each complete context keeps the data
/// alive (ASY-01, ORD-05), for late reports too.
struct ContextList : KeptForQnn {
  struct Entry {
    ContextList* list = nullptr;
    c_api::ContextHandle handle = nullptr;
    std::uint64_t status = 0;
    bool complete = false;
  };

  explicit ContextList(std::size_t count) : entries(count) {
    for (Entry& entry : entries) entry.list = this;
  }

  static void notify(c_api::ContextHandle context, c_api::GraphHandle, const char*,
                     c_api::ContextNotifyType type, void* parameter, c_api::ErrorHandle status) {
    auto& entry = *static_cast<Entry*>(parameter);
    const std::scoped_lock lock(entry.list->mutex);
    if (entry.complete) return;
    // QNN reports a failed graph before its context.
    if ((status & 0xFFFFu) != 0 && (entry.status & 0xFFFFu) == 0) entry.status = status;
    if (type != c_api::ContextNotifyType::context_init) return;
    entry.handle = context;
    entry.complete = true;
    entry.list->arrived.notify_all();
  }

  /// Waits for the reports. Returns the index of the first context without a report in time, or
  /// nothing if all are reported. Waits without a limit if the clock cannot represent the time.
  [[nodiscard]] std::optional<std::size_t> wait(std::chrono::milliseconds at_most) {
    using Clock = std::chrono::steady_clock;
    const auto now = Clock::now();
    const bool ends =
        at_most < std::chrono::floor<std::chrono::milliseconds>(Clock::time_point::max() - now);
    const auto until = ends ? now + std::max(at_most, std::chrono::milliseconds::zero())
                            : Clock::time_point::max();
    std::unique_lock lock(mutex);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto is_complete = [&] { return entries[i].complete; };
      if (!ends)
        arrived.wait(lock, is_complete);
      else if (!arrived.wait_until(lock, until, is_complete))
        return i;
    }
    return std::nullopt;
  }

  /// Whether QNN has reported on some contexts but not on all.
  [[nodiscard]] bool is_partly_reported() {
    const std::scoped_lock lock(mutex);
    std::size_t complete = 0;
    for (const Entry& entry : entries) complete += entry.complete ? 1 : 0;
    return complete != 0 && complete != entries.size();
  }

  /// Makes each block own its context, if QNN created it.
  void own(const std::vector<Ref<ContextBlock>>& all, c_api::ContextFreeFn free) {
    const std::scoped_lock lock(mutex);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (entries[i].handle != nullptr) all[i]->own(free, entries[i].handle);
  }

  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<Entry> entries;
  /// A deque, because ContextParams is not assignable and must not move.
  std::deque<c_api::ContextParams> params;
  std::vector<const c_api::ContextParams*> pointers;
  ContextConfigs configs;
  /// Blocks of a call that timed out, which live until the process ends, as the list does.
  std::vector<Ref<ContextBlock>> blocks;
};

/// Scope of the call for a list. At its end, also after an exception, every created context has an
/// owner. If QNN may still report on other contexts, the list is kept until the process ends.
class ListCall {
 public:
  ListCall(const Ref<ContextList>& list, const std::vector<Ref<ContextBlock>>& blocks,
           c_api::ContextFreeFn free) noexcept
      : list_(list), blocks_(blocks), free_(free) {}
  ListCall(const ListCall&) = delete;
  ListCall& operator=(const ListCall&) = delete;
  ~ListCall() {
    list_->own(blocks_, free_);
    if (list_->is_partly_reported()) (void)Ref<ContextList>(list_).release();
  }

 private:
  const Ref<ContextList>& list_;
  const std::vector<Ref<ContextBlock>>& blocks_;
  c_api::ContextFreeFn free_;
};

/// Makes contexts from complete blocks.
struct ListRestorer {
  [[nodiscard]] static Context<Finalized> finished(Ref<ContextBlock> block) {
    block->kept_by = nullptr;
    return Context<Finalized>(std::move(block));
  }
};

/// Error for an entry that is refused before the call (ASY-02): the system library's error for its
/// binary, or `no_metadata` if there is no system library.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
unreadable_entry(const ContextBlock& block) {
  if (block.backend->system) return block.metadata_error->error;
  return Error::make(Errc::no_metadata, "restoring a list", block.name,
                     block.metadata_error->error.message());
}

/// Step in the errors of restore_list().
inline constexpr const char* restoring_list =
    name_of(c_api::Slot::context_create_from_binary_list_async);

/// Checks the arguments of restore_list().
[[nodiscard]] QNNPP_INLINE Result<void> check_list(
    const Backend<Htp>& backend, const std::vector<ContextBinary>& binaries,
    const std::vector<std::vector<std::string>>& enabled_graphs) {
  constexpr const char* object = "list of binaries";
  if (!Access::block(backend))  // ORD-09
    return fail(Errc::invalid_argument, restoring_list, object, moved_backend);
  if (binaries.empty()) return fail(Errc::empty, restoring_list, object);
  if (!enabled_graphs.empty() && enabled_graphs.size() != binaries.size()) {
    Error error = Error::mismatch(Errc::invalid_argument, restoring_list, "lists of enabled graphs",
                                  binaries.size(), enabled_graphs.size());
    error.detail = detail::joined({enabled_graphs.size(), " lists for ", binaries.size(),
                                   " binaries; give one for each binary, or none"});
    return fail(std::move(error));
  }
  for (std::size_t i = 0; i < binaries.size(); ++i)
    if (binaries[i].bytes().empty())  // ORD-09
      return fail(Errc::invalid_argument, restoring_list, object,
                  {"binary ", i, " of ", binaries.size(), ", counted from 0: ", moved_binary});
  return {};
}

/// Makes the block of one context of a list.
[[nodiscard]] QNNPP_INLINE Result<Ref<ContextBlock>> list_entry(
    const Backend<Htp>& backend, ContextBinary binary, const RestoreListOptions& options,
    const std::vector<std::string>& enabled_graphs) {
  auto block = Ref<ContextBlock>::make(Access::block(backend), binary.name());
  block->kept_by = kept_by_load;
  block->persistent = options.persistent_binary;
  block->share_without_dlbc = options.share_without_dlbc;
  block->configs.priority(options.priority);
  if (options.persistent_binary) block->configs.persistent_binary();
  if (!enabled_graphs.empty()) block->configs.enable_graphs(enabled_graphs);
  QNNPP_TRY(block->check_options());
  block->binary = std::move(binary);
  QNNPP_TRY(block->read_metadata());
  if (block->metadata_error) return fail(unreadable_entry(*block));
  QNNPP_TRY(block->check_shared_weights());
  if (options.share_resources && block->needs.spill_fill_bytes != 0)
    QNNPP_TRY(block->check_dlbc("sharing resources in a list"));
  return block;
}

/// Checks that the context has each graph that its metadata names. After a failed load QNN may
/// report a context as made that lacks one. Errors: UNDEFINED, the code of other loads in this case
/// (RES-03); those of QnnGraph_retrieve.
[[nodiscard]] QNNPP_INLINE Result<void> check_graphs(const ContextBlock& block) {
  QNNPP_LET(retrieve, block.provider().find<&c_api::InterfaceTable::graph_retrieve>());
  for (const GraphSpec& graph : block.graphs) {
    c_api::GraphHandle handle = nullptr;
    auto found = block.call(name_of(c_api::Slot::graph_retrieve), block.name, *retrieve,
                            block.handle(), graph.name.c_str(), &handle);
    if (found && handle != nullptr) continue;
    if (!found && found.error().code != code_of(c_api::GraphError::invalid_name)) {
      std::string& detail = found.error().detail;
      detail = joined({"graph ", graph.name, detail.empty() ? "" : "; ", detail});
      return found;
    }
    Error missing = Error::from_qnn(static_cast<std::uint64_t>(c_api::CommonError::undefined),
                                    restoring_list, block.name);
    missing.detail = joined(
        {"QNN reported the context as made, but it lacks graph ", graph.name, " of its binary"});
    return fail(std::move(missing));
  }
  return {};
}

/// Completes the error of the call for a list, which names none of the contexts.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
list_error(const std::vector<Ref<ContextBlock>>& blocks, Error error, std::uint64_t logged) {
  for (const auto& block : blocks) {
    error = explain_newer(*block, std::move(error));
    if (error.kind == Errc::version_unsupported) return error;
  }
  // QNN may create the contexts on its own threads.
  if (error.kind == Errc::qnn && error.detail.empty())
    error = with_log(std::move(error), logged, LinesOf::all_threads);
  const ContextBlock& first = *blocks.front();
  if (is_exhausted(error)) name_live_contexts(error, *first.list, &first);
  return error;
}

/// Calls QNN once for all contexts of `blocks`, which then own what QNN has created, also after an
/// error, and one that was ended early. Returns the data of the call. After `timed_out` keeps the
/// blocks until the process ends.
[[nodiscard]] QNNPP_INLINE Result<Ref<ContextList>> create_list(
    const BackendBlock& parent, std::vector<Ref<ContextBlock>>& blocks,
    const RestoreListOptions& options, const CallLimits& limits,
    c_api::ContextCreateFromBinaryListAsyncFn create, c_api::ContextFreeFn free) {
  constexpr const char* step = restoring_list;
  auto list = Ref<ContextList>::make(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    QNNPP_TRY(blocks[i]->check_whole());
    const auto bytes = blocks[i]->binary->bytes();
    const c_api::ContextParamsV1 params{.config = blocks[i]->configs.c_array(),
                                        .binary_buffer = bytes.data(),
                                        .binary_buffer_size = bytes.size(),
                                        .profile = nullptr,
                                        .notify_func = &ContextList::notify,
                                        .notify_param = &list->entries[i]};
    list->params.push_back({c_api::ContextParamsVersion::v1, {params}});
    list->pointers.push_back(&list->params.back());
  }
  list->pointers.push_back(nullptr);
  if (options.share_resources) list->configs.share_resources();
  const bool to_one_graph = options.reused_io_limit_mb == io_of_one_graph;
  if (options.reused_io_limit_mb != 0 && !to_one_graph)
    list->configs.reused_io_limit_mb(options.reused_io_limit_mb);
  IoNeeds io;
  bool is_known = true;
  for (const auto& block : blocks) {
    const std::uint64_t before = io.all;
    is_known = io.add(block->graphs) && is_known;
    block->note_bytes(io.all - before);
  }
  const auto limit = limit_io(list->configs, io, to_one_graph && is_known);
  for (const auto& block : blocks) block->io_limit = limit;
  QNNPP_TRY(check_htp_options(list->configs, OptionPlace::list, parent, "list of binaries"));

  if (lost_contexts->count() != 0) {
    QNNPP_TRY(hold_lost_numbers(*blocks.front(), blocks.size()));
    // A restart that these calls have reported concerns older contexts only.
    for (const auto& block : blocks) block->epoch = Epoch::of_new_context(*parent.restart_log);
  }
  const std::string all = joined({blocks.size(), " binaries"});
  const std::uint64_t created = blocks.front()->epoch.contexts_created();
  const std::uint64_t logged = error_lines->count();
  Result<void> done;
  std::optional<std::size_t> missing;
  CallSignals signals;
  SignalledCall signalled(limits, "creating contexts", all);
  {
    const std::scoped_lock setup(parent.setup);  // THR-01: until QNN has created all contexts.
    if (limits) QNNPP_TRY(signalled.begin(parent, &signals));
    const ListCall owned(list, blocks, free);
    done = blocks.front()->call(step, all, create, parent.backend.get().handle,
                                parent.device.get().handle, list->pointers.data(),
                                list->configs.c_array(), signalled.signal());
    if (done) missing = list->wait(options.patience);
  }
  if (missing) {
    // QNN may still report, and read everything that it received.
    list->blocks = std::move(blocks);
    const ContextList& kept = *list.release();
    return fail(Errc::timed_out, step, kept.blocks[*missing]->name,
                "QNN accepted the call and has not reported on the context");
  }

  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto& entry = list->entries[i];
    if (entry.complete) blocks[i]->epoch.record(entry.status, created);
  }
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (auto made = check(list->entries[i].status, step, blocks[i]->name); !made)
      return fail(explain_refusal(
          *blocks[i], signalled.judged(blocks[i]->with_facts(
                          with_log(std::move(made).error(), logged, LinesOf::all_threads)))));
  if (!done) return fail(list_error(blocks, signalled.judged(std::move(done).error()), logged));
  for (const auto& block : blocks) {
    if (!block->context)
      return fail(Errc::invalid_argument, step, block->name,
                  "QNN reported the context as complete but gave no handle; use the libraries of "
                  "another SDK");
    QNNPP_TRY(check_graphs(*block));
  }
  return list;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

QNNPP_INLINE Result<std::vector<Context<Finalized>>> restore_list(
    const Backend<Htp>& backend, std::vector<ContextBinary> binaries,
    const RestoreListOptions& options,
    const std::vector<std::vector<std::string>>& enabled_graphs) {
  constexpr const char* step = detail::restoring_list;
  const detail::CallLimits limits(options.stop, options.at_most);
  QNNPP_TRY(detail::check_list(backend, binaries, enabled_graphs));
  const auto& parent = *detail::Access::block(backend);
  QNNPP_LET(create,
            parent.provider.find<&c_api::InterfaceTable::context_create_from_binary_list_async>());
  QNNPP_LET(free, parent.provider.find<&c_api::InterfaceTable::context_free>());

  std::vector<Ref<detail::ContextBlock>> blocks;
  for (std::size_t i = 0; i < binaries.size(); ++i) {
    QNNPP_LET(block, detail::list_entry(
                         backend, std::move(binaries[i]), options,
                         enabled_graphs.empty() ? std::vector<std::string>() : enabled_graphs[i]));
    blocks.push_back(std::move(*block));
  }
  QNNPP_LET(list, detail::try_again(step, [&] {
              auto made = detail::create_list(parent, blocks, options, limits, *create, *free);
              if (!made)
                for (const auto& block : blocks) (void)block->context.close();
              return made;
            }));
  const auto shared =
      options.share_resources ? Ref<detail::ExecutionLock>::make() : Ref<detail::ExecutionLock>();
  std::vector<Context<Finalized>> contexts;
  contexts.reserve(blocks.size());
  for (auto& block : blocks) {
    block->lock = shared;
    block->kept = *list;
    if (!options.persistent_binary) block->binary.reset();
    contexts.push_back(detail::ListRestorer::finished(std::move(block)));
  }
  return contexts;
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
