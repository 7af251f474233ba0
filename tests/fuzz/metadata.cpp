// Fuzzes the metadata that a system library may report about a binary. The input determines
// structures of every version; each array is in a heap block of its exact size. If a count is
// within the limits, that many elements exist. Every other count must be refused.
#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "qnnpp/abi/htp/system.hpp"
#include "qnnpp/abi/system_context.hpp"
#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/format.hpp"
#include "qnnpp/model/survey.hpp"

#include "checks.hpp"

namespace {

using namespace qnnpp;
namespace most = qnnpp::detail::most;

class Library {
 public:
  Library(const std::uint8_t* data, std::size_t size) : input_(data, size) {}

  [[nodiscard]] std::size_t graph_stride() const noexcept { return stride_; }

  /// Returns the info. It and all data that it points to live until this object is destroyed.
  [[nodiscard]] c_api::SystemContextBinaryInfo make() {
    stride_ = input_.ConsumeBool() ? sizeof(c_api::SystemContextGraphInfo) : 64;
    c_api::SystemContextBinaryInfo info;
    std::memset(static_cast<void*>(&info), 0xA5, sizeof info);
    const auto version = input_.ConsumeIntegralInRange<std::uint32_t>(0, 4);
    info.version = static_cast<c_api::SystemContextBinaryInfoVersion>(version);
    if (version == 1) fill_with_hardware(info.context_binary_info_v1);
    if (version == 2) fill_with_hardware(info.context_binary_info_v2);
    if (version == 3) {
      fill(info.context_binary_info_v3);
      info.context_binary_info_v3.soc_model = input_.ConsumeIntegral<std::uint32_t>();
      info.context_binary_info_v3.context_metadata =
          blob(info.context_binary_info_v3.context_metadata_size);
    }
    return info;
  }

 private:
  /// Returns a separate block of `bytes` bytes; null for some empty ones.
  [[nodiscard]] std::byte* block(std::size_t bytes) {
    blocks_.emplace_back(bytes);
    return blocks_.back().empty() ? nullptr : blocks_.back().data();
  }
  template <class Size>
  [[nodiscard]] std::byte* blob(Size& size) {
    return blob(input_.ConsumeRandomLengthString(64), size);
  }
  /// Returns the blob of a graph: any bytes, or the form of the binaries of SDKs since 2.35:
  /// version 1, version 2 behind it, and what a newer version adds; sometimes cut off.
  [[nodiscard]] std::byte* graph_blob(std::uint32_t& size) {
    if (input_.ConsumeIntegralInRange(0, 3) == 0) return blob(size);
    std::string content;
    const auto add = [&](std::uint32_t version, std::size_t bytes) {
      std::string structure = input_.ConsumeBytesAsString(bytes - sizeof version);
      structure.resize(bytes - sizeof version);
      content.append(reinterpret_cast<const char*>(&version), sizeof version) += structure;
    };
    add(1, sizeof(c_api::HtpSystemContextGraphBlobInfo));
    if (input_.ConsumeBool()) add(2, sizeof(c_api::HtpSystemContextGraphBlobInfoV2));
    content += input_.ConsumeRandomLengthString(64);
    if (input_.ConsumeIntegralInRange(0, 7) == 0)
      content.resize(input_.ConsumeIntegralInRange<std::size_t>(0, content.size()));
    return blob(content, size);
  }
  template <class Size>
  [[nodiscard]] std::byte* blob(const std::string& content, Size& size) {
    size = static_cast<Size>(content.size());
    std::byte* bytes = block(content.size());
    if (bytes != nullptr) std::memcpy(bytes, content.data(), content.size());
    return bytes;
  }
  [[nodiscard]] const char* name() {
    switch (input_.ConsumeIntegralInRange(0, 7)) {
      case 0: return nullptr;
      case 1: names_.emplace_back(std::size_t{most::name_bytes} + 1, 'n'); break;
      case 2: names_.emplace_back(most::name_bytes, 'n'); break;
      default: names_.push_back(input_.ConsumeRandomLengthString(24));
    }
    // A separate copy, because a std::string may have spare memory after its end.
    const std::string& text = names_.back();
    std::byte* bytes = block(text.size() + 1);
    std::memcpy(bytes, text.c_str(), text.size() + 1);
    return reinterpret_cast<const char*>(bytes);
  }
  /// Returns the reported count of `count` things with this `limit`: the real count, or more than
  /// the limit.
  [[nodiscard]] std::uint32_t said(std::uint32_t count, std::uint32_t limit) {
    return input_.ConsumeIntegralInRange(0, 15) != 0
               ? count
               : input_.ConsumeIntegralInRange<std::uint32_t>(limit + 1, UINT32_MAX);
  }
  template <class Pointer>
  [[nodiscard]] Pointer or_null(Pointer pointer) {
    return input_.ConsumeIntegralInRange(0, 15) == 0 ? nullptr : pointer;
  }

  template <class CTensor>
  void fill_tensor(CTensor& tensor) {
    const std::uint32_t rank = input_.ConsumeIntegralInRange<std::uint32_t>(0, most::rank);
    std::memset(static_cast<void*>(&tensor), 0, sizeof tensor);
    tensor.id = input_.ConsumeIntegral<std::uint32_t>();
    tensor.name = name();
    tensor.type = static_cast<c_api::TensorType>(input_.ConsumeIntegralInRange(0, 5));
    tensor.data_type = static_cast<c_api::DataType>(input_.ConsumeIntegral<std::uint16_t>());
    tensor.mem_type = static_cast<c_api::TensorMemType>(input_.ConsumeIntegralInRange(0, 3));
    tensor.rank = said(rank, most::rank);
    auto* dimensions = reinterpret_cast<std::uint32_t*>(block(rank * sizeof(std::uint32_t)));
    for (std::uint32_t i = 0; i < rank; ++i)
      dimensions[i] = input_.ConsumeBool() ? 1 : input_.ConsumeIntegral<std::uint32_t>();
    tensor.dimensions = or_null(dimensions);
    // Any bytes are valid: only a scale and an offset are read.
    const std::string quantize = input_.ConsumeBytesAsString(sizeof tensor.quantize_params);
    std::memcpy(static_cast<void*>(&tensor.quantize_params), quantize.data(), quantize.size());
    if constexpr (requires { tensor.is_dynamic_dimensions; }) {
      auto* flags = reinterpret_cast<std::uint8_t*>(block(rank));
      for (std::uint32_t i = 0; i < rank; ++i) flags[i] = input_.ConsumeIntegral<std::uint8_t>();
      tensor.is_dynamic_dimensions = or_null(flags);
    }
  }
  [[nodiscard]] c_api::Tensor* tensors(std::uint32_t& count) {
    const auto there = input_.ConsumeIntegralInRange<std::uint32_t>(0, 3);
    std::byte* bytes = block(there * sizeof(c_api::Tensor));
    auto* first = reinterpret_cast<c_api::Tensor*>(bytes);
    for (std::uint32_t i = 0; i < there; ++i) {
      const auto version = input_.ConsumeIntegralInRange<std::uint32_t>(0, 3);
      std::memset(static_cast<void*>(first + i), 0, sizeof *first);
      first[i].version = static_cast<c_api::TensorVersion>(version);
      if (version == 2)
        fill_tensor(first[i].v2);
      else
        fill_tensor(first[i].v1);
    }
    count = said(there, most::tensors);
    return or_null(first);
  }
  [[nodiscard]] c_api::SystemContextGraphInfo* graphs(std::uint32_t& count) {
    const auto there = input_.ConsumeIntegralInRange<std::uint32_t>(0, 3);
    std::byte* first = block(there * stride_);
    for (std::uint32_t i = 0; i < there; ++i) {
      c_api::SystemContextGraphInfo graph;
      std::memset(static_cast<void*>(&graph), 0, sizeof graph);
      const auto version = input_.ConsumeIntegralInRange<std::uint32_t>(0, 4);
      c_api::SystemContextGraphInfoV1& common = graph.graph_info_v1;
      common.graph_name = name();
      common.graph_inputs = tensors(common.num_graph_inputs);
      common.graph_outputs = tensors(common.num_graph_outputs);
      if (version == 3)
        graph.graph_info_v3.graph_blob_info = graph_blob(graph.graph_info_v3.graph_blob_info_size);
      graph.version = static_cast<c_api::SystemContextGraphInfoVersion>(version);
      std::memcpy(first + i * stride_, static_cast<const void*>(&graph), stride_);
    }
    count = said(there, most::graphs);
    return or_null(reinterpret_cast<c_api::SystemContextGraphInfo*>(first));
  }
  template <class Info>
  void fill(Info& info) {
    info.backend_id = input_.ConsumeBool() ? c_api::backend_id::htp : 3;
    info.core_api_version = {input_.ConsumeIntegralInRange<std::uint32_t>(1, 3),
                             input_.ConsumeIntegralInRange<std::uint32_t>(20, 40), 0};
    info.context_blob_version = {};
    info.context_blob_size = input_.ConsumeIntegral<std::uint64_t>();
    info.build_id = name();
    info.graphs = graphs(info.num_graphs);
  }
  template <class Info>
  void fill_with_hardware(Info& info) {
    fill(info);
    info.hw_info_blob = blob(info.hw_info_blob_size);
  }

  FuzzedDataProvider input_;
  std::size_t stride_ = 0;
  std::deque<std::vector<std::byte>> blocks_;
  std::vector<std::string> names_;
};

void look_at(const std::vector<GraphSpec>& graphs) {
  std::size_t tensors = 0;
  for (const GraphSpec& graph : graphs) {
    fuzz::expect(graph.name.size() <= most::name_bytes, "a name is within its limit");
    for (const auto* list : {&graph.inputs, &graph.outputs})
      for (const TensorSpec& tensor : *list) {
        ++tensors;
        fuzz::expect(tensor.dimensions.size() <= most::rank, "a rank is within its limit");
        fuzz::expect(tensor.name.size() <= most::name_bytes, "a name is within its limit");
        const auto bytes = tensor.size_bytes();
        if (!bytes) fuzz::expect_sound(bytes.error());
        fuzz::expect_printable(fmt::format("{}", tensor));
      }
  }
  fuzz::expect(tensors <= most::tensors, "the tensors are within their limit");
  model::ContextMemory memory;
  model::detail::add_told(graphs, detail::needs_of(graphs), memory);
  fuzz::expect(memory.graphs == graphs.size(), "the graphs are counted");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Library library(data, size);
  const c_api::SystemContextBinaryInfo info = library.make();
  const auto spec = detail::context_spec(info, library.graph_stride(), "fuzzed\x1b.bin");
  if (spec) {
    look_at(spec->graphs);
  } else {
    fuzz::expect(
        spec.error().kind == Errc::no_metadata || spec.error().kind == Errc::unsupported_tensor,
        "a refusal is of metadata or of a tensor");
    fuzz::expect_sound(spec.error());
  }
  return 0;
}
