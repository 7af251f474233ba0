// EXPECT: finalize() consumes the context; write std::move(context).finalize()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Result<Context<Finalized>> step(Context<Registered> context) {
#ifdef MISUSE
  return context.finalize();
#else
  return std::move(context).finalize();
#endif
}
