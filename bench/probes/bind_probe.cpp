// Binds a graph of many tensors to memory, by qnnpp or by the C API alone:
//   bind_probe c|qnnpp|shuffled|all|exchange|rebind|execute|execute_c COUNT
// COUNT inputs and COUNT outputs in one buffer, whose tensors are in the graph's order unless they
// are shuffled. For callgrind: measured_c and measured_qnnpp describe, register and bind;
// measured_all allocates too; measured_exchange and measured_rebind give other memory to 100 of the
// tensors, one after the other and again from the first; measured_execute and measured_execute_c
// execute the graph 100 times.
#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/graph/compose.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

using namespace qnnpp;
using ComposedGraph = Graph<Retrieved, RegisteredIo>;
using BoundGraph = Graph<Bound, RegisteredIo>;

/// A tensor as the system library describes it to a C program.
struct CTensor {
  const char* name = nullptr;
  std::uint32_t id = 0;
  c_api::TensorType type = c_api::TensorType::native;
  c_api::DataType data_type = c_api::DataType::float_32;
  std::vector<std::uint32_t> dimensions;
};

/// Input of the C way.
struct CWay {
  const c_api::InterfaceTable* table = nullptr;
  c_api::ContextHandle context = nullptr;
  int fd = -1;
  std::vector<CTensor> described;  ///< The inputs, then the outputs.
  std::vector<CTensor> in_memory;  ///< The tensors of the memory, in the same order.
};

/// Result of the C way: the arguments of an execution, and the handles to deregister.
struct CBound {
  std::vector<c_api::Tensor> tensors;
  std::vector<c_api::MemHandle> handles;
};

extern "C" {

/// Checks that the memory holds the graph's tensors, lays them out, registers them in one call and
/// fills the arguments of an execution.
[[gnu::noinline]] bool measured_c(const CWay& c, CBound& bound) {
  const std::size_t count = c.described.size();
  bound.tensors.resize(count);
  bound.handles.resize(count);
  std::vector<c_api::MemDescriptor> descriptors(count);
  std::vector<c_api::HtpMemDescriptor> custom(count);
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const CTensor& described = c.described[i];
    const CTensor& held = c.in_memory[i];
    if (std::strcmp(held.name, described.name) != 0 || held.data_type != described.data_type ||
        held.dimensions.size() != described.dimensions.size() ||
        std::memcmp(held.dimensions.data(), described.dimensions.data(),
                    held.dimensions.size() * sizeof(std::uint32_t)) != 0)
      return false;
    std::memset(&bound.tensors[i], 0, sizeof(bound.tensors[i]));
    bound.tensors[i].version = c_api::TensorVersion::v1;
    c_api::TensorV1& tensor = bound.tensors[i].v1;
    tensor.id = described.id;
    tensor.name = described.name;
    tensor.type = described.type;
    tensor.data_type = described.data_type;
    tensor.quantize_params.encoding_definition = c_api::Definition::undefined;
    tensor.quantize_params.quantization_encoding = c_api::QuantizationEncoding::undefined;
    tensor.rank = static_cast<std::uint32_t>(described.dimensions.size());
    tensor.dimensions = const_cast<std::uint32_t*>(described.dimensions.data());
    std::uint64_t bytes = sizeof(float);
    for (std::uint32_t d = 0; d < tensor.rank; ++d) bytes *= tensor.dimensions[d];
    std::memset(&custom[i], 0, sizeof(custom[i]));
    custom[i].type = c_api::HtpMemType::shared_buffer;
    custom[i].shared_buffer_config.fd = c.fd;
    custom[i].shared_buffer_config.offset = end;
    std::memset(&descriptors[i], 0, sizeof(descriptors[i]));
    descriptors[i].mem_shape.num_dim = tensor.rank;
    descriptors[i].mem_shape.dim_size = tensor.dimensions;
    descriptors[i].data_type = tensor.data_type;
    descriptors[i].mem_type = c_api::MemType::custom;
    descriptors[i].custom_info = &custom[i];
    end += (bytes + 127) / 128 * 128;
  }
  for (c_api::HtpMemDescriptor& each : custom) each.size = end;
  if (!is_success(c.table->mem_register(c.context, descriptors.data(),
                                        static_cast<std::uint32_t>(count), bound.handles.data())))
    return false;
  for (std::size_t i = 0; i < count; ++i) {
    bound.tensors[i].v1.mem_type = c_api::TensorMemType::memhandle;
    bound.tensors[i].v1.mem_handle = bound.handles[i];
  }
  return true;
}

[[gnu::noinline]] void measured_qnnpp(const Context<Composed>& context, ComposedGraph graph,
                                      const SharedBuffer<MultiTensor>& memory,
                                      std::optional<BoundGraph>& bound) {
  const auto tensors = value_or_throw(RegisteredTensors::create(context, memory));
  bound.emplace(value_or_throw(std::move(graph).bind(tensors)));
}

/// Does the same and also allocates the memory.
[[gnu::noinline]] void measured_all(const Context<Composed>& context, ComposedGraph graph,
                                    const RpcmemAllocator& rpcmem,
                                    const std::vector<TensorSpec>& specs,
                                    std::optional<BoundGraph>& bound) {
  measured_qnnpp(context, std::move(graph),
                 value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, specs)), bound);
}

[[gnu::noinline]] bool measured_exchange(BoundGraph& graph, const std::vector<std::string>& inputs,
                                         const std::vector<std::string>& outputs) {
  for (std::size_t i = 0; i < 100; ++i)
    if (!graph.exchange(inputs[i % inputs.size()], outputs[i % outputs.size()])) return false;
  return true;
}

/// Each buffer holds all tensors of the graph.
[[gnu::noinline]] bool measured_rebind(BoundGraph& graph,
                                       const std::vector<Binding<RegisteredIo>>& bindings) {
  for (std::size_t i = 0; i < 100; ++i)
    if (!graph.rebind(bindings[i % bindings.size()])) return false;
  return true;
}

[[gnu::noinline]] bool measured_execute(BoundGraph& graph) {
  for (int i = 0; i < 100; ++i)
    if (!graph.execute()) return false;
  return true;
}

[[gnu::noinline]] bool measured_execute_c(c_api::GraphExecuteFn execute, c_api::GraphHandle graph,
                                          CBound& bound, std::uint32_t inputs) {
  const auto outputs = static_cast<std::uint32_t>(bound.tensors.size()) - inputs;
  for (int i = 0; i < 100; ++i)
    if (!is_success(execute(graph, bound.tensors.data(), inputs, bound.tensors.data() + inputs,
                            outputs, nullptr, nullptr)))
      return false;
  return true;
}

}  // extern "C"

namespace {

/// Returns a name as exporters make them: long, with a common prefix.
std::string name_of_tensor(const char* kind, std::size_t i) {
  return std::string("/model/layers.") + std::to_string(i) + "/" + kind;
}

ComposedGraph compose(const Context<Composing>& context, std::size_t count) {
  auto graph = value_or_throw(Graph<Composing, RegisteredIo>::create(context, "wide"));
  for (std::size_t i = 0; i < count; ++i) {
    const auto in = value_or_throw(graph.add_tensor({.name = name_of_tensor("past_key", i),
                                                     .kind = c_api::TensorType::app_write,
                                                     .dimensions = {1, 4, 8}}));
    const auto out = value_or_throw(graph.add_tensor({.name = name_of_tensor("present_key", i),
                                                      .kind = c_api::TensorType::app_read,
                                                      .dimensions = {1, 4, 8}}));
    value_or_throw(graph.add_node(
        {.name = std::to_string(i), .type = "Relu", .inputs = {in}, .outputs = {out}}));
  }
  return value_or_throw(std::move(graph).finalize());
}

std::vector<TensorSpec> tensors_of(const ComposedGraph& graph) {
  std::vector<TensorSpec> specs = graph.inputs();
  specs.insert(specs.end(), graph.outputs().begin(), graph.outputs().end());
  return specs;
}

int run_c(const Context<Composed>& context, const ComposedGraph& graph,
          const RpcmemAllocator& rpcmem) {
  const auto memory = value_or_throw(MemRegion<TensorIo>::allocate(
      rpcmem, (graph.inputs().size() + graph.outputs().size()) * 128));
  const c_api::InterfaceTable& table =
      qnnpp::detail::Access::block(context)->provider().native()->table;
  CWay c{&table, context.native(), memory.fd(), {}, {}};
  for (const auto* tensors : {&graph.inputs(), &graph.outputs()})
    for (const TensorSpec& spec : *tensors)
      c.described.push_back(
          {spec.name.c_str(), spec.id, spec.kind, spec.data_type, spec.dimensions});
  const std::vector<TensorSpec> specs = tensors_of(graph);
  for (const TensorSpec& spec : specs)
    c.in_memory.push_back({spec.name.c_str(), spec.id, spec.kind, spec.data_type, spec.dimensions});
  CBound bound;
  ::malloc_trim(0);
  if (!measured_c(c, bound)) return EXIT_FAILURE;
  const auto inputs = static_cast<std::uint32_t>(graph.inputs().size());
  const auto outputs = static_cast<std::uint32_t>(graph.outputs().size());
  const bool ran = measured_execute_c(table.graph_execute, graph.native(), bound, inputs);
  const bool freed = is_success(table.mem_de_register(bound.handles.data(), inputs + outputs));
  return ran && freed ? EXIT_SUCCESS : EXIT_FAILURE;
}

/// Gives other memory to the tensors of a bound graph.
int change(const std::string& way, const Context<Composed>& context, BoundGraph& graph,
           const std::vector<TensorSpec>& specs, const RpcmemAllocator& rpcmem) {
  std::vector<std::string> inputs, outputs;
  for (const TensorSpec& spec : specs)
    (spec.kind == c_api::TensorType::app_write ? inputs : outputs).push_back(spec.name);
  const auto other = value_or_throw(RegisteredTensors::create(
      context, value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, specs))));
  std::vector<Binding<RegisteredIo>> bindings;
  for (const TensorSpec& spec : specs) bindings.push_back(registered(other, spec.name));
  // The first call makes the index of names.
  value_or_throw(graph.exchange(inputs[0], outputs[0]));
  value_or_throw(graph.rebind(bindings[0]));
  const bool done = way == "exchange" ? measured_exchange(graph, inputs, outputs)
                                      : measured_rebind(graph, bindings);
  return done && graph.execute() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return EXIT_FAILURE;
  const auto count = static_cast<std::size_t>(std::strtoull(argv[2], nullptr, 10));
  const std::string way = argv[1];
  const std::string sim = QNNPP_SIM_DIR;
  const auto backend = value_or_throw(Backend<Htp>::load({.library = sim + "/libQnnHtp.so"}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(sim + "/libcdsprpc.so"));
  auto composing = value_or_throw(Context<Composing>::create(backend));
  auto graph = compose(composing, count);
  const auto context = value_or_throw(std::move(composing).finalize());
  if (way == "c" || way == "execute_c") return run_c(context, graph, rpcmem);
  std::vector<TensorSpec> specs = tensors_of(graph);
  // Another order than the graph's, in which each tensor is far from its place in the graph.
  if (way == "shuffled")
    for (std::size_t i = 0; i < specs.size(); ++i)
      std::swap(specs[i], specs[(i * 7919) % specs.size()]);
  const auto memory = value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, specs));
  // Merges the memory that composing freed. Otherwise the next allocation would do so and be
  // counted.
  ::malloc_trim(0);
  std::optional<BoundGraph> bound;
  if (way == "all")
    measured_all(context, std::move(graph), rpcmem, specs, bound);
  else
    measured_qnnpp(context, std::move(graph), memory, bound);
  if (way == "exchange" || way == "rebind") return change(way, context, *bound, specs, rpcmem);
  if (way == "execute") return measured_execute(*bound) ? EXIT_SUCCESS : EXIT_FAILURE;
  return bound->execute() ? EXIT_SUCCESS : EXIT_FAILURE;
}
