// Definitions of dsp_side.hpp.
#pragma once

#include "qnnpp/backend/detail/dsp_side.hpp"

#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/core/detail/joined.hpp"

// As <link.h> declares them. That header would make all programs compile what an ELF file holds.
extern "C" {
struct dl_phdr_info;
int dl_iterate_phdr(int (*callback)(struct dl_phdr_info*, std::size_t, void*), void* data);
}

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Calls `found` with the file of each loaded stub library, in the order of loading, as the loader
/// names it.
template <class Found>
[[gnu::cold, gnu::noinline]] void for_each_stub(Found found) {
  // Android lists the objects of all namespaces.
  (void)::dl_iterate_phdr(
      [](struct dl_phdr_info* object, std::size_t, void* to) {
        const char* file = nullptr;  // dlpi_name, which follows an address.
        std::memcpy(&file, reinterpret_cast<const char*>(object) + sizeof(void*), sizeof(file));
        const std::string_view path = file == nullptr ? "" : file;
        const std::string_view name = path.substr(path.rfind('/') + 1);
        if ((name.starts_with("libQnnHtpV") || name.starts_with("libQairtHtpV")) &&
            name.ends_with("Stub.so"))
          (*static_cast<Found*>(to))(path);
        return 0;
      },
      &found);
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string loaded_stubs() {
  std::string files;
  for_each_stub([&files](std::string_view path) {
    files += joined({files.empty() ? "" : ", ", in_real_folder(path)});
  });
  return files;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string_view line_of_refused_stub(
    std::span<char> line) noexcept {
  std::size_t bytes = 0;
  for_each_stub([line, &bytes](std::string_view path) {
    bytes = refused_stub.copy(line.data(), line.size());
    bytes += path.copy(line.data() + bytes, line.size() - bytes);
  });
  return {line.data(), bytes};
}

/// Returns the first name or path of a library in `text` that contains `part`; empty if there is
/// none. Libraries are named plainly, in quotation marks, or in the URI that the DSP opens.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string_view library_in(
    std::string_view text, std::string_view part) noexcept {
  constexpr std::string_view around = " \"':;,?()";
  const auto found = text.find(part);
  if (found == text.npos) return {};
  const auto before = text.find_last_of(around, found);
  const auto begin = before == text.npos ? 0 : before + 1;
  return text.substr(begin, text.find_first_of(around, found) - begin);
}

/// Returns the name of the skel library: as the log names it, or by the architecture of the stub.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string skel_name(
    std::string_view lines, std::string_view stubs) {
  std::string_view name = library_in(lines, "Skel.so");
  if (name.empty()) name = library_in(stubs, "Stub.so");
  name.remove_prefix(name.rfind('/') + 1);
  const auto kind = name.rfind('S');  // Begin of "Stub.so" or "Skel.so".
  return joined({name.empty() ? "libQnnHtpV.." : name.substr(0, kind), "Skel.so"});
}

/// Returns the text between `begin` and the next parenthesis; empty if `begin` is not there.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string_view in_parentheses(
    std::string_view text, std::string_view begin) noexcept {
  const auto found = text.find(begin);
  if (found == text.npos) return {};
  text.remove_prefix(found + begin.size());
  return text.substr(0, text.find(')'));
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string dsp_side(bool is_other_build,
                                                               std::string_view lines) {
  const std::string stubs = loaded_stubs();
  const std::string stub =
      joined({"the stub library in use is ", stubs.empty() ? "unknown" : stubs, "; "});
  const char* const set = std::getenv("ADSP_LIBRARY_PATH");
  const std::string folders = set == nullptr ? "ADSP_LIBRARY_PATH is not set; "
                                             : joined({"ADSP_LIBRARY_PATH is ", set, "; "});
  const std::string skel = joined({"the skel library (", skel_name(lines, stubs), ")"});
  const auto says = [&lines](std::string_view words) { return lines.find(words) != lines.npos; };

  if (is_other_build) {
    // "Stub lib id mismatch: expected (v2.51.0.26...), detected (v2.45.0.26...)"; for the skel,
    // host library 2.51 adds the core.
    const std::string_view needed = in_parentheses(lines, "expected (");
    const std::string_view found = in_parentheses(lines, "detected (");
    if (needed.empty() || found.empty())
      return joined({"the log does not name the library of another build; ", stub, folders});
    std::string_view before = lines.substr(0, lines.find("expected ("));
    before.remove_prefix(before.rfind(';') + 1);
    const std::string builds = joined({" is of build ", found, ", needed is ", needed, "; "});
    if (before.find("tub") != before.npos) {
      std::string_view file = "(its file is unknown)";
      if (const auto at = lines.find(refused_stub); at != lines.npos) {
        file = lines.substr(at + refused_stub.size());
        file = file.substr(0, file.find("; "));
      }
      return joined({"the stub library ", in_real_folder(file), builds,
                     "put the stub of the backend library's SDK beside the backend library; "});
    }
    return joined({skel, builds, "the DSP opens it, so its folder is unknown; ", folders, stub});
  }

  // Every such log ends with lines about the skel library, so the stub library is tested first.
  constexpr std::string_view failed = "Failed in loading stub";
  if (const auto at = lines.find(failed); at != lines.npos) {
    const std::string_view missing = library_in(lines.substr(at + failed.size()), ".so");
    if (missing.find("Stub") != missing.npos)
      return joined({"the stub library (", missing,
                     ") cannot be loaded; put the one of this SDK beside the backend library; "});
    if (missing.find("dsprpc") != missing.npos)
      return joined({"FastRPC (", missing, "), which the stub library needs, cannot be loaded; "});
    if (!missing.empty())
      return joined({missing, ", which the stub library needs, cannot be loaded; "});
  }
  if (says("loadRemoteSymbols") || says("stub") || says("Stub"))
    return joined(
        {"the stub library (libQnnHtpV..Stub.so) or FastRPC (libcdsprpc.so) cannot be loaded; ",
         stub});
  if (says("openSession") || says("skel") || says("Skel"))
    return joined({skel, " cannot be loaded on the DSP; ", folders, stub});
  return joined(
      {"the stub library is missing beside the backend library, the skel library is "
       "missing or not in ADSP_LIBRARY_PATH, FastRPC (libcdsprpc.so) cannot be reached, "
       "or the SoC is not known; ",
       stub, folders});
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
