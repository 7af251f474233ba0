#include "use.hpp"

// The program is only linked with the function: it has no context to call it with.
int main() {
  bool (*volatile function)(const qnnpp::Context<qnnpp::Finalized>&) = &use;
  return function == nullptr ? 1 : 0;
}
