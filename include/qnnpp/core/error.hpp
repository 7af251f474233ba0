// What went wrong, in which step, with which object. Text is made only when asked for: message().
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// Kind of a failure. Everything but `qnn` is found by qnnpp itself.
enum class Errc : std::uint8_t {
  qnn,                ///< A QNN function returned an error: see Error::code.
  library_not_found,  ///< A shared library cannot be found or opened.
  library_unusable,   ///< A shared library is there and cannot be loaded: of another architecture,
                      ///< no library at all, or a library that it needs is missing.
  symbol_missing,     ///< A shared library lacks a function it must export.
  not_qnn,            ///< A library's providers are unusable: none, or none of the wanted kind.
  version_unsupported,   ///< A provider's version is lower than needed, or of another major.
  slot_missing,          ///< The provider is too old to have this function (LOAD-03).
  slot_null,             ///< The provider left this function out (LOAD-03).
  capability_missing,    ///< The backend says that it lacks a feature, or is too old to know it
                         ///< (LOAD-04).
  file_unreadable,       ///< A file cannot be opened, read or mapped.
  file_unwritable,       ///< A file cannot be written.
  empty,                 ///< Something that must have content has none.
  allocation_failed,     ///< No memory, mapping, descriptor or thread was left.
  sync_failed,           ///< Caches could not be synchronised for the CPU (SHB-07).
  no_file_descriptor,    ///< Memory has no file descriptor to share it by (ALC-02), or one that is
                         ///< not open.
  too_large,             ///< A size does not fit the type or function that must carry it.
  too_small,             ///< A buffer is smaller than needed (BUF-03, BUF-10).
  misaligned,            ///< A start is not aligned as needed (BUF-02).
  purpose_mismatch,      ///< Memory is already in use for another purpose (BUF-07).
  overlapping,           ///< Two tensors lie in the same bytes (SHB-02).
  already_registered,    ///< Memory is registered with this context already (SHB-05).
  memory_type_mismatch,  ///< A graph was prepared for the other kind of tensor memory (QMEM-02,
                         ///< -03).
  wrong_architecture,    ///< A binary was prepared for a newer architecture than the device's
                         ///< (RES-04).
  raw_memory,            ///< A tensor is bound to raw memory, which only the caller opens.
  unknown_name,          ///< There is no graph or tensor of this name.
  duplicate_name,        ///< A name is given twice.
  missing_tensor,        ///< A graph's input or output got no memory.
  type_mismatch,         ///< The element type differs.
  shape_mismatch,        ///< The dimensions differ.
  size_mismatch,         ///< The byte size differs.
  unsupported_tensor,    ///< A tensor's rank, dimensions or type cannot be used here.
  foreign_object,        ///< An object of another backend or context.
  incomplete,            ///< Something must be completed first.
  in_use,                ///< Others still use the object; it is closed with the last of them.
  would_deadlock,        ///< The calling thread would wait for what it holds itself.
  no_metadata,           ///< The tensors of the graph are not known.
  dead,                  ///< The object's handles died with a restart of the DSP (SSR-01).
  cancelled,             ///< The caller asked to stop.
  timed_out,             ///< What was waited for did not come in time.
  malformed,             ///< Text or data is not what its format allows.
  stale,                 ///< What was written down of a file is not, or no longer, true of it.
  invalid_argument,      ///< An argument makes no sense.
};

/// Text of unknown origin for a terminal or a log: control characters, line feeds among them,
/// invisible ones that change the direction or the lines of text, and what is no UTF-8 become
/// `\x1b` and the like; all else stays. Error::message() has it applied.
[[nodiscard]] std::string escaped(std::string_view text);

/// A failure: what, in which step, with which object. Cheap to move; owns its strings.
struct Error {
  Errc kind = Errc::qnn;
  /// QNN's error code: the low 16 bits of the value returned (LOAD-06). 0 unless kind is `qnn`;
  /// `errno` where an operating-system call failed.
  std::uint16_t code = 0;
  /// The whole value as returned; its upper 48 bits are the backend's own.
  std::uint64_t native = 0;
  /// The C function or step that failed. Static storage.
  const char* step = "";
  /// Which object: a file, a graph, a tensor, a library.
  std::string object;
  /// Both sides of a numeric mismatch (bytes, versions, counts), where there is one.
  std::uint64_t needed = 0;
  std::uint64_t found = 0;
  /// What else is known: a loader's message, both sides of a mismatch that is not a number.
  std::string detail;

  Error() = default;
  // Written out, so that they stay out of every place that hands a Result on or drops one. To make
  // one by a move and to drop it is not cold: that code then stays beside the call, by short jumps.
  QNNPP_COLD Error(const Error&) = default;
  QNNPP_OUT_OF_LINE Error(Error&&) noexcept = default;
  QNNPP_COLD Error& operator=(const Error&) = default;
  QNNPP_COLD Error& operator=(Error&&) noexcept = default;
  QNNPP_OUT_OF_LINE ~Error() = default;

  /// An error returned by a C function: `native` as returned, `step` its name.
  [[nodiscard]] static Error from_qnn(std::uint64_t native, const char* step, std::string object);

  /// An error found by the library itself.
  [[nodiscard]] static Error make(Errc kind, const char* step, std::string object,
                                  std::string detail = {});

  /// An error with two numbers that do not meet: `needed` and `found`.
  [[nodiscard]] static Error mismatch(Errc kind, const char* step, std::string object,
                                      std::uint64_t needed, std::uint64_t found);

  /// One line: the object, the step, QNN's code and its name, the cause and what to do. Names and
  /// details are escaped, see escaped().
  [[nodiscard]] std::string message() const;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/error.ipp"
#endif
