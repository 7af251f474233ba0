// EXPECT: buffers are not registered; call std::move(context).register_buffers() first
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Result<Context<Finalized>> step(Context<Queried> context) {
#ifdef MISUSE
  return std::move(context).finalize();
#else
  return std::move(context).register_buffers({}).and_then(step::finalize);
#endif
}
