// EXPECT: this is a Result; test it and pass *buffer, or use value_or_throw()
#include "qnnpp/memory/shared_buffer.hpp"

using namespace qnnpp;

bool holds_much(const SharedBuffer<MultiTensor>& buffer);

bool is_large(Result<SharedBuffer<MultiTensor>> buffer) {
#ifdef MISUSE
  return holds_much(buffer);
#else
  return buffer && holds_much(*buffer);
#endif
}
