// Error: the kind of a failure, the step that failed and the object. Only message() makes text.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "qnnpp/core/detail/joined.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Kind of a failure. QNN reports `qnn`; qnnpp itself reports every other kind.
enum class Errc : std::uint8_t {
  qnn,                   ///< A QNN function returned an error, see Error::code.
  library_not_found,     ///< A shared library cannot be found or opened.
  library_unusable,      ///< A file exists but cannot be loaded: it has another architecture, is no
                         ///< shared library, or lacks a library that it needs.
  symbol_missing,        ///< A shared library does not export a required function.
  not_qnn,               ///< A library has no provider, or none of the required kind.
  version_unsupported,   ///< A provider's version is too low, or has another major number; or a
                         ///< newer SDK made a binary (BIN-01); or another copy of qnnpp in the
                         ///< process cannot share with this one.
  slot_missing,          ///< The provider is too old to have this function (LOAD-03).
  slot_null,             ///< The provider does not implement this function (LOAD-03).
  capability_missing,    ///< The backend lacks a feature, or is too old to know it (LOAD-04).
  file_unreadable,       ///< A file cannot be opened, read or mapped.
  file_unwritable,       ///< A file cannot be written.
  empty,                 ///< A list, buffer or file has no content.
  allocation_failed,     ///< Memory, mappings, descriptors or threads are used up.
  sync_failed,           ///< Caches cannot be synchronised for the CPU (SHB-07).
  no_file_descriptor,    ///< Memory has no open file descriptor to share it by (ALC-02).
  too_large,             ///< A size exceeds the limit of a type, a function or the system.
  too_small,             ///< A buffer is smaller than needed (BUF-03, BUF-10).
  misaligned,            ///< A start is not aligned as required (BUF-02).
  purpose_mismatch,      ///< Memory is already in use for another purpose (BUF-07).
  overlapping,           ///< Two tensors share bytes (SHB-02).
  already_registered,    ///< Memory is already registered with this context (SHB-05).
  memory_type_mismatch,  ///< A graph was prepared for the other kind of tensor memory (QMEM-02,
                         ///< QMEM-03).
  wrong_architecture,    ///< A binary was prepared for a newer architecture than the device's
                         ///< (RES-04), or for another than DeviceOptions asked for (CFG-05).
  raw_memory,            ///< A tensor is bound to the caller's raw memory: qnnpp cannot open it.
  unknown_name,          ///< No graph or tensor has this name, or the graph is not enabled.
  duplicate_name,        ///< A name occurs twice.
  missing_tensor,        ///< A graph's input or output has no memory.
  unwritten_input,       ///< An input was not written before the first execution (ORD-19, PIP-02).
  wrong_order,           ///< Another call (ORD-20, ORD-21) or graph (PIP-01) must come first.
  type_mismatch,         ///< The element types or the quantisations differ.
  shape_mismatch,        ///< The dimensions differ.
  size_mismatch,         ///< The byte sizes differ.
  unsupported_tensor,    ///< A tensor's rank, dimensions or type are not supported here.
  foreign_object,        ///< An object belongs to another backend, context or graph.
  incomplete,            ///< A part of the object is not finalized yet.
  in_use,                ///< Other objects still use this one; the last of them closes it.
  would_deadlock,        ///< The calling thread would wait for a resource that it holds itself.
  no_metadata,           ///< The graphs and tensors of a binary are not known.
  dead,                  ///< A restart of the DSP (SSR-01) or exit() (PRC-04) ended the object, or
                         ///< the process has lost too many contexts (RES-05).
  foreign_process,       ///< The object belongs to the process that forked this one (PRC-01).
  cancelled,             ///< The caller requested a stop.
  timed_out,             ///< A wait reached its time limit.
  malformed,             ///< Text or data violates its format.
  stale,                 ///< Recorded facts about a file do not match the file.
  invalid_argument,      ///< An argument is not valid.
};

/// Returns `text`, which is of unknown origin, in a form that is safe for a terminal or a log.
/// Replaces by escapes such as `\x1b`: control characters, including line feeds; invisible
/// characters that change the direction or the lines of text; bytes that are not UTF-8. Keeps all
/// other characters. Error::message() applies this.
[[nodiscard]] std::string escaped(std::string_view text);

/// A failure: its kind, the step that failed and the object. Cheap to move; owns its strings.
struct Error {
  Errc kind = Errc::qnn;  ///< Kind of the failure.
  /// If kind is `qnn`, QNN's error code: the low 16 bits of the returned value (LOAD-06). If a call
  /// of the operating system failed, its `errno`. Otherwise 0.
  std::uint16_t code = 0;
  /// What qnnpp knows of the failed call, as bits of detail::fact; 0: nothing. message() names no
  /// cause that they exclude, and advises nothing that they say is done.
  std::uint32_t facts = 0;
  /// The whole value that QNN returned; the upper 48 bits are specific to the backend.
  std::uint64_t native = 0;
  /// The C function or step that failed. Points to static storage.
  const char* step = "";
  /// Name of the object: a file, a graph, a tensor, a library.
  std::string object;
  /// Required number of a numeric mismatch (bytes, versions, counts); 0 if there is none. For
  /// `too_large` it is the size, for `stale` the number that applies now.
  std::uint64_t needed = 0;
  /// Actual number of a numeric mismatch; 0 if there is none. For `too_large` it is the limit, for
  /// `stale` the recorded number. For `unknown_name` it is 1 if the binary has a graph of this name
  /// that is not enabled.
  std::uint64_t found = 0;
  /// Further facts: a loader's message, or both sides of a mismatch without numbers. If QNN logged
  /// errors during the call, the last fact is "log: " and at most 300 bytes of them.
  std::string detail;
  /// The error lines that QNN logged during the call, joined by "; ". message() does not show them.
  std::string log;

  /// An error of kind `qnn` without code, step and object.
  Error() = default;
  // Declared here to keep the code of copies and moves out of every function that passes on or
  // destroys a Result. The move constructor and the destructor are not cold: they stay near their
  // callers, so that the jumps are short.
  /// Copies the error.
  [[gnu::cold, gnu::noinline]] Error(const Error&) = default;
  /// Moves the error; moves its strings.
  [[gnu::noinline]] Error(Error&&) noexcept = default;
  /// Copies the error.
  [[gnu::cold, gnu::noinline]] Error& operator=(const Error&) = default;
  /// Moves the error; moves its strings.
  [[gnu::cold, gnu::noinline]] Error& operator=(Error&&) noexcept = default;
  [[gnu::noinline]] ~Error() = default;

  /// Makes an error of kind `qnn` from `native`, the value that the C function `step` returned.
  [[nodiscard]] static Error from_qnn(std::uint64_t native, const char* step,
                                      std::string_view object);

  /// Makes an error that qnnpp itself found.
  [[nodiscard]] static Error make(Errc kind, const char* step, std::string_view object,
                                  std::string_view detail = {});
  /// Makes an error whose detail has several pieces: texts and integers, as in `{"graph ", 3}`.
  [[nodiscard]] static Error make(Errc kind, const char* step, std::string_view object,
                                  std::initializer_list<detail::TextPiece> detail);

  /// Makes an error with two numbers that differ: `needed` and `found`.
  [[nodiscard]] static Error mismatch(Errc kind, const char* step, std::string_view object,
                                      std::uint64_t needed, std::uint64_t found);

  /// Returns one line: the object, the step, QNN's code and its name, the cause and what to do.
  /// Names and details are escaped, see escaped(). A line of more than 600 bytes gets a shorter
  /// detail, and then a shorter object. docs/error-codes.md lists the causes of each code of QNN.
  [[nodiscard]] std::string message() const;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/core/error.ipp"
#endif
