// Short text of each rule: the start of its sentence in docs/rules.txt. docs/rules.sh writes the
// texts to rule_words.inc.
#pragma once

#include "qnnpp/platform.hpp"

namespace qnnpp::sim {

/// Returns the short text of a rule; NULL for a rule without a row.
[[nodiscard]] const char* rule_words(const char* rule) noexcept;

}  // namespace qnnpp::sim
