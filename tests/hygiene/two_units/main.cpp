// Every header, in the first of two units.
#include "all_headers.hpp"

std::uint32_t version_seen_by_the_other_unit();

int main() { return version_seen_by_the_other_unit() == qnnpp::version_minor ? 0 : 1; }
