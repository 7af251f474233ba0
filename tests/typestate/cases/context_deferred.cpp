// Misuses of Context<Deferred>, before query().
#include "qnnpp/context/context.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"

using namespace qnnpp;

// EXPECT: a path is no backend; pass *Backend<Htp>::load({.library = path})
bool a_path_is_no_backend(ContextBinary binary) {
#if MISUSE == 1
  return Context<Deferred>::create("libQnnHtp.so", std::move(binary)).has_value();
#else
  const auto backend = Backend<Htp>::load({.library = "libQnnHtp.so"});
  return backend && Context<Deferred>::create(*backend, std::move(binary)).has_value();
#endif
}

// EXPECT: this is a Result; test it and pass *backend, or use value_or_throw()
bool a_result_is_no_backend(Result<Backend<Htp>> backend, ContextBinary binary) {
#if MISUSE == 2
  return Context<Deferred>::create(backend, std::move(binary)).has_value();
#else
  return backend && Context<Deferred>::create(*backend, std::move(binary)).has_value();
#endif
}

// EXPECT: external buffers exclude groups and switching; use Context<Finalized>::restore()
bool a_deferred_context_joins_no_group(const Backend<Htp>& backend, ContextBinary binary) {
  const ContextGroup group = ContextGroup::head(1024);
#if MISUSE == 3
  return Context<Deferred>::create(backend, std::move(binary), {.group = group}).has_value();
#else
  return Context<Finalized>::restore(backend, std::move(binary), {.group = group}).has_value();
#endif
}

// EXPECT: external buffers exclude groups and switching; use Context<Finalized>::restore()
bool a_deferred_context_does_not_switch_graphs(const Backend<Htp>& backend, ContextBinary binary) {
  const RestoreOptions options{.persistent_binary = true, .graph_switching = true};
#if MISUSE == 4
  return Context<Deferred>::create(backend, std::move(binary), options).has_value();
#else
  return Context<Finalized>::restore(backend, std::move(binary), options).has_value();
#endif
}

// EXPECT: needs are not queried; call std::move(context).query() first
std::uint64_t the_needs_of_a_deferred_context_are_not_known_before_query(
    Context<Deferred> context) {
#if MISUSE == 5
  return context.requirements().weights_bytes;
#else
  const auto queried = std::move(context).query();
  return queried ? queried->requirements().weights_bytes : 0;
#endif
}

// EXPECT: query() consumes the context; write std::move(context).query()
Result<Context<Queried>> a_deferred_context_is_queried_as_an_rvalue(Context<Deferred> context) {
#if MISUSE == 6
  return context.query();
#else
  return std::move(context).query();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool a_deferred_context_is_not_used_after_query(Context<Deferred> context) {
  const auto queried = std::move(context).query();
#if MISUSE == 7
  return queried && !context.name().empty();
#else
  return queried && !queried->name().empty();
#endif
}

// EXPECT: sizes are not known yet; call std::move(context).query() first
Result<Context<Registered>> buffers_are_not_registered_before_query(Context<Deferred> context,
                                                                    MemRegion<Weights> weights) {
#if MISUSE == 8
  return std::move(context).register_buffers({.weights = std::move(weights)});
#else
  auto queried = std::move(context).query();
  if (!queried) return fail(std::move(queried).error());
  return std::move(*queried).register_buffers({.weights = std::move(weights)});
#endif
}

// EXPECT: a deferred context has no buffers yet; query() and register_buffers() first
bool a_deferred_context_is_not_finalized_before_its_buffers(Context<Deferred> context) {
#if MISUSE == 9
  return std::move(context).finalize().has_value();
#else
  return std::move(context)
      .query()
      .and_then([](Context<Queried> queried) { return std::move(queried).register_buffers({}); })
      .and_then(transition::finalize)
      .has_value();
#endif
}

// EXPECT: a context from a binary is not serialised; keep its binary
bool a_deferred_context_is_not_serialised(Context<Deferred> deferred, Context<Composed> composed) {
#if MISUSE == 10
  return deferred.serialize().has_value();
#else
  return composed.serialize().has_value();
#endif
}

// EXPECT: these have no requirements(); pass a std::vector<Context<Queried>>
bool contexts_that_are_not_queried_share_no_spill_fill(
    const RpcmemAllocator& rpcmem, const std::vector<Context<Deferred>>& deferred,
    const std::vector<Context<Queried>>& queried) {
#if MISUSE == 11
  return SharedSpillFill::allocate(rpcmem, deferred).has_value();
#else
  return SharedSpillFill::allocate(rpcmem, queried).has_value();
#endif
}
