// Misuses of Context<Registered> and Context<Finalized>.
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

// EXPECT: the buffers are registered already; call std::move(context).finalize()
bool buffers_are_not_registered_twice(Context<Registered> context) {
#if MISUSE == 1
  return std::move(context).register_buffers({}).has_value();
#else
  return std::move(context).finalize().has_value();
#endif
}

// EXPECT: finalize() consumes the context; write std::move(context).finalize()
Result<Context<Finalized>> a_registered_context_is_finalized_as_an_rvalue(
    Context<Registered> context) {
#if MISUSE == 2
  return context.finalize();
#else
  return std::move(context).finalize();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool a_registered_context_is_not_finalized_twice(Context<Registered> context) {
#if MISUSE == 3
  const bool first = std::move(context).finalize().has_value();
  return std::move(context).finalize().has_value() && first;
#else
  return std::move(context).finalize().has_value();
#endif
}

// EXPECT: this context is already finalized
Result<Context<Finalized>> a_context_is_not_finalized_again(Context<Finalized> context) {
#if MISUSE == 4
  return std::move(context).finalize();
#else
  return context;
#endif
}

// EXPECT: buffers are registered before finalize; use Context<Deferred>::create()
bool buffers_are_not_registered_after_finalize(Context<Finalized> finalized,
                                               Context<Queried> queried) {
#if MISUSE == 5
  return finalized.register_buffers({}).has_value();
#else
  return std::move(queried).register_buffers({}).has_value();
#endif
}

// EXPECT: a context from a binary is not serialised; keep its binary
bool a_restored_context_is_not_serialised(Context<Finalized> restored, Context<Composed> composed) {
#if MISUSE == 6
  return restored.serialize().has_value();
#else
  return composed.serialize().has_value();
#endif
}

// EXPECT: a context has one owner; write std::move(context)
Context<Finalized> a_context_is_not_copied(Context<Finalized>& context) {
#if MISUSE == 7
  return Context<Finalized>(context);
#else
  return Context<Finalized>(std::move(context));
#endif
}

// EXPECT: a context has one owner; write std::move(context)
std::size_t a_context_is_not_copied_into_a_container(std::vector<Context<Queried>>& all,
                                                     Context<Queried> context) {
#if MISUSE == 8
  const auto add = [&all](const Context<Queried>& one) { all.push_back(Context<Queried>(one)); };
  add(context);
#else
  all.push_back(std::move(context));
#endif
  return all.size();
}

// EXPECT: this is a Result; test it and pass *std::move(context), or use value_or_throw()
void a_result_is_no_context_of_a_vector(std::vector<Context<Finalized>>& all,
                                        const Backend<Htp>& backend, ContextBinary binary) {
#if MISUSE == 9
  all.push_back(Context<Finalized>::restore(backend, std::move(binary)));
#else
  if (auto context = Context<Finalized>::restore(backend, std::move(binary)))
    all.push_back(*std::move(context));
#endif
}

// EXPECT: native() of a temporary would dangle; name the context first
c_api::ContextHandle the_handle_of_a_temporary_context_is_not_handed_out(
    Context<Finalized>& context) {
#if MISUSE == 10
  return std::move(context).native();
#else
  return context.native();
#endif
}

// EXPECT: graphs() of a temporary would dangle; name the context first
const std::vector<GraphSpec>& the_graphs_of_a_temporary_context_are_not_handed_out(
    Context<Finalized>& context) {
#if MISUSE == 11
  return std::move(context).graphs();
#else
  return context.graphs();
#endif
}

// EXPECT: reclaim() consumes the context; write std::move(context).reclaim()
Result<MemRegion<Weights>> weights_are_reclaimed_from_an_rvalue(Context<Finalized> context) {
#if MISUSE == 12
  return context.reclaim();
#else
  return std::move(context).reclaim();
#endif
}

// EXPECT: close() consumes the context; write std::move(context).close()
Result<void> a_context_is_closed_as_an_rvalue(Context<Finalized> context) {
#if MISUSE == 13
  return context.close();
#else
  return std::move(context).close();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool a_closed_context_is_not_used(Context<Finalized> context) {
#if MISUSE == 14
  const bool closed = std::move(context).close().has_value();
  return closed && context.name().empty();
#else
  const bool named = !context.name().empty();
  return std::move(context).close().has_value() && named;
#endif
}

// EXPECT: release() consumes the context; write std::move(context).release()
Result<c_api::ContextHandle> a_context_is_released_as_an_rvalue(Context<Finalized> context) {
#if MISUSE == 15
  return context.release();
#else
  return std::move(context).release();
#endif
}
