// EXPECT: a context has one owner; write std::move(context)
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

std::size_t keep(std::vector<Context<Queried>>& all, Context<Queried> context) {
#ifdef MISUSE
  const auto add = [&all](const Context<Queried>& one) { all.push_back(Context<Queried>(one)); };
  add(context);
  return all.size();
#else
  all.push_back(std::move(context));
  return all.size();
#endif
}
