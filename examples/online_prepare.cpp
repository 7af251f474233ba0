// Composes and executes a graph in one process. The graph is prepared for registered memory (the
// "Qmem graph" hint). Then shows the cost of plain memory for the same graph.
//
//   online_prepare --backend libQnnHtp.so --rpcmem libcdsprpc.so
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "qnnpp/format.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "digits/compose.hpp"
#include "digits/program.hpp"
#include "digits/task.hpp"
#include "tool/tolerance.hpp"

namespace {

using namespace qnnpp;

void run(const digits::Arguments& arguments) {
  const digits::Task task = digits::load_task(arguments.data);
  const auto backend = value_or_throw(Backend<Htp>::load({.library = arguments.backend}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(arguments.rpcmem));

  // RegisteredIo: every input and output carries the hint without further code.
  auto composing = value_or_throw(Context<Composing>::create(backend, {.name = "digits"}));
  auto graph =
      value_or_throw(digits::compose<RegisteredIo>(composing, task.classifier()).finalize());
  const auto context = value_or_throw(std::move(composing).finalize());

  const auto buffer =
      value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem, graph.inputs(), graph.outputs()));
  const auto tensors = value_or_throw(RegisteredTensors::create(context, buffer));
  auto bound = value_or_throw(std::move(graph).bind(tensors));
  value_or_throw(write_elements(buffer.access<float>("positions", CpuUse::write), task.input));
  value_or_throw(bound.execute());
  const auto probabilities =
      value_or_throw(buffer.access<const float>("probabilities", CpuUse::read));
  digits::report(task, probabilities.elements(), tool::tolerance(backend).digits);
  fmt::print("registered memory: {}\n", bound.io_cost());
  digits::print_copied(arguments.backend);

  // AnyIo accepts plain memory too, and io_cost() reports its cost.
  std::vector<float> answer(probabilities.size());
  auto copying = value_or_throw(
      Graph<Retrieved>::retrieve(context, "classifier").and_then([&](Graph<Retrieved> any) {
        return std::move(any).bind({raw("positions", task.input), raw("probabilities", answer)});
      }));
  value_or_throw(copying.execute());
  digits::report(task, answer, tool::tolerance(backend).digits);
  fmt::print("plain memory: {}\n", copying.io_cost());
  digits::print_copied(arguments.backend);
}

}  // namespace

int main(int argc, char** argv) {
  return digits::run_program(argc, argv, "online_prepare",
                             "Makes a graph for registered memory and classifies four digits", run);
}
