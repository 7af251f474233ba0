// Definitions of error.hpp.
#pragma once

#include "qnnpp/core/error.hpp"

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/core/detail/error_names.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error Error::from_qnn(std::uint64_t native,
                                                                const char* step,
                                                                std::string_view object) {
  Error error;
  error.kind = Errc::qnn;
  error.code = static_cast<std::uint16_t>(native & 0xFFFFu);
  error.native = native;
  error.step = step;
  error.object = object;
  return error;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error Error::make(Errc kind, const char* step,
                                                            std::string_view object,
                                                            std::string_view detail) {
  Error error;
  error.kind = kind;
  error.step = step;
  error.object = object;
  error.detail = detail;
  return error;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
Error::make(Errc kind, const char* step, std::string_view object,
            std::initializer_list<detail::TextPiece> detail) {
  Error error = make(kind, step, object);
  error.detail = detail::joined(detail);
  return error;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error Error::mismatch(Errc kind, const char* step,
                                                                std::string_view object,
                                                                std::uint64_t needed,
                                                                std::uint64_t found) {
  Error error = make(kind, step, object);
  error.needed = needed;
  error.found = found;
  return error;
}

namespace detail {

/// Returns whether a non-ASCII character is invisible but changes the text around it or its lines:
/// controls, direction marks and overrides, zero-width spaces. Returns false for joiners of
/// letters, because some scripts need them.
[[nodiscard]] QNNPP_INLINE bool is_invisible(char32_t character) noexcept {
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
[[nodiscard]] QNNPP_INLINE std::size_t printable_bytes(std::string_view text) noexcept {
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
[[nodiscard]] QNNPP_INLINE const char* advice_on_shortage(std::string_view step,
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
[[nodiscard]] QNNPP_INLINE const char* advice_on_allocation(std::string_view step,
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

/// Sentence of a kind of error. Error::message() puts the values of an error for the names in
/// braces; value_of() has the names.
struct ErrorSentence {
  Errc kind;
  const char* text;
};
// clang-format off: one string for each sentence
inline constexpr ErrorSentence error_sentences[] = {
    {Errc::qnn, "{step} returned {returned}: {hint}{why}"},
    {Errc::library_not_found, "{step}: the library cannot be opened; give its path or set LD_LIBRARY_PATH{why}"},
    {Errc::library_unusable, "{step}: the file exists but cannot be loaded: {detail}; give a library built for this platform, "
                             "beside the libraries it needs"},
    {Errc::symbol_missing, "{step}: the library does not export {detail}; give the path of the SDK's library that exports it"},
    {Errc::not_qnn, "{step}: the library has no provider of the required kind; give the path of the target's own library{why}"},
    {Errc::version_unsupported, "{step}: the version is not supported; use SDK 2.25 or later{why}"},
    {Errc::slot_missing, "{step} needs core API 2.{needed}, this library has 2.{found}; use the libraries of a newer SDK"},
    {Errc::slot_null, "the library does not provide {step}; use the libraries of another SDK or do without this function{why}"},
    {Errc::capability_missing, "{step}: {detail}, which has core API 2.{found}; the feature needs 2.{needed}; use the libraries "
                               "of a newer SDK or another strategy"},
    {Errc::file_unreadable, "{step}: the file cannot be read; {advice}{os}"},
    {Errc::file_unwritable, "{step}: the file cannot be written; check its folder, permissions and free space{os}"},
    {Errc::empty, "{step}: empty; give it at least one byte or element{why}"},
    {Errc::allocation_failed, "{step} failed{bytes}; {advice}{os}"},
    {Errc::sync_failed, "{step} failed; do not use the memory on the CPU until another sync succeeds{os}"},
    {Errc::no_file_descriptor, "{step} gave no file descriptor; use an allocator of shareable memory{why}"},
    {Errc::too_large, "{step}: too large: {needed} bytes, at most {found}; make it smaller or raise the limit{why}"},
    {Errc::too_small, "{step}: needs {needed} bytes, the buffer has {found}; give a larger buffer"},
    {Errc::misaligned, "{step}: offset {found} is not aligned to {needed} bytes; give an offset that is a multiple of {needed}"},
    {Errc::purpose_mismatch, "{step}: {detail}; allocate another buffer, as a descriptor has one purpose"},
    {Errc::overlapping, "{step}: {detail}; lay them out apart, or by their lifetimes with TensorArena"},
    {Errc::already_registered, "{step}: {detail}; use the registration that exists"},
    {Errc::memory_type_mismatch, "{step}: {detail}; prepare the graph again or retrieve it as AnyIo"},
    {Errc::wrong_architecture, "{step}: prepared for Hexagon v{needed}, the device is v{found}; prepare the binary for this "
                               "device"},
    {Errc::raw_memory, "{step}: it is bound to raw memory{why}; use the memory that bind() received"},
    {Errc::unknown_name, "{step}: no such name; use one that exists{why}"},
    {Errc::duplicate_name, "{step}: the name occurs twice; give each name once{why}"},
    {Errc::missing_tensor, "{step}: {detail}; bind memory to it"},
    {Errc::unwritten_input, "{step}: {detail}; open it with input<T>(\"{object}\") and write it"},
    {Errc::wrong_order, "{step}: {detail}; put that graph first, or list the input in PipelineOptions::inputs to write it yourself"},
    {Errc::type_mismatch, "{step}: types differ: {detail}; use one type on both sides"},
    {Errc::shape_mismatch, "{step}: shapes differ: {detail}; use one shape on both sides"},
    {Errc::size_mismatch, "{step}: needs exactly {needed} bytes, got {found}{why}; give exactly that many"},
    {Errc::unsupported_tensor, "{step}: unsupported tensor; use dimensions above 0 and a type of known size{why}"},
    {Errc::foreign_object, "{step}: {detail}; use objects of one backend and one context, and tensors of one graph"},
    {Errc::incomplete, "{step}: {found} of its graphs are not finalized; finalize each first"},
    {Errc::in_use, "{step}: {uses} it, and the last of them closes it; destroy them first{why}"},
    {Errc::would_deadlock, "{step}: this thread would wait for a resource that it holds itself; pass or release the resource"
                           "{why}"},
    {Errc::no_metadata, "{step}: its metadata is not known; put libQnnSystem.so beside the backend{why}"},
    {Errc::dead, "{step}: the DSP restarted and this object's handles are invalid; create the object again{why}"},
    {Errc::foreign_process, "{step}: this process was forked, and QNN's objects belong to its parent; fork before the first "
                            "Backend::load(), or call exec() in the child{why}"},
    {Errc::cancelled, "cancelled while {step}, nothing is kept; start again{why}"},
    {Errc::timed_out, "{step} did not end in time; try again with more time{why}"},
    {Errc::malformed, "{step}: malformed: {detail}; correct it or make it again"},
    {Errc::stale, "{step}: out of date: {detail}; make it again from the current files"},
    {Errc::invalid_argument, "{step}: {detail}; compare it with its documentation"},
};
// clang-format on

/// Returns the sentence of an error. Some kinds have another one for some of their errors.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string_view sentence_of(
    const Error& error) noexcept {
  const bool has_detail = !error.detail.empty();
  if (error.kind == Errc::version_unsupported && error.native != 0)  // QNN refused a binary.
    return "{step}: {detail}; use a library at least as new, or prepare the binary with an older "
           "SDK";
  if (error.kind == Errc::capability_missing && error.found == 0)
    return error.detail.find("; ") != std::string::npos ? "{step}: {detail}"
                                                        : "{step}: {detail}; use another strategy";
  // The first names a call, not a graph; the second, lost contexts.
  if ((error.kind == Errc::wrong_order || error.kind == Errc::dead) &&
      error.detail.find("; ") != std::string::npos)
    return "{step}: {detail}";
  if (error.kind == Errc::invalid_argument && error.detail.find("; ") != std::string::npos)
    return "{step}: {detail}";
  if (error.kind == Errc::invalid_argument && !has_detail)
    return "{step}: an argument is not valid; compare it with its documentation";
  if (error.kind == Errc::unknown_name && error.found == 1)
    return "{step}: the graph is there, but not enabled; add it to the enabled graphs, or use one "
           "of them{why}";
  if (error.kind == Errc::capability_missing && error.needed == 0)
    return "{step}: {detail}, which has core API 2.{found}; use the libraries of a newer SDK or "
           "another strategy";
  if (error.kind == Errc::allocation_failed && error.code == 0)
    return "{step} gave no memory{bytes}; {advice}{os}";
  if (error.kind == Errc::no_file_descriptor && error.code != 0)
    return "{step} failed; give a descriptor that is open{os}";
  if (error.kind == Errc::too_large && (error.facts & fact::fixed_limit) != 0)
    return error.needed == 0 ? "{step}: too large; make it smaller{why}"
                             : "{step}: too large: {needed} bytes, at most {found} whatever the "
                               "options; make it smaller or split it{why}";
  if (error.kind == Errc::too_large && error.needed == 0)
    return "{step}: too large; make it smaller or raise the limit{why}";
  if (error.kind == Errc::misaligned && error.needed == 0)
    return "{step}: begins at offset {found} of its buffer; give a region that begins at offset 0"
           "{why}";
  // The error of misaligned_start(): it knows an alignment, but no offset.
  if (error.kind == Errc::misaligned && has_detail)
    return "{step}: needs a start that is a multiple of {needed} bytes{why}; use memory with this "
           "alignment, and state its start alignment";
  if (error.kind == Errc::wrong_architecture && error.native != 0)  // QNN refused the binary.
    return "{step}: prepared for Hexagon v{needed}, the device is v{found}; prepare the binary for "
           "this device{why}";
  if (error.kind == Errc::wrong_architecture && has_detail)
    return "{step}: prepared for Hexagon v{needed}, {detail}; prepare it with a library of another "
           "SDK";
  if (error.kind == Errc::in_use && has_detail && error.found == 0)
    return "{step}: {detail}; try again when this use has ended";
  if (error.kind == Errc::dead && has_detail)
    return "{step}: {detail}; do this before exit(), in main for example";
  for (const ErrorSentence& each : error_sentences)
    if (each.kind == error.kind) return each.text;
  return "{step}: failed{why}";
}

/// Returns the value of a name in a sentence.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string value_of(std::string_view name,
                                                                             const Error& error) {
  if (name == "step") return error.step;
  if (name == "object") return error.object;
  if (name == "detail") return error.detail;
  if (name == "needed") return joined({error.needed});
  if (name == "found") return joined({error.found});
  if (name == "uses") {
    const std::uint64_t uses = error.found - error.needed;
    return joined({uses, uses == 1 ? " other object still uses" : " other objects still use"});
  }
  if (name == "bytes") return error.needed == 0 ? "" : joined({" for ", error.needed, " bytes"});
  if (name == "hint") return advice_on(error);
  if (name == "returned") {
    const std::string_view enumerator = error_name(error.code);
    // The low 16 bits of QNN_COMMON_ERROR_UNDEFINED (0x7fffffff) are not a code to show.
    if (error.code == code_of(c_api::CommonError::undefined)) return std::string(enumerator);
    return joined({error.code, enumerator.empty() ? "" : " ", enumerator});
  }
  if (name == "advice") {
    if (error.kind == Errc::allocation_failed) return advice_on_allocation(error.step, error.code);
    const char* const advice = advice_on_shortage(error.step, error.code);
    return advice != nullptr ? advice : "check its path and its permissions";
  }
  std::string why = error.detail.empty() ? std::string() : joined({" (", error.detail, ")"});
  if (name == "why" || error.code == 0) return why;
  return joined({" (errno ", error.code, ": ", std::strerror(error.code), ")", why});  // os
}

[[nodiscard]] std::string whole_message(const Error& error);

}  // namespace detail

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string escaped(std::string_view text) {
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

/// Returns the whole line of Error::message().
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string detail::whole_message(
    const Error& error) {
  std::string text = joined({error.object, ": "});
  std::string_view rest = sentence_of(error);
  for (std::size_t brace; (brace = rest.find('{')) != std::string_view::npos;) {
    const std::size_t end = rest.find('}');
    text += rest.substr(0, brace);
    text += value_of(rest.substr(brace + 1, end - brace - 1), error);
    rest.remove_prefix(end + 1);
  }
  return escaped(text.append(rest));
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string Error::message() const {
  constexpr std::size_t most = 600;
  std::string text = detail::whole_message(*this);
  if (text.size() <= most) return text;
  Error brief = *this;
  for (std::string* part : {&brief.detail, &brief.object}) {
    constexpr std::size_t least = 40;  // So much of a part says what it is.
    const std::size_t excess = text.size() - most;
    *part = detail::shortened(*part, part->size() > excess + least ? part->size() - excess : least);
    if (text = detail::whole_message(brief); text.size() <= most) return text;
  }
  return detail::shortened(text, most);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
