// Finds each of many things by its name:
//   names_probe keep|open|retrieve|find COUNT
// keep: graphs to keep of a binary; open: inputs of a bound graph; retrieve: graphs of a context;
// find: graphs of a model. callgrind counts the function measured_names.
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

using namespace qnnpp;

extern "C" {

[[gnu::noinline]] int measured_names(const std::function<bool()>& search) {
  return search() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // extern "C"

namespace {

/// Returns a name as exporters make them: long, with a common beginning. All names have the same
/// length.
std::string name_of(int i) { return "/model/layers." + std::to_string(1000 + i) + "/attention"; }

std::vector<std::string> names_of(int count) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) names.push_back(name_of(i));
  return names;
}

/// Composes a graph with these inputs, and an output for each of them.
Graph<Retrieved> compose(const Context<Composing>& context, const std::string& name,
                         const std::vector<std::string>& inputs) {
  auto graph = value_or_throw(Graph<Composing>::create(context, name));
  for (const std::string& input : inputs) {
    const auto in = value_or_throw(
        graph.add_tensor({.name = input, .kind = c_api::TensorType::app_write, .dimensions = {4}}));
    const auto out = value_or_throw(graph.add_tensor(
        {.name = input + "/out", .kind = c_api::TensorType::app_read, .dimensions = {4}}));
    value_or_throw(
        graph.add_node({.name = input, .type = "Relu", .inputs = {in}, .outputs = {out}}));
  }
  return value_or_throw(std::move(graph).finalize());
}

int keep(int count) {
  const std::vector<std::string> names = names_of(count);
  std::vector<GraphSpec> graphs;
  for (const std::string& name : names) graphs.push_back({.name = name});
  return measured_names([&] {
    const bool known = require_graphs(graphs, names, "binary").has_value();
    keep_graphs(graphs, names);
    return known && graphs.size() == names.size();
  });
}

int open(const Backend<Htp>& backend, const RpcmemAllocator& rpcmem, int count) {
  const std::vector<std::string> names = names_of(count);
  auto composing = value_or_throw(Context<Composing>::create(backend));
  auto graph = compose(composing, "wide", names);
  const auto context = value_or_throw(std::move(composing).finalize());
  const auto bound = value_or_throw(std::move(graph).bind(rpcmem));
  return measured_names([&] {
    bool opened = true;
    for (const std::string& name : names) opened = opened && bound.input<float>(name).has_value();
    return opened;
  });
}

int retrieve(const Backend<Htp>& backend, const RpcmemAllocator& rpcmem, bool of_a_model,
             int count) {
  const std::vector<std::string> names = names_of(count);
  auto composing = value_or_throw(Context<Composing>::create(backend));
  for (const std::string& name : names) (void)compose(composing, name, {"x"});
  const auto context = value_or_throw(std::move(composing).finalize());
  const auto search = [&](const auto& find) {
    return measured_names([&] {
      bool found = true;
      for (const std::string& name : names) found = found && find(name).has_value();
      return found;
    });
  };
  if (!of_a_model)
    return search([&](const auto& name) { return Graph<Retrieved>::retrieve(context, name); });
  const auto bytes = value_or_throw(context.serialize());
  const std::vector<model::BinarySource> sources{{.name = "model.bin", .bytes = bytes}};
  const auto loaded = value_or_throw(model::load(backend, rpcmem, sources));
  return search([&](const auto& name) { return loaded.graph(name); });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return EXIT_FAILURE;
  const std::string way = argv[1];
  const int count = std::atoi(argv[2]);
  if (way == "keep") return keep(count);
  const std::string sim = QNNPP_SIM_DIR;
  const auto backend = value_or_throw(Backend<Htp>::load({.library = sim + "/libQnnHtp.so"}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(sim + "/libcdsprpc.so"));
  if (way == "open") return open(backend, rpcmem, count);
  return retrieve(backend, rpcmem, way == "find", count);
}
