// EXPECT: close() consumes the context; write std::move(context).close()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

Result<void> end(Context<Finalized> context) {
#ifdef MISUSE
  return context.close();
#else
  return std::move(context).close();
#endif
}
