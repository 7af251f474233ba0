// quick_start BACKEND RPCMEM BINARY...: loads context binaries over one spill-fill buffer.
// clang-format off: README.md repeats the program line by line.
#include <cstdio>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

int main(int argc, char** argv) try {
  using namespace qnnpp;
  if (argc < 4) throw std::runtime_error("usage: quick_start BACKEND RPCMEM BINARY...");
  const auto backend = value_or_throw(Backend<Htp>::load({.library = argv[1]}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(argv[2]));

  std::vector<Context<Queried>> queried;
  for (int i = 3; i < argc; ++i)
    queried.push_back(value_or_throw(ContextBinary::map(argv[i])
        .and_then([&](ContextBinary binary) {
          return Context<Deferred>::create(backend, std::move(binary));
        })
        .and_then(transition::query)));
  // Graph<Retrieved>::retrieve(queried[0], "g");
  //   error: the context is not finalized; register_buffers() and finalize() it first
  // queried[0].finalize();
  //   error: buffers are not registered; call std::move(context).register_buffers() first

  // One buffer for all contexts; its size is the largest need.
  const auto spill_fill = value_or_throw(SharedSpillFill::allocate(rpcmem, queried));

  std::vector<Context<Finalized>> contexts;
  for (auto& context : queried) {
    auto weights = value_or_throw(MemRegion<Weights>::allocate(rpcmem, context.requirements()));
    // weights.access(CpuUse::write);
    //   error: QNN alone writes this memory; only MemRegion<TensorIo> has access()
    contexts.push_back(value_or_throw(std::move(context)
        .register_buffers({.weights = std::move(weights), .spill_fill = spill_fill})
        .and_then(transition::finalize)));
  }

  for (auto& context : contexts)
    for (const GraphSpec& spec : context.graphs()) {
      auto graph = value_or_throw(Graph<Retrieved>::retrieve(context, spec.name));
      std::printf("%s: graph %s, %zu inputs, %zu outputs\n", escaped(context.name()).c_str(),
                  escaped(spec.name).c_str(), graph.inputs().size(), graph.outputs().size());
      // graph.execute();
      //   error: the graph has no memory yet; call std::move(graph).bind({...}) first
    }
  std::printf("%zu contexts share %llu bytes of spill-fill\n", contexts.size(),
              static_cast<unsigned long long>(spill_fill.size_bytes()));
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "quick_start: %s\n", error.what());
  return 1;
}
