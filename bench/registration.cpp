// Calls of QnnMem_register and handles as tensors and executions grow: one call for all tensors of
// a context, one handle for each tensor, and no more calls in any number of executions.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "support/device.hpp"
#include "support/report.hpp"

namespace {

using namespace qnnpp;

constexpr std::size_t most_tensors = 64;
constexpr std::array<std::size_t, 3> execution_counts{1, 10, 1000};

std::string graph_name(std::size_t tensors) { return "of_" + std::to_string(tensors); }

/// A graph whose tensors are one half inputs and one half outputs; each output is the Relu of an
/// input.
void compose(const Context<Composing>& context, std::size_t tensors) {
  auto graph = value_or_throw(Graph<Composing, RegisteredIo>::create(context, graph_name(tensors)));
  for (std::size_t i = 0; i < tensors / 2; ++i) {
    const auto tensor = [&](const char* prefix, c_api::TensorType kind) {
      return value_or_throw(graph.add_tensor(
          {.name = prefix + std::to_string(i), .kind = kind, .dimensions = {1, 32}}));
    };
    value_or_throw(graph.add_node({.name = "relu" + std::to_string(i),
                                   .type = "Relu",
                                   .inputs = {tensor("x", c_api::TensorType::app_write)},
                                   .outputs = {tensor("y", c_api::TensorType::app_read)}}));
  }
  value_or_throw(std::move(graph).finalize());
}

class Program {
 public:
  Program(int argc, char** argv) : report_("registration", argc, argv) {
    auto composing = value_or_throw(Context<Composing>::create(backend_));
    for (std::size_t tensors = 2; tensors <= most_tensors; tensors *= 2)
      compose(composing, tensors);
    binary_ = value_or_throw(value_or_throw(std::move(composing).finalize()).serialize());
  }

  int run() {
    // The host library does not support dma-bufs.
    device_.set(&sim::Config::dma_buf, 1u);
    with<PerTensor>("a buffer for each tensor");
    with<DmaBuf>("a dma-buf for each tensor");
    with<MultiTensor>("all tensors in one buffer");
    two_contexts();
    one_by_one();
    return report_.finish();
  }

 private:
  struct Registered {
    std::uint64_t calls;
    std::uint64_t handles;
  };
  [[nodiscard]] Registered registered() const {
    return {device_.calls(sim::Slot::mem_register),
            device_.htp.counters().live_tensor_registrations};
  }
  [[nodiscard]] Context<Finalized> context(const std::string& name) const {
    return value_or_throw(ContextBinary::borrow(binary_, name).and_then([&](ContextBinary binary) {
      return Context<Finalized>::restore(backend_, std::move(binary));
    }));
  }
  [[nodiscard]] static Graph<Retrieved, RegisteredIo> graph(const Context<Finalized>& context,
                                                            std::size_t tensors) {
    return value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, graph_name(tensors)));
  }

  template <class Form>
  void with(const std::string& form) {
    const auto context = this->context("context");
    // Registers each number of tensors up to the largest graph's.
    std::uint64_t most_calls = 0;
    std::uint64_t wrong_handles = 0;
    std::uint64_t mappings = 0;
    std::uint64_t most_deregistrations = 0;
    {
      const auto largest = graph(context, most_tensors);
      const auto memory = value_or_throw(
          SharedBuffer<Form>::allocate(rpcmem_, largest.inputs(), largest.outputs()));
      std::vector<std::string> names;
      for (const TensorPlacement& tensor : memory.tensors()) {
        names.push_back(tensor.spec.name);
        const Registered before = registered();
        const std::uint64_t gone = device_.calls(sim::Slot::mem_de_register);
        {
          const auto tensors = value_or_throw(RegisteredTensors::create(context, memory, names));
          const Registered after = registered();
          most_calls = std::max(most_calls, after.calls - before.calls);
          wrong_handles += after.handles - before.handles != names.size();
          mappings = device_.htp.counters().device_mappings;
        }
        most_deregistrations =
            std::max(most_deregistrations, device_.calls(sim::Slot::mem_de_register) - gone);
      }
    }
    report_.exactly(1.0, form + ", 1..64 tensors: most calls to register",
                    static_cast<double>(most_calls), "calls", "one for the context");
    report_.exactly(0.0, form + ", 1..64 tensors: not a handle each",
                    static_cast<double>(wrong_handles), "cases", "of 64");
    report_.exactly(1.0, form + ", 1..64 tensors: most calls to deregister",
                    static_cast<double>(most_deregistrations), "calls", "one for the context");
    report_.show(form + ", 64 tensors: files the device maps", static_cast<double>(mappings),
                 "files", "");

    // Executions of whole graphs.
    std::uint64_t calls = 0;
    std::uint64_t handles = 0;
    const std::uint64_t executed_before = device_.htp.counters().executions;
    const std::uint64_t copied_before = copied_bytes();
    for (std::size_t count = 2; count <= most_tensors; count *= 2) {
      auto retrieved = graph(context, count);
      const auto memory = value_or_throw(
          SharedBuffer<Form>::allocate(rpcmem_, retrieved.inputs(), retrieved.outputs()));
      const auto tensors = value_or_throw(RegisteredTensors::create(context, memory));
      auto bound = value_or_throw(std::move(retrieved).bind(tensors));
      for (const std::size_t executions : execution_counts) {
        const Registered before = registered();
        for (std::size_t i = 0; i < executions; ++i) value_or_throw(bound.execute());
        const Registered after = registered();
        calls += after.calls - before.calls;
        handles += after.handles - before.handles;
      }
    }
    const auto executed = device_.htp.counters().executions - executed_before;
    const std::string what = form + ", " + std::to_string(executed) + " executions: ";
    report_.exactly(0.0, what + "calls to register", static_cast<double>(calls), "calls",
                    "1, 10 and 1000 of 2..64 tensors");
    report_.exactly(0.0, what + "handles more", static_cast<double>(handles), "handles",
                    "1, 10 and 1000 of 2..64 tensors");
    report_.exactly(0.0, what + "bytes copied", static_cast<double>(copied_bytes() - copied_before),
                    "bytes", "");
  }

  /// Registers the same memory with two contexts.
  void two_contexts() {
    const std::array contexts{context("first"), context("second")};
    const auto one = graph(contexts[0], most_tensors);
    const auto memory =
        value_or_throw(SharedBuffer<MultiTensor>::allocate(rpcmem_, one.inputs(), one.outputs()));
    const Registered before = registered();
    std::vector<RegisteredTensors> tensors;
    for (const auto& each : contexts)
      tensors.push_back(value_or_throw(RegisteredTensors::create(each, memory)));
    const Registered after = registered();
    report_.exactly(2.0, "64 tensors with two contexts: calls to register",
                    static_cast<double>(after.calls - before.calls), "calls", "one a context");
    report_.exactly(2.0 * most_tensors, "64 tensors with two contexts: handles",
                    static_cast<double>(after.handles - before.handles), "handles",
                    "one a tensor and context");
  }

  /// Registers each tensor separately for each execution, for comparison.
  void one_by_one() {
    constexpr std::size_t executions = 10;
    const auto context = this->context("context");
    auto retrieved = graph(context, most_tensors);
    const auto memory = value_or_throw(
        SharedBuffer<PerTensor>::allocate(rpcmem_, retrieved.inputs(), retrieved.outputs()));
    const Registered before = registered();
    for (std::size_t i = 0; i < executions; ++i) {
      std::vector<RegisteredTensors> tensors;
      std::vector<Binding<RegisteredIo>> bindings;
      tensors.reserve(most_tensors);
      for (const TensorPlacement& tensor : memory.tensors()) {
        const std::array name{tensor.spec.name};
        tensors.push_back(value_or_throw(RegisteredTensors::create(context, memory, name)));
        bindings.push_back(qnnpp::registered(tensors.back(), tensor.spec.name));
      }
      auto bound = value_or_throw(std::move(retrieved).bind(bindings));
      value_or_throw(bound.execute());
      retrieved = std::move(bound).unbind();
    }
    report_.show("each tensor by itself for each of 10 executions, 64 tensors",
                 static_cast<double>(registered().calls - before.calls), "calls",
                 "the calls of a careless client");
  }

  [[nodiscard]] std::uint64_t copied_bytes() const {
    const sim::Counters counters = device_.htp.counters();
    return counters.copied_in_bytes + counters.copied_out_bytes;
  }

  bench::Report report_;
  bench::Device device_ = bench::Device::load();
  Backend<Htp> backend_ = value_or_throw(Backend<Htp>::load({.library = bench::htp_library}));
  RpcmemAllocator rpcmem_ = value_or_throw(RpcmemAllocator::load(bench::rpcmem_library));
  std::vector<std::byte> binary_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    return Program(argc, argv).run();
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "registration: %s\n", exception.what());
    return 1;
  }
}
