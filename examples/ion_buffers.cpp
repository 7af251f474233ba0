// Zero copy with a DMA buffer for each tensor (QNN_MEM_TYPE_ION): the program writes the inputs
// into the memory that the HTP reads, and reads the outputs from the memory that the HTP wrote.
//
//   make_binaries --output BINARIES --input_output_tensor_mem_type memhandle
//   ion_buffers --backend libQnnHtp.so --rpcmem libcdsprpc.so --folder BINARIES
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "qnnpp/format.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "digits/program.hpp"
#include "digits/task.hpp"
#include "tool/tolerance.hpp"

namespace {

using namespace qnnpp;

void run(const digits::Arguments& arguments) {
  const digits::Task task = digits::load_task(arguments.data);
  const auto backend = value_or_throw(Backend<Htp>::load({.library = arguments.backend}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(arguments.rpcmem));

  // RegisteredIo: checks that the graph was prepared for registered memory; bind() accepts no
  // other.
  const auto context = value_or_throw(
      ContextBinary::map(arguments.folder + "/classifier.bin").and_then([&](ContextBinary binary) {
        return Context<Finalized>::restore(backend, std::move(binary));
      }));
  auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "classifier"));

  // Allocates memory for each input and output, then registers each with the context.
  const auto buffer =
      value_or_throw(SharedBuffer<PerTensor>::allocate(rpcmem, graph.inputs(), graph.outputs()));
  const auto tensors = value_or_throw(RegisteredTensors::create(context, buffer));
  for (const TensorPlacement& tensor : buffer.tensors())
    fmt::print("{}: {} B in a DMA buffer of its own\n", tensor.spec, tensor.size_bytes);
  // std::move(graph).bind({raw("positions", task.input), ...});
  //   raw memory is copied at every inference; bind registered memory or use AnyIo
  auto bound = value_or_throw(std::move(graph).bind(tensors));

  // Writes numbers, executes, reads numbers: no copy between.
  value_or_throw(write_elements(buffer.access<float>("positions", CpuUse::write), task.input));
  value_or_throw(bound.execute());

  const auto probabilities =
      value_or_throw(buffer.access<const float>("probabilities", CpuUse::read));
  digits::report(task, probabilities.elements(), tool::tolerance(backend).digits);
  fmt::print("cost: {}\n", bound.io_cost());
  digits::print_copied(arguments.backend);
}

}  // namespace

int main(int argc, char** argv) {
  return digits::run_program(argc, argv, "ion_buffers",
                             "Classifies four digits, each tensor in its own DMA buffer", run);
}
