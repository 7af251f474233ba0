// Reads and writes manifests, and writes reports, as JSON; docs/memory-report.md has the schemas.
// Needs nlohmann-json: link qnnpp::json. No other header includes it.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/core/data_type.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/model/memory_report.hpp"
#include "qnnpp/report/detail/manifest_reader.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/domain_plan.hpp"
#include "qnnpp/report/manifest.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// Whether write_manifest() writes the inputs and outputs of graphs.
enum class ManifestTensors : bool {
  none,  ///< Writes the names of graphs only.
  all,   ///< Writes all inputs and outputs.
};

namespace detail {

/// Writes JSON value by value, in the layout of nlohmann-json. It replaces nlohmann's documents,
/// whose destructors allocate and end the program if that fails.
class JsonWriter {
 public:
  /// `indent`: number of spaces for each level; -1: everything on one line.
  explicit JsonWriter(int indent = -1) noexcept : indent_(indent) {}

  /// Returns the text.
  [[nodiscard]] std::string take() && { return std::move(text_); }

  /// Writes an object; `content` writes its members.
  template <class Content>
  void object(const Content& content) {
    nest("{}", content);
  }
  /// Writes an array; `content` writes its elements.
  template <class Content>
  void array(const Content& content) {
    nest("[]", content);
  }
  /// Writes the name of a member, whose value is written next.
  void key(std::string_view name) {
    begin();
    add(name);
    text_ += indent_ < 0 ? ":" : ": ";
    follows_key_ = true;
  }
  void null() { number("null"); }
  /// Writes a number that is given as text.
  void number(std::string_view text) {
    begin();
    text_ += text;
  }
  /// Writes a string, a bool, an unsigned number, or a container of them.
  template <class Value>
  void value(const Value& value) {
    if constexpr (std::is_convertible_v<const Value&, std::string_view>) {
      begin();
      add(value);
    } else if constexpr (std::is_same_v<Value, bool>) {
      begin();
      text_ += value ? "true" : "false";
    } else if constexpr (std::is_unsigned_v<Value>) {
      begin();
      text_ += std::to_string(value);
    } else {
      array([&] {
        for (const auto& each : value) this->value(each);
      });
    }
  }
  template <class Value>
  void member(std::string_view name, const Value& of_it) {
    key(name);
    value(of_it);
  }

 private:
  /// Writes the comma and the new line before a value or a member, if they are needed.
  void begin() {
    if (std::exchange(follows_key_, false)) return;
    if (!is_first_) text_ += ',';
    if (depth_ != 0) begin_line();
    is_first_ = false;
  }
  void begin_line() {
    if (indent_ < 0) return;
    text_ += '\n';
    text_.append(depth_ * static_cast<std::size_t>(indent_), ' ');
  }
  template <class Content>
  void nest(const char* brackets, const Content& content) {
    begin();
    text_ += brackets[0];
    ++depth_;
    is_first_ = true;
    content();
    --depth_;
    if (!is_first_) begin_line();
    is_first_ = false;
    text_ += brackets[1];
  }
  /// Writes a text in quotes.
  void add(std::string_view text) {
    const bool is_plain = std::all_of(text.begin(), text.end(), [](char c) {
      return c >= ' ' && c <= '~' && c != '"' && c != '\\';
    });
    if (is_plain)
      text_.append("\"").append(text).append("\"");
    else
      text_ += json_string(text);
  }

  std::string text_;
  std::size_t depth_ = 0;
  int indent_;
  bool is_first_ = true;
  bool follows_key_ = false;
};

inline void write(JsonWriter& out, std::string_view name, const Bytes& bytes) {
  out.key(name);
  out.object([&] {
    out.key("bytes");
    if (bytes.value)
      out.value(*bytes.value);
    else
      out.null();
    out.member("source", name_of(bytes.source));
  });
}
inline void write_if_known(JsonWriter& out, std::string_view name, const Bytes& bytes) {
  if (bytes.value) return write(out, name, bytes);
  out.key(name);
  out.null();
}
inline void write(JsonWriter& out, std::string_view name, const ByteSum& sum) {
  out.key(name);
  out.object([&] {
    out.member("bytes", sum.bytes);
    out.member("at_least", !sum.exact);
  });
}

/// Writes the scales and offsets of a tensor, or nothing if it has none or another encoding.
inline void write_quantisation(JsonWriter& out, const TensorSpec& tensor) {
  using enum c_api::QuantizationEncoding;
  const Quantisation& from = tensor.quantisation;
  const bool is_whole = from.encoding() == scale_offset || from.encoding() == bw_scale_offset;
  const bool is_axis =
      from.encoding() == axis_scale_offset || from.encoding() == bw_axis_scale_offset;
  if (!(is_whole || is_axis) || !from.check(tensor.data_type, tensor.dimensions, tensor.name))
    return;
  const auto numbers = [&](std::string_view name, const auto& text_of) {
    out.key(name);
    if (is_whole) return out.number(text_of(from.pairs()[0]));
    out.array([&] {
      for (const ScaleOffset& pair : from.pairs()) out.number(text_of(pair));
    });
  };
  out.key("quantisation");
  out.object([&] {
    numbers("scale", [](const ScaleOffset& pair) { return qnnpp::detail::scale_text(pair.scale); });
    numbers("offset", [](const ScaleOffset& pair) { return std::to_string(pair.offset); });
    if (is_axis) out.member("axis", static_cast<std::uint32_t>(from.axis()));
    if (from.code_bits() != 0) out.member("bits", from.code_bits());
  });
}

inline void write(JsonWriter& out, std::string_view name, const std::vector<TensorSpec>& tensors) {
  out.key(name);
  out.array([&] {
    for (const TensorSpec& tensor : tensors)
      out.object([&] {
        const bool is_registered = tensor.mem_type == c_api::TensorMemType::memhandle;
        out.member("name", tensor.name);
        out.member("data_type", qnnpp::name_of(tensor.data_type));
        out.member("dimensions", tensor.dimensions);
        out.key("dynamic");
        if (tensor.is_dynamic())
          out.array([&] {
            for (const std::uint8_t flag : tensor.dynamic_dimensions) out.value(flag != 0);
          });
        else
          out.value(false);
        out.member("memory", is_registered ? "memhandle" : "raw");
        write_quantisation(out, tensor);
      });
  });
}

inline void write(JsonWriter& out, const Survey& entry) {
  const ContextMemory& memory = entry.memory;
  out.member("file", memory.name);
  out.member("bytes", memory.file_bytes);
  out.key("digest");
  if (entry.digest)
    out.value(to_string(*entry.digest));
  else
    out.null();
  write_if_known(out, "weights", memory.weights);
  if (memory.shared_weights.value) write(out, "shared_weights", memory.shared_weights);
  write_if_known(out, "spill_fill", memory.spill_fill);
  write_if_known(out, "start_alignment", memory.start_alignment);
  write_if_known(out, "io", memory.io);
  write_if_known(out, "op_data", memory.op_data);
  if (memory.vtcm.value) write(out, "vtcm", memory.vtcm);
  if (memory.domain_spill_fill.value) write(out, "domain_spill_fill", memory.domain_spill_fill);
  out.key("graphs");
  out.array([&] {
    for (const GraphSpec& graph : entry.graphs)
      out.object([&] {
        out.member("name", graph.name);
        if (graph.preparation.dlbc) out.member("dlbc", *graph.preparation.dlbc);
        if (!graph.inputs.empty()) write(out, "inputs", graph.inputs);
        if (!graph.outputs.empty()) write(out, "outputs", graph.outputs);
      });
  });
}

/// Returns the text of a manifest. Omits an empty seal.
[[nodiscard]] inline std::string manifest_text(const Manifest& manifest, const std::string& seal,
                                               int indent) {
  JsonWriter out(indent);
  out.object([&] {
    out.member("schema", manifest_schema);
    if (manifest.external_weights != ExternalWeights::untried)
      out.member("external_weights", qnnpp::name_of(manifest.external_weights));
    out.key("binaries");
    out.array([&] {
      for (const Survey& entry : manifest.entries) out.object([&] { write(out, entry); });
    });
    if (!seal.empty()) out.member("seal", seal);
  });
  return std::move(out).take();
}

/// Returns the digest of a manifest's content, which does not depend on the layout of its text.
[[nodiscard]] inline std::string seal_of(const Manifest& manifest) {
  const std::string text = manifest_text(manifest, {}, -1);
  return to_string(digest_of(std::as_bytes(std::span(text)), DigestKind::whole));
}

inline void write_contexts(JsonWriter& out, const MemoryReport& report) {
  out.key("contexts");
  out.array([&] {
    for (const ContextMemory& context : report.contexts)
      out.object([&] {
        out.member("name", context.name);
        out.member("file_bytes", context.file_bytes);
        out.member("graphs", context.graphs);
        write(out, "weights", context.weights);
        write(out, "shared_weights", context.shared_weights);
        write(out, "spill_fill", context.spill_fill);
        if (!context.shares_spill_fill) out.member("shares_spill_fill", false);
        write(out, "start_alignment", context.start_alignment);
        write(out, "io", context.io);
        if (context.io_limit.value) write(out, "io_limit", context.io_limit);
        write(out, "op_data", context.op_data);
        write(out, "vtcm", context.vtcm);
        write(out, "domain_weights", context.domain_weights);
        write(out, "domain_spill_fill", context.domain_spill_fill);
        write(out, "pd_estimate", context.pd_estimate());
        if (context.acceleration != Acceleration::not_requested)
          out.member("acceleration", name_of(context.acceleration));
        if (context.unread_metadata_bytes != 0)
          out.member("unread_metadata_bytes", context.unread_metadata_bytes);
      });
  });
}

inline void write_totals(JsonWriter& out, const MemoryReport& report) {
  const auto by_sharing = [&](std::string_view name, auto sum) {
    out.key(name);
    out.object([&] {
      write(out, "separate", sum(SpillFillSharing::none));
      write(out, "grouped", sum(SpillFillSharing::context_group));
      write(out, "shared", sum(SpillFillSharing::external_buffer));
    });
  };
  out.key("totals");
  out.object([&] {
    write(out, "weights", report.sum_of(&ContextMemory::weights));
    write(out, "io", report.sum_of(&ContextMemory::io));
    write(out, "op_data", report.sum_of(&ContextMemory::op_data));
    write(out, "vtcm", report.sum_of(&ContextMemory::vtcm));
    by_sharing("spill_fill", [&](SpillFillSharing how) { return report.spill_fill(how); });
    by_sharing("together", [&](SpillFillSharing how) { return report.total(how); });
    write(out, "saved", report.saved());
  });
}

inline void write_domains(JsonWriter& out, const DomainPlan& plan) {
  out.key("process_domains");
  out.object([&] {
    out.member("budget_bytes", plan.budget_bytes);
    out.member("graph_allowance_bytes", plan.allowance_bytes);
    out.member("allowances", plan.allowances);
    out.member("exact", plan.exact());
    out.key("estimates");
    out.array([&] {
      for (const ByteSum& estimate : plan.estimates) out.value(estimate.bytes);
    });
    out.member("at_least", plan.at_least);
    out.member("too_large", plan.too_large);
    out.key("packing");
    out.array([&] {
      for (std::size_t i = 0; i < plan.packing.size(); ++i)
        out.object([&] {
          if (i < process_domains.size()) out.member("domain", process_domains[i]);
          out.member("bytes", plan.bytes_of(plan.packing[i]));
          out.member("contexts", plan.packing[i]);
        });
    });
    // One row for each context. Rows for each pair would grow with the square of their number.
    out.key("cannot_share");
    out.array([&, order = plan.by_estimate()] {
      for (std::size_t i = 0; i < plan.estimates.size(); ++i) {
        const std::size_t others = plan.can_share(i, i) ? plan.others_excluded(order, i) : 0;
        if (others == 0) continue;
        out.object([&] {
          out.member("context", i);
          out.member("others", others);
          out.member("above", plan.budget_bytes - plan.estimates[i].bytes);
        });
      }
    });
  });
}

}  // namespace detail

/// Returns a report and its process domains as JSON. An unknown number is null, and its sums have
/// "at_least": true.
[[nodiscard]] inline std::string to_json(const MemoryReport& report, const DomainPlan& plan) {
  detail::JsonWriter out(2);
  out.object([&] {
    out.member("schema", "qnnpp-memory-report-2");
    out.member("sharing", name_of(report.sharing));
    out.member("reason", report.reason);
    out.member("external_weights", qnnpp::name_of(report.external_weights));
    if (report.vtcm_backup_bytes != 0) out.member("vtcm_backup", report.vtcm_backup_bytes);
    detail::write_contexts(out, report);
    detail::write_totals(out, report);
    detail::write_domains(out, plan);
  });
  return std::move(out).take() + '\n';
}

/// Returns a report as JSON, with process domains of the default budget.
[[nodiscard]] inline std::string to_json(const MemoryReport& report) {
  return to_json(report, plan_domains(report));
}

/// Returns a manifest as JSON with a seal. Reading detects accidental changes by the seal.
[[nodiscard]] inline std::string to_json(const Manifest& manifest) {
  return detail::manifest_text(manifest, detail::seal_of(manifest), 2) + '\n';
}

/// Reads a manifest from its text. `name` identifies the text in errors. Leaves Manifest::folder
/// empty. Errors: `malformed`, with the line; `too_large`.
[[nodiscard]] inline Result<Manifest> manifest_from_json(std::string_view text,
                                                         const std::string& name,
                                                         const ManifestLimits& limits = {}) {
  if (text.size() > limits.file_bytes) {
    Error error =
        Error::mismatch(Errc::too_large, "a manifest", name, text.size(), limits.file_bytes);
    error.detail = detail::raise_file_bytes;
    return fail(std::move(error));
  }
  detail::ManifestReader reader(text, limits);
  std::string fault = reader.run();
  if (fault.empty() && !reader.seal.empty() && reader.seal != detail::seal_of(reader.manifest))
    fault =
        "its seal does not match: it was changed after it was written; write it again with "
        "qnnpp-plan";
  if (fault.empty()) return std::move(reader.manifest);
  return fail(Errc::malformed, "reading a manifest", name, fault);
}

/// Reads a manifest from a file. Sets Manifest::folder to the folder of the file. Errors:
/// `file_unreadable`, `too_large`, `malformed`; `invalid_argument` if the path contains a NUL.
[[nodiscard]] inline Result<Manifest> read_manifest(const std::string& path,
                                                    const ManifestLimits& limits = {}) {
  auto bytes = qnnpp::detail::read_file(path, limits.file_bytes);
  if (!bytes) {
    bytes.error().step = "reading a manifest";
    if (bytes.error().kind == Errc::too_large) bytes.error().detail = detail::raise_file_bytes;
    return fail(std::move(bytes).error());
  }
  auto manifest = manifest_from_json({reinterpret_cast<const char*>(bytes->data()), bytes->size()},
                                     path, limits);
  if (manifest) manifest->folder = detail::folder_of(path);
  return manifest;
}

/// Writes a manifest to a file. Replaces the file atomically and synchronises it with the disk: see
/// detail::replace_file(), whose errors it returns. Error: `invalid_argument` if read_manifest()
/// could not read the text within `limits`, for example because a name is not UTF-8, absolute or
/// listed twice, or a number exceeds 2^63 - 1.
[[nodiscard]] inline Result<void> write_manifest(const Manifest& manifest, const std::string& path,
                                                 ManifestTensors tensors = ManifestTensors::all,
                                                 const ManifestLimits& limits = {}) {
  Manifest written = manifest;
  for (Survey& entry : written.entries)
    for (GraphSpec& graph : entry.graphs)
      if (tensors == ManifestTensors::none) graph.inputs.clear(), graph.outputs.clear();
  const auto refuse = [&](std::string detail) {
    return fail(Errc::invalid_argument, "writing a manifest", path, detail);
  };
  const std::string text = to_json(written);
  const auto again = manifest_from_json(text, path, limits);
  if (!again)
    return refuse((again.error().kind == Errc::too_large ? "it is too large; " : "") +
                  again.error().detail);
  for (std::size_t i = 0; i < written.entries.size(); ++i)
    if (const std::string& name = written.entries[i].memory.name;
        name != again->entries[i].memory.name)
      return refuse("the name " + detail::in_quotes(name) + " is not UTF-8; give one that is");
  return detail::replace_file(path, text);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
