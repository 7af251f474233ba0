// Short text of each rule: the start of its row in docs/rules.md. The build generates the source of
// this function from that page.
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp::sim {

/// Returns the short text of a rule; NULL for a rule without a row.
[[nodiscard]] const char* rule_words(const char* rule) noexcept;

}  // namespace qnnpp::sim
