// What a rule demands, in a few words: the beginning of its row in docs/rules.md. The build writes
// the source of this function from that page.
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp::sim {

/// NULL for a rule that has no row.
[[nodiscard]] const char* rule_words(const char* rule) noexcept;

}  // namespace qnnpp::sim
