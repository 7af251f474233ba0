// EXPECT: this context is already finalized
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Result<Context<Finalized>> step(Context<Finalized> context) {
#ifdef MISUSE
  return std::move(context).finalize();
#else
  return context;
#endif
}
