// Defines rule_words(): the rows of rule_words.inc, which docs/rules.sh writes.
#include "sim/tables/rule_words.hpp"

#include <cstring>

namespace qnnpp::sim {

const char* rule_words(const char* rule) noexcept {
  static constexpr struct {
    const char* rule;
    const char* words;
  } rows[] = {
#include "sim/tables/rule_words.inc"
  };
  for (const auto& row : rows)
    if (std::strcmp(row.rule, rule) == 0) return row.words;
  return nullptr;
}

}  // namespace qnnpp::sim
