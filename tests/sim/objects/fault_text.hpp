// Faults from the environment: QNNPP_SIM_FAULT="QnnContext_finalize 2 1002 always; ...".
#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "qnnpp/sim/control.hpp"

namespace qnnpp::sim {

/// One entry: the function that fails, the number of the failing call (from 1 on), the answer, and
/// whether all later calls fail, too.
struct FaultText {
  std::string_view name;
  std::uint64_t at_call = 0;
  std::string_view answer;
  bool always = false;
};

template <class Number>
[[nodiscard]] bool read_number(std::string_view text, Number& number) noexcept {
  const char* const end = text.data() + text.size();
  const auto [last, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && last == end;
}

/// Parses one entry: three or four words, the second a number above 0, the fourth "always". Returns
/// nullopt for anything else.
[[nodiscard]] inline std::optional<FaultText> read_fault(std::string_view entry) {
  std::array<std::string_view, 5> words;
  std::size_t count = 0;
  while (count < words.size()) {
    const std::size_t first = entry.find_first_not_of(" \t\n");
    if (first == std::string_view::npos) break;
    entry.remove_prefix(first);
    words[count] = entry.substr(0, entry.find_first_of(" \t\n"));
    entry.remove_prefix(words[count++].size());
  }
  FaultText fault{words[0], 0, words[2], count == 4};
  if ((count != 3 && count != 4) || (count == 4 && words[3] != "always") ||
      !read_number(words[1], fault.at_call) || fault.at_call == 0)
    return std::nullopt;
  return fault;
}

/// Decides which of the two libraries that read the variable reports a malformed entry to stderr.
enum class FaultForm : std::uint8_t { reported, ignored };

/// Passes each entry of QNNPP_SIM_FAULT to `take`, which returns an error text or NULL. Prints one
/// line to stderr for each wrong entry.
template <class Take>
void read_faults(const char* text, FaultForm form, Take take) {
  std::string_view rest = text == nullptr ? "" : text;
  while (!rest.empty()) {
    const std::string_view entry = rest.substr(0, rest.find(';'));
    rest.remove_prefix(entry.size() < rest.size() ? entry.size() + 1 : rest.size());
    if (entry.find_first_not_of(" \t\n") == std::string_view::npos) continue;
    const std::optional<FaultText> fault = read_fault(entry);
    if (!fault && form == FaultForm::ignored) continue;
    const char* const wrong =
        fault ? take(*fault)
              : "write an entry as FUNCTION CALL ANSWER, optionally followed by always";
    if (wrong != nullptr)
      std::fprintf(stderr, "simulated HTP: QNNPP_SIM_FAULT: \"%.*s\": %s\n",
                   static_cast<int>(entry.size()), entry.data(), wrong);
  }
}

/// Returns the function of libcdsprpc.so with this name, if it can fail; nullopt for another name.
[[nodiscard]] inline std::optional<RpcmemCall> rpcmem_call_of(std::string_view name) noexcept {
  if (name == "rpcmem_alloc") return RpcmemCall::alloc;
  if (name == "rpcmem_alloc2") return RpcmemCall::alloc2;
  if (name == "rpcmem_to_fd") return RpcmemCall::to_fd;
  return std::nullopt;
}

/// Returns the failure that a word means for an rpcmem function; nullopt for an unknown word.
[[nodiscard]] inline std::optional<RpcmemFailure> rpcmem_failure_of(std::string_view answer,
                                                                    RpcmemCall call) noexcept {
  if (call == RpcmemCall::to_fd)
    return answer == "-1" ? std::optional{RpcmemFailure::null} : std::nullopt;
  if (answer == "NULL") return RpcmemFailure::null;
  if (answer == "MAP_FAILED") return RpcmemFailure::map_failed;
  return std::nullopt;
}

}  // namespace qnnpp::sim
