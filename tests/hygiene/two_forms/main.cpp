// A program of two sources that use qnnpp.
#include "qnnpp/core/error.hpp"

bool describes(const char* object);

int main() {
  const auto error = qnnpp::Error::make(qnnpp::Errc::empty, "a test", "an object");
  return describes("an object") && error.kind == qnnpp::Errc::empty && error.message() != "" ? 0
                                                                                             : 1;
}
