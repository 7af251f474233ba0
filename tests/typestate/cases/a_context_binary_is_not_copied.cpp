// EXPECT: a context binary has one owner; write std::move(binary)
#include "qnnpp/context/context_binary.hpp"

using namespace qnnpp;

ContextBinary take(ContextBinary& binary) {
#ifdef MISUSE
  return ContextBinary(binary);
#else
  return ContextBinary(std::move(binary));
#endif
}
