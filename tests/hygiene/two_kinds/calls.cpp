#include "use.hpp"

// Only links the function: the program has no context to call it with.
int main() {
  bool (*volatile function)(const qnnpp::Context<qnnpp::Finalized>&) = &use;
  return function == nullptr ? 1 : 0;
}
