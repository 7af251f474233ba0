// A decoder with a key-value cache: four contexts with one spill-fill buffer, each with a graph for
// 16 tokens (prefill) and one for a single token (decode). Both graphs use one cache in place, each
// in its own shape. Only the keys and values of new tokens are copied.
//
//   decoder --backend libQnnHtp.so --rpcmem libcdsprpc.so
//
// With --rpcmem memfd it runs on a library that emulates the HTP, which copies the tensors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/memory/kv_cache.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "decoder/compose.hpp"
#include "decoder/hidden.hpp"
#include "decoder/network.hpp"
#include "decoder/reference.hpp"
#include "digits/program.hpp"
#include "tool/tolerance.hpp"

namespace {

using namespace qnnpp;
using Layer = Graph<Retrieved>;

/// Prefill or decode: the graphs of all layers, and their tensors that are no cache. The layers
/// share the positions, and the hidden state after each layer is the next layer's input.
struct Stage {
  decoder::Shape shape;
  SharedBuffer<MultiTensor> memory;
  std::vector<Graph<Bound>> layers = {};

  static Stage make(const AnyAllocator& allocator, const decoder::Shape& shape,
                    const Layer& layer) {
    std::vector<TensorSpec> specs;
    for (TensorSpec spec : layer.inputs()) {
      if (spec.name == "keys" || spec.name == "values") continue;
      const bool is_hidden = spec.name == "hidden";
      for (std::size_t i = 0; i < (is_hidden ? decoder::layer_count + 1 : 1); ++i) {
        specs.push_back(spec);
        if (is_hidden) specs.back().name += std::to_string(i);
      }
    }
    return {shape, value_or_throw(SharedBuffer<MultiTensor>::allocate(allocator, specs))};
  }
  void add(const Context<Finalized>& context, Layer layer, const RegisteredTensors& cache) {
    const auto own = value_or_throw(RegisteredTensors::create(context, memory));
    const std::size_t i = layers.size();
    std::vector<Binding<>> bindings{
        registered("hidden", own, "hidden" + std::to_string(i)),
        registered("next_hidden", own, "hidden" + std::to_string(i + 1))};
    for (const char* name : {"place", "past", "mask"}) bindings.push_back(registered(own, name));
    for (const char* name : {"keys", "values", "new_keys", "new_values"})
      bindings.push_back(registered(cache, name));
    layers.push_back(value_or_throw(std::move(layer).bind(bindings)));
  }
};

void run(const digits::Arguments& arguments) {
  const decoder::Network network = decoder::make_network();
  const auto backend = value_or_throw(
      Backend<Htp>::load({.library = arguments.backend, .tensor_memory = TensorMemory::either}));
  const auto allocator = digits::open_memory(arguments);

  // The binaries are made here; a model has them in files.
  std::vector<std::vector<std::byte>> binaries;
  std::vector<model::BinarySource> sources;
  for (std::size_t i = 0; i < decoder::layer_count; ++i) {
    const std::string name = "layer" + std::to_string(i);
    binaries.push_back(decoder::make_binary(backend, network.layers[i], name));
    sources.push_back({.name = name, .bytes = binaries.back()});
  }
  const auto loaded = value_or_throw(model::load(backend, allocator, sources));

  std::vector<Stage> stages;
  std::vector<KvCache> caches;
  for (std::size_t layer = 0; layer < loaded.size(); ++layer) {
    const Context<Finalized>& context = loaded.context(layer);
    std::vector<Layer> graphs;
    for (const decoder::Shape& shape : decoder::shapes)
      graphs.push_back(value_or_throw(Layer::retrieve(context, shape.graph)));
    caches.push_back(value_or_throw(KvCache::allocate(
        allocator, {{"keys", "new_keys", 2}, {"values", "new_values", 1}}, graphs[0], graphs[1])));
    const auto cache = value_or_throw(RegisteredTensors::create(context, caches.back().memory()));
    for (std::size_t i = 0; i < graphs.size(); ++i) {
      if (stages.size() == i)
        stages.push_back(Stage::make(allocator, decoder::shapes[i], graphs[i]));
      stages[i].add(context, std::move(graphs[i]), cache);
    }
  }

  SpillFillLease lease = value_or_throw(loaded.spill_fill().lease());
  decoder::Reference reference(network);
  const float tolerance = tool::tolerance(backend).decoder;
  float difference = 0;
  // Runs tokens through all layers. Returns the token that follows.
  const auto advance = [&](std::size_t stage, std::span<const std::size_t> tokens) {
    auto& [shape, memory, layers] = stages[stage];
    decoder::write_tokens(memory, shape, network, tokens, caches[0].length());
    for (std::size_t i = 0; i < layers.size(); ++i) {
      value_or_throw(caches[i].use(stage));
      value_or_throw(layers[i].execute(lease));
      value_or_throw(caches[i].append(tokens.size()));
    }
    const auto hidden = decoder::read_hidden(memory, shape, tokens.size() - 1);
    std::vector<float> expected;
    for (const std::size_t token : tokens) expected = reference.run(token);
    for (std::size_t i = 0; i < hidden.size(); ++i)
      difference = std::max(difference, std::abs(hidden[i] - expected[i]));
    if (!(difference < tolerance) || network.next_token(hidden) != network.next_token(expected))
      throw std::runtime_error("a token differs from the reference");
    return network.next_token(hidden);
  };
  std::vector<std::size_t> text = decoder::tokens_of("the quick brown fox jumps over the lazy dog");
  const std::size_t prompt = text.size();
  const auto decode = [&](std::size_t count) {
    while (text.size() < prompt + count) text.push_back(advance(1, std::span(text).last(1)));
  };

  for (std::size_t done = 0; done + 1 < prompt;) {
    const std::size_t count = std::min<std::size_t>(decoder::shapes[0].tokens, prompt - 1 - done);
    (void)advance(0, std::span(text).subspan(done, count));
    done += count;
  }
  decode(32);
  // Takes the last tokens back, and decodes them again.
  for (KvCache& cache : caches) value_or_throw(cache.rewind(cache.length() - 8));
  reference.rewind(caches[0].length());
  text.resize(text.size() - 8);
  decode(32);

  fmt::print("{} layers, shared spill-fill memory: {} B\n{}|{}\n", caches.size(),
             loaded.spill_fill().size_bytes(), decoder::text_of(std::span(text).first(prompt)),
             decoder::text_of(std::span(text).subspan(prompt)));
  fmt::print("{} positions, 8 tokens twice, largest difference {:.3g}\n", caches[0].length(),
             difference);
  digits::print_copied(arguments.backend);
}

}  // namespace

int main(int argc, char** argv) {
  return digits::run_program(
      argc, argv, "decoder",
      "Decodes text with caches in place; with --rpcmem memfd on a library that emulates the HTP",
      run);
}
