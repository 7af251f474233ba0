// Definitions of binary_source.hpp.
#pragma once

#include "qnnpp/model/binary_source.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <utility>

#include "qnnpp/core/detail/error_facts.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

QNNPP_INLINE BinarySource BinarySource::descriptor(int fd, std::uint64_t offset,
                                                   std::uint64_t size_bytes, std::string name) {
  BinarySource source;
  source.name = std::move(name);
  source.range = FileRange{fd, offset, size_bytes};
  return source;
}

QNNPP_INLINE BinarySource BinarySource::function(std::string name,
                                                 std::function<Result<ContextBinary>()> f,
                                                 bool wipe) {
  BinarySource source;
  if (!f)
    f = [name]() -> Result<ContextBinary> {
      return fail(Errc::invalid_argument, "BinarySource::function", name,
                  "the function is empty; give one that returns a ContextBinary");
    };
  source.name = std::move(name);
  source.give = std::move(f);
  source.wipe = wipe;
  return source;
}

QNNPP_INLINE Result<ContextBinary> BinarySource::open() const {
  if (bytes.are_given()) return ContextBinary::borrow(bytes, name);
  if (range) return ContextBinary::map(range->fd, range->offset, range->size_bytes, name);
  if (give) {
    auto given = give();
    if (!given) {
      given.error().facts |= qnnpp::detail::fact::of_source;
      return given;
    }
    if (given->bytes().empty())
      return fail(Errc::empty, "calling the function of a BinarySource", name);
    given->name_ = name;
    if (wipe) given->wipe_on_release();
    return given;
  }
  return use == FileUse::read ? ContextBinary::read(name) : ContextBinary::map(name);
}

QNNPP_INLINE Result<std::uint64_t> BinarySource::size_bytes() const {
  if (bytes.are_given()) return bytes.size();
  if (range) return range->size_bytes;
  if (give) return expected ? expected->memory.file_bytes : 0;
  QNNPP_TRY(qnnpp::detail::check_path(name, "stat"));
  struct stat status{};
  if (::stat(name.c_str(), &status) == 0) return static_cast<std::uint64_t>(status.st_size);
  Error error = Error::make(Errc::file_unreadable, "stat", name);
  error.code = static_cast<std::uint16_t>(errno);
  return fail(std::move(error));
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error stale(std::string_view object, std::uint64_t needed,
                                                      std::uint64_t found,
                                                      std::string_view detail) {
  Error error = Error::make(Errc::stale, "checking the manifest", object, detail);
  error.needed = needed;
  error.found = found;
  return error;
}

QNNPP_INLINE Result<void> check_size(const BinarySource& source, std::uint64_t bytes) {
  if (!source.expected || bytes == source.expected->memory.file_bytes) return {};
  const std::uint64_t said = source.expected->memory.file_bytes;
  return fail(
      stale(source.name, bytes, said,
            qnnpp::detail::joined({"the file has ", bytes, " bytes, the manifest says ", said})));
}

QNNPP_INLINE Result<ContextBinary> open_checked(const BinarySource& source) {
  return checked(source, source.open());
}

QNNPP_INLINE Result<ContextBinary> checked(const BinarySource& source,
                                           Result<ContextBinary> binary) {
  if (!binary) return binary;
  QNNPP_TRY(check_size(source, binary->bytes().size()));
  if (source.check) QNNPP_TRY(source.check(binary->bytes()));
  return binary;
}

QNNPP_INLINE Result<void> check_needs(const BinarySource& source, const BufferRequirements& asked) {
  if (!source.expected) return {};
  const auto check = [&](const char* what, const Bytes& said, std::uint64_t now) -> Result<void> {
    if (!said.value || *said.value == now) return {};
    // A backend rounds what the metadata states (BIN-03).
    using qnnpp::detail::rounded_by_backend;
    if (said.source == SizeSource::metadata &&
        rounded_by_backend(*said.value) == rounded_by_backend(now))
      return {};
    return fail(stale(source.name, now, *said.value,
                      qnnpp::detail::joined({what, ": the backend asks for ", now,
                                             " bytes, the manifest says ", *said.value})));
  };
  const auto if_asked = [](const Bytes& said) {
    return said.source == SizeSource::query ? said : Bytes{};
  };
  const ContextMemory& memory = source.expected->memory;
  QNNPP_TRY(check("spill-fill", memory.spill_fill, asked.spill_fill_bytes));
  QNNPP_TRY(check("weights", if_asked(memory.weights), asked.weights_bytes));
  return check("alignment", if_asked(memory.start_alignment), asked.start_alignment);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
