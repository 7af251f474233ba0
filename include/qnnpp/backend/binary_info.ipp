// Definitions of binary_info.hpp.
#pragma once

#include "qnnpp/backend/binary_info.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/htp/system.hpp"
#include "qnnpp/abi/system_context.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp::detail {

[[nodiscard]] QNNPP_INLINE Error unusable_metadata(std::string detail) {
  return Error::make(Errc::no_metadata, "QnnSystemContext_getMetadata", "binary",
                     std::move(detail));
}

/// Whether an array of so many elements may be read.
[[nodiscard]] QNNPP_INLINE Result<void> check_array(const void* first, std::uint32_t count,
                                                    const char* what) {
  if (count > most_metadata_entries || (first == nullptr && count != 0))
    return fail(unusable_metadata("it tells of " + std::to_string(count) + " " + what +
                                  (first == nullptr ? ", and not where they are" : "")));
  return {};
}

QNNPP_INLINE Result<std::vector<TensorSpec>> tensor_specs(const abi::Tensor* tensors,
                                                          std::uint32_t count) {
  if (auto readable = check_array(tensors, count, "tensors"); !readable)
    return fail(std::move(readable).error());
  std::vector<TensorSpec> specs;
  for (std::uint32_t i = 0; i < count; ++i) {
    auto spec = tensor_spec(tensors[i]);
    if (!spec) return fail(std::move(spec).error());
    specs.push_back(std::move(*spec));
  }
  return specs;
}

QNNPP_INLINE Result<GraphSpec> graph_spec(const abi::SystemContextGraphInfo& info) {
  if (const auto version = static_cast<std::uint32_t>(info.version); version < 1 || version > 3)
    return fail(unusable_metadata("the version of a graph is " + std::to_string(version) +
                                  ", known are 1 to 3"));
  const abi::SystemContextGraphInfoV1& first = info.graph_info_v1;
  GraphSpec spec;
  if (first.graph_name != nullptr) spec.name = first.graph_name;
  auto inputs = tensor_specs(first.graph_inputs, first.num_graph_inputs);
  if (!inputs) return fail(std::move(inputs).error());
  auto outputs = tensor_specs(first.graph_outputs, first.num_graph_outputs);
  if (!outputs) return fail(std::move(outputs).error());
  spec.inputs = std::move(*inputs);
  spec.outputs = std::move(*outputs);
  return spec;
}

/// Needs of a graph whose info is of version 3. Looks at the blob's version before anything else,
/// and at its size before that.
QNNPP_INLINE GraphNeeds graph_needs(const abi::SystemContextGraphInfo& info) {
  using Version = abi::HtpSystemContextGraphInfoBlobVersion;
  GraphNeeds needs;
  if (info.version != abi::SystemContextGraphInfoVersion::v3) return needs;
  const void* blob = info.graph_info_v3.graph_blob_info;
  const std::uint32_t bytes = info.graph_info_v3.graph_blob_info_size;
  Version version = Version::undefined;
  if (blob == nullptr || bytes < sizeof(version)) return needs;
  std::memcpy(&version, blob, sizeof(version));
  if (version == Version::version_v1 && bytes >= sizeof(abi::HtpSystemContextGraphBlobInfo)) {
    abi::HtpSystemContextGraphBlobInfo first;
    std::memcpy(&first, blob, sizeof(first));
    needs.spill_fill_bytes = first.context_binary_graph_blob_info_v1.spill_fill_buffer_size;
  } else if (version == Version::version_v2 &&
             bytes >= sizeof(abi::HtpSystemContextGraphBlobInfoV2)) {
    abi::HtpSystemContextGraphBlobInfoV2 second;
    std::memcpy(&second, blob, sizeof(second));
    needs.constant_bytes = second.const_size;
    needs.op_data_bytes = second.op_data_size;
  }
  return needs;
}

/// Adds the needs that stand in the array of an older binary info, one entry a graph.
QNNPP_INLINE void add_hardware_needs(const void* blob, std::uint32_t bytes,
                                     std::vector<GraphNeeds>& needs) {
  using Entry = abi::HtpSystemContextHwBlobInfo;
  for (std::size_t at = 0; blob != nullptr && at + sizeof(Entry) <= bytes; at += sizeof(Entry)) {
    Entry entry;
    std::memcpy(&entry, static_cast<const std::byte*>(blob) + at, sizeof(entry));
    if (entry.version != abi::HtpSystemContextHwInfoBlobVersion::version_v1) return;
    const auto& graph = entry.context_binary_hw_info_blob_v1_t;
    if (graph.graph_list_index < needs.size())
      needs[graph.graph_list_index].spill_fill_bytes = graph.spill_fill_buffer_size;
  }
}

QNNPP_INLINE Result<ContextSpec> context_spec(const abi::SystemContextBinaryInfo& info,
                                              std::size_t graph_stride, const std::string& name) {
  ContextSpec spec;
  std::uint32_t count = 0;
  bool is_htp = false;
  const abi::SystemContextGraphInfo* first = nullptr;
  const auto read = [&](const auto& of_version) {
    count = of_version.num_graphs;
    is_htp = of_version.backend_id == 6;
    first = of_version.graphs;
    spec.blob_bytes = of_version.context_blob_size;
    spec.core_api = of_version.core_api_version;
    if (of_version.build_id != nullptr) spec.build_id = of_version.build_id;
  };
  const void* hardware = nullptr;
  std::uint32_t hardware_bytes = 0;
  switch (info.version) {
    case abi::SystemContextBinaryInfoVersion::v1:
      read(info.context_binary_info_v1);
      hardware = info.context_binary_info_v1.hw_info_blob;
      hardware_bytes = info.context_binary_info_v1.hw_info_blob_size;
      break;
    case abi::SystemContextBinaryInfoVersion::v2:
      read(info.context_binary_info_v2);
      hardware = info.context_binary_info_v2.hw_info_blob;
      hardware_bytes = info.context_binary_info_v2.hw_info_blob_size;
      break;
    case abi::SystemContextBinaryInfoVersion::v3: {
      const abi::SystemContextBinaryInfoV3& third = info.context_binary_info_v3;
      read(third);
      spec.soc_model = third.soc_model;
      abi::HtpSystemContextContextBlobInfo context;
      if (is_htp && third.context_metadata != nullptr &&
          third.context_metadata_size >= sizeof(context)) {
        std::memcpy(&context, third.context_metadata, sizeof(context));
        if (context.version == abi::HtpSystemContextContextInfoBlobVersion::version_v1)
          spec.dsp_arch = context.context_binary_context_blob_info_v1.dsp_arch;
      }
      break;
    }
    default:
      return fail(Error::make(Errc::no_metadata, "QnnSystemContext_getMetadata", name,
                              "its version is " +
                                  std::to_string(static_cast<std::uint32_t>(info.version)) +
                                  ", known are 1 to 3"));
  }

  if (auto readable = check_array(first, count, "graphs"); !readable) {
    Error error = std::move(readable).error();
    error.object = name;
    return fail(std::move(error));
  }
  const auto* bytes = reinterpret_cast<const std::byte*>(first);
  for (std::uint32_t i = 0; i < count; ++i, bytes += graph_stride) {
    const auto& graph_info = *reinterpret_cast<const abi::SystemContextGraphInfo*>(bytes);
    auto graph = graph_spec(graph_info);
    if (!graph) {
      Error error = std::move(graph).error();
      error.object = name;
      return fail(std::move(error));
    }
    spec.graphs.push_back(std::move(*graph));
    // A third version of graph infos needs the longer stride. Another backend's blobs mean
    // something else.
    spec.needs.push_back(is_htp && graph_stride >= sizeof(abi::SystemContextGraphInfo)
                             ? graph_needs(graph_info)
                             : GraphNeeds{});
  }
  if (is_htp) add_hardware_needs(hardware, hardware_bytes, spec.needs);
  // Binaries of SDKs before 2.36 (core API 2.27) say 0 where they mean nothing.
  const bool tells_zero =
      spec.core_api.major > 2 || (spec.core_api.major == 2 && spec.core_api.minor >= 27);
  for (GraphNeeds& graph : spec.needs)
    if (graph.spill_fill_bytes == 0u && !tells_zero) graph.spill_fill_bytes.reset();
  return spec;
}

}  // namespace qnnpp::detail
