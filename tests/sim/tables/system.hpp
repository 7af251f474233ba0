// Calls of libQnnSystem.so: metadata of context binaries, sizes of tensors, loggers. Its handles
// are separate from the HTP library's handles.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "qnnpp/abi/htp/system.hpp"
#include "qnnpp/abi/system_interface.hpp"

#include "sim/binary/binary.hpp"
#include "sim/objects/client_memory.hpp"
#include "sim/objects/handle_table.hpp"
#include "sim/objects/logger.hpp"
#include "sim/ops/compose.hpp"
#include "sim/plan/needs.hpp"
#include "sim/plan/plan.hpp"
#include "sim/tables/abi_view.hpp"
#include "sim/tables/environment.hpp"
#include "sim/tables/unconfirmed.hpp"

namespace qnnpp::sim {

/// One QnnSystemContext: the description of the last binary that it has read.
struct SystemContext {
  std::unique_ptr<engine::Metadata> of_engine;  ///< a binary of the SDK, as the engine describes it
  BinaryContents contents;
  std::vector<std::vector<c_api::Tensor>> inputs;
  std::vector<std::vector<c_api::Tensor>> outputs;
  std::vector<std::vector<std::uint64_t>> blobs;  ///< words of each graph's blob
  std::vector<c_api::SystemContextGraphInfo> graphs;
  std::vector<c_api::Tensor> context_tensors;
  c_api::HtpSystemContextContextBlobInfo context_blob{};
  c_api::SystemContextBinaryInfo info{};
};

/// An open file for the events of profiles.
struct SerializationTarget {
  std::FILE* file = nullptr;
  std::string lines;
  SerializationTarget() = default;
  SerializationTarget(const SerializationTarget&) = delete;
  SerializationTarget& operator=(const SerializationTarget&) = delete;
  /// Writes the file, as the host library does: the number of bytes that follow, and these. Ignores
  /// errors.
  ~SerializationTarget() {
    if (file == nullptr) return;
    const auto bytes = static_cast<std::uint32_t>(lines.size());
    std::fwrite(&bytes, sizeof bytes, 1, file);
    std::fwrite(lines.data(), 1, lines.size(), file);
    std::fclose(file);
  }
};

/// State of the library, whose source defines system().
struct System {
  std::mutex mutex;
  HandleTable<SystemContext, HandleKind::system_context> contexts;
  HandleTable<Logger, HandleKind::system_log> logs;
  HandleTable<SerializationTarget, HandleKind::serialization_target> targets;
};

/// Returns the state of this process.
[[nodiscard]] System& system() noexcept;

namespace system_api {

inline c_api::ErrorHandle code(c_api::SystemContextError error) noexcept {
  return static_cast<c_api::ErrorHandle>(error);
}
inline c_api::ErrorHandle code(c_api::LogError error) noexcept {
  return static_cast<c_api::ErrorHandle>(error);
}

inline c_api::ErrorHandle system_context_create(c_api::SystemContextHandle* handle) {
  if (handle == nullptr) return code(c_api::SystemContextError::invalid_argument);
  System& s = system();
  const std::lock_guard lock{s.mutex};
  *handle =
      handle_of<c_api::SystemContextHandle>(s.contexts.insert(std::make_shared<SystemContext>()));
  return 0;
}

/// Returns the indices of a binary's graphs in the order of the metadata, which the seed draws.
inline std::vector<std::size_t> graph_order(const Network& network) {
  std::vector<std::size_t> order(network.graphs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  switch (static_cast<GraphOrder>(drawn(seed_of_environment(), Unconfirmed::graph_order))) {
    case GraphOrder::as_composed: break;
    case GraphOrder::reversed: std::reverse(order.begin(), order.end()); break;
    case GraphOrder::by_name:
      std::sort(order.begin(), order.end(), [&network](std::size_t a, std::size_t b) {
        return network.graphs[a].name < network.graphs[b].name;
      });
      break;
  }
  return order;
}

/// The known versions of a graph's blob, one directly behind the other.
struct GraphBlob {
  c_api::HtpSystemContextGraphBlobInfo first;
  c_api::HtpSystemContextGraphBlobInfoV2 second;
};
static_assert(sizeof(GraphBlob) == 40 + 72);

/// Returns QNNPP_SIM_GRAPH_BLOB_BYTES, the size of a graph's blob. The default are the known
/// versions, also for what is not a number up to 1 MiB; stderr gets one line about that.
inline std::uint32_t graph_blob_bytes() {
  constexpr std::uint32_t known = sizeof(GraphBlob), most = 1u << 20;
  constexpr const char* name = "QNNPP_SIM_GRAPH_BLOB_BYTES";
  if (const auto bytes = number_in(variable(name));
      variable(name).empty() || (bytes && *bytes <= most))
    return static_cast<std::uint32_t>(bytes.value_or(known));
  [[maybe_unused]] static const auto reported = read_variable(name, most);
  return known;
}

/// Returns a graph's blob of graph_blob_bytes(): less than the known versions, or more, as those of
/// a version that no client knows.
inline std::vector<std::uint64_t> graph_blob(const Graph& graph, const NetworkPlan& network,
                                             const GraphPlan& plan) {
  using Version = c_api::HtpSystemContextGraphInfoBlobVersion;
  GraphBlob known{};
  known.first.version = Version::version_v1;
  c_api::HtpSystemContextGraphBlobInfoV1& first = known.first.context_binary_graph_blob_info_v1;
  first = {};
  first.spill_fill_buffer_size = plan.spill_fill_bytes;
  first.vtcm_size = vtcm_megabytes(plan);
  first.optimization_level = graph.hints.optimization_level;
  first.htp_dlbc = graph.hints.dlbc ? 1 : 0;
  first.num_hvx_threads = graph.hints.hvx_threads;
  known.second.version = Version::version_v2;
  known.second.io_tensor_size = plan.io_bytes;
  known.second.op_data_size = plan.op_data_bytes;
  known.second.const_size = constant_bytes(network, plan);
  known.second.shared_weights_size = network.shared_weights_bytes;
  std::vector<std::uint64_t> blob(sizeof known / sizeof(std::uint64_t));
  std::memcpy(blob.data(), &known, sizeof known);
  blob.resize((graph_blob_bytes() + 7) / 8, 3);  // the next version's number, and its contents
  return blob;
}

/// Writes the description as QnnSystemContext_BinaryInfo_t version 3, with graph infos of version
/// 3.
inline void describe(SystemContext& context, std::uint64_t binary_bytes) {
  const BinaryContents& contents = context.contents;
  const std::size_t count = contents.network.graphs.size();
  context.inputs.assign(count, {});
  context.outputs.assign(count, {});
  context.blobs.assign(count, {});
  context.graphs.assign(count, {});
  context.context_tensors.clear();
  for (const Tensor& tensor : contents.network.context_tensors)
    context.context_tensors.push_back(abi_view(tensor));
  const std::vector<std::size_t> order = graph_order(contents.network);
  for (std::size_t i = 0; i < count; ++i) {
    const Graph& graph = contents.network.graphs[order[i]];
    const GraphPlan& plan = contents.plan.graphs[order[i]];
    context.inputs[i] = abi_views(graph, graph_inputs(graph));
    context.outputs[i] = abi_views(graph, graph_outputs(graph));
    c_api::SystemContextGraphInfo& info = context.graphs[i];
    info.version = c_api::SystemContextGraphInfoVersion::v3;
    info.graph_info_v3 = {};
    info.graph_info_v3.graph_name = graph.name.c_str();
    info.graph_info_v3.num_graph_inputs = static_cast<std::uint32_t>(context.inputs[i].size());
    info.graph_info_v3.graph_inputs = context.inputs[i].data();
    info.graph_info_v3.num_graph_outputs = static_cast<std::uint32_t>(context.outputs[i].size());
    info.graph_info_v3.graph_outputs = context.outputs[i].data();
    context.blobs[i] = graph_blob(graph, contents.plan, plan);
    info.graph_info_v3.graph_blob_info_size = graph_blob_bytes();
    info.graph_info_v3.graph_blob_info = context.blobs[i].data();
    info.graph_info_v3.end_op_index = static_cast<std::uint32_t>(graph.nodes.size());
  }
  context.context_blob.version = c_api::HtpSystemContextContextInfoBlobVersion::version_v1;
  context.context_blob.context_binary_context_blob_info_v1.dsp_arch = contents.target.dsp_arch;
  context.info.version = c_api::SystemContextBinaryInfoVersion::v3;
  c_api::SystemContextBinaryInfoV3& info = context.info.context_binary_info_v3;
  info = {};
  info.backend_id = 6;
  info.build_id = contents.target.build_id.c_str();
  info.core_api_version = contents.target.core_api_version;
  info.backend_api_version = contents.target.backend_api_version;
  info.soc_version = "";
  info.context_blob_version = {binary_format_version, 0, 0};
  info.context_blob_size = binary_bytes;
  info.num_context_tensors = static_cast<std::uint32_t>(context.context_tensors.size());
  info.context_tensors = context.context_tensors.data();
  info.num_graphs = static_cast<std::uint32_t>(count);
  info.graphs = context.graphs.data();
  info.context_metadata_size = sizeof context.context_blob;
  info.context_metadata = &context.context_blob;
  info.soc_model = contents.target.soc_model;
}

/// Reads a binary's metadata without its weights. The next call with this handle, or its free,
/// invalidates the description. A failure leaves `info` unchanged.
inline c_api::ErrorHandle system_context_get_meta_data(
    c_api::SystemContextHandle handle, const void* binary, std::uint64_t size,
    const c_api::SystemContextBinaryInfo** info) {
  System& s = system();
  const std::lock_guard lock{s.mutex};
  const auto context = s.contexts.find(handle);
  if (context == nullptr) return code(c_api::SystemContextError::invalid_handle);
  if (binary == nullptr || size == 0 || info == nullptr)
    return code(c_api::SystemContextError::invalid_argument);
  BinaryContents contents;
  if (!is_readable(binary, size)) return code(c_api::SystemContextError::malformed_binary);
  const std::span bytes{static_cast<const std::byte*>(binary), static_cast<std::size_t>(size)};
  if (engine::reads(bytes)) {
    auto metadata = std::make_unique<engine::Metadata>();
    const c_api::SystemContextBinaryInfo* read = nullptr;
    if (const Status status = metadata->read(bytes, read); !status.ok()) return status.code;
    context->of_engine = std::move(metadata);
    *info = read;
    return 0;
  }
  if (!inspect(bytes, contents).ok()) return code(c_api::SystemContextError::malformed_binary);
  context->contents = std::move(contents);
  describe(*context, size);
  *info = &context->info;
  return 0;
}

inline c_api::ErrorHandle system_context_get_binary_info(
    c_api::SystemContextHandle handle, void* binary, std::uint64_t size,
    const c_api::SystemContextBinaryInfo** info, c_api::ContextBinarySize* info_size) {
  if (info_size == nullptr) return code(c_api::SystemContextError::invalid_argument);
  const c_api::ErrorHandle result = system_context_get_meta_data(handle, binary, size, info);
  if (result == 0) *info_size = 0;  // the host library reports no size
  return result;
}

/// Returns 0 also for unknown handles; only NULL fails.
inline c_api::ErrorHandle system_context_free(c_api::SystemContextHandle handle) {
  if (handle == nullptr) return code(c_api::SystemContextError::invalid_handle);
  System& s = system();
  const std::lock_guard lock{s.mutex};
  s.contexts.erase(id_of(handle));
  return 0;
}

inline c_api::ErrorHandle system_tensor_get_memory_footprint(c_api::Tensor tensor,
                                                             std::uint64_t* footprint) {
  const auto invalid_tensor =
      static_cast<c_api::ErrorHandle>(c_api::SystemTensorError::invalid_tensor);
  if (footprint == nullptr)
    return static_cast<c_api::ErrorHandle>(c_api::SystemTensorError::invalid_argument);
  if (tensor.version != c_api::TensorVersion::v1 && tensor.version != c_api::TensorVersion::v2)
    return invalid_tensor;
  if (tensor.v1.rank == 0 || tensor.v1.rank > max_rank || tensor.v1.dimensions == nullptr)
    return invalid_tensor;
  Tensor described;
  described.data_type = tensor.v1.data_type;
  described.dimensions.assign(tensor.v1.dimensions, tensor.v1.dimensions + tensor.v1.rank);
  *footprint = tensor_bytes(described);
  return *footprint != 0 ? 0 : invalid_tensor;
}

/// True for a known level. Level 0 is unknown, unlike in the HTP library.
inline bool is_log_level(c_api::LogLevel level) noexcept {
  const auto number = static_cast<std::uint32_t>(level);
  return number >= 1 && number <= static_cast<std::uint32_t>(c_api::LogLevel::debug);
}

inline c_api::ErrorHandle system_log_create(c_api::LogCallback callback, c_api::LogLevel level,
                                            c_api::LogHandle* logger) {
  if (logger == nullptr || !is_log_level(level)) return code(c_api::LogError::invalid_argument);
  System& s = system();
  const std::lock_guard lock{s.mutex};
  *logger =
      handle_of<c_api::LogHandle>(s.logs.insert(std::make_shared<Logger>(Logger{callback, level})));
  return 0;
}

inline c_api::ErrorHandle system_log_set_log_level(c_api::LogHandle logger, c_api::LogLevel level) {
  System& s = system();
  const std::lock_guard lock{s.mutex};
  const auto found = s.logs.find(logger);
  if (found == nullptr) return code(c_api::LogError::invalid_handle);
  if (!is_log_level(level)) return code(c_api::LogError::invalid_argument);
  found->level = level;
  return 0;
}

inline c_api::ErrorHandle system_log_free(c_api::LogHandle logger) {
  System& s = system();
  const std::lock_guard lock{s.mutex};
  return s.logs.erase(id_of(logger)) ? 0 : code(c_api::LogError::invalid_handle);
}

// The simulation has no deep learning containers.

inline c_api::ErrorHandle system_dlc_create_from_file(c_api::LogHandle, const char*,
                                                      c_api::SystemDlcHandle*) {
  return code(c_api::SystemContextError::unsupported_feature);
}
inline c_api::ErrorHandle system_dlc_create_from_binary(c_api::LogHandle, const std::uint8_t*,
                                                        const c_api::ContextBinarySize,
                                                        c_api::SystemDlcHandle*) {
  return code(c_api::SystemContextError::unsupported_feature);
}
inline c_api::ErrorHandle system_dlc_compose_graphs(
    c_api::SystemDlcHandle, const c_api::SystemDlcGraphConfigInfo**, const std::uint32_t,
    c_api::BackendHandle, c_api::ContextHandle, c_api::Interface,
    c_api::SystemContextGraphInfoVersion, c_api::SystemContextGraphInfo**, std::uint32_t*) {
  return code(c_api::SystemContextError::unsupported_feature);
}
inline c_api::ErrorHandle system_dlc_get_op_mappings(c_api::SystemDlcHandle,
                                                     const c_api::OpMapping**, std::uint32_t*) {
  return code(c_api::SystemContextError::unsupported_feature);
}
inline c_api::ErrorHandle system_dlc_free(c_api::SystemDlcHandle) {
  return code(c_api::SystemContextError::unsupported_feature);
}

}  // namespace system_api
}  // namespace qnnpp::sim
