// load(): all contexts of a model in one call, by one of three ways of sharing spill-fill memory.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/model/model.hpp"
#include "qnnpp/model/progress.hpp"
#include "qnnpp/model/sharing.hpp"
#include "qnnpp/model/survey.hpp"

namespace qnnpp::model {

/// How a model is loaded.
struct LoadOptions {
  SpillFillSharing sharing = SpillFillSharing::automatic;
  /// Give each context a weights buffer of the application; where sharing is external_buffer.
  bool external_weights = true;
  /// See DeferredOptions::persistent_binary.
  bool persistent_binaries = false;
  abi::Priority priority = abi::Priority::default_;
  /// Without sharing: bring all contexts up in one call of QNN, see restore_list().
  bool in_one_call = false;
  ProgressCallback progress = {};
};

namespace detail {

/// One load. Whatever it made is released by its destructor, unless it is given to the Model.
template <DmaAllocator Allocator>
class Loader {
 public:
  Loader(const Backend<Htp>& backend, const Allocator& allocator,
         const std::vector<BinarySource>& sources, const LoadOptions& options)
      : backend_(backend), allocator_(allocator), sources_(sources), options_(options) {}

  [[nodiscard]] Result<Model> run() {
    constexpr const char* step = "loading a model";
    if (sources_.empty()) return fail(Error::make(Errc::empty, step, "list of binaries"));
    using enum SpillFillSharing;
    switch (options_.sharing) {
      case external_buffer: return with_external_buffers("asked for");
      case context_group: return as_group("asked for");
      case none: return separately("asked for");
      case automatic: break;
    }
    // Each way in turn, as long as it is refused as such; anything else is the caller's to know.
    auto model = with_external_buffers("the backend takes external buffers");
    if (model || !is_refusal(model.error())) return model;
    std::string reason = "external_buffer: " + refusal(model.error());
    model = as_group(reason);
    if (model || !is_refusal(model.error())) return model;
    return separately(reason + "; context_group: " + refusal(model.error()));
  }

 private:
  /// Whether a way of sharing is not to be had here, as opposed to a failure on the way.
  [[nodiscard]] static bool is_refusal(const Error& error) noexcept {
    switch (error.kind) {
      case Errc::capability_missing:
      case Errc::slot_missing:
      case Errc::slot_null:
      case Errc::no_metadata: return true;
      case Errc::qnn: return error.code == 1000 || error.code == 1006;
      default: return false;
    }
  }
  [[nodiscard]] static std::string refusal(const Error& error) {
    std::string text = error.object + ": " + error.step;
    if (error.kind == Errc::qnn) text += " returned " + std::to_string(error.code);
    return error.detail.empty() ? text : text + " (" + error.detail + ")";
  }

  /// Tells that a step begins. Error: `cancelled`.
  [[nodiscard]] Result<void> tell(std::size_t context, Step step) {
    if (!options_.progress) return {};
    const Progress progress{.binary = sources_[context].name,
                            .context = context,
                            .contexts = sources_.size(),
                            .step = step,
                            .bytes_done = bytes_done_,
                            .bytes_total = bytes_total_};
    if (options_.progress(progress)) return {};
    return fail(Error::make(Errc::cancelled, name_of(step), sources_[context].name));
  }

  /// Starts anew with an empty report.
  void begin(SpillFillSharing sharing, const std::string& reason) {
    report_ = {};
    report_.sharing = sharing;
    report_.reason = reason;
    report_.contexts.resize(sources_.size());
    bytes_done_ = bytes_total_ = 0;
  }

  [[nodiscard]] Result<ContextBinary> open(std::size_t i) {
    auto binary = sources_[i].open();
    if (!binary) return binary;
    ContextMemory& memory = report_.contexts[i];
    memory.name = sources_[i].name;
    memory.file_bytes = binary->bytes().size();
    bytes_total_ += memory.file_bytes;
    return binary;
  }

  template <class Options>
  [[nodiscard]] Options options_for(std::size_t i) const {
    Options options;
    options.priority = options_.priority;
    options.enabled_graphs = sources_[i].enabled_graphs;
    options.persistent_binary = options_.persistent_binaries;
    return options;
  }

  [[nodiscard]] Result<Model> with_external_buffers(const std::string& reason) {
    begin(SpillFillSharing::external_buffer, reason);
    // All are created and asked before the first buffer is allocated: one maximum.
    std::vector<Context<Queried>> queried;
    queried.reserve(sources_.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (auto go = tell(i, Step::creating); !go) return fail(std::move(go).error());
      auto binary = open(i);
      if (!binary) return fail(std::move(binary).error());
      auto created = Context<Deferred>::create(backend_, std::move(*binary),
                                               options_for<DeferredOptions>(i));
      if (!created) return fail(std::move(created).error());
      if (auto go = tell(i, Step::querying); !go) return fail(std::move(go).error());
      auto asked = std::move(*created).query();
      if (!asked) return fail(std::move(asked).error());
      // Until its turn to be finalized the binary is not read.
      if (const auto& kept = asked->control()->binary) kept->drop_pages();
      add_queried(asked->requirements(), report_.contexts[i]);
      add_told(asked->control()->graphs, asked->control()->needs, report_.contexts[i]);
      queried.push_back(std::move(*asked));
    }

    auto spill_fill = SharedSpillFill::allocate(allocator_, queried);
    if (!spill_fill) return fail(for_what(std::move(spill_fill).error(), "spill-fill of the model"));
    std::vector<Context<Finalized>> contexts;
    contexts.reserve(queried.size());
    for (std::size_t i = 0; i < queried.size(); ++i) {
      if (auto go = tell(i, Step::registering); !go) return fail(std::move(go).error());
      MemRegion<Weights> weights;
      if (options_.external_weights) {
        auto allocated = MemRegion<Weights>::allocate(allocator_, queried[i].requirements());
        if (!allocated)
          return fail(for_what(std::move(allocated).error(), "weights of " + sources_[i].name));
        weights = std::move(*allocated);
      }
      auto registered = std::move(queried[i]).register_buffers(
          {.weights = std::move(weights), .spill_fill = *spill_fill});
      if (!registered) return fail(std::move(registered).error());
      if (auto go = tell(i, Step::finalizing); !go) return fail(std::move(go).error());
      auto done = std::move(*registered).finalize();
      if (!done) return fail(std::move(done).error());
      contexts.push_back(std::move(*done));
      bytes_done_ += report_.contexts[i].file_bytes;
    }
    return Model(std::move(contexts), std::move(*spill_fill), std::move(report_));
  }

  [[nodiscard]] Result<Model> as_group(const std::string& reason) {
    begin(SpillFillSharing::context_group, reason);
    // The largest need over all contexts, before the first of them is created (GRP-01).
    std::size_t head = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (auto go = tell(i, Step::surveying); !go) return fail(std::move(go).error());
      auto memory = read_metadata(backend_, sources_[i]);
      if (!memory) return fail(std::move(memory).error());
      if (!memory->spill_fill.value)
        return fail(Error::make(Errc::no_metadata, "making a context group", sources_[i].name,
                                "the binary does not tell its spill-fill"));
      report_.contexts[i] = std::move(*memory);
      bytes_total_ += report_.contexts[i].file_bytes;
      if (report_.contexts[i].spill_fill.or_zero() > report_.contexts[head].spill_fill.or_zero())
        head = i;
    }
    const std::uint64_t largest = report_.contexts[head].spill_fill.or_zero();
    std::vector<std::optional<Context<Finalized>>> made(sources_.size());
    const auto restore = [&](std::size_t i, const ContextGroup& group) -> Result<void> {
      auto restored = restore_one(i, largest == 0 ? ContextGroup() : group);
      if (!restored) return fail(std::move(restored).error());
      made[i].emplace(std::move(*restored));
      return {};
    };
    // The one with the largest need comes first, wherever it stands in the list (GRP-02).
    if (auto done = restore(head, ContextGroup::head(largest)); !done)
      return fail(std::move(done).error());
    const ContextGroup others = largest == 0 ? ContextGroup() : made[head]->as_group_head();
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (i != head)
        if (auto done = restore(i, others); !done) return fail(std::move(done).error());
    std::vector<Context<Finalized>> contexts;
    contexts.reserve(made.size());
    for (auto& context : made) contexts.push_back(std::move(*context));
    return Model(std::move(contexts), {}, std::move(report_));
  }

  [[nodiscard]] Result<Model> separately(const std::string& reason) {
    begin(SpillFillSharing::none, reason);
    if (options_.in_one_call) return in_one_call();
    std::vector<Context<Finalized>> contexts;
    contexts.reserve(sources_.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      auto context = restore_one(i, {});
      if (!context) return fail(std::move(context).error());
      contexts.push_back(std::move(*context));
    }
    return Model(std::move(contexts), {}, std::move(report_));
  }

  [[nodiscard]] Result<Model> in_one_call() {
    std::vector<ContextBinary> binaries;
    std::vector<std::vector<std::string>> enabled_graphs;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (auto go = tell(i, Step::creating); !go) return fail(std::move(go).error());
      auto binary = open(i);
      if (!binary) return fail(std::move(binary).error());
      binaries.push_back(std::move(*binary));
      enabled_graphs.push_back(sources_[i].enabled_graphs);
    }
    auto contexts = restore_list(backend_, std::move(binaries),
                                 {.priority = options_.priority,
                                  .persistent_binary = options_.persistent_binaries},
                                 enabled_graphs);
    if (!contexts) return fail(std::move(contexts).error());
    for (std::size_t i = 0; i < contexts->size(); ++i) {
      const auto& block = *(*contexts)[i].control();
      add_told(block.graphs, block.needs, report_.contexts[i]);
    }
    return Model(std::move(*contexts), {}, std::move(report_));
  }

  [[nodiscard]] Result<Context<Finalized>> restore_one(std::size_t i, const ContextGroup& group) {
    if (auto go = tell(i, Step::creating); !go) return fail(std::move(go).error());
    const std::uint64_t total = bytes_total_;
    auto binary = open(i);
    if (!binary) return fail(std::move(binary).error());
    if (group) bytes_total_ = total;  // Surveyed before, and counted then.
    auto options = options_for<RestoreOptions>(i);
    options.group = group;
    auto restored = Context<Finalized>::restore(backend_, std::move(*binary), options);
    if (!restored) return restored;
    add_told(restored->control()->graphs, restored->control()->needs, report_.contexts[i]);
    bytes_done_ += report_.contexts[i].file_bytes;
    return restored;
  }

  /// An allocator's error names its library only.
  [[nodiscard]] static Error for_what(Error error, const std::string& what) {
    error.detail += (error.detail.empty() ? "for the " : "; for the ") + what;
    return error;
  }

  const Backend<Htp>& backend_;
  const Allocator& allocator_;
  const std::vector<BinarySource>& sources_;
  const LoadOptions& options_;
  MemoryReport report_;
  std::uint64_t bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
};

}  // namespace detail

/// Loads all contexts of a model.
///
/// With external buffers all are created deferred and asked for their needs first; then one
/// spill-fill buffer of the largest need is allocated, and each context gets its weights, is
/// registered and finalized, and drops its binary. As a group, the context with the largest need is
/// restored first and the others share QNN's own buffer with it. `automatic` takes the first of
/// these that the backend does not refuse; the report says which and why.
///
/// Errors name the binary and the step, and nothing stays behind: those of ContextBinary::map(),
/// Context and MemRegion; `no_metadata` for a group of a binary that does not tell its need;
/// `cancelled`; `empty`.
template <DmaAllocator Allocator>
[[nodiscard]] Result<Model> load(const Backend<Htp>& backend, const Allocator& allocator,
                                 const std::vector<BinarySource>& binaries,
                                 const LoadOptions& options = {}) {
  return detail::Loader<Allocator>(backend, allocator, binaries, options).run();
}

/// The same for files.
template <DmaAllocator Allocator>
[[nodiscard]] Result<Model> load(const Backend<Htp>& backend, const Allocator& allocator,
                                 const std::vector<std::string>& paths,
                                 const LoadOptions& options = {}) {
  std::vector<BinarySource> binaries;
  binaries.reserve(paths.size());
  for (const std::string& path : paths) binaries.push_back(BinarySource::file(path));
  return load(backend, allocator, binaries, options);
}

}  // namespace qnnpp::model
