// Definitions of error.hpp.
#pragma once

#include "qnnpp/core/error.hpp"

#include "qnnpp/config.hpp"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/core/detail/error_hints.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

QNNPP_INLINE Error Error::from_qnn(std::uint64_t native, const char* step, std::string object) {
  Error error;
  error.kind = Errc::qnn;
  error.code = static_cast<std::uint16_t>(native & 0xFFFFu);
  error.native = native;
  error.step = step;
  error.object = std::move(object);
  return error;
}

QNNPP_INLINE Error Error::make(Errc kind, const char* step, std::string object,
                               std::string detail) {
  Error error;
  error.kind = kind;
  error.step = step;
  error.object = std::move(object);
  error.detail = std::move(detail);
  return error;
}

QNNPP_INLINE Error Error::mismatch(Errc kind, const char* step, std::string object,
                                   std::uint64_t needed, std::uint64_t found) {
  Error error = make(kind, step, std::move(object));
  error.needed = needed;
  error.found = found;
  return error;
}

namespace detail {

/// Returns whether a non-ASCII character is invisible but changes the text around it or its lines:
/// controls, direction marks and overrides, zero-width spaces. Returns false for joiners of
/// letters, because some scripts need them.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE bool is_invisible(char32_t character) noexcept {
  constexpr char32_t ranges[][2] = {{0x80, 0x9F},     {0xAD, 0xAD},      {0x61C, 0x61C},
                                    {0x180E, 0x180E}, {0x200B, 0x200B},  {0x200E, 0x200F},
                                    {0x2028, 0x202E}, {0x2060, 0x206F},  {0xFEFF, 0xFEFF},
                                    {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F}};
  for (const auto& [first, last] : ranges)
    if (character >= first && character <= last) return true;
  return false;
}

/// Returns the length in bytes of the first UTF-8 character of `text`, which is not empty. Returns
/// 0 for invalid UTF-8, a control character or an invisible character.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE std::size_t printable_bytes(std::string_view text) noexcept {
  const auto byte = [text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return first >= 0x20 && first != 0x7F ? 1 : 0;
  const std::size_t bytes = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < bytes) return 0;
  char32_t character = first & (0xFFu >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    character = character << 6 | (byte(i) & 0x3Fu);
  }
  const unsigned char second = byte(1);
  const bool is_overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool is_beyond = (first == 0xED && second > 0x9F) || (first == 0xF4 && second > 0x8F);
  return is_overlong || is_beyond || is_invisible(character) ? 0 : bytes;
}

/// Returns advice for a resource of the system that is used up; null for other values of errno.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE const char* advice_on_shortage(std::string_view step,
                                                                     int reason) noexcept {
  switch (reason) {
    case EMFILE: return "release other descriptors or raise the limit RLIMIT_NOFILE";
    case ENFILE: return "release descriptors of any process or raise the limit fs.file-max";
    case ENOMEM:
      if (step == "mmap") return "free memory or mappings, or raise the limit vm.max_map_count";
      return "free other buffers";
    case EAGAIN:
      if (step == "pthread_create")
        return "free memory, end other threads, or raise the limit RLIMIT_NPROC";
      return nullptr;
    default: return nullptr;
  }
}

/// Returns advice for a failed allocator, mmap or pthread_create.
[[nodiscard]] QNNPP_COLD QNNPP_INLINE const char* advice_on_allocation(std::string_view step,
                                                                       int reason) noexcept {
  if (const char* const advice = advice_on_shortage(step, reason)) return advice;
  switch (reason) {
    case EBADF: return "give a descriptor that stays open";
    case EACCES:
    case EPERM: return "give a descriptor that may be read, written and mapped";
    case EIO:
    case ENODEV: return "give a descriptor of memory that can be mapped";
    case ENOTTY: return "give the path of a DMA-BUF heap, such as /dev/dma_heap/system";
    case EFBIG:
    case EINVAL: return "give a size that the system allows";
    default: return "free other buffers";
  }
}

}  // namespace detail

QNNPP_COLD QNNPP_INLINE std::string escaped(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    std::size_t bytes = detail::printable_bytes(text);
    if (bytes != 0) {
      safe += text.substr(0, bytes);
    } else {
      constexpr char digits[] = "0123456789abcdef";
      const auto value = static_cast<unsigned char>(text[0]);
      safe += {'\\', 'x', digits[value >> 4], digits[value & 15]};
      bytes = 1;
    }
    text.remove_prefix(bytes);
  }
  return safe;
}

QNNPP_INLINE std::string Error::message() const {
  using std::to_string;
  const std::string why = detail.empty() ? std::string() : " (" + detail + ")";
  const std::string os = code == 0 || kind == Errc::qnn ? why
                                                        : " (errno " + to_string(code) + ": " +
                                                              std::strerror(code) + ")" + why;
  // The object, then `words`, which include the step.
  const auto line = [this](std::initializer_list<std::string_view> words) {
    std::string text = object + ": ";
    for (const std::string_view word : words) text += word;
    return escaped(text);
  };
  // The object and the step, then `words`.
  const auto at_step = [this, &line](std::initializer_list<std::string_view> words) {
    std::string text = line({step, ": "});
    for (const std::string_view word : words) text += escaped(word);
    return text;
  };
  switch (kind) {
    case Errc::qnn: {
      const detail::ErrorHint hint = detail::error_hint(code);
      // The low 16 bits of QNN_COMMON_ERROR_UNDEFINED (0x7fffffff) are not a code to show.
      if (code == code_of(c_api::CommonError::undefined))
        return line({step, " returned ", hint.name, ": ", hint.hint, why});
      return line({step, " returned ", to_string(code), hint.name[0] == '\0' ? "" : " ", hint.name,
                   ": ", hint.hint, why});
    }
    case Errc::library_not_found:
      return at_step({"the library cannot be opened; give its path or set LD_LIBRARY_PATH", why});
    case Errc::library_unusable:
      return at_step({"the file exists but cannot be loaded: ", detail,
                      "; give a library built for this platform, beside the libraries it needs"});
    case Errc::symbol_missing:
      return at_step({"the library does not export ", detail,
                      "; give the path of the SDK's library that exports it"});
    case Errc::not_qnn:
      return at_step(
          {"the library has no provider of the required kind; give the path of the "
           "target's own library",
           why});
    case Errc::version_unsupported:
      if (native != 0)  // QNN refused a binary.
        return at_step(
            {detail, "; use a library at least as new, or prepare the binary with an older SDK"});
      return at_step({"the version is not supported; use SDK 2.25 or later", why});
    case Errc::slot_missing:
      return line({step, " needs core API 2.", to_string(needed), ", this library has 2.",
                   to_string(found), "; use the libraries of a newer SDK"});
    case Errc::slot_null:
      return line({"the library does not provide ", step,
                   "; use the libraries of another SDK or do without this function", why});
    case Errc::capability_missing:
      if (found == 0) return at_step({detail, "; use another strategy"});
      return at_step({detail, ", which has core API 2.", to_string(found),
                      needed == 0 ? std::string() : "; the feature needs 2." + to_string(needed),
                      "; use the libraries of a newer SDK or another strategy"});
    case Errc::file_unreadable: {
      const char* const advice = detail::advice_on_shortage(step, code);
      return at_step({"the file cannot be read; ",
                      advice != nullptr ? advice : "check its path and its permissions", os});
    }
    case Errc::file_unwritable:
      return at_step(
          {"the file cannot be written; check its folder, permissions and free space", os});
    case Errc::empty: return at_step({"empty; give it at least one byte or element", why});
    case Errc::allocation_failed:
      return line({step, code == 0 ? " gave no memory" : " failed", needed == 0 ? "" : " for ",
                   needed == 0 ? std::string() : to_string(needed) + " bytes", "; ",
                   detail::advice_on_allocation(step, code), os});
    case Errc::sync_failed:
      return line(
          {step, " failed; do not use the memory on the CPU until another sync succeeds", os});
    case Errc::no_file_descriptor:
      if (code != 0) return line({step, " failed; give a descriptor that is open", os});
      return line({step, " gave no file descriptor; use an allocator of shareable memory", why});
    case Errc::too_large: {
      const std::string sizes =
          needed == 0 ? std::string()
                      : ": " + to_string(needed) + " bytes, at most " + to_string(found);
      return at_step({"too large", sizes, "; make it smaller or raise the limit", why});
    }
    case Errc::too_small:
      return at_step({"needs ", to_string(needed), " bytes, the buffer has ", to_string(found),
                      "; give a larger buffer"});
    case Errc::misaligned:
      if (needed == 0)
        return at_step({"begins at offset ", to_string(found),
                        " of its buffer; give a region that begins at offset 0", why});
      // The error of misaligned_start(): it knows an alignment, but no offset.
      if (!detail.empty())
        return at_step({"needs a start that is a multiple of ", to_string(needed), " bytes", why,
                        "; use memory with this alignment, and state its start alignment"});
      return at_step({"offset ", to_string(found), " is not aligned to ", to_string(needed),
                      " bytes; give an offset that is a multiple of ", to_string(needed)});
    case Errc::purpose_mismatch:
      return at_step({detail, "; allocate another buffer, as a descriptor has one purpose"});
    case Errc::overlapping:
      return at_step({detail, "; lay them out apart, or by their lifetimes with TensorArena"});
    case Errc::already_registered: return at_step({detail, "; use the registration that exists"});
    case Errc::memory_type_mismatch:
      return at_step({detail, "; prepare the graph again or retrieve it as AnyIo"});
    case Errc::wrong_architecture:
      if (!detail.empty())
        return at_step({"prepared for Hexagon v", to_string(needed), ", ", detail,
                        "; prepare it with a library of another SDK"});
      return at_step({"prepared for Hexagon v", to_string(needed), ", the device is v",
                      to_string(found), "; prepare the binary for this device"});
    case Errc::raw_memory:
      return at_step({"it is bound to raw memory", why, "; use the memory that bind() received"});
    case Errc::unknown_name: return at_step({"no such name; use one that exists", why});
    case Errc::duplicate_name: return at_step({"the name occurs twice; give each name once", why});
    case Errc::missing_tensor: return at_step({detail, "; bind memory to it"});
    case Errc::type_mismatch:
      return at_step({"types differ: ", detail, "; use one type on both sides"});
    case Errc::shape_mismatch:
      return at_step({"shapes differ: ", detail, "; use one shape on both sides"});
    case Errc::size_mismatch:
      return at_step({"needs exactly ", to_string(needed), " bytes, got ", to_string(found), why,
                      "; give exactly that many"});
    case Errc::unsupported_tensor:
      return at_step({"unsupported tensor; use dimensions above 0 and a type of known size", why});
    case Errc::foreign_object:
      return at_step(
          {detail, "; use objects of one backend and one context, and tensors of one graph"});
    case Errc::incomplete:
      return at_step({to_string(found), " of its graphs are not finalized; finalize each first"});
    case Errc::in_use:
      if (!detail.empty()) return at_step({detail, "; try again when this use has ended"});
      return at_step({to_string(found - needed),
                      " other objects still use it, and the last of them closes it; destroy them "
                      "first"});
    case Errc::would_deadlock:
      return at_step(
          {"this thread would wait for a resource that it holds itself; pass or release "
           "the resource",
           why});
    case Errc::no_metadata:
      return at_step({"its metadata is not known; put libQnnSystem.so beside the backend", why});
    case Errc::dead:
      if (!detail.empty()) return at_step({detail, "; do this before exit(), in main for example"});
      return at_step(
          {"the DSP restarted and this object's handles are invalid; create the object "
           "again",
           why});
    case Errc::cancelled:
      return line({"cancelled while ", step, ", nothing is kept; start again", why});
    case Errc::timed_out:
      return line({step, " did not end in time; try again with more time", why});
    case Errc::malformed: return at_step({"malformed: ", detail, "; correct it or make it again"});
    case Errc::stale:
      return at_step({"out of date: ", detail, "; make it again from the current files"});
    case Errc::invalid_argument: return at_step({"invalid argument; correct it", why});
  }
  return at_step({"failed", why});
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE
