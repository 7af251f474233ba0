// Definitions of binary_info.hpp.
#pragma once

#include "qnnpp/backend/detail/binary_info.hpp"

#include "qnnpp/config.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/system.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// A pipe through which the kernel reads memory. Where this process would get SIGBUS, the kernel
/// returns an error.
class MemoryPipe {
 public:
  static constexpr std::size_t most_bytes = 4096;  ///< An empty pipe takes so many at least.

  MemoryPipe() noexcept { is_open_ = ::pipe2(ends_, O_CLOEXEC | O_NONBLOCK) == 0; }
  MemoryPipe(const MemoryPipe&) = delete;
  MemoryPipe& operator=(const MemoryPipe&) = delete;
  ~MemoryPipe() {
    if (!is_open_) return;
    (void)::close(ends_[0]);
    (void)::close(ends_[1]);
  }
  [[nodiscard]] bool is_open() const noexcept { return is_open_; }

  /// Puts at most most_bytes into the pipe, which is empty. Returns false if they cannot be read.
  [[nodiscard]] bool put(std::span<const std::byte> bytes) noexcept {
    const auto put = ::write(ends_[1], bytes.data(), bytes.size());
    return put == static_cast<ssize_t>(bytes.size());
  }
  /// Takes `count` bytes out.
  [[nodiscard]] bool take(char* to, std::size_t count) noexcept {
    return ::read(ends_[0], to, count) == static_cast<ssize_t>(count);
  }

 private:
  int ends_[2] = {-1, -1};
  bool is_open_ = false;
};

QNNPP_INLINE bool is_whole(std::span<const std::byte> bytes) noexcept {
  if (bytes.empty()) return true;
  MemoryPipe pipe;
  return !pipe.is_open() || pipe.put(bytes.last(1));
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE std::string sdk_of(std::span<const std::byte> binary) {
  constexpr std::size_t most_bytes = 65536;
  std::string start(binary.size() < most_bytes ? binary.size() : most_bytes, '\0');
  MemoryPipe pipe;
  std::size_t read = 0;
  while (pipe.is_open() && read < start.size()) {
    const std::size_t left = start.size() - read;
    const std::size_t part = left < MemoryPipe::most_bytes ? left : MemoryPipe::most_bytes;
    if (!pipe.put(binary.subspan(read, part)) || !pipe.take(start.data() + read, part)) break;
    read += part;
  }
  return sdk_of(std::string_view(start).substr(0, read));
}

QNNPP_INLINE std::string sdk_of(std::string_view text) {
  // "v2.29.0.241129103708_105762": three numbers, and the day and hour of the build.
  const auto is_digit = [&](std::size_t at) {
    return at < text.size() && text[at] >= '0' && text[at] <= '9';
  };
  for (std::size_t start = text.find("v2."); start != std::string_view::npos;
       start = text.find("v2.", start + 1)) {
    std::size_t at = start + 1;
    std::size_t ends[4] = {};
    for (std::size_t number = 0; number < 4; ++number) {
      const std::size_t first = at;
      while (is_digit(at)) ++at;
      if (at == first || (number < 3 && (at - first > 3 || at == text.size() || text[at] != '.')))
        break;
      ends[number] = at++;
    }
    if (ends[3] >= ends[2] + 7) return std::string(text.substr(start + 1, ends[2] - start - 1));
  }
  return {};
}

QNNPP_INLINE bool is_unreadable(const Error& error) noexcept {
  return error.kind == Errc::qnn &&
         (error.code == code_of(c_api::SystemContextError::malformed_binary) ||
          error.code == code_of(c_api::SystemContextError::invalid_argument));
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
explain_unreadable(Error error, std::span<const std::byte> binary, const std::string& reader) {
  if (!is_unreadable(error)) return error;
  const std::string sdk = sdk_of(binary);
  const std::string versions = (sdk.empty() ? "the file names no SDK that made it, "
                                            : detail::joined({"SDK ", sdk, " made the binary, "})) +
                               reader;
  error.detail = error.detail.empty() ? versions : detail::joined({versions, "; ", error.detail});
  return error;
}

[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
unusable_metadata(std::string_view detail) {
  return Error::make(Errc::no_metadata, metadata_step, "binary", detail);
}

/// Checks that an array of `count` elements may be read. Error: `no_metadata`.
[[nodiscard]] QNNPP_INLINE Result<void> check_metadata(const void* first, std::uint64_t count,
                                                       std::uint64_t limit, const char* what) {
  return check_count(count, limit, first, what, Errc::no_metadata, metadata_step, "binary");
}
[[nodiscard]] QNNPP_INLINE Result<void> read_metadata_name(const char* from, std::string& name) {
  return read_name(from, name, Errc::no_metadata, metadata_step, "binary");
}

/// `room`: number of tensors that the binary may still have.
[[nodiscard]] QNNPP_INLINE Result<void> read_tensors(const c_api::Tensor* tensors,
                                                     std::uint32_t count, std::uint32_t& room,
                                                     std::vector<TensorSpec>& specs) {
  QNNPP_TRY(check_metadata(tensors, count, room, "tensors"));
  room -= count;
  specs = std::vector<TensorSpec>(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    QNNPP_LET(spec, tensor_spec(tensors[i]));
    specs[i] = std::move(*spec);
  }
  return {};
}

/// Reads the members with which all three versions begin.
[[nodiscard]] QNNPP_INLINE Result<void> read_graph(const c_api::SystemContextGraphInfo& info,
                                                   std::uint32_t& room, GraphSpec& spec) {
  if (const auto version = static_cast<std::uint32_t>(info.version); version < 1 || version > 3)
    return fail(unusable_metadata(
        detail::joined({"the version of a graph is ", version, "; qnnpp reads versions 1 to 3"})));
  const c_api::SystemContextGraphInfoV1& first = info.graph_info_v1;
  QNNPP_TRY(read_metadata_name(first.graph_name, spec.name));
  QNNPP_TRY(read_tensors(first.graph_inputs, first.num_graph_inputs, room, spec.inputs));
  return read_tensors(first.graph_outputs, first.num_graph_outputs, room, spec.outputs);
}

/// Converts a VTCM size of the metadata to megabytes; binaries state bytes.
[[nodiscard]] constexpr std::uint32_t megabytes(std::uint32_t told) noexcept {
  constexpr std::uint32_t bytes = 1U << 20U;
  return told < bytes ? told : told / bytes;
}

/// Reads needs and preparation of a graph, which an info of version 3 has. The blob of a newer SDK
/// has the structures of several versions, one behind the other (BIN-03). Checks that each is whole
/// before it reads it. Counts what is behind the last known version.
QNNPP_INLINE void read_blob(const c_api::SystemContextGraphInfo& info, GraphSpec& spec) {
  using Version = c_api::HtpSystemContextGraphInfoBlobVersion;
  if (info.version != c_api::SystemContextGraphInfoVersion::v3) return;
  const auto* at = static_cast<const std::byte*>(info.graph_info_v3.graph_blob_info);
  std::size_t left = at == nullptr ? 0 : info.graph_info_v3.graph_blob_info_size;
  /// Reads a structure of this version at the start of what is left.
  const auto read = [&](Version version, auto& structure) {
    Version found = Version::undefined;
    if (left < sizeof(structure)) return false;
    std::memcpy(&found, at, sizeof(found));
    if (found != version) return false;
    std::memcpy(&structure, at, sizeof(structure));
    at += sizeof(structure);
    left -= sizeof(structure);
    return true;
  };
  c_api::HtpSystemContextGraphBlobInfo first;
  if (read(Version::version_v1, first)) {
    const c_api::HtpSystemContextGraphBlobInfoV1& told = first.context_binary_graph_blob_info_v1;
    spec.spill_fill_bytes = told.spill_fill_buffer_size;
    spec.preparation = {.vtcm_mb = megabytes(told.vtcm_size),
                        .optimization_level = told.optimization_level,
                        .hvx_threads = static_cast<std::uint32_t>(told.num_hvx_threads),
                        .dlbc = told.htp_dlbc != 0};
  }
  c_api::HtpSystemContextGraphBlobInfoV2 second;
  if (read(Version::version_v2, second)) {
    spec.io_bytes = second.io_tensor_size;
    spec.constant_bytes = second.const_size;
    spec.op_data_bytes = second.op_data_size;
    spec.shared_weights_bytes = second.shared_weights_size;
  }
  spec.unread_metadata_bytes = left;
}

/// Adds the needs from the array of an older binary info, which has one entry for each graph.
QNNPP_INLINE void add_hardware_needs(const void* blob, std::uint32_t bytes,
                                     std::vector<GraphSpec>& graphs) {
  using Entry = c_api::HtpSystemContextHwBlobInfo;
  for (std::size_t at = 0; blob != nullptr && at + sizeof(Entry) <= bytes; at += sizeof(Entry)) {
    Entry entry;
    std::memcpy(&entry, static_cast<const std::byte*>(blob) + at, sizeof(entry));
    if (entry.version != c_api::HtpSystemContextHwInfoBlobVersion::version_v1) return;
    const auto& graph = entry.context_binary_hw_info_blob_v1_t;
    if (graph.graph_list_index < graphs.size())
      graphs[graph.graph_list_index].spill_fill_bytes = graph.spill_fill_buffer_size;
  }
}

/// Members of a binary info of any version.
struct BinaryInfoView {
  explicit BinaryInfoView(const c_api::SystemContextBinaryInfo& info) {
    const auto read = [this](const auto& of_version) {
      known = true;
      is_htp = of_version.backend_id == c_api::backend_id::htp;
      graphs = of_version.graphs;
      graph_count = of_version.num_graphs;
      blob_bytes = of_version.context_blob_size;
      core_api = of_version.core_api_version;
      backend_api = of_version.backend_api_version;
      blob_version = of_version.context_blob_version;
      build_id = of_version.build_id;
      if constexpr (requires { of_version.hw_info_blob; }) {
        hardware = of_version.hw_info_blob;
        hardware_bytes = of_version.hw_info_blob_size;
      }
    };
    using Version = c_api::SystemContextBinaryInfoVersion;
    if (info.version == Version::v1) read(info.context_binary_info_v1);
    if (info.version == Version::v2) read(info.context_binary_info_v2);
    if (info.version == Version::v3) read(info.context_binary_info_v3);
  }

  bool known = false;  ///< False: the version is unknown, and no other member is set.
  bool is_htp = false;
  const c_api::SystemContextGraphInfo* graphs = nullptr;
  std::uint32_t graph_count = 0;
  std::uint64_t blob_bytes = 0;
  c_api::Version core_api{};
  c_api::Version backend_api{};
  c_api::Version blob_version{};
  const char* build_id = nullptr;
  const void* hardware = nullptr;
  std::uint32_t hardware_bytes = 0;
};

[[nodiscard]] QNNPP_INLINE Result<void> read_graphs(const BinaryInfoView& info,
                                                    std::size_t graph_stride,
                                                    std::vector<GraphSpec>& graphs) {
  QNNPP_TRY(check_metadata(info.graphs, info.graph_count, most::graphs, "graphs"));
  QNNPP_TRY(check_metadata(info.hardware,
                           info.hardware == nullptr
                               ? 0
                               : info.hardware_bytes / sizeof(c_api::HtpSystemContextHwBlobInfo),
                           most::graphs, "hardware infos"));
  std::uint32_t room = most::tensors;
  graphs = std::vector<GraphSpec>(info.graph_count);
  const auto* bytes = reinterpret_cast<const std::byte*>(info.graphs);
  // Graph infos of version 3 need the longer stride. The blobs of another backend have another
  // meaning.
  const bool tells_needs = info.is_htp && graph_stride >= sizeof(c_api::SystemContextGraphInfo);
  for (GraphSpec& graph : graphs) {
    const auto& graph_info = *reinterpret_cast<const c_api::SystemContextGraphInfo*>(bytes);
    QNNPP_TRY(read_graph(graph_info, room, graph));
    if (tells_needs) read_blob(graph_info, graph);
    bytes += graph_stride;
  }
  if (info.is_htp) add_hardware_needs(info.hardware, info.hardware_bytes, graphs);
  // In binaries of SDKs before 2.36 (core API 2.27), 0 means that the need is unknown.
  if (info.core_api.major < 2 || (info.core_api.major == 2 && info.core_api.minor < 27))
    for (GraphSpec& graph : graphs)
      if (graph.spill_fill_bytes == 0u) graph.spill_fill_bytes.reset();
  return {};
}

QNNPP_INLINE Result<ContextSpec> context_spec(const c_api::SystemContextBinaryInfo& info,
                                              std::size_t graph_stride, const std::string& name) {
  const BinaryInfoView view(info);
  ContextSpec spec;
  auto read = view.known ? read_graphs(view, graph_stride, spec.graphs)
                         : fail(unusable_metadata(detail::joined(
                               {"its version is ", static_cast<std::uint32_t>(info.version),
                                "; qnnpp reads versions 1 to 3"})));
  if (!read) {
    read.error().object = name;
    return fail(std::move(read).error());
  }
  spec.blob_bytes = view.blob_bytes;
  spec.core_api = view.core_api;
  spec.backend_api = view.backend_api;
  spec.blob_version = view.blob_version;
  QNNPP_TRY(read_name(view.build_id, spec.build_id, Errc::no_metadata, metadata_step, name));
  if (info.version == c_api::SystemContextBinaryInfoVersion::v3) {
    const c_api::SystemContextBinaryInfoV3& third = info.context_binary_info_v3;
    spec.soc_model = third.soc_model;
    c_api::HtpSystemContextContextBlobInfo context;
    if (view.is_htp && third.context_metadata != nullptr &&
        third.context_metadata_size >= sizeof(context)) {
      std::memcpy(&context, third.context_metadata, sizeof(context));
      if (context.version == c_api::HtpSystemContextContextInfoBlobVersion::version_v1)
        spec.dsp_arch = context.context_binary_context_blob_info_v1.dsp_arch;
    }
  }
  return spec;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
