// Includes every header in the second of two units.
#include "all_headers.hpp"

qnnpp::Errc error_seen_by_the_other_unit();

qnnpp::Errc error_seen_by_the_other_unit() {
  const auto binary = qnnpp::ContextBinary::map("");
  return binary ? qnnpp::Errc::not_qnn : binary.error().kind;
}
