// A source that uses qnnpp; the form is that of the flags.
#include "qnnpp/core/error.hpp"

bool describes(const char* object) {
  return !qnnpp::Error::make(qnnpp::Errc::empty, "a test", object).message().empty();
}
