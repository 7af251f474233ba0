// EXPECT: finalize() consumes the context; write std::move(context).finalize()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Result<Context<Composed>> step(Context<Composing> context) {
#ifdef MISUSE
  return context.finalize();
#else
  return std::move(context).finalize();
#endif
}
