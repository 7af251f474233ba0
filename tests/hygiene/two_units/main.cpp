// Every header, in the first of two units.
#include "all_headers.hpp"

qnnpp::Errc error_seen_by_the_other_unit();

int main() {
  const auto backend = qnnpp::Backend<qnnpp::Htp>::load({.library = "libQnnNowhere.so"});
  return !backend && backend.error().kind == error_seen_by_the_other_unit() ? 0 : 1;
}
