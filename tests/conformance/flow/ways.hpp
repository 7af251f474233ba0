// A way is one public use of the typed API, run in a separate process.
#pragma once

#include <cstddef>
#include <cstring>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

namespace flow {

using namespace qnnpp;

/// Returns the value of a result. Throws its error, which becomes the outcome of the way.
template <class T>
T must(Result<T>&& result) {
  return value_or_throw(std::move(result));
}

/// Files of the command line.
struct Given {
  std::string htp;
  std::string rpcmem;
  /// Context binaries that the library loads, with any graphs and tensors.
  std::vector<std::string> binaries;
  /// Context binaries that the library refuses, such as a binary for another device.
  std::vector<std::string> refused;

  /// Returns four paths or more: the binaries, repeated.
  [[nodiscard]] std::vector<std::string> many() const {
    std::vector<std::string> paths = binaries;
    while (paths.size() < 4) paths.push_back(paths[paths.size() - binaries.size()]);
    return paths;
  }
};

/// Backend and allocator of a way, loaded at first use.
class Tools {
 public:
  explicit Tools(const Given& named) : given(named) {}

  const Given& given;

  [[nodiscard]] Result<Backend<Htp>> load() const {
    return Backend<Htp>::load({.library = given.htp});
  }
  [[nodiscard]] const Backend<Htp>& backend() {
    if (!backend_) backend_.emplace(must(load()));
    return *backend_;
  }
  [[nodiscard]] const RpcmemAllocator& rpcmem() {
    if (!rpcmem_) rpcmem_.emplace(must(RpcmemAllocator::load(given.rpcmem)));
    return *rpcmem_;
  }
  [[nodiscard]] ContextBinary binary(std::size_t place = 0) const {
    return must(ContextBinary::map(given.many()[place]));
  }
  [[nodiscard]] std::vector<ContextBinary> binaries() const {
    std::vector<ContextBinary> all;
    for (const std::string& path : given.many()) all.push_back(must(ContextBinary::map(path)));
    return all;
  }

  /// Closes the backend, if there is one. After any way the device must be free.
  [[nodiscard]] Result<void> close() {
    if (!backend_) return {};
    Backend<Htp> last = *std::exchange(backend_, std::nullopt);
    return std::move(last).close();
  }

 private:
  std::optional<Backend<Htp>> backend_;
  std::optional<RpcmemAllocator> rpcmem_;
};

/// Outcome of a way for which no binary fits.
inline constexpr char no_such_binary[] = "no such binary";
/// Outcome of a way that leaves all objects open at the end of the process.
inline constexpr char left_open[] = "left open";

/// Runs a way; returns text to add to the outcome "ok", or an empty string.
using Run = std::string (*)(Tools& tools);

struct Way {
  const char* name;
  Run run;
};

using Ways = std::vector<Way>;

void add_backend_ways(Ways& ways);
void add_device_ways(Ways& ways);
void add_power_ways(Ways& ways);
void add_context_ways(Ways& ways);
void add_group_ways(Ways& ways);
void add_graph_option_ways(Ways& ways);
void add_tensor_ways(Ways& ways);
void add_model_ways(Ways& ways);
void add_profile_ways(Ways& ways);
void add_closing_ways(Ways& ways);

/// Fills every tensor of a buffer with zeros.
template <class Form>
void clear(const SharedBuffer<Form>& buffer) {
  for (const TensorPlacement& tensor : buffer.tensors()) {
    auto bytes = must(buffer.template access<std::byte>(tensor.spec.name, CpuUse::write));
    const std::span<std::byte> all = bytes.elements();
    std::memset(all.data(), 0, all.size());
    must(std::move(bytes).close());
  }
}

/// Binds a graph to memory of its own and opens each input for writing.
template <class Io, DmaAllocator Allocator>
[[nodiscard]] Result<Graph<Bound, Io>> bound_and_written(Graph<Retrieved, Io> graph,
                                                         const Allocator& allocator) {
  std::vector<std::string> inputs;
  for (const TensorSpec& input : graph.inputs()) inputs.push_back(input.name);
  auto bound = std::move(graph).bind(allocator);
  for (const std::string& input : inputs)
    if (bound) must(bound->template input<std::byte>(input));
  return bound;
}

/// Executes every graph of a context with zeros, twice.
inline void execute_all(const Context<Finalized>& context, const RpcmemAllocator& rpcmem) {
  for (const GraphSpec& spec : context.graphs()) {
    auto graph = must(Graph<Retrieved>::retrieve(context, spec.name));
    const auto buffer =
        must(SharedBuffer<MultiTensor>::allocate(rpcmem, graph.inputs(), graph.outputs()));
    clear(buffer);
    const auto tensors = must(RegisteredTensors::create(context, buffer));
    auto bound = must(std::move(graph).bind(tensors));
    must(bound.execute());
    must(bound.execute());
  }
}

/// Creates a deferred context and queries its requirements. It may share spill-fill without DLBC
/// (BUF-18), because public binaries state DLBC; the ways dlbc.* show the refusal.
[[nodiscard]] inline Context<Queried> queried(Tools& tools, std::size_t place = 0,
                                              DeferredOptions options = {}) {
  options.share_without_dlbc = true;
  return must(Context<Deferred>::create(tools.backend(), tools.binary(place), options)
                  .and_then(transition::query));
}

/// Options for graphs in any order: the caller writes each input that no earlier graph makes.
inline PipelineOptions in_any_order(const std::vector<Graph<Retrieved>>& graphs) {
  PipelineOptions options;
  std::set<std::string> made;
  for (const auto& graph : graphs) {
    for (const TensorSpec& input : graph.inputs())
      if (!made.contains(input.name)) options.inputs.push_back(input.name);
    for (const TensorSpec& output : graph.outputs()) made.insert(output.name);
  }
  return options;
}

/// Opens all inputs for writing, and executes `times` times.
inline void execute(Pipeline pipeline, int times = 3) {
  (void)must(pipeline.access(CpuUse::write));
  for (int i = 0; i < times; ++i) must(pipeline.execute());
}

}  // namespace flow
