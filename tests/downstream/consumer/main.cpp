// Uses qnnpp as a user's project does: the umbrella, with separately compiled definitions.
#include <cstdio>

#include "qnnpp/qnnpp.hpp"

int main() {
  std::printf("qnnpp %u.%u\n", qnnpp::version_major, qnnpp::version_minor);
  const auto backend = qnnpp::Backend<qnnpp::Htp>::load({.library = "libQnnNowhere.so"});
  return !backend && backend.error().kind == qnnpp::Errc::library_not_found ? 0 : 1;
}
