// Definitions of load.hpp.
#pragma once

#include "qnnpp/model/load.hpp"

#include "qnnpp/config.hpp"

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
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/detail/bring_up.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/model/survey.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model::detail {

/// One call of load(). Its destructor releases everything that was not moved to the Model. A
/// template, so that translation units without load() do not compile it.
template <class Allocator>
class Loader {
 public:
  Loader(const Backend<Htp>& backend, Allocator allocator, const std::vector<BinarySource>& sources,
         const LoadOptions& options)
      : backend_(backend), allocator_(allocator), sources_(sources), options_(options) {}

  [[nodiscard]] Result<Model> run() {
    constexpr const char* step = "loading a model";
    if (sources_.empty()) return fail(Error::make(Errc::empty, step, "list of binaries"));
    if (auto found = find_binaries(); !found) return fail(std::move(found).error());
    using enum SpillFillSharing;
    switch (options_.sharing) {
      case external_buffer: return with_external_buffers("asked for");
      case context_group: return as_group("asked for");
      case none: return separately("asked for");
      case automatic: break;
    }
    // Tries the next way only if the backend refuses the way itself; returns any other error.
    auto shared = with_external_buffers("the backend accepts external buffers");
    const Refusals refusals(options_.more_refusals);
    if (shared || !refusals.include(shared.error())) return shared;
    const std::string reason = "external_buffer: " + refusal(shared.error());
    if (states_dlbc_) return separately(reason);  // A group shares spill-fill too (BUF-18).
    auto grouped = as_group(reason);
    if (grouped || !refusals.include(grouped.error())) return grouped;
    return separately(reason + "; context_group: " + refusal(grouped.error()));
  }

 private:
  [[nodiscard]] static std::string refusal(const Error& error) {
    std::string text = error.object + ": " + error.step;
    if (error.kind == Errc::qnn) text += " returned " + std::to_string(error.code);
    return error.detail.empty() ? text : text + " (" + error.detail + ")";
  }

  /// Reports that a step begins. Error: `cancelled`.
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

  /// Reports that a context is complete. Error: `cancelled`.
  [[nodiscard]] Result<void> tell_loaded(std::size_t context) {
    bytes_done_ += report_.contexts[context].file_bytes;
    return tell(context, Step::loaded);
  }

  /// Reads the size of each binary without opening it, and compares it with the expected one.
  [[nodiscard]] Result<void> find_binaries() {
    if (options_.profile != nullptr && options_.in_one_call)
      return fail(
          Error::make(Errc::invalid_argument, "loading a model", "LoadOptions",
                      "one call for all contexts has no profile; set in_one_call to false"));
    bytes_total_ = 0;
    for (const BinarySource& source : sources_) {
      const auto bytes = source.size_bytes();
      if (!bytes) return fail(std::move(bytes).error());
      bytes_total_ += *bytes;
      if (auto fits = check_size(source, *bytes); !fits) return fits;
    }
    return {};
  }
  [[nodiscard]] const std::optional<Survey>& expected(std::size_t i) const noexcept {
    return sources_[i].expected;
  }

  /// Begins a way of sharing with an empty report.
  void begin(SpillFillSharing sharing, const std::string& reason) {
    report_ = {};
    report_.sharing = sharing;
    report_.reason = reason;
    report_.contexts.resize(sources_.size());
    bytes_done_ = 0;
  }

  [[nodiscard]] Result<ContextBinary> open(std::size_t i) {
    auto binary = open_checked(sources_[i]);
    if (!binary) return binary;
    ContextMemory& memory = report_.contexts[i];
    if (expected(i)) memory = from_manifest(expected(i)->memory);
    memory.name = sources_[i].name;
    memory.file_bytes = binary->bytes().size();
    return binary;
  }

  template <class Options>
  [[nodiscard]] Options options_for(std::size_t i) const {
    Options options;
    options.priority = options_.priority;
    options.enabled_graphs = sources_[i].enabled_graphs;
    options.persistent_binary = options_.persistent_binaries;
    options.share_without_dlbc = options_.share_without_dlbc;
    if (expected(i)) options.graphs = &expected(i)->graphs;
    options.profile = options_.profile;
    return options;
  }

  [[nodiscard]] Result<Model> with_external_buffers(const std::string& reason) {
    begin(SpillFillSharing::external_buffer, reason);
    // Queries all contexts before it allocates, because the shared buffer has the largest need.
    std::vector<Context<Queried>> queried;
    queried.reserve(sources_.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      auto asked = ask(i);
      if (!asked) return fail(std::move(asked).error());
      // The binary is not read again until its context is finalized.
      if (const auto& kept = qnnpp::detail::Access::block(*asked)->binary) kept->drop_pages();
      queried.push_back(std::move(*asked));
    }

    auto spill_fill = SharedSpillFill::allocate(allocator_, queried);
    if (!spill_fill)
      return fail(for_what(std::move(spill_fill).error(), "spill-fill of the model"));
    std::vector<Context<Finalized>> contexts;
    contexts.reserve(queried.size());
    auto& record = qnnpp::detail::Access::block(backend_)->external_weights;
    const auto choice = options_.sharing == SpillFillSharing::automatic ? WeightsChoice::automatic
                                                                        : WeightsChoice::as_asked;
    const bool is_refused = choice == WeightsChoice::automatic && expected(0) &&
                            expected(0)->external_weights == ExternalWeights::refused;
    for (std::size_t i = 0; i < queried.size(); ++i) {
      SharedSteps steps{*this, i, std::move(queried[i])};
      auto done = bring_up_shared(steps, *spill_fill, options_.external_weights && !is_refused,
                                  choice, record);
      if (!done) return fail(std::move(done).error());
      contexts.push_back(std::move(*done));
      if (auto go = tell_loaded(i); !go) return fail(std::move(go).error());
    }
    if (options_.external_weights)
      report_.external_weights = is_refused ? ExternalWeights::refused : record.get();
    return Model(std::move(contexts), std::move(*spill_fill), std::move(report_));
  }

  /// Creates a deferred context, queries its needs and adds them to the report.
  [[nodiscard]] Result<Context<Queried>> ask(std::size_t i) {
    if (auto go = tell(i, Step::creating); !go) return fail(std::move(go).error());
    auto binary = open(i);
    if (!binary) return fail(std::move(binary).error());
    auto created =
        Context<Deferred>::create(backend_, std::move(*binary), options_for<DeferredOptions>(i));
    if (!created) return fail(std::move(created).error());
    if (auto go = tell(i, Step::querying); !go) return fail(std::move(go).error());
    auto asked = std::move(*created).query();
    if (!asked) return asked;
    if (auto same = check_needs(sources_[i], asked->requirements()); !same)
      return fail(std::move(same).error());
    const auto& block = qnnpp::detail::Access::block(*asked);
    if (asked->requirements().spill_fill_bytes != 0)
      if (auto able = check_dlbc(i, *block); !able) return fail(std::move(able).error());
    add_queried(asked->requirements(), report_.contexts[i]);
    add_told(block->graphs, report_.contexts[i]);
    return asked;
  }

  /// The steps of bring_up_shared() for one context. The first try uses `asked`; later tries create
  /// a new context.
  struct SharedSteps {
    Loader& loader;
    std::size_t i;
    std::optional<Context<Queried>> asked;

    [[nodiscard]] Result<Context<Queried>> create() {
      auto context = asked ? Result<Context<Queried>>(std::move(*asked)) : loader.ask(i);
      asked.reset();
      if (!context) return context;
      if (auto go = loader.tell(i, Step::registering); !go) return fail(std::move(go).error());
      return context;
    }
    [[nodiscard]] Result<MemRegion<Weights>> allocate(const BufferRequirements& need) const {
      auto allocated = MemRegion<Weights>::allocate(loader.allocator_, need);
      if (!allocated)
        return fail(
            for_what(std::move(allocated).error(), "weights of " + loader.sources_[i].name));
      return allocated;
    }
    [[nodiscard]] Result<Context<Finalized>> finalize(Context<Registered> context) const {
      if (auto go = loader.tell(i, Step::finalizing); !go) return fail(std::move(go).error());
      return std::move(context).finalize(loader.options_.profile);
    }
  };

  [[nodiscard]] Result<Model> as_group(const std::string& reason) {
    begin(SpillFillSharing::context_group, reason);
    // A group must state its largest need when its first context is created (GRP-01).
    std::size_t head = 0;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      if (auto go = tell(i, Step::surveying); !go) return fail(std::move(go).error());
      auto memory = needs_of(i);
      if (!memory) return fail(std::move(memory).error());
      if (!memory->spill_fill.value)
        return fail(Error::make(Errc::no_metadata, "making a context group", sources_[i].name,
                                !expected(i) ? "its metadata does not state its spill-fill"
                                             : "the manifest does not state its spill-fill"));
      report_.contexts[i] = std::move(*memory);
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
    // The context with the largest need is restored first, regardless of its place (GRP-02).
    if (auto done = restore(head, ContextGroup::head(largest)); !done)
      return fail(std::move(done).error());
    const ContextGroup others = largest == 0 ? ContextGroup() : made[head]->as_group_head();
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (i != head)
        if (auto done = restore(i, others); !done) return fail(std::move(done).error());
    std::vector<Context<Finalized>> contexts;
    contexts.reserve(made.size());
    for (auto& context : made) contexts.push_back(std::move(*context));
    auto shared = qnnpp::detail::Access::make<SharedSpillFill>(
        qnnpp::detail::Access::block(contexts[head])->lock);
    return Model(std::move(contexts), std::move(shared), std::move(report_));
  }

  /// Returns the needs of a binary from the manifest without reading the binary; without a manifest
  /// from its metadata; if that lacks them, from the backend. Error: `no_metadata` with the reason,
  /// if no source states them.
  [[nodiscard]] Result<ContextMemory> needs_of(std::size_t i) const {
    if (expected(i)) {
      ContextMemory memory = from_manifest(expected(i)->memory);
      memory.name = sources_[i].name;
      return memory;
    }
    auto told = read_metadata(backend_, sources_[i]);
    if (told ? told->spill_fill.value.has_value() : tells_of_the_file(told.error())) return told;
    if (can_defer(backend_)) return survey(backend_, sources_[i]);
    if (told) return told;
    return fail(Error::make(Errc::no_metadata, "making a context group", sources_[i].name,
                            refusal(told.error())));
  }
  /// Whether an error concerns the binary, and not the library that reads it.
  [[nodiscard]] static bool tells_of_the_file(const Error& error) noexcept {
    return error.kind == Errc::file_unreadable || error.kind == Errc::empty ||
           error.kind == Errc::qnn;
  }

  /// Checks that a binary of a group needs no more spill-fill than its manifest entry. Error:
  /// `stale`, with both numbers.
  [[nodiscard]] Result<void> check_told(std::size_t i, const ContextBinary& binary) const {
    const auto& system = qnnpp::detail::Access::block(backend_)->system;
    if (!expected(i) || !system) return {};
    auto spec = system->metadata(binary.bytes(), sources_[i].name);
    if (!spec) {  // The manifest's graphs take the place of unreadable metadata (BIN-02).
      if (qnnpp::detail::have_tensors(expected(i)->graphs)) return {};
      return fail(std::move(spec).error());
    }
    keep_graphs(spec->graphs, sources_[i].enabled_graphs);
    const auto needed = spec->spill_fill_bytes();
    const std::uint64_t said = report_.contexts[i].spill_fill.or_zero();
    if (!needed || *needed <= said) return {};
    return fail(stale(sources_[i].name, *needed, said,
                      "spill-fill: the binary asks for " + std::to_string(*needed) +
                          " bytes, the manifest says " + std::to_string(said)));
  }

  /// Checks that neither the manifest nor the metadata of a context states DLBC for an enabled
  /// graph. Error: `capability_missing`.
  [[nodiscard]] Result<void> check_dlbc(std::size_t i, const qnnpp::detail::ContextBlock& context) {
    constexpr const char* step = "sharing spill-fill";
    auto able = check_manifest_dlbc(i, step).and_then([&] { return context.check_dlbc(step); });
    states_dlbc_ = !able;
    return able;
  }

  /// Checks that the manifest states DLBC for none of the enabled graphs. A context checks its own
  /// metadata too, but has none without a system library. Error: `capability_missing`.
  [[nodiscard]] Result<void> check_manifest_dlbc(std::size_t i, const char* step) const {
    if (!expected(i) || options_.share_without_dlbc) return {};
    std::vector<GraphSpec> graphs = expected(i)->graphs;
    keep_graphs(graphs, sources_[i].enabled_graphs);
    return require_no_dlbc(graphs, step, sources_[i].name);
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
    auto contexts = restore_list(
        backend_, std::move(binaries),
        {.priority = options_.priority, .persistent_binary = options_.persistent_binaries},
        enabled_graphs);
    if (!contexts) return fail(std::move(contexts).error());
    for (std::size_t i = 0; i < contexts->size(); ++i) {
      const auto& block = *qnnpp::detail::Access::block((*contexts)[i]);
      add_told(block.graphs, report_.contexts[i]);
      if (auto go = tell_loaded(i); !go) return fail(std::move(go).error());
    }
    return Model(std::move(*contexts), {}, std::move(report_));
  }

  [[nodiscard]] Result<Context<Finalized>> restore_one(std::size_t i, const ContextGroup& group) {
    if (auto go = tell(i, Step::creating); !go) return fail(std::move(go).error());
    auto binary = open(i);
    if (!binary) return fail(std::move(binary).error());
    if (report_.sharing == SpillFillSharing::context_group)
      if (auto fits = check_told(i, *binary); !fits) return fail(std::move(fits).error());
    if (group)
      if (auto able = check_manifest_dlbc(i, "joining a context group"); !able)
        return fail(std::move(able).error());
    auto options = options_for<RestoreOptions>(i);
    options.group = group;
    auto restored = Context<Finalized>::restore(backend_, std::move(*binary), options);
    if (!restored) return restored;
    add_told(qnnpp::detail::Access::block(*restored)->graphs, report_.contexts[i]);
    if (auto go = tell_loaded(i); !go) return fail(std::move(go).error());
    return restored;
  }

  /// Adds `what` to an allocator's error, which names its library only.
  [[nodiscard]] static Error for_what(Error error, const std::string& what) {
    error.detail += (error.detail.empty() ? "for the " : "; for the ") + what;
    return error;
  }

  const Backend<Htp>& backend_;
  Allocator allocator_;
  const std::vector<BinarySource>& sources_;
  const LoadOptions& options_;
  MemoryReport report_;
  bool states_dlbc_ = false;  ///< Whether DLBC excludes a context from sharing.
  std::uint64_t bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
};

QNNPP_INLINE_ON_USE Result<Model> load_all(const Backend<Htp>& backend,
                                           qnnpp::detail::AllocatorRef allocator,
                                           const std::vector<BinarySource>& binaries,
                                           const LoadOptions& options) {
  return Loader<qnnpp::detail::AllocatorRef>(backend, allocator, binaries, options).run();
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model::detail
