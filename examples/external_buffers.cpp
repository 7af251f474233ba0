// Weights, spill-fill and backup of VTCM in memory of the application (QNN_HTP_MEM_WEIGHTS_BUFFER,
// QNN_HTP_MEM_SHARED_SPILLFILL_BUFFER, QNN_HTP_MEM_SHARED_VTCMBACKUP_BUFFER): a context reports its
// needs before it is finalized.
//
//   make_binaries --output BINARIES --input_output_tensor_mem_type memhandle
//   external_buffers --backend libQnnHtp.so --rpcmem libcdsprpc.so --folder BINARIES
//
// shared_spill_fill.cpp does the same for many contexts with one spill-fill buffer.
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

  // A deferred context is not initialised yet, but reports its needs.
  auto queried = value_or_throw(ContextBinary::map(arguments.folder + "/classifier.bin")
                                    .and_then([&](ContextBinary binary) {
                                      return Context<Deferred>::create(backend, std::move(binary));
                                    })
                                    .and_then(transition::query));
  const BufferRequirements need = queried.requirements();
  fmt::print("needed: {}\n", need);

  // Registers the DMA buffers, which only QNN writes from now on, and finalizes the context with
  // them.
  auto weights = value_or_throw(MemRegion<Weights>::allocate(rpcmem, need));
  auto spill_fill = value_or_throw(SharedSpillFill::allocate(rpcmem, need));
  auto vtcm_backup = value_or_throw(SharedVtcmBackup::allocate(rpcmem, need, spill_fill));
  const auto context = value_or_throw(std::move(queried)
                                          .register_buffers({.weights = std::move(weights),
                                                             .spill_fill = std::move(spill_fill),
                                                             .vtcm_backup = std::move(vtcm_backup)})
                                          .and_then(transition::finalize));
  // A chip that does not take a VTCM backup buffer leaves it out.
  if (const auto backup = context.vtcm_backup(); !backup)
    fmt::print("no VTCM backup: {}\n", backup.error());
  if (const auto device = digits::device_counters(arguments.backend))
    fmt::print("mapped by the device: {} B\n", device->device_bytes);

  // The context's graph works like any other graph.
  auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "classifier"));
  const auto buffer =
      value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, graph.inputs(), graph.outputs()));
  const auto tensors = value_or_throw(RegisteredTensors::create(context, buffer));
  auto bound = value_or_throw(std::move(graph).bind(tensors));
  value_or_throw(write_elements(buffer.access<float>("positions", CpuUse::write), task.input));
  value_or_throw(bound.execute());

  const auto probabilities =
      value_or_throw(buffer.access<const float>("probabilities", CpuUse::read));
  digits::report(task, probabilities.elements(), tool::tolerance(backend).digits);
  digits::print_copied(arguments.backend);
}

}  // namespace

int main(int argc, char** argv) {
  return digits::run_program(argc, argv, "external_buffers",
                             "Classifies four digits, weights and spill-fill in DMA buffers", run);
}
