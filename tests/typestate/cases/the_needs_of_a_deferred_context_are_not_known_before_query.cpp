// EXPECT: needs are not queried; call std::move(context).query() first
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

std::uint64_t weights_bytes(Context<Deferred> context) {
#ifdef MISUSE
  return context.requirements().weights_bytes;
#else
  const auto queried = std::move(context).query();
  return queried ? queried->requirements().weights_bytes : 0;
#endif
}
