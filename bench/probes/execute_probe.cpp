// Executes graphs of contexts that share a spill-fill buffer, in the requested way:
//   execute_probe c|kept|sites_c|lease|given|lock|sites|basic|detailed|recorded BINARY EXECUTIONS
// For callgrind: the functions measured_c, measured_lease and so on hold the loops.
#include <cstddef>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "execute_c.h"
#include "jobs.hpp"

using namespace qnnpp;
using BoundGraph = Graph<Bound, RegisteredIo>;

// Handles errors as the C twin does: a separate function reports the error and returns its code.
[[gnu::noinline]] static int failed(const Error& error) noexcept {
  return c_failed(error.native, error.step, error.object.c_str());
}

extern "C" {

[[gnu::noinline]] int measured_lease(BoundGraph& graph, std::size_t count,
                                     const SharedSpillFill& spill_fill) {
  SpillFillLease lease = value_or_throw(spill_fill.lease());
  for (std::size_t i = 0; i < count; ++i)
    if (const auto done = graph.execute(lease); !done) return failed(done.error());
  return 0;
}

/// Executes under a lease of the caller: each call checks the lease again.
[[gnu::noinline]] int measured_given(BoundGraph& graph, std::size_t count, SpillFillLease& lease) {
  for (std::size_t i = 0; i < count; ++i)
    if (const auto done = graph.execute(lease); !done) return failed(done.error());
  return 0;
}

[[gnu::noinline]] int measured_lock(BoundGraph& graph, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (const auto done = graph.execute(); !done) return failed(done.error());
  return 0;
}

/// Executes with a profile at the basic level, whose records it removes after each execution.
[[gnu::noinline]] int measured_basic(BoundGraph& graph, std::size_t count, Profile& profile) {
  for (std::size_t i = 0; i < count; ++i) {
    if (const auto done = graph.execute(&profile); !done) return failed(done.error());
    profile.clear();
  }
  return 0;
}

/// Executes with a profile at the detailed level, whose records it removes after each execution.
[[gnu::noinline]] int measured_detailed(BoundGraph& graph, std::size_t count, Profile& profile) {
  return measured_basic(graph, count, profile);
}

/// Executes with a profile at the basic level, which keeps all records.
[[gnu::noinline]] int measured_recorded(BoundGraph& graph, std::size_t count, Profile& profile) {
  for (std::size_t i = 0; i < count; ++i)
    if (const auto done = graph.execute(&profile); !done) return failed(done.error());
  return 0;
}

int one_call_lease(BoundGraph* graphs, SpillFillLease& lease) {
  if (const auto done = graphs[0].execute(lease); !done) return failed(done.error());
  return 0;
}

int five_calls_lease(BoundGraph* graphs, SpillFillLease& lease) {
  if (const auto done = graphs[0].execute(lease); !done) return failed(done.error());
  if (const auto done = graphs[1].execute(lease); !done) return failed(done.error());
  if (const auto done = graphs[2].execute(lease); !done) return failed(done.error());
  if (const auto done = graphs[3].execute(lease); !done) return failed(done.error());
  if (const auto done = graphs[4].execute(lease); !done) return failed(done.error());
  return 0;
}

/// Executes five graphs. g++ calls the parts that it does not inline.
[[gnu::noinline]] int measured_sites(BoundGraph* graphs, std::size_t rounds,
                                     SpillFillLease& lease) {
  for (std::size_t i = 0; i < rounds; ++i)
    if (const int code = five_calls_lease(graphs, lease); code != 0) return code;
  return 0;
}

int one_call_lock(BoundGraph* graphs) {
  if (const auto done = graphs[0].execute(); !done) return failed(done.error());
  return 0;
}

int five_calls_lock(BoundGraph* graphs) {
  if (const auto done = graphs[0].execute(); !done) return failed(done.error());
  if (const auto done = graphs[1].execute(); !done) return failed(done.error());
  if (const auto done = graphs[2].execute(); !done) return failed(done.error());
  if (const auto done = graphs[3].execute(); !done) return failed(done.error());
  if (const auto done = graphs[4].execute(); !done) return failed(done.error());
  return 0;
}

}  // extern "C"

namespace {

constexpr std::size_t contexts = 5;

/// Makes the same contexts and memory by the C twin.
int run_c(const std::string& sim, const std::string& way, const char* binary, std::size_t count) {
  c_device device;
  c_model model;
  if (c_device_open(&device, (sim + "/libQnnHtp.so").c_str(), (sim + "/libQnnSystem.so").c_str(),
                    (sim + "/libcdsprpc.so").c_str()) != 0)
    return EXIT_FAILURE;
  const std::vector<const char*> paths(contexts, binary);
  if (c_model_load(&model, &device, paths.data(), paths.size()) != 0) return EXIT_FAILURE;
  std::vector<c_graph> graphs(contexts);
  std::vector<qnn_tensor> tensors(2 * contexts, qnn_tensor{});
  std::vector<qnn_handle> handles(2 * contexts);
  std::vector<void*> memory(2 * contexts);
  for (std::size_t i = 0; i < contexts; ++i) {
    if (c_graph_retrieve(&graphs[i], &model, i, "small") != 0) return EXIT_FAILURE;
    const c_graph_info& info = model.contexts[i].graphs[0];
    const c_tensor* described[] = {&info.inputs[0], &info.outputs[0]};
    for (std::size_t side = 0; side < 2; ++side) {
      const std::size_t at = 2 * i + side;
      memory[at] = device.rpcmem_alloc2(25, 1, 32);
      if (c_register_tensor(&model, i, device.rpcmem_to_fd(memory[at]), described[side],
                            &handles[at]) != 0)
        return EXIT_FAILURE;
      tensors[at].version = 1;
      qnn_tensor_body& body = tensors[at].v1;
      body.id = described[side]->id;
      body.name = described[side]->name;
      body.type = side == 0 ? QNN_APP_WRITE : QNN_APP_READ;
      body.data_type = described[side]->data_type;
      body.quantization.definition = QNN_UNDEFINED;
      body.quantization.encoding = QNN_UNDEFINED;
      body.rank = described[side]->rank;
      body.dimensions = const_cast<std::uint32_t*>(described[side]->dimensions);
      body.mem_type = QNN_MEMHANDLE;
      body.memory.mem_handle = handles[at];
    }
    graphs[i].inputs = &tensors[2 * i];
    graphs[i].outputs = &tensors[2 * i + 1];
    graphs[i].num_inputs = graphs[i].num_outputs = 1;
  }
  const int result = way == "sites_c" ? measured_sites_c(graphs.data(), count / contexts)
                     : way == "kept"  ? measured_kept(&graphs[0], count)
                                      : measured_c(&graphs[0], count);
  if (c_deregister(&model, handles.data(), 2 * contexts) != 0) return EXIT_FAILURE;
  c_model_free(&model);
  for (void* each : memory) device.rpcmem_free(each);
  c_device_close(&device);
  return result;
}

int run(const std::string& sim, const std::string& way, const char* path, std::size_t count) {
  const auto backend = value_or_throw(Backend<Htp>::load({.library = sim + "/libQnnHtp.so"}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(sim + "/libcdsprpc.so"));
  auto queried = bench::query(backend, std::vector<std::string>(contexts, path));
  const auto spill_fill = value_or_throw(SharedSpillFill::allocate(rpcmem, queried));
  std::vector<BoundGraph> graphs;
  for (Context<Queried>& context : queried) {
    auto weights = value_or_throw(MemRegion<Weights>::allocate(rpcmem, context.requirements()));
    const auto ready = value_or_throw(
        std::move(context)
            .register_buffers({.weights = std::move(weights), .spill_fill = spill_fill})
            .and_then(transition::finalize));
    auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(ready, "small"));
    std::vector<TensorSpec> specs = graph.inputs();
    specs.insert(specs.end(), graph.outputs().begin(), graph.outputs().end());
    const auto memory = value_or_throw(SharedBuffer<PerTensor>::allocate(rpcmem, specs));
    const auto registered = value_or_throw(RegisteredTensors::create(ready, memory));
    graphs.push_back(value_or_throw(std::move(graph).bind(registered)));
  }
  if (spill_fill.size_bytes() == 0) return EXIT_FAILURE;  // No spill-fill memory, no lock.
  if (way == "lock") return measured_lock(graphs[0], count);
  if (way == "lease") return measured_lease(graphs[0], count, spill_fill);
  if (way == "basic" || way == "detailed" || way == "recorded") {
    const bool is_detailed = way == "detailed";
    auto profile = value_or_throw(
        Profile::create(backend, is_detailed ? ProfileLevel::detailed : ProfileLevel::basic));
    return (is_detailed      ? measured_detailed
            : way == "basic" ? measured_basic
                             : measured_recorded)(graphs[0], count, profile);
  }
  SpillFillLease lease = value_or_throw(spill_fill.lease());
  if (way == "sites") return measured_sites(graphs.data(), count / contexts, lease);
  return measured_given(graphs[0], count, lease);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return EXIT_FAILURE;
  const auto count = static_cast<std::size_t>(std::strtoull(argv[3], nullptr, 10));
  const std::string way = argv[1];
  return way == "c" || way == "kept" || way == "sites_c" ? run_c(QNNPP_SIM_DIR, way, argv[2], count)
                                                         : run(QNNPP_SIM_DIR, way, argv[2], count);
}
