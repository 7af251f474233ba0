// EXPECT: this is a Result; test it and pass *backend, or use value_or_throw()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool create(Result<Backend<Htp>> backend) {
#ifdef MISUSE
  return Context<Composing>::create(backend, {.name = "new"}).has_value();
#else
  return backend && Context<Composing>::create(*backend, {.name = "new"}).has_value();
#endif
}
