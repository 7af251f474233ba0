// Definitions of context_loader.hpp.
#pragma once

#include "qnnpp/model/detail/context_loader.hpp"

#include <algorithm>
#include <string_view>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/model/survey.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string ContextLoader::words_of(const Error& error) {
  std::string text = qnnpp::detail::joined({error.object, ": ", error.step});
  if (error.kind == Errc::qnn) text += qnnpp::detail::joined({" returned ", error.code});
  return error.detail.empty() ? text : qnnpp::detail::joined({text, " (", error.detail, ")"});
}

QNNPP_INLINE bool ContextLoader::is_refusal(const Error& error) const noexcept {
  if (is_of_source(error)) return false;
  switch (error.kind) {
    case Errc::capability_missing:
    case Errc::slot_missing:
    case Errc::slot_null:
    case Errc::no_metadata: return true;
    case Errc::qnn:
      return error.code == code_of(c_api::CommonError::not_supported) ||
             error.code == code_of(c_api::ContextError::invalid_config) ||
             error.code == code_of(c_api::MemError::invalid_handle) ||
             error.code == code_of(c_api::MemError::unsupported_memtype);
    default: return false;
  }
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE bool ContextLoader::lacks_room(const Error& error) const {
  if (is_of_source(error)) return false;
  if (error.kind == Errc::no_file_descriptor || error.kind == Errc::misaligned) return true;
  if (!qnnpp::detail::is_exhausted(error)) return false;
  if (!qnnpp::detail::is_refused_binary(error) || !qnnpp::detail::Access::block(backend_)->system)
    return true;
  return std::none_of(sources_.begin(), sources_.end(), [&](const BinarySource& source) {
    return source.name == error.object && !read_metadata(backend_, source);
  });
}

QNNPP_INLINE ExternalWeights ContextLoader::external_weights() const noexcept {
  if (!settings_.external_weights || leaves_weights_) return ExternalWeights::untried;
  return wants_weights() ? qnnpp::detail::Access::block(backend_)->external_weights.get()
                         : ExternalWeights::refused;
}

QNNPP_INLINE bool ContextLoader::expects_refusal(
    const std::vector<BinarySource>& sources) noexcept {
  for (const BinarySource& source : sources)
    if (source.external_weights == ExternalWeights::refused) return true;
  return false;
}

// ---- For a Residency.

QNNPP_INLINE std::optional<BufferRequirements> ContextLoader::expected_needs(std::size_t i) const {
  const BinarySource& source = sources_[i];
  if (!source.expected) return {};
  const auto needs = requirements_of(source.expected->memory);
  return needs ? std::optional(*needs) : std::nullopt;
}

QNNPP_INLINE Result<void> ContextLoader::prepare(std::uint64_t budget_bytes) {
  constexpr const char* step = "making a residency";
  if (sources_.empty()) return fail(Errc::empty, step, "list of binaries");
  reason_ = accepted;
  alone_ = std::vector<unsigned char>(size());
  auto able = require_deferral();
  // A failed query does not mean that the capability is missing.
  if (!able && able.error().kind == Errc::qnn) return able;
  if (able) able = ask_all(false);
  if (!able) {
    if (!is_refusal(able.error())) return able;
    share_nothing(able.error());
    needs_ = std::vector<BufferRequirements>(size());
    for (std::size_t i = 0; i < size(); ++i) {
      auto survey = told(i);
      if (!survey) return fail(named(std::move(survey).error(), i));
      const ContextMemory& memory = survey->memory;
      if (budget_bytes != 0 && (!memory.weights.value || !memory.spill_fill.value))
        return fail(
            Errc::no_metadata, "surveying", name(i),
            "its metadata lacks weights or spill-fill, which a budget requires; state them in "
            "BinarySource::expected");
      needs_[i] = {memory.weights.or_zero(), memory.spill_fill.or_zero(), 1};
    }
  }
  const BufferRequirements largest = largest_shared();
  for (std::size_t i = 0; i < size() && budget_bytes != 0; ++i)
    if (const auto alone = sum_bytes(bytes(i), largest.spill_fill_bytes); alone > budget_bytes)
      return fail(Error::mismatch(Errc::too_large, step, name(i), alone, budget_bytes));
  return allocate_shared();
}

QNNPP_INLINE Result<Context<Finalized>> ContextLoader::load(std::size_t i,
                                                            MemRegion<Weights> weights) {
  const auto named_error = [&](Result<Context<Finalized>> context) -> Result<Context<Finalized>> {
    if (context) return context;
    Error error = named(judged(std::move(context).error(), i), i);
    name_other_contexts(error);
    return fail(std::move(error));
  };
  auto context = load_one(i, std::move(weights));
  if (!context && shares(i) && !confirmed_ && is_refusal(context.error())) {
    share_nothing(context.error());
    return named_error(restore(i));
  }
  confirmed_ = confirmed_ || (context && shares(i));
  return named_error(std::move(context));
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::uint32_t ContextLoader::facts_of(
    std::size_t i) const noexcept {
  const BinarySource& source = sources_[i];
  const bool is_checked = source.check && source.expected && source.expected->digest &&
                          source.expected->digest->kind == DigestKind::whole;
  return is_checked ? qnnpp::detail::fact::digest_matches : 0;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE void ContextLoader::name_other_contexts(
    Error& error) const {
  if (qnnpp::detail::is_exhausted(error))
    name_live_contexts(error, qnnpp::detail::Access::block(backend_)->live_contexts);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error ContextLoader::judged(Error error,
                                                                      std::size_t i) const {
  if (!qnnpp::detail::is_refused_binary(error)) return error;
  const auto metadata = read_metadata(backend_, sources_[i]);
  if (metadata || is_of_source(metadata.error())) return error;
  Error unread = metadata.error();
  unread.detail +=
      qnnpp::detail::joined({unread.detail.empty() ? "" : "; ", error.step, " returned 5005"});
  return unread;
}

// ---- For load().

QNNPP_INLINE void ContextLoader::begin(SpillFillSharing sharing, bool is_asked, std::string reason,
                                       LoadWatch& watch, bool leaves_weights) {
  helper_.stop();
  opened_.clear();
  sharing_ = sharing;
  is_asked_ = is_asked;
  leaves_weights_ = leaves_weights;
  reason_ = std::move(reason);
  watch_ = &watch;
  watch_->memory = std::vector<ContextMemory>(size());
  needs_.clear();
  deferred_.clear();
  alone_ = std::vector<unsigned char>(size());
  spill_fill_ = {};
  vtcm_backup_ = {};
  if (sharing != SpillFillSharing::external_buffer)
    leave_backup_out("the contexts have no buffers of the application");
}

QNNPP_INLINE Result<void> ContextLoader::require_deferral() const {
  return qnnpp::detail::Access::block(backend_)->require(
      c_api::PropertyKey::context_support_deferred_graph_init, "deferred graph initialisation",
      name(0));
}

QNNPP_INLINE Result<void> ContextLoader::share() {
  QNNPP_TRY(require_deferral());  // Before a binary is opened.
  QNNPP_TRY(ask_all(true));
  return allocate_shared();
}

QNNPP_INLINE void ContextLoader::share_nothing(const Error& why) {
  sharing_ = SpillFillSharing::none;
  reason_ = qnnpp::detail::joined({"external_buffer: ", words_of(why)});
  spill_fill_ = {};
  leave_backup_out("the contexts have no buffers of the application");
}

QNNPP_INLINE void ContextLoader::leave_backup_out(const std::string& why) {
  if (settings_.vtcm_backup) reason_ += qnnpp::detail::joined({"; no VTCM backup buffer: ", why});
  vtcm_backup_ = {};
}

QNNPP_INLINE Result<void> ContextLoader::ask_all(bool for_load) {
  std::optional<Error> last;
  needs_ = std::vector<BufferRequirements>(size());
  deferred_ = std::vector<std::optional<Context<Queried>>>(for_load ? size() : 0);
  for (std::size_t i = 0; i < size(); ++i) {
    // What is expected does not state the size of a VTCM backup buffer.
    if (const auto expected = expected_needs(i); expected && !for_load && !settings_.vtcm_backup) {
      needs_[i] = *expected;
      continue;
    }
    auto context = defer(i);
    if (!context) return fail(named(std::move(context).error(), i));
    needs_[i] = context->requirements();
    if (auto able = check_dlbc(i, *context); !able) {
      last = able.error();
      QNNPP_TRY(leave_alone(i, std::move(able).error()));
    } else if (for_load && !sources_[i].give) {
      // The binary is not read again until its context is finalized.
      if (const auto& kept = qnnpp::detail::Access::block(*context)->binary) kept->drop_pages();
      deferred_[i].emplace(std::move(*context));
    }
  }
  if (last && std::find(alone_.begin(), alone_.end(), 0) == alone_.end()) share_nothing(*last);
  return {};
}

QNNPP_INLINE BufferRequirements ContextLoader::largest_shared() const {
  BufferRequirements largest;
  for (std::size_t i = 0; i < size(); ++i) {
    if (!shares(i)) continue;
    largest.spill_fill_bytes = std::max(largest.spill_fill_bytes, needs_[i].spill_fill_bytes);
    largest.start_alignment = std::max(largest.start_alignment, needs_[i].start_alignment);
    largest.vtcm_backup_bytes = std::max(largest.vtcm_backup_bytes, needs_[i].vtcm_backup_bytes);
  }
  return largest;
}

QNNPP_INLINE Result<void> ContextLoader::allocate_shared() {
  if (!uses_external_buffers()) return {};
  auto spill_fill = SharedSpillFill::allocate(allocator_, largest_shared());
  if (!spill_fill)
    return fail(for_what(std::move(spill_fill).error(), "the spill-fill of the model"));
  spill_fill_ = std::move(*spill_fill);
  if (!settings_.vtcm_backup) return {};
  auto backup = SharedVtcmBackup::allocate(allocator_, largest_shared(), spill_fill_);
  if (!backup) return fail(for_what(std::move(backup).error(), "the VTCM backup of the model"));
  vtcm_backup_ = std::move(*backup);
  if (vtcm_backup_bytes() == 0)
    leave_backup_out("its size is not known; libraries before HTP 5.46 have none");
  return {};
}

// ---- One context.

QNNPP_INLINE Result<void> ContextLoader::keep(std::size_t i) {
  if (sources_[i].use != FileUse::read || !sources_[i].is_file() || copies_[i] ||
      watch_ == nullptr || settings_.persistent_binaries)
    return {};
  QNNPP_LET(binary, open_checked(sources_[i]));
  copies_[i].emplace(std::move(*binary));
  return {};
}

QNNPP_INLINE Result<ContextBinary> ContextLoader::open(std::size_t i) {
  const bool is_open = i < opened_.size() && opened_[i];
  auto binary = is_open      ? checked(sources_[i], *std::exchange(opened_[i], std::nullopt))
                : copies_[i] ? ContextBinary::borrow(copies_[i]->bytes(), name(i))
                             : open_checked(sources_[i]);
  if (!binary || watch_ == nullptr) return binary;
  ContextMemory& memory = watch_->memory[i];
  if (memory.name.empty() && sources_[i].expected)
    memory = from_manifest(sources_[i].expected->memory);
  memory.name = name(i);
  memory.file_bytes = binary->bytes().size();
  return binary;
}

QNNPP_INLINE std::uint64_t ContextLoader::io_limit_mb(bool in_one_call) const noexcept {
  return settings_.one_graph_at_a_time && takes_io_limit(backend_, in_one_call)
             ? qnnpp::detail::io_of_one_graph
             : 0;
}

template <class Options>
Options ContextLoader::options_for(std::size_t i) const {
  Options options;
  options.priority = settings_.priority;
  options.enabled_graphs = sources_[i].enabled_graphs;
  options.persistent_binary = settings_.persistent_binaries;
  options.init_acceleration = settings_.init_acceleration;
  options.share_without_dlbc = settings_.share_without_dlbc;
  options.reused_io_limit_mb = io_limit_mb(/*in_one_call=*/false);
  if (sources_[i].expected) options.graphs = &sources_[i].expected->graphs;
  if (watch_ != nullptr) options.profile = watch_->profile;
  if constexpr (requires { options.stop; }) {
    options.stop = limits_.stop();
    options.at_most = limits_.at_most();
  }
  return options;
}

QNNPP_INLINE Result<Context<Queried>> ContextLoader::defer(std::size_t i) {
  QNNPP_TRY(tell(i, LoadPhase::creating));
  QNNPP_LET(binary, open(i));
  QNNPP_LET(created, Context<Deferred>::create(backend_, std::move(*binary),
                                               options_for<DeferredOptions>(i)));
  qnnpp::detail::Access::block(*created)->kept_by = qnnpp::detail::kept_by_load;
  QNNPP_TRY(tell(i, LoadPhase::querying));
  QNNPP_LET(queried, std::move(*created).query());
  QNNPP_TRY(check_needs(sources_[i], queried->requirements()));
  if (watch_ != nullptr) {
    add_queried(queried->requirements(), watch_->memory[i]);
    const auto& block = *qnnpp::detail::Access::block(*queried);
    add_told(block.graphs, block.needs, watch_->memory[i]);
  }
  return queried;
}

QNNPP_INLINE Result<void> ContextLoader::leave_alone(std::size_t i, Error why) {
  if (is_asked_) return fail(std::move(why));
  if (!alone_[i]) reason_ += qnnpp::detail::joined({"; ", words_of(why)});
  alone_[i] = true;
  if (watch_ != nullptr) watch_->memory[i].shares_spill_fill = false;
  return {};
}

QNNPP_INLINE Result<void> ContextLoader::check_expected_dlbc(std::size_t i,
                                                             const char* step) const {
  if (!sources_[i].expected || settings_.share_without_dlbc) return {};
  std::vector<GraphSpec> graphs = sources_[i].expected->graphs;
  keep_graphs(graphs, sources_[i].enabled_graphs);
  return require_no_dlbc(graphs, step, name(i));
}

QNNPP_INLINE Result<void> ContextLoader::check_dlbc(std::size_t i,
                                                    const Context<Queried>& context) const {
  constexpr const char* step = "sharing spill-fill";
  if (context.requirements().spill_fill_bytes == 0) return {};
  return check_expected_dlbc(i, step).and_then(
      [&] { return qnnpp::detail::Access::block(context)->check_dlbc(step); });
}

QNNPP_INLINE Result<Survey> ContextLoader::read_needs(std::size_t i) {
  if (sources_[i].expected) {
    const Survey& expected = *sources_[i].expected;
    Survey survey{.memory = from_manifest(expected.memory), .graphs = {}};
    survey.graphs = std::vector<GraphSpec>(expected.graphs);
    survey.memory.name = name(i);
    return survey;
  }
  const auto tells_of_the_file = [](const Error& error) {
    return error.kind == Errc::file_unreadable || error.kind == Errc::empty ||
           error.kind == Errc::qnn;
  };
  QNNPP_TRY(keep(i));
  BinarySource source = sources_[i];
  if (copies_[i]) {
    const auto bytes = copies_[i]->bytes();
    source.bytes = bytes;
  }
  auto read = read_metadata(backend_, source);
  if (!read && is_of_source(read.error())) return read;
  const bool is_enough =
      read ? read->memory.spill_fill.value.has_value() : tells_of_the_file(read.error());
  if (is_enough || !can_defer(backend_)) return read;
  return survey(backend_, source);
}

QNNPP_INLINE Result<Survey> ContextLoader::told(std::size_t i) {
  auto survey = read_needs(i);
  if (!survey) return survey;
  ContextMemory& memory = survey->memory;
  keep_graphs(survey->graphs, sources_[i].enabled_graphs);
  if (!settings_.share_without_dlbc && !is_asked_ && memory.spill_fill.or_zero() != 0 &&
      sharing_ != SpillFillSharing::none)
    if (auto able = require_no_dlbc(survey->graphs, "joining a context group", name(i)); !able)
      (void)leave_alone(i, std::move(able).error());
  memory.shares_spill_fill = !alone_[i];
  return survey;
}

QNNPP_INLINE Result<void> ContextLoader::check_told(std::size_t i,
                                                    const ContextBinary& binary) const {
  const auto& system = qnnpp::detail::Access::block(backend_)->system;
  if (!sources_[i].expected || !system) return {};
  auto spec = system->metadata(binary.bytes(), name(i));
  if (!spec) {  // The expected graphs replace unreadable metadata (BIN-02).
    if (qnnpp::detail::have_tensors(sources_[i].expected->graphs)) return {};
    return fail(std::move(spec).error());
  }
  const auto needed = spec->spill_fill_bytes();
  const std::uint64_t said = watch_->memory[i].spill_fill.or_zero();
  if (!needed || *needed <= said) return {};
  return fail(stale(name(i), *needed, said,
                    qnnpp::detail::joined({"spill-fill: the binary asks for ", *needed,
                                           " bytes, the manifest says ", said})));
}

QNNPP_INLINE Result<void> ContextLoader::expect_at_most(const char* what, std::size_t i,
                                                        std::uint64_t needs,
                                                        std::uint64_t known) const {
  if (needs <= known) return {};
  Error error = Error::mismatch(Errc::stale, "loading a context", name(i), needs, known);
  error.detail = qnnpp::detail::joined({"needs ", needs, " bytes of ", what, ", but ", known,
                                        " were known when the residency was created"});
  return fail(std::move(error));
}

QNNPP_INLINE Result<Context<Finalized>> ContextLoader::finalize_shared(std::size_t i,
                                                                       MemRegion<Weights>& weights,
                                                                       bool with_weights,
                                                                       bool& is_alone) {
  // First of all, because the thread may read the binary of the kept context.
  Prepared prepared = helper_.take(i);
  if (prepared_.need.weights_bytes != 0) prepared = std::exchange(prepared_, {});
  // The first try uses the kept context, if any.
  std::optional<Context<Queried>> kept;
  if (!deferred_.empty()) kept = std::exchange(deferred_[i], std::nullopt);
  QNNPP_LET(queried, kept ? Result<Context<Queried>>(std::move(*kept)) : defer(i));
  if (auto able = check_dlbc(i, *queried); !able) {
    is_alone = true;
    return fail(std::move(able).error());
  }
  const BufferRequirements need = queried->requirements();
  QNNPP_TRY(expect_at_most("weights", i, need.weights_bytes, needs_[i].weights_bytes));
  QNNPP_TRY(expect_at_most("spill-fill", i, need.spill_fill_bytes, spill_fill_bytes()));
  QNNPP_TRY(tell(i, LoadPhase::registering));
  if (with_weights && !weights) {
    QNNPP_LET(allocated, weights_of(i, need, std::move(prepared)));
    weights = std::move(*allocated);
  }
  prepared = {};
  prepare_next();
  QNNPP_LET(registered, std::move(*queried).register_buffers(
                            {.weights = with_weights ? std::move(weights) : MemRegion<Weights>(),
                             .spill_fill = spill_fill_,
                             .vtcm_backup = vtcm_backup_}));
  QNNPP_TRY(tell(i, LoadPhase::finalizing));
  auto context = std::move(*registered).finalize(watch_ == nullptr ? nullptr : watch_->profile);
  if (context && vtcm_backup_)
    if (const auto backup = context->vtcm_backup(); !backup)
      leave_backup_out(words_of(backup.error()));
  return context;
}

QNNPP_INLINE Result<Context<Finalized>> ContextLoader::load_one(std::size_t i,
                                                                MemRegion<Weights> weights) {
  if (!shares(i)) return restore(i);
  auto& record = qnnpp::detail::Access::block(backend_)->external_weights;
  bool is_alone = false;
  const auto bring_up = [&](bool with_weights) {
    return qnnpp::detail::try_again(qnnpp::detail::finalization, [&] {
      return finalize_shared(i, weights, with_weights, is_alone);
    });
  };
  const bool with_weights = gives_weights();
  auto context = bring_up(with_weights);
  if (is_alone) {
    QNNPP_TRY(leave_alone(i, std::move(context).error()));
    return restore(i);
  }
  // QnnContext_finalize returns 1002 for external weights that the platform does not map, and for
  // no room.
  const bool may_be_refusal = !context && context.error().kind == Errc::qnn &&
                              context.error().code == code_of(c_api::CommonError::mem_alloc) &&
                              std::string_view(context.error().step) == qnnpp::detail::finalization;
  if (!may_be_refusal || !with_weights || is_asked_ || record.get() != ExternalWeights::untried)
    return context;
  helper_.stop();  // Frees the weights of others.
  auto without = bring_up(false);
  if (without)
    record.refuse();
  else if (qnnpp::detail::is_exhausted(without.error()))
    return context;
  return without;
}

QNNPP_INLINE Result<Context<Finalized>> ContextLoader::restore(std::size_t i,
                                                               const ContextGroup& group) {
  QNNPP_TRY(tell(i, LoadPhase::creating));
  QNNPP_TRY(keep(i));
  (void)helper_.take(i);
  QNNPP_LET(binary, open(i));
  prepare_next();
  if (sharing_ == SpillFillSharing::context_group) QNNPP_TRY(check_told(i, *binary));
  if (group) QNNPP_TRY(check_expected_dlbc(i, "joining a context group"));
  auto options = options_for<RestoreOptions>(i);
  options.group = group;
  auto restored = Context<Finalized>::restore(backend_, std::move(*binary), options);
  if (!restored) return restored;
  auto& block = *qnnpp::detail::Access::block(*restored);
  block.kept_by = qnnpp::detail::kept_by_load;
  if (watch_ != nullptr) add_told(block.graphs, block.needs, watch_->memory[i]);
  copies_[i].reset();
  return restored;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
