// EXPECT: graphs are still open; call std::move(context).finalize() before serialize()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

bool save(Context<Composing> context) {
#ifdef MISUSE
  return context.serialize().has_value();
#else
  const auto composed = std::move(context).finalize();
  return composed && composed->serialize().has_value();
#endif
}
