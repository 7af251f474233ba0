// Includes every header in the second of two units.
#include "all_headers.hpp"

qnnpp::Errc error_seen_by_the_other_unit();

qnnpp::Errc error_seen_by_the_other_unit() {
  const auto binary = qnnpp::ContextBinary::map("");
  if (binary) return qnnpp::Errc::not_qnn;
  const auto backend = qnnpp::Backend<qnnpp::Htp>::load({.library = "libQnnNowhere.so"});
  return backend.error().kind;
}
