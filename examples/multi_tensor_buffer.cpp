// Zero copy with one DMA buffer for all tensors (QNN_HTP_MEM_SHARED_BUFFER). Each tensor has its
// own offset, so a graph with many inputs and outputs needs only one descriptor and one mapping.
//
//   make_binaries --output BINARIES --input_output_tensor_mem_type memhandle
//   multi_tensor_buffer --backend libQnnHtp.so --rpcmem libcdsprpc.so --folder BINARIES
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
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

  const auto context = value_or_throw(
      ContextBinary::map(arguments.folder + "/classifier.bin").and_then([&](ContextBinary binary) {
        return Context<Finalized>::restore(backend, std::move(binary));
      }));
  auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "classifier"));

  // The graph's tensors determine sizes and offsets. One call registers all tensors or none.
  const auto buffer =
      value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, graph.inputs(), graph.outputs()));
  const auto tensors = value_or_throw(RegisteredTensors::create(context, buffer));
  for (const TensorPlacement& tensor : buffer.tensors())
    fmt::print("{}: {} B at offset {} of {}\n", tensor.spec, tensor.size_bytes, tensor.offset_bytes,
               buffer.size_bytes());
  auto bound = value_or_throw(std::move(graph).bind(tensors));

  // Opens a tensor of the buffer by name: all its elements, or one by its indices.
  value_or_throw(write_elements(buffer.access<float>("positions", CpuUse::write), task.input));
  value_or_throw(bound.execute());
  const auto opened = value_or_throw(buffer.access<const float>("probabilities", CpuUse::read));
  const auto probabilities = value_or_throw(opened.view<2>());
  for (std::size_t image = 0; image < probabilities.extent(0); ++image)
    fmt::print("image {}: a {} with probability {:.4f}\n", image, task.labels[image],
               probabilities(image, task.labels[image]));

  digits::report(task, probabilities.elements(), tool::tolerance(backend).digits);
  fmt::print("cost: {}\n", bound.io_cost());
  digits::print_copied(arguments.backend);
}

}  // namespace

int main(int argc, char** argv) {
  return digits::run_program(argc, argv, "multi_tensor_buffer",
                             "Classifies four digits, all tensors in one DMA buffer", run);
}
