// Includes every header in the first of two units, in a program that demangles names and has a
// using directive.
#include <cxxabi.h>

#include <cstdlib>
#include <string>

#include "all_headers.hpp"

using namespace qnnpp;

qnnpp::Errc error_seen_by_the_other_unit();

int main() {
  int status = 0;
  char* const name = abi::__cxa_demangle("i", nullptr, nullptr, &status);
  if (name == nullptr || name != std::string("int")) return 2;
  std::free(name);
  const auto backend = qnnpp::Backend<qnnpp::Htp>::load({.library = "libQnnNowhere.so"});
  if (backend || backend.error().kind != qnnpp::Errc::library_not_found) return 1;
  return error_seen_by_the_other_unit() == qnnpp::Errc::file_unreadable ? 0 : 3;
}
