// A table of facts about the C API: the value in abi/, and the value in each SDK.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qnnpp::test {

/// The SDKs, in the order of a row.
inline constexpr std::array sdks{
#define SDK(name, core_minor, htp_minor, system_minor) std::string_view(name),
#include "facts/sdks.inc"
#undef SDK
};

/// Marks an item that an SDK does not have.
inline constexpr std::int64_t none = -1;

/// Marks an item of which it is not known how an SDK has it.
inline constexpr std::int64_t unseen = -2;

/// The value in each SDK.
using Row = std::array<std::int64_t, sdks.size()>;

/// Makes a row of a list, whose last value stands for all later SDKs too.
constexpr Row row(std::initializer_list<std::int64_t> values) {
  Row made{};
  const std::int64_t* value = values.begin();
  for (std::int64_t& cell : made) {
    cell = *value;
    if (value + 1 != values.end()) ++value;
  }
  return made;
}

/// One value of abi/ with the values of the SDKs.
struct Fact {
  std::string_view name;
  std::string_view what;
  std::int64_t actual = 0;
  Row expected{};
};

/// Returns the number of SDK values in a table.
inline std::size_t count(std::span<const Fact> facts) {
  std::size_t total = 0;
  for (const Fact& fact : facts)
    for (const std::int64_t expected : fact.expected) total += expected >= 0;
  return total;
}

/// Returns one line for each SDK whose value differs.
inline std::vector<std::string> differences(std::span<const Fact> facts) {
  std::vector<std::string> lines;
  for (const Fact& fact : facts)
    for (std::size_t sdk = 0; sdk < sdks.size(); ++sdk)
      if (fact.expected[sdk] >= 0 && fact.expected[sdk] != fact.actual)
        lines.push_back(std::string(fact.what) + " of " + std::string(fact.name) + " is " +
                        std::to_string(fact.actual) + ", in SDK " + std::string(sdks[sdk]) + " " +
                        std::to_string(fact.expected[sdk]));
  return lines;
}

/// Returns the items that no SDK has. Such items would pass without any comparison.
inline std::vector<std::string> unknown(std::span<const Fact> facts) {
  std::vector<std::string> names;
  for (const Fact& fact : facts)
    if (count({&fact, 1}) == 0) names.emplace_back(fact.name);
  return names;
}

}  // namespace qnnpp::test
