// Networks that spill: stacks of convolutions whose outputs are all added up at the end, for 1 MiB
// of VTCM, made and executed by Qualcomm's library.
#pragma once

#include <array>
#include <cstring>
#include <span>

#include "qnnpp/abi/htp/system.hpp"
#include "qnnpp/abi/system_interface.hpp"

#include "engine.hpp"
#include "sim/tests/api/fixture.hpp"

namespace engine {

/// One network: its binary, an input and the engine's own output.
struct Stack {
  std::string name;
  std::vector<std::byte> binary;
  std::vector<float> input;
  std::vector<float> wanted;
};

inline constexpr std::uint32_t stack_extent = 64, stack_channels = 4, stack_width = 32;

/// Returns numbers from -scale / 2 to scale / 2, the same for each seed.
[[nodiscard]] inline std::vector<float> noise(std::size_t count, std::uint32_t seed, float scale) {
  std::vector<float> values(count);
  std::uint32_t state = seed * 2654435761u + 12345u;
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    value = (static_cast<float>(state >> 8) / 16777216.0f - 0.5f) * scale;
  }
  return values;
}

/// Composes a graph of this many convolutions.
inline void compose_stack(const qnnpp::Context<qnnpp::Composing>& context, const std::string& name,
                          std::uint32_t depth, std::uint32_t seed, std::uint32_t vtcm_mb) {
  using namespace qnnpp;
  auto graph =
      value_or_throw(Graph<Composing, RegisteredIo>::create(context, name, {.vtcm_mb = vtcm_mb}));
  std::vector<std::vector<float>> kept;  // constants, until the graph is finalized
  const auto tensor = [&](std::string called, c_api::TensorType kind, std::uint32_t channels) {
    return value_or_throw(
        graph.add_tensor({.name = std::move(called),
                          .kind = kind,
                          .data_type = c_api::DataType::float_32,
                          .dimensions = {1, stack_extent, stack_extent, channels}}));
  };
  const auto constant = [&](std::string called, std::vector<std::uint32_t> dimensions,
                            std::uint32_t of) {
    std::size_t count = 1;
    for (const std::uint32_t dimension : dimensions) count *= dimension;
    kept.push_back(noise(count, seed + of, 0.1f));
    return value_or_throw(graph.add_static({.name = std::move(called),
                                            .data_type = c_api::DataType::float_32,
                                            .dimensions = std::move(dimensions)},
                                           std::as_bytes(std::span(kept.back()))));
  };
  static constexpr std::uint32_t ones[4] = {1, 1, 1, 1};
  const auto numbers = [&](const char* called, std::vector<std::uint32_t> dimensions) {
    const std::size_t count = dimensions.size() == 1 ? 2 : 4;
    return value_or_throw(graph.add_static({.name = called,
                                            .data_type = c_api::DataType::uint_32,
                                            .dimensions = std::move(dimensions)},
                                           std::as_bytes(std::span(ones, count))));
  };
  const GraphTensor stride = numbers("stride", {2}), pad = numbers("pad", {2, 2});
  const auto convolve = [&](const std::string& called, const GraphTensor& from,
                            std::uint32_t from_channels, const GraphTensor& to,
                            std::uint32_t to_channels, std::uint32_t of) {
    const GraphTensor weights = constant(called + "_w", {3, 3, from_channels, to_channels}, 2 * of);
    const GraphTensor bias = constant(called + "_b", {to_channels}, 2 * of + 1);
    value_or_throw(graph.add_node({.name = called,
                                   .type = "Conv2d",
                                   .inputs = {from, weights, bias},
                                   .outputs = {to},
                                   .params = {{"stride", stride}, {"pad_amount", pad}}}));
  };
  using enum c_api::TensorType;
  GraphTensor last = tensor("in", app_write, stack_channels);
  std::vector<GraphTensor> all;
  for (std::uint32_t i = 0; i < depth; ++i) {
    const std::string called = "c" + std::to_string(i);
    const GraphTensor sum = tensor(called, native, stack_width);
    convolve(called, last, i == 0 ? stack_channels : stack_width, sum, stack_width, i);
    last = tensor(called + "_r", native, stack_width);
    value_or_throw(graph.add_node(
        {.name = called + "_relu", .type = "Relu", .inputs = {sum}, .outputs = {last}}));
    all.push_back(last);
  }
  for (std::size_t i = all.size() - 1; i-- > 0;) {
    const std::string called = "a" + std::to_string(i);
    const GraphTensor sum = tensor(called, native, stack_width);
    value_or_throw(graph.add_node({.name = called + "_add",
                                   .type = "ElementWiseAdd",
                                   .inputs = {last, all[i]},
                                   .outputs = {sum}}));
    last = sum;
  }
  convolve("last", last, stack_width, tensor("out", app_read, stack_channels), stack_channels,
           depth);
  value_or_throw(std::move(graph).finalize());
}

/// Makes a network on Qualcomm's library for v73, and executes it there.
[[nodiscard]] inline Stack make_stack(const std::string& name, std::uint32_t depth,
                                      std::uint32_t seed, std::uint32_t vtcm_mb = 1) {
  using namespace qnnpp;
  const auto backend = real::backend_for(real::chips[1]);
  Stack stack{.name = name,
              .binary = {},
              .input = noise(stack_extent * stack_extent * stack_channels, seed, 2.0f),
              .wanted = std::vector<float>(stack_extent * stack_extent * stack_channels)};
  auto composing = value_or_throw(Context<Composing>::create(backend, {.name = name}));
  compose_stack(composing, name, depth, seed, vtcm_mb);
  stack.binary = value_or_throw(value_or_throw(std::move(composing).finalize()).serialize());
  const auto context = value_or_throw(Context<Finalized>::restore(
      backend, value_or_throw(ContextBinary::borrow(stack.binary, name))));
  auto graph = value_or_throw(value_or_throw(Graph<Retrieved, AnyIo>::retrieve(context, name))
                                  .bind({raw("in", stack.input), raw("out", stack.wanted)}));
  value_or_throw(graph.execute());
  return stack;
}

/// The metadata of a binary, by the simulated libQnnSystem.so. Throws std::runtime_error.
class Description {
 public:
  explicit Description(const std::vector<std::byte>& binary) {
    code_ = sim_test::code(table().system_context_create(&handle_));
    if (code_ == 0)
      code_ = sim_test::code(
          table().system_context_get_meta_data(handle_, binary.data(), binary.size(), &info_));
  }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;
  ~Description() { (void)table().system_context_free(handle_); }

  [[nodiscard]] std::uint32_t code() const noexcept { return code_; }
  [[nodiscard]] const qnnpp::c_api::SystemContextBinaryInfoV3& info() const {
    return info_->context_binary_info_v3;
  }
  [[nodiscard]] const qnnpp::c_api::SystemContextGraphInfoV3& graph(std::size_t i = 0) const {
    return info().graphs[i].graph_info_v3;
  }

 private:
  static const qnnpp::c_api::SystemInterfaceTable& table() {
    static const auto* const found = [] {
      void* const library = ::dlopen(support::system_library, RTLD_NOW | RTLD_LOCAL);
      const auto get = reinterpret_cast<qnnpp::c_api::SystemInterfaceGetProvidersFn>(
          ::dlsym(library, "QnnSystemInterface_getProviders"));
      const qnnpp::c_api::SystemInterface** list = nullptr;
      std::uint32_t count = 0;
      if (get(&list, &count) != 0) throw std::runtime_error("no system interface");
      return &list[0]->table;
    }();
    return *found;
  }

  qnnpp::c_api::SystemContextHandle handle_ = nullptr;
  const qnnpp::c_api::SystemContextBinaryInfo* info_ = nullptr;
  std::uint32_t code_ = 0;
};

/// Tests that call the simulated HTP in plain C.
class EngineTest : public sim_test::SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    control().reset_config();
  }
  static void set(std::uint32_t qnnpp::sim::Config::* member, std::uint32_t value) {
    qnnpp::sim::Config config = control().config();
    config.*member = value;
    ASSERT_TRUE(control().set_config(config));
  }

  /// A deferred context of a binary, finalized over external buffers.
  struct Loaded {
    const Stack& stack;
    qnnpp::c_api::ContextHandle context = nullptr;
    qnnpp::c_api::GraphHandle graph = nullptr;
    std::unique_ptr<sim_test::Dma> weights;
  };
  /// Registers an external buffer. Returns the code.
  static std::uint32_t add(qnnpp::c_api::ContextHandle context, qnnpp::c_api::HtpMemType type,
                           int fd, std::uint64_t bytes) {
    const sim_test::ExternalDescriptor external{type, fd, bytes};
    qnnpp::c_api::MemHandle handle = nullptr;
    return sim_test::code(sim_test::qnn().mem_register(context, &external.descriptor, 1, &handle));
  }
  Loaded load(const Stack& stack, const sim_test::Dma* spill_fill) {
    using enum qnnpp::c_api::HtpMemType;
    Loaded loaded{stack, nullptr, nullptr, nullptr};
    sim_test::DeferredConfig config;
    EXPECT_EQ(create(stack.binary, config.configs(), loaded.context), 0u);
    loaded.weights = std::make_unique<sim_test::Dma>(sim_test::ask(loaded.context).weights);
    EXPECT_EQ(add(loaded.context, weights_buffer, loaded.weights->fd, loaded.weights->bytes), 0u);
    if (spill_fill != nullptr) {
      EXPECT_EQ(add(loaded.context, shared_spillfill_buffer, spill_fill->fd, spill_fill->bytes),
                0u);
    }
    EXPECT_EQ(sim_test::code(sim_test::qnn().context_finalize(loaded.context, nullptr)), 0u);
    loaded.graph = graph_of(loaded.context, stack.name.c_str());
    return loaded;
  }

  /// Output of an execution.
  enum class Output { right, spoiled, other };
  /// Executes a network. Expects code 0.
  static Output execute(const Loaded& loaded) {
    const Description description(loaded.stack.binary);
    std::vector<float> in = loaded.stack.input, out(loaded.stack.wanted.size());
    const auto bytes = out.size() * sizeof(float);
    using enum qnnpp::c_api::TensorType;
    const qnnpp::c_api::Tensor input =
        sim_test::raw(description.graph().graph_inputs[0].v1.id, app_write, in.data(), bytes);
    qnnpp::c_api::Tensor output =
        sim_test::raw(description.graph().graph_outputs[0].v1.id, app_read, out.data(), bytes);
    EXPECT_EQ(sim_test::code(sim_test::qnn().graph_execute(loaded.graph, &input, 1, &output, 1,
                                                           nullptr, nullptr)),
              0u);
    if (std::memcmp(out.data(), loaded.stack.wanted.data(), bytes) == 0) return Output::right;
    std::vector<std::byte> spoiled(bytes, std::byte{0xFF});
    return std::memcmp(out.data(), spoiled.data(), bytes) == 0 ? Output::spoiled : Output::other;
  }
};

}  // namespace engine
