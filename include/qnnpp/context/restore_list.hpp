// restore_list(): contexts from many binaries in one call of QNN, which brings them up as it likes.
#pragma once

#include <gsl/assert>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/context_callback.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_block.hpp"
#include "qnnpp/context/context_options.hpp"

namespace qnnpp {

namespace detail {

/// Where the reports on the contexts of a list arrive, on any thread, before or after the call
/// returns. Lives until each context's last report is there (ASY-01).
struct ContextReports {
  struct Entry {
    ContextReports* reports = nullptr;
    abi::ContextHandle handle = nullptr;
    std::uint64_t status = 0;
    bool complete = false;
  };

  explicit ContextReports(std::size_t count) : entries(count) {
    for (Entry& entry : entries) entry.reports = this;
  }

  static void notify(abi::ContextHandle context, abi::GraphHandle, const char*,
                     abi::ContextNotifyType type, void* parameter, abi::ErrorHandle status) {
    auto& entry = *static_cast<Entry*>(parameter);
    const std::scoped_lock lock(entry.reports->mutex);
    // A graph that failed is reported before its context.
    if ((status & 0xFFFFu) != 0 && (entry.status & 0xFFFFu) == 0) entry.status = status;
    if (type != abi::ContextNotifyType::context_init) return;
    entry.handle = context;
    entry.complete = true;
    entry.reports->arrived.notify_all();
  }

  void wait() {
    std::unique_lock lock(mutex);
    for (const Entry& entry : entries) arrived.wait(lock, [&] { return entry.complete; });
  }

  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<Entry> entries;
};

/// Makes complete contexts of blocks.
struct ListRestorer {
  [[nodiscard]] static Context<Finalized> finished(Ref<ContextBlock> block) {
    return Context<Finalized>(std::move(block));
  }
};

}  // namespace detail

/// How the contexts of a list are restored; see RestoreOptions.
struct RestoreListOptions {
  abi::Priority priority = abi::Priority::default_;
  bool persistent_binary = false;
  /// The contexts share resources of the device (SHARE_RESOURCES): their graphs never execute at the
  /// same time.
  bool share_resources = false;
};

/// Restores a context from each binary (QnnContext_createFromBinaryListAsync) and waits until QNN has
/// reported on all of them; binaries and options live until then (ASY-01). All or none: where one
/// fails, the others are freed. `enabled_graphs`: by binary, names of the graphs to bring up; empty,
/// or an empty list: all.
///
/// Errors: `empty`, `slot_missing`, what the C function returns, and what it reported of a context,
/// which names its binary.
[[nodiscard]] inline Result<std::vector<Context<Finalized>>> restore_list(
    const Backend<Htp>& backend, std::vector<ContextBinary> binaries,
    const RestoreListOptions& options = {},
    const std::vector<std::vector<std::string>>& enabled_graphs = {}) {
  constexpr const char* step = "QnnContext_createFromBinaryListAsync";
  if (binaries.empty()) return fail(Error::make(Errc::empty, step, "list of binaries"));
  Expects(enabled_graphs.empty() || enabled_graphs.size() == binaries.size());
  const auto& parent = *backend.control();
  const auto create =
      parent.provider.slot<&abi::InterfaceTable::context_create_from_binary_list_async>();
  const auto free = parent.provider.slot<&abi::InterfaceTable::context_free>();
  if (!create) return fail(create.error());
  if (!free) return fail(free.error());

  detail::ContextReports reports(binaries.size());
  std::vector<Ref<detail::ContextBlock>> blocks;
  // Not assignable: made in place, where they stay.
  std::deque<abi::ContextParams> params;
  std::vector<const abi::ContextParams*> pointers;
  for (std::size_t i = 0; i < binaries.size(); ++i) {
    auto block = Ref<detail::ContextBlock>::make(backend.control(), binaries[i].name());
    block->persistent = options.persistent_binary;
    if (options.priority != abi::Priority::default_) block->configs.priority(options.priority);
    if (options.persistent_binary) block->configs.persistent_binary();
    if (!enabled_graphs.empty() && !enabled_graphs[i].empty())
      block->configs.enable_graphs(enabled_graphs[i]);
    block->binary = std::move(binaries[i]);
    const auto bytes = block->binary->bytes();
    Expects(!bytes.empty());  // ORD-09: the binary was not moved from.
    params.push_back({.version = abi::ContextParamsVersion::v1,
                      .v1 = {.config = block->configs.c_array(),
                             .binary_buffer = bytes.data(),
                             .binary_buffer_size = bytes.size(),
                             .profile = nullptr,
                             .notify_func = &detail::ContextReports::notify,
                             .notify_param = &reports.entries[i]}});
    pointers.push_back(&params.back());
    blocks.push_back(std::move(block));
  }
  pointers.push_back(nullptr);

  detail::ContextConfigs of_the_list;
  if (options.share_resources) of_the_list.share_resources();
  if (auto done = blocks.front()->call(step, std::to_string(blocks.size()) + " binaries", *create,
                                       parent.backend.get().handle, parent.device.get().handle,
                                       pointers.data(), of_the_list.c_array(), nullptr);
      !done)
    return fail(std::move(done).error());
  reports.wait();

  // Every context that was made has an owner before the first failure is told.
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (reports.entries[i].handle != nullptr)
      blocks[i]->context = Owner<detail::ContextPolicy>({*free, reports.entries[i].handle, blocks[i]->birth});
  const auto shared =
      options.share_resources ? Ref<detail::ExecutionLock>::make() : Ref<detail::ExecutionLock>();
  std::vector<Context<Finalized>> contexts;
  contexts.reserve(blocks.size());
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    blocks[i]->birth.note(reports.entries[i].status);
    auto made = check(reports.entries[i].status, step, blocks[i]->name);
    if (made && !blocks[i]->context)
      made = fail(Error::make(Errc::invalid_argument, step, blocks[i]->name,
                              "reported as complete, and without a handle"));
    if (!made) return fail(std::move(made).error());
    blocks[i]->read_metadata();
    blocks[i]->lock = shared;
    if (!options.persistent_binary) blocks[i]->binary.reset();
    contexts.push_back(detail::ListRestorer::finished(std::move(blocks[i])));
  }
  return contexts;
}

}  // namespace qnnpp
