// EXPECT: the buffers are registered already; call std::move(context).finalize()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool step(Context<Registered> context) {
#ifdef MISUSE
  return std::move(context).register_buffers({}).has_value();
#else
  return std::move(context).finalize().has_value();
#endif
}
