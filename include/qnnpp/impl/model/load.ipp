// Definitions of load.hpp.
#pragma once

#include "qnnpp/model/load.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/context/restore_list_options.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/model/detail/context_loader.hpp"
#include "qnnpp/model/survey.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

/// One call of load(): tries the ways of sharing with a ContextLoader. Its destructor releases
/// everything that was not moved to the Model.
class Loader {
 public:
  Loader(const Backend<Htp>& backend, const qnnpp::detail::AllocatorRef& allocator,
         std::vector<BinarySource> sources, const LoadOptions& options)
      : backend_(backend),
        options_(options),
        loader_(backend, allocator, std::move(sources), options.contexts) {
    watch_.profile = options.profile;
    loader_.limit(limits_);
    watch_.tell = [this](std::size_t context, LoadPhase phase) { return tell(context, phase); };
  }
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  [[nodiscard]] Result<Model> run() {
    auto model = load();
    if (model || !qnnpp::detail::is_exhausted(model.error())) return model;
    loader_.name_other_contexts(model.error());
    std::string& detail = model.error().detail;
    // Before the lines of the log, which a long message cuts.
    if (const std::string other = other_way(); !other.empty())
      detail = qnnpp::detail::joined({other, detail.empty() ? "" : "; ", detail});
    return model;
  }

 private:
  [[nodiscard]] Result<Model> load() {
    constexpr const char* step = "loading a model";
    if (sources_.empty()) return fail(Errc::empty, step, "list of binaries");
    if (options_.profile != nullptr && options_.in_one_call != nullptr)
      return fail(Errc::invalid_argument, step, "LoadOptions",
                  "one call for all contexts has no profile; leave in_one_call null");
    using enum SpillFillSharing;
    if (options_.in_one_call != nullptr &&
        (options_.sharing == external_buffer || options_.sharing == context_group))
      return fail(Errc::invalid_argument, step, "LoadOptions",
                  {"one call restores contexts without sharing, and sharing is ",
                   name_of(options_.sharing), "; leave in_one_call null"});
    if (options_.sharing > none)
      return fail(Errc::invalid_argument, step, "LoadOptions",
                  {"sharing is ", static_cast<unsigned>(options_.sharing),
                   "; give an enumerator of SpillFillSharing"});
    for (const BinarySource& source : sources_) {
      QNNPP_LET(bytes, source.size_bytes());
      bytes_total_ += *bytes;
      QNNPP_TRY(check_size(source, *bytes));
    }
    switch (options_.sharing) {
      case external_buffer: return with_external_buffers("asked for");
      case context_group: return as_group("asked for");
      case none: return separately("asked for");
      case automatic: break;
    }
    return in_some_way();
  }

  /// A way of sharing that in_some_way() tries.
  struct Way {
    SpillFillSharing sharing;
    const char* name;             ///< What reasons and errors call it.
    bool leaves_weights = false;  ///< Leaves the weights to QNN.
  };
  /// A way that did not load.
  struct Refusal {
    const Way& way;
    Error error;
    std::vector<ContextMemory> memory;  ///< What was known of the contexts then.
    bool is_for_room;                   ///< See ContextLoader::lacks_room().
  };

  /// Loads in the first way, by preference, that the backend does not refuse and that has room.
  /// Each way begins from nothing: the one before has released what it made. Returns any other
  /// error at once, such as one of a damaged binary, a lost DSP or a cancellation.
  [[nodiscard]] Result<Model> in_some_way() {
    using enum SpillFillSharing;
    static constexpr Way ways[] = {
        {external_buffer, "external_buffer"},
        {external_buffer, "external_buffer without external weights", /*leaves_weights=*/true},
        {context_group, "context_group"},
        {none, "none"}};
    std::vector<Refusal> refusals;
    for (const Way& way : ways) {
      // Only a lack of room asks for less external memory.
      if (way.leaves_weights && (!refusals.back().is_for_room || !loader_.uses_weights())) continue;
      // A group that has nothing to share has been loaded as `none`.
      if (way.sharing == none && loader_.sharing() == none) continue;
      auto model = in(way, refusals);
      if (model) return model;
      const bool is_for_room = loader_.lacks_room(model.error());
      if (!is_for_room && !loader_.is_refusal(model.error())) return model;
      refusals.push_back({way, std::move(model).error(), std::move(watch_.memory), is_for_room});
    }
    return fail(most_telling(std::move(refusals)));
  }

  [[nodiscard]] Result<Model> in(const Way& way, const std::vector<Refusal>& refusals) {
    std::string reason;
    for (const Refusal& refusal : refusals)
      reason += qnnpp::detail::joined({reason.empty() ? "" : "; ", refusal.way.name, ": ",
                                       ContextLoader::words_of(refusal.error)});
    lacked_room_ = std::any_of(refusals.begin(), refusals.end(),
                               [](const Refusal& refusal) { return refusal.is_for_room; });
    if (reason.empty()) reason = ContextLoader::accepted;
    if (way.leaves_weights) reason += "; QNN keeps the weights";
    switch (way.sharing) {
      case SpillFillSharing::context_group: return as_group(reason);
      case SpillFillSharing::none: return separately(reason);
      default: return with_external_buffers(reason, way.leaves_weights);
    }
  }

  /// Returns the error of the way that lacked room on the device itself; else of one that lacked
  /// mappings or memory of the application; else the last. The first of its kind, and with the
  /// others named, and their codes if they differ. watch_ then has what was known in that way.
  [[nodiscard]] [[gnu::cold, gnu::noinline]] Error most_telling(std::vector<Refusal> refusals) {
    const auto rank = [](const Refusal& refusal) {
      const bool is_of_device =
          refusal.error.kind == Errc::qnn &&
          std::string_view(refusal.error.step) != name_of(c_api::Slot::mem_register);
      return !refusal.is_for_room ? 0 : is_of_device ? 2 : 1;
    };
    auto best = std::max_element(
        refusals.begin(), refusals.end(),
        [&](const Refusal& one, const Refusal& other) { return rank(one) < rank(other); });
    if (rank(*best) == 0) best = std::prev(refusals.end());
    watch_.memory = std::move(best->memory);
    if (rank(*best) == 0) return std::move(best->error);
    std::string others;
    for (const Refusal& each : refusals) {
      if (&each == &*best) continue;
      others += qnnpp::detail::joined({others.empty() ? "" : ", ", each.way.name});
      if (each.error.kind != Errc::qnn)
        others += qnnpp::detail::joined({" (", each.error.step, " failed)"});
      else if (each.error.code != best->error.code)
        others +=
            qnnpp::detail::joined({" (", each.error.step, " returned ", each.error.code, ")"});
    }
    Error error = std::move(best->error);
    if (others.empty()) return error;
    // Before the lines of the log, which a long message cuts.
    error.detail = qnnpp::detail::joined({best->way.name, " failed, and so did ", others,
                                          error.detail.empty() ? "" : "; ", error.detail});
    return error;
  }

  /// What an error for want of room adds: which way counts less in the process domains.
  [[nodiscard]] [[gnu::cold, gnu::noinline]] std::string other_way() const {
    const auto room = [](const MemoryReport& report) {
      ByteSum sum;
      for (const ContextMemory& context : report.contexts) sum.add(context.pd_estimate());
      return sum.bytes;
    };
    MemoryReport report;
    for (const ContextMemory& context : watch_.memory)
      if (context.graphs != 0) report.contexts.push_back(context);
    const std::uint64_t now = room(report);
    for (const bool in_one_call : {false, true}) {
      if (options_.contexts.one_graph_at_a_time && in_one_call == (options_.in_one_call != nullptr))
        continue;
      const std::uint64_t limited = room(with_one_graph_at_a_time(report, in_one_call));
      if (limited < now && takes_io_limit(backend_, in_one_call))
        return qnnpp::detail::joined({"one_graph_at_a_time", in_one_call ? " with in_one_call" : "",
                                      " would count ", limited, " instead of ", now, " bytes for ",
                                      report.contexts.size(), " contexts"});
    }
    return {};
  }

  /// Notes what counts in the process domains instead of all inputs and outputs, and why nothing
  /// does.
  void note_io_limits(const std::vector<Context<Finalized>>& contexts, std::string& reason) {
    const auto limit_of = [&](std::size_t i) -> const auto& {
      return qnnpp::detail::Access::block(contexts[i])->io_limit;
    };
    bool is_any = false;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      const auto& limit = limit_of(i);
      if (!limit) continue;
      is_any = true;
      const bool is_counted = i != 0 && limit_of(i - 1).get() == limit.get();
      watch_.memory[i].io_limit = {is_counted ? 0 : limit->limit_bytes, SizeSource::metadata};
    }
    if (is_any || !options_.contexts.one_graph_at_a_time) return;
    reason += "; one_graph_at_a_time: no gain ";
    if (takes_io_limit(backend_, options_.in_one_call != nullptr))
      reason += "with these graphs";
    else
      reason += takes_io_limit(backend_, true) ? "on this version, but with in_one_call"
                                               : "on this version";
  }

  /// Reports that a phase begins, or that a context is complete. Error: `cancelled`.
  [[gnu::noinline]] [[nodiscard]] Result<void> tell(std::size_t context, LoadPhase phase) const {
    QNNPP_TRY(limits_.check(name_of(phase), sources_[context].name));
    if (!options_.progress) return {};
    // The sizes of binaries that a function gives are known once it has given them.
    std::uint64_t bytes_total = bytes_total_;
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (sources_[i].give && !sources_[i].expected) bytes_total += watch_.memory[i].file_bytes;
    const Progress progress{.binary = sources_[context].name,
                            .context = context,
                            .contexts = sources_.size(),
                            .phase = phase,
                            .bytes_done = bytes_done_,
                            .bytes_total = bytes_total};
    if (options_.progress(progress)) return {};
    return fail(Errc::cancelled, name_of(phase), sources_[context].name);
  }

  [[gnu::noinline]] void begin(SpillFillSharing sharing, const std::string& reason,
                               bool leaves_weights = false) {
    loader_.begin(sharing, options_.sharing != SpillFillSharing::automatic, reason, watch_,
                  leaves_weights);
    bytes_done_ = 0;
  }

  /// Adds a loaded context. Error: `cancelled`.
  [[nodiscard]] Result<void> loaded(std::size_t i) {
    bytes_done_ += watch_.memory[i].file_bytes;
    return tell(i, LoadPhase::loaded);
  }

  [[nodiscard]] Result<Model> finish(std::vector<Context<Finalized>> contexts,
                                     SharedSpillFill spill_fill) {
    for (std::size_t i = 0; i < contexts.size(); ++i)
      watch_.memory[i].acceleration = contexts[i].acceleration();
    std::string reason = loader_.reason();
    note_io_limits(contexts, reason);
    MemoryReport report{.sharing = loader_.sharing(),
                        .reason = std::move(reason),
                        .vtcm_backup_bytes = loader_.vtcm_backup_bytes(),
                        .contexts = std::move(watch_.memory),
                        .lost_bytes = qnnpp::detail::lost_contexts->bytes()};
    if (report.sharing == SpillFillSharing::external_buffer)
      report.external_weights = loader_.external_weights();
    return Model(std::move(contexts), std::move(spill_fill), std::move(report));
  }

  [[nodiscard]] Result<Model> with_external_buffers(const std::string& reason,
                                                    bool leaves_weights = false) {
    begin(SpillFillSharing::external_buffer, reason, leaves_weights);
    // Queries all contexts before it allocates, because the shared buffer has the largest need.
    QNNPP_TRY(loader_.share());
    return each_alone();
  }

  [[nodiscard]] Result<Model> separately(const std::string& reason) {
    begin(SpillFillSharing::none, reason);
    return options_.in_one_call != nullptr ? in_one_call() : each_alone();
  }

  [[nodiscard]] Result<Model> each_alone() {
    std::vector<Context<Finalized>> contexts;
    contexts.reserve(sources_.size());
    loader_.prepare_ahead(options_.ahead);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      QNNPP_LET(context, loader_.load_one(i));
      contexts.push_back(std::move(*context));
      QNNPP_TRY(loaded(i));
    }
    return finish(std::move(contexts), loader_.spill_fill());
  }

  [[nodiscard]] Result<Model> as_group(const std::string& reason) {
    begin(SpillFillSharing::context_group, reason);
    // A group must state its largest need when its first context is created (GRP-01).
    std::size_t head = 0;
    std::uint64_t largest = 0;
    bool spills = false;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      QNNPP_TRY(tell(i, LoadPhase::surveying));
      auto survey = loader_.told(i);
      if (!survey) return fail(for_group(std::move(survey).error(), i));
      const std::optional<std::uint64_t> bytes = survey->memory.spill_fill.value;
      if (!bytes)
        return fail(Errc::no_metadata, "making a context group", sources_[i].name,
                    sources_[i].expected ? "the manifest does not state its spill-fill"
                                         : "its metadata does not state its spill-fill");
      spills = spills || *bytes != 0;
      if (loader_.shares(i) && *bytes > largest) {
        largest = *bytes;
        head = i;
      }
      watch_.memory[i] = std::move(survey->memory);
    }
    if (!spills && options_.sharing == SpillFillSharing::automatic)
      return separately(lacked_room_ ? reason + "; no context spills" : "no context spills");
    if (options_.sharing == SpillFillSharing::automatic && backend_.is_emulation())
      return separately((lacked_room_ ? reason + "; " : std::string()) +
                        "the library emulates the HTP and shares no memory");
    std::vector<std::optional<Context<Finalized>>> made(sources_.size());
    const auto restore = [&](std::size_t i, const ContextGroup& group) -> Result<void> {
      const bool joins = largest != 0 && loader_.shares(i);
      QNNPP_LET(restored, loader_.restore(i, joins ? group : ContextGroup()));
      made[i].emplace(std::move(*restored));
      return loaded(i);
    };
    // The context with the largest need is restored first, regardless of its index (GRP-02).
    loader_.prepare_ahead(options_.ahead, head);
    QNNPP_TRY(restore(head, ContextGroup::head(largest)));
    const ContextGroup others = largest == 0 ? ContextGroup() : made[head]->as_group_head();
    for (std::size_t i = 0; i < sources_.size(); ++i)
      if (i != head) QNNPP_TRY(restore(i, others));
    std::vector<Context<Finalized>> contexts;
    contexts.reserve(made.size());
    for (auto& context : made) contexts.push_back(std::move(*context));
    auto shared = qnnpp::detail::Access::make<SharedSpillFill>(
        qnnpp::detail::Access::block(contexts[head])->lock);
    return finish(std::move(contexts), std::move(shared));
  }
  /// Returns an error that concerns the binary or the process as it is, and one of the library that
  /// reads it as `no_metadata`.
  [[nodiscard]] Error for_group(Error error, std::size_t i) const {
    if (ContextLoader::is_of_source(error) || error.kind == Errc::file_unreadable ||
        error.kind == Errc::empty || error.kind == Errc::qnn || error.kind == Errc::dead ||
        error.kind == Errc::foreign_process)
      return error;
    return Error::make(Errc::no_metadata, "making a context group", sources_[i].name,
                       ContextLoader::words_of(error));
  }

  [[nodiscard]] Result<Model> in_one_call() {
    std::vector<ContextBinary> binaries;
    std::vector<std::vector<std::string>> enabled_graphs(sources_.size());
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      QNNPP_TRY(tell(i, LoadPhase::creating));
      QNNPP_LET(binary, loader_.open(i));
      binaries.push_back(std::move(*binary));
      enabled_graphs[i] = sources_[i].enabled_graphs;
    }
    QNNPP_LET(contexts,
              options_.in_one_call(backend_, std::move(binaries),
                                   {.priority = options_.contexts.priority,
                                    .persistent_binary = options_.contexts.persistent_binaries,
                                    .reused_io_limit_mb = loader_.io_limit_mb(/*in_one_call=*/true),
                                    .stop = options_.stop,
                                    .at_most = limits_.at_most()},
                                   enabled_graphs));
    if (contexts->size() != sources_.size())
      return fail(Errc::invalid_argument, "loading a model", "in_one_call",
                  {"it restores ", contexts->size(), " of ", sources_.size(),
                   " contexts; restore one for each binary"});
    for (std::size_t i = 0; i < contexts->size(); ++i) {
      const auto& block = *qnnpp::detail::Access::block((*contexts)[i]);
      add_told(block.graphs, block.needs, watch_.memory[i]);
      QNNPP_TRY(loaded(i));
    }
    return finish(std::move(*contexts), {});
  }

  const Backend<Htp>& backend_;
  const LoadOptions& options_;
  const qnnpp::detail::CallLimits limits_{options_.stop, options_.at_most};
  LoadWatch watch_;
  ContextLoader loader_;
  const std::vector<BinarySource>& sources_ = loader_.sources();
  std::uint64_t bytes_done_ = 0;
  std::uint64_t bytes_total_ = 0;
  bool lacked_room_ = false;  ///< Whether a way before lacked room, so that the reason names it.
};

QNNPP_INLINE Result<Model> load_all(const Backend<Htp>& backend,
                                    qnnpp::detail::AllocatorRef allocator,
                                    std::vector<BinarySource> binaries,
                                    const LoadOptions& options) {
  return Loader(backend, allocator, std::move(binaries), options).run();
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
