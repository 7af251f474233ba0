// Tokens of a decoder: an execution, and the copy of its new keys and values behind those that are
// in the caches, by qnnpp or by the C API and memcpy:
//   token_probe c|qnnpp CACHES TOKENS
// For callgrind: measured_c and measured_qnnpp.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/memory/kv_cache.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

using namespace qnnpp;
using BoundGraph = Graph<Bound, RegisteredIo>;

namespace {

// The shape of a cache: [1, heads, capacity, size].
constexpr std::uint32_t heads = 4, capacity = 64, size = 16;
constexpr std::size_t position_bytes = size * sizeof(float);

/// A cache and the output with its next position, as a C program knows them.
struct CCache {
  std::byte* cache = nullptr;
  const std::byte* next = nullptr;
};

}  // namespace

extern "C" {

[[gnu::noinline]] int measured_qnnpp(BoundGraph& graph, KvCache& cache, std::size_t tokens) {
  for (std::size_t i = 0; i < tokens; ++i) {
    if (!graph.execute()) return EXIT_FAILURE;
    if (!cache.append(1)) return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

[[gnu::noinline]] int measured_c(c_api::GraphExecuteFn execute, c_api::GraphHandle graph,
                                 std::vector<c_api::Tensor>& inputs,
                                 std::vector<c_api::Tensor>& outputs,
                                 const std::vector<CCache>& caches, std::size_t tokens) {
  for (std::size_t position = 0; position < tokens; ++position) {
    if (!is_success(execute(graph, inputs.data(), static_cast<std::uint32_t>(inputs.size()),
                            outputs.data(), static_cast<std::uint32_t>(outputs.size()), nullptr,
                            nullptr)))
      return EXIT_FAILURE;
    for (const CCache& each : caches)
      for (std::size_t head = 0; head < heads; ++head)
        std::memcpy(each.cache + (head * capacity + position) * position_bytes,
                    each.next + head * position_bytes, position_bytes);
  }
  return EXIT_SUCCESS;
}

}  // extern "C"

int main(int argc, char** argv) {
  if (argc != 4) return EXIT_FAILURE;
  const std::string way = argv[1], sim = QNNPP_SIM_DIR;
  const auto caches = static_cast<std::size_t>(std::strtoull(argv[2], nullptr, 10));
  const auto tokens = static_cast<std::size_t>(std::strtoull(argv[3], nullptr, 10));
  const auto backend = value_or_throw(Backend<Htp>::load({.library = sim + "/libQnnHtp.so"}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(sim + "/libcdsprpc.so"));
  auto composing = value_or_throw(Context<Composing>::create(backend));
  auto composed = value_or_throw(Graph<Composing, RegisteredIo>::create(composing, "decode"));
  std::vector<KvTensor> kept;
  std::vector<TensorSpec> others;
  for (std::size_t i = 0; i < caches; ++i) {
    const auto tensor = [&](const char* name, c_api::TensorType kind, std::uint32_t positions) {
      TensorSpec spec{.name = name + std::to_string(i),
                      .kind = kind,
                      .dimensions = {1, heads, positions, size}};
      if (name[0] != 'k') others.push_back(spec);
      return value_or_throw(composed.add_tensor(spec));
    };
    const auto node = [&](const char* name, GraphTensor from, GraphTensor to) {
      value_or_throw(composed.add_node(
          {.name = name + std::to_string(i), .type = "Relu", .inputs = {from}, .outputs = {to}}));
    };
    using enum c_api::TensorType;
    node("read", tensor("key_cache", app_write, capacity), tensor("y", app_read, capacity));
    node("write", tensor("x", app_write, 1), tensor("key_next", app_read, 1));
    kept.push_back({"key_cache" + std::to_string(i), "key_next" + std::to_string(i), 2});
  }
  auto graph = value_or_throw(std::move(composed).finalize());
  const auto context = value_or_throw(std::move(composing).finalize());
  auto cache = value_or_throw(KvCache::allocate(rpcmem, kept, graph));
  const auto of_caches = value_or_throw(RegisteredTensors::create(context, cache.memory()));
  const auto rest = value_or_throw(RegisteredTensors::create(
      context, value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, others))));
  auto bound = value_or_throw(std::move(graph).bind(of_caches, rest));
  value_or_throw(bound.execute());  // What the first execution makes is made.
  value_or_throw(cache.use(0));
  if (way == "qnnpp") return measured_qnnpp(bound, cache, tokens);
  const auto address = [&](const std::string& name) {
    const auto opened = value_or_throw(cache.memory().access<std::byte>(name, CpuUse::write));
    return opened.elements().data();
  };
  std::vector<CCache> places;
  for (const KvTensor& each : kept) places.push_back({address(each.cache), address(each.next)});
  auto& block = *qnnpp::detail::Access::block(bound);
  return measured_c(qnnpp::detail::Access::block(context)->provider().native()->table.graph_execute,
                    bound.native(), block.inputs, block.outputs, places, tokens);
}
