// fmt formatters of qnnpp's types. Include it where text is wanted; nothing else here needs fmt.
//
//   fmt::print(stderr, "{}\n", result.error());
#pragma once

#include "qnnpp/platform.hpp"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <string_view>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/log.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/error.hpp"
#include "qnnpp/core/error_hints.hpp"
#include "qnnpp/core/human_bytes.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/graph/io_cost.hpp"
#include "qnnpp/memory/buffer_requirements.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/model/report_text.hpp"
#include "qnnpp/model/sharing.hpp"

namespace qnnpp {

/// One line: which object, which step, the code and its name, what it can mean and what to do.
[[nodiscard]] inline std::string describe(const Error& error) {
  const std::string& object = error.object;
  const auto& [needed, found] = std::pair(error.needed, error.found);
  const std::string_view detail = error.detail;
  const std::string why = detail.empty() ? std::string() : fmt::format(" ({})", detail);
  const std::string os = error.code == 0 || error.kind == Errc::qnn
                             ? why
                             : fmt::format(" (errno {}: {}){}", error.code,
                                           std::strerror(error.code), why);
  switch (error.kind) {
    case Errc::qnn: {
      const ErrorHint hint = error_hint(error.code);
      return fmt::format("{}: {} returned {}{}{}: {}{}", object, error.step, error.code,
                         hint.name[0] == '\0' ? "" : " ", hint.name, hint.hint, why);
    }
    case Errc::library_not_found:
      return fmt::format("{}: the library cannot be opened; give its path or set LD_LIBRARY_PATH{}",
                         object, why);
    case Errc::symbol_missing:
      return fmt::format("{}: not the library that is needed: it does not export {}", object,
                         detail);
    case Errc::not_qnn:
      return fmt::format("{}: no provider of the wanted kind; give the target's own library{}",
                         object, why);
    case Errc::version_unsupported:
      return fmt::format("{}: its version does not fit; use an SDK of 2.25 or later{}", object, why);
    case Errc::slot_missing:
      return fmt::format("{}: {} needs core API 2.{}, this library has 2.{}; use a newer SDK",
                         object, error.step, needed, found);
    case Errc::slot_null:
      return fmt::format("{}: this library leaves {} out{}", object, error.step, why);
    case Errc::capability_missing:
      return fmt::format("{}: {}; use another strategy", object, detail);
    case Errc::file_unreadable:
      return fmt::format("{}: the file cannot be read{}", object, os);
    case Errc::file_unwritable:
      return fmt::format("{}: the file cannot be written{}", object, os);
    case Errc::empty: return fmt::format("{}: empty, where something is needed{}", object, why);
    case Errc::allocation_failed:
      return fmt::format("{}: {} gave no memory for {} bytes; free other buffers{}", object,
                         error.step, needed, os);
    case Errc::sync_failed:
      return fmt::format("{}: {} failed; the CPU must not use the memory now{}", object, error.step,
                         os);
    case Errc::no_file_descriptor:
      return fmt::format("{}: {} gave no file descriptor to share the memory by{}", object,
                         error.step, why);
    case Errc::too_large:
      return fmt::format("{}: too large for {}{}{}", object, error.step,
                         needed == 0 && found == 0
                             ? std::string()
                             : fmt::format(": {} against {}", needed, found),
                         why);
    case Errc::too_small:
      return fmt::format("{}: {}: needs {} bytes, the buffer has {}; give a larger one", object,
                         error.step, needed, found);
    case Errc::misaligned:
      if (needed == 0)
        return fmt::format("{}: {}: it begins at offset {} of its buffer, not at 0{}", object,
                           error.step, found, why);
      return fmt::format("{}: {}: offset {} is not aligned to {} bytes{}", object, error.step,
                         found, needed, why);
    case Errc::purpose_mismatch:
      return fmt::format("{}: {}; a descriptor has one purpose: allocate another buffer", object,
                         detail);
    case Errc::overlapping:
      return fmt::format("{}: {}; tensors share bytes only where their lifetimes allow it", object,
                         detail);
    case Errc::already_registered:
      return fmt::format("{}: {}; use the registration that there is", object, detail);
    case Errc::memory_type_mismatch:
      return fmt::format("{}: {}; prepare the graph anew or retrieve it as AnyIo", object, detail);
    case Errc::unknown_name: return fmt::format("{}: no such name{}", object, why);
    case Errc::duplicate_name: return fmt::format("{}: the name is given twice{}", object, why);
    case Errc::missing_tensor: return fmt::format("{}: {}", object, detail);
    case Errc::type_mismatch: return fmt::format("{}: types differ: {}", object, detail);
    case Errc::shape_mismatch: return fmt::format("{}: shapes differ: {}", object, detail);
    case Errc::size_mismatch:
      return fmt::format("{}: {}: needs exactly {} bytes, got {}", object, error.step, needed,
                         found);
    case Errc::unsupported_tensor:
      return fmt::format("{}: a tensor that cannot be used here{}", object, why);
    case Errc::foreign_object: return fmt::format("{}: {}", object, detail);
    case Errc::incomplete:
      return fmt::format("{}: {}: {} of its graphs are not finalized", object, error.step, found);
    case Errc::in_use:
      if (!detail.empty()) return fmt::format("{}: {}: {}", object, error.step, detail);
      return fmt::format("{}: {}: {} others still use it; the last of them closes it", object,
                         error.step, found - needed);
    case Errc::no_metadata:
      return fmt::format("{}: its tensors are not known; is libQnnSystem.so beside the backend?{}",
                         object, why);
    case Errc::dead:
      return fmt::format("{}: {}: the DSP restarted after it was made; make it again{}", object,
                         error.step, why);
    case Errc::cancelled:
      return fmt::format("{}: cancelled while {}; nothing is kept{}", object, error.step, why);
    case Errc::timed_out:
      return fmt::format("{}: {} did not end in time{}", object, error.step, why);
    case Errc::malformed: return fmt::format("{}: malformed: {}", object, detail);
    case Errc::stale:
      return fmt::format("{}: {}: out of date: {}", object, error.step, detail);
    case Errc::invalid_argument:
      return fmt::format("{}: {}: the argument makes no sense{}", object, error.step, why);
  }
  return fmt::format("{}: {} failed{}", object, error.step, why);
}

}  // namespace qnnpp

template <>
struct fmt::formatter<qnnpp::Error> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::Error& error, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::describe(error), context);
  }
};

template <>
struct fmt::formatter<qnnpp::abi::DataType> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(qnnpp::abi::DataType type, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::name_of(type), context);
  }
};

template <>
struct fmt::formatter<qnnpp::abi::Version> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::abi::Version& version, Context& context) const {
    return fmt::format_to(context.out(), "{}.{}.{}", version.major, version.minor, version.patch);
  }
};

template <>
struct fmt::formatter<qnnpp::abi::LogLevel> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(qnnpp::abi::LogLevel level, Context& context) const {
    constexpr std::string_view names[] = {"none", "error", "warning", "info", "verbose", "debug"};
    const auto index = static_cast<std::size_t>(level);
    return fmt::formatter<std::string_view>::format(
        index < std::size(names) ? names[index] : std::string_view("max"), context);
  }
};

template <>
struct fmt::formatter<qnnpp::BufferRequirements> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::BufferRequirements& need, Context& context) const {
    return fmt::format_to(context.out(), "weights {} B, spill-fill {} B, alignment {} B",
                          need.weights_bytes, need.spill_fill_bytes, need.start_alignment);
  }
};

template <>
struct fmt::formatter<qnnpp::IoCost> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::IoCost& cost, Context& context) const {
    return fmt::format_to(context.out(),
                          "{} B copied each inference, {} B allocated at the first, {} B unused",
                          cost.copied_bytes_per_inference, cost.allocated_bytes_at_first_inference,
                          cost.preallocated_bytes_unused);
  }
};

template <>
struct fmt::formatter<qnnpp::TensorSpec> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::TensorSpec& spec, Context& context) const {
    return fmt::format_to(context.out(), "{} {} {}", spec.name, qnnpp::name_of(spec.data_type),
                          qnnpp::to_string(spec.dimensions));
  }
};

template <>
struct fmt::formatter<qnnpp::model::SpillFillSharing> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(qnnpp::model::SpillFillSharing sharing, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::model::name_of(sharing), context);
  }
};

template <>
struct fmt::formatter<qnnpp::model::SizeSource> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(qnnpp::model::SizeSource source, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::model::name_of(source), context);
  }
};

/// Tables, as of to_text(): many lines.
template <>
struct fmt::formatter<qnnpp::model::MemoryReport> : fmt::formatter<std::string_view> {
  template <class Context>
  auto format(const qnnpp::model::MemoryReport& report, Context& context) const {
    return fmt::formatter<std::string_view>::format(qnnpp::model::to_text(report), context);
  }
};
