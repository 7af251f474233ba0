// Misuses of Context<Composing>.
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

// EXPECT: this is a Result; test it and pass *backend, or use value_or_throw()
bool a_result_is_no_backend_to_compose_for(Result<Backend<Htp>> backend) {
#if MISUSE == 1
  return Context<Composing>::create(backend, {.name = "new"}).has_value();
#else
  return backend && Context<Composing>::create(*backend, {.name = "new"}).has_value();
#endif
}

// EXPECT: finalize() consumes the context; write std::move(context).finalize()
Result<Context<Composed>> a_composing_context_is_finalized_as_an_rvalue(
    Context<Composing> context) {
#if MISUSE == 2
  return context.finalize();
#else
  return std::move(context).finalize();
#endif
}

// EXPECT: graphs are still open; call std::move(context).finalize() before serialize()
bool a_composing_context_is_not_serialised(Context<Composing> context) {
#if MISUSE == 3
  return context.serialize().has_value();
#else
  const auto composed = std::move(context).finalize();
  return composed && composed->serialize().has_value();
#endif
}
