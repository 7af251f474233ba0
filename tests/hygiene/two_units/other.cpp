// Every header, in the second of two units.
#include "all_headers.hpp"

std::uint32_t version_seen_by_the_other_unit();

std::uint32_t version_seen_by_the_other_unit() { return qnnpp::version_minor; }
