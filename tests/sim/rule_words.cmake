# cmake -DPAGE=docs/rules.md -DOUT=rule_words.cpp -P rule_words.cmake
# Writes the source of rule_words() (tables/rule_words.hpp): the id of each row, and the rule up to
# its first semicolon.
cmake_minimum_required(VERSION 3.20)
file(READ "${PAGE}" page)
# Replaces characters with a meaning in CMake lists or C++ strings.
string(REPLACE ";" "\n" page "${page}")
string(REPLACE "[" "(" page "${page}")
string(REPLACE "]" ")" page "${page}")
string(REPLACE "\\" "" page "${page}")
string(REPLACE "\"" "'" page "${page}")
string(REGEX REPLACE "\n## Tests\n.*" "" page "${page}")
string(REGEX MATCHALL "\n\\| [A-Z]+-[0-9][0-9] \\| [^|\n]+" rows "${page}")
set(entries "")
foreach(row IN LISTS rows)
  string(REGEX MATCH "\\| ([A-Z]+-[0-9][0-9]) \\| (.*[^ ])" row "${row}")
  set(id "${CMAKE_MATCH_1}")
  string(REPLACE "`" "" words "${CMAKE_MATCH_2}")
  string(APPEND entries "    {\"${id}\", \"${words}\"},\n")
endforeach()
list(LENGTH rows count)
if(count LESS 50)
  message(FATAL_ERROR "${PAGE}: only ${count} rules")
endif()
file(WRITE "${OUT}" "// Written by rule_words.cmake.
#include \"sim/tables/rule_words.hpp\"

#include <cstring>

namespace qnnpp::sim {

const char* rule_words(const char* rule) noexcept {
  static constexpr struct {
    const char* rule;
    const char* words;
  } rows[] = {
${entries}  };
  for (const auto& row : rows)
    if (std::strcmp(row.rule, rule) == 0) return row.words;
  return nullptr;
}

}  // namespace qnnpp::sim
")
