// A table of facts about the C API: the value in abi/, and the value in each SDK.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace qnnpp::test {

/// The SDKs, in the order of a row.
inline constexpr std::array<std::string_view, 6> sdks{"2.25.0", "2.30.0", "2.36.1",
                                                      "2.40.0", "2.43.0", "2.48.0 to 2.51.0"};

/// Marks an item that an SDK does not have.
inline constexpr std::int64_t none = -1;

/// The value in each SDK.
using Row = std::array<std::int64_t, sdks.size()>;

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
    for (const std::int64_t expected : fact.expected) total += expected != none;
  return total;
}

/// Returns one line for each SDK whose value differs.
inline std::vector<std::string> differences(std::span<const Fact> facts) {
  std::vector<std::string> lines;
  for (const Fact& fact : facts)
    for (std::size_t sdk = 0; sdk < sdks.size(); ++sdk)
      if (fact.expected[sdk] != none && fact.expected[sdk] != fact.actual)
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
