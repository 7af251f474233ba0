// EXPECT: this is a Result; test it and pass *std::move(context), or use value_or_throw()
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

void keep(std::vector<Context<Finalized>>& all, const Backend<Htp>& backend, ContextBinary binary) {
#ifdef MISUSE
  all.push_back(Context<Finalized>::restore(backend, std::move(binary)));
#else
  if (auto context = Context<Finalized>::restore(backend, std::move(binary)))
    all.push_back(*std::move(context));
#endif
}
