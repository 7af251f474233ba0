// EXPECT: native() of a temporary would dangle; name the context first
#include "qnnpp/context/context.hpp"

using namespace qnnpp;

c_api::ContextHandle handle_of(Context<Finalized>& context) {
#ifdef MISUSE
  return std::move(context).native();
#else
  return context.native();
#endif
}
