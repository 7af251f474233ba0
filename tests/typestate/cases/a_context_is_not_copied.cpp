// EXPECT: a context has one owner; write std::move(context)
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Context<Finalized> take(Context<Finalized>& context) {
#ifdef MISUSE
  return Context<Finalized>(context);
#else
  return Context<Finalized>(std::move(context));
#endif
}
