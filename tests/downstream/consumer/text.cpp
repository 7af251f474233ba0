// Uses qnnpp::format: the text of an error, before main().
#include <cstdlib>

#include "qnnpp/format.hpp"

namespace {

const bool checked = [] {
  qnnpp::Error error;
  error.kind = qnnpp::Errc::library_not_found;
  if (fmt::format("{}", error) != error.message()) std::abort();
  return true;
}();

}  // namespace
