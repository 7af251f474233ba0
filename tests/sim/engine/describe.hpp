// Binaries of the SDK as the engine describes them: graphs, tensors, chip, versions and needs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/system.hpp"
#include "qnnpp/abi/system_context.hpp"

#include "sim/binary/binary_format.hpp"
#include "sim/engine/libraries.hpp"
#include "sim/ops/compose.hpp"
#include "sim/plan/needs.hpp"
#include "sim/plan/planner.hpp"

namespace qnnpp::sim::engine {

/// True for a binary that the engine reads: each that the simulated HTP did not write.
[[nodiscard]] inline bool reads(std::span<const std::byte> binary) noexcept {
  const std::span<const std::byte> own = std::as_bytes(std::span(binary_magic));
  return folder() != nullptr &&
         (binary.size() < own.size() || !std::equal(own.begin(), own.end(), binary.begin()));
}

/// The engine's metadata of one binary. Cannot be moved.
class Metadata {
 public:
  Metadata() = default;
  Metadata(const Metadata&) = delete;
  Metadata& operator=(const Metadata&) = delete;
  ~Metadata() {
    if (handle_ != nullptr && !is_over()) (void)system().table->table.system_context_free(handle_);
  }

  /// Reads a binary, once. `info` is valid as long as this object.
  [[nodiscard]] Status read(std::span<const std::byte> binary,
                            const c_api::SystemContextBinaryInfo*& info) {
    const Library<c_api::SystemInterface>& library = system();
    if (library.table == nullptr)
      return refusal(c_api::CommonError::loading_binaries, library.fault);
    if (is_over()) return refusal(c_api::CommonError::general, "it has ended");
    auto code = library.table->table.system_context_create(&handle_);
    if (code == 0)
      code = library.table->table.system_context_get_meta_data(handle_, binary.data(),
                                                               binary.size(), &info);
    if (code != 0)
      return refusal(static_cast<std::uint32_t>(code & 0xFFFF),
                     text("QnnSystemContext_getMetadata refuses the binary with %llu",
                          static_cast<unsigned long long>(code)));
    if (info->version != c_api::SystemContextBinaryInfoVersion::v3)
      return refusal(c_api::SystemContextError::unsupported_feature,
                     "it describes the binary in a form that the simulated HTP does not read");
    return success();
  }

 private:
  c_api::SystemContextHandle handle_ = nullptr;
};

namespace detail {

/// Copies a part of a graph's blob. Returns false if the blob ends before.
template <class Part>
bool read_part(const c_api::SystemContextGraphInfoV3& info, std::size_t offset, Part& out) {
  if (info.graph_blob_info == nullptr || info.graph_blob_info_size < offset + sizeof out)
    return false;
  std::memcpy(&out, static_cast<const std::byte*>(info.graph_blob_info) + offset, sizeof out);
  return true;
}

/// Copies the tensors of one direction. Their copies are in the graph's memory if they are raw.
inline Status add_tensors(const c_api::Tensor* tensors, std::uint32_t count, Graph& graph,
                          GraphPlan& plan) {
  for (std::uint32_t i = 0; i < count; ++i) {
    c_api::Tensor source = tensors[i];  // versions 1 and 2 begin with the same members
    if (source.v1.mem_type != c_api::TensorMemType::memhandle)
      source.v1.mem_type = c_api::TensorMemType::raw;
    source.v1.client_buf = {};
    Tensor tensor;
    if (Status status = sim::detail::copy_tensor(source, sim::detail::Contents::optional, tensor);
        !status.ok())
      return refusal(c_api::ContextError::binary_configuration, status.reason);
    Placement place;
    place.size_bytes = tensor_bytes(tensor);
    place.space = Space::client;
    if (tensor.mem_type == c_api::TensorMemType::raw) {
      place.space = Space::io;
      place.offset = plan.io_copies_bytes;
      plan.io_copies_bytes += round_to_placement(place.size_bytes);
    }
    graph.tensors.push_back(std::move(tensor));
    plan.placements.push_back(place);
  }
  return success();
}

/// Describes one graph. Its constants are one tensor, which is not the client's.
inline Status add_graph(const c_api::SystemContextGraphInfo& of, BinaryContents& out) {
  if (of.version != c_api::SystemContextGraphInfoVersion::v3)
    return refusal(c_api::SystemContextError::unsupported_feature,
                   "it describes a graph in a form that the simulated HTP does not read");
  const c_api::SystemContextGraphInfoV3& info = of.graph_info_v3;
  Graph& graph = out.network.graphs.emplace_back();
  GraphPlan& plan = out.plan.graphs.emplace_back();
  graph.name = info.graph_name;
  Status status = add_tensors(info.graph_inputs, info.num_graph_inputs, graph, plan);
  if (status.ok()) status = add_tensors(info.graph_outputs, info.num_graph_outputs, graph, plan);
  if (!status.ok()) return status;
  summarise(graph, plan);
  using Version = c_api::HtpSystemContextGraphInfoBlobVersion;
  c_api::HtpSystemContextGraphBlobInfo first{};
  c_api::HtpSystemContextGraphBlobInfoV2 second{};
  if (read_part(info, 0, first) && first.version == Version::version_v1) {
    const c_api::HtpSystemContextGraphBlobInfoV1& needs = first.context_binary_graph_blob_info_v1;
    plan.spill_fill_bytes = needs.spill_fill_buffer_size;
    // Megabytes by the SDK's header, bytes in its binaries.
    plan.vtcm_limit_bytes =
        needs.vtcm_size < 1024 ? std::uint64_t{needs.vtcm_size} << 20 : needs.vtcm_size;
    graph.hints.optimization_level = needs.optimization_level;
    graph.hints.dlbc = needs.htp_dlbc != 0;
    graph.hints.hvx_threads = static_cast<std::uint32_t>(needs.num_hvx_threads);
  }
  if (!read_part(info, sizeof first, second) || second.version != Version::version_v2)
    return success();
  plan.io_bytes = second.io_tensor_size;
  plan.op_data_bytes = second.op_data_size;
  out.plan.shared_weights_bytes =
      std::max(out.plan.shared_weights_bytes, second.shared_weights_size);
  if (second.const_size == 0) return success();
  graph.tensors.emplace_back().type = c_api::TensorType::static_;
  plan.placements.push_back({.space = Space::weights,
                             .offset = out.plan.weights_bytes,
                             .size_bytes = round_to_piece(second.const_size)});
  out.plan.weights_bytes += round_to_piece(second.const_size);
  return success();
}

}  // namespace detail

/// Describes a binary of the SDK.
inline Status describe(std::span<const std::byte> binary, BinaryContents& out) {
  out = BinaryContents{};
  Metadata metadata;
  const c_api::SystemContextBinaryInfo* read = nullptr;
  if (Status status = metadata.read(binary, read); !status.ok()) {
    if (system().table != nullptr) status.code = answer_to(binary);
    return status;
  }
  if (binary.size() < binary_header_bytes)
    return failure(c_api::SystemContextError::malformed_binary, "context binary: truncated");
  const c_api::SystemContextBinaryInfoV3& info = read->context_binary_info_v3;
  out.by_engine = true;
  out.total_bytes = binary.size();
  out.target.core_api_version = info.core_api_version;
  out.target.backend_api_version = info.backend_api_version;
  out.target.build_id = info.build_id == nullptr ? "" : info.build_id;
  out.target.soc_model = info.soc_model;
  c_api::HtpSystemContextContextBlobInfo context{};
  if (info.context_metadata != nullptr && info.context_metadata_size >= sizeof context) {
    std::memcpy(&context, info.context_metadata, sizeof context);
    out.target.dsp_arch = context.context_binary_context_blob_info_v1.dsp_arch;
  }
  for (std::uint32_t i = 0; i < info.num_graphs; ++i) {
    if (Status status = detail::add_graph(info.graphs[i], out); !status.ok()) return status;
    out.target.vtcm_bytes =
        std::max(out.target.vtcm_bytes, out.plan.graphs.back().vtcm_limit_bytes);
  }
  out.plan.weights_bytes += round_to_piece(out.plan.shared_weights_bytes);
  return success();
}

}  // namespace qnnpp::sim::engine
