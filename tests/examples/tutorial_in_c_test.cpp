// The tasks of QNN's pages, of camera_ring.cpp and of decoder.cpp in plain C compute correct
// numbers, and leave nothing behind at any failing call. The counted code is therefore the code
// that a correct program needs.
#include "tutorial_in_c.h"

#include <dlfcn.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/interface.hpp"

#include "decoder/compose.hpp"
#include "decoder/hidden.hpp"
#include "decoder/network.hpp"
#include "decoder/reference.hpp"
#include "digits/camera.hpp"
#include "digits/compose.hpp"
#include "digits/task.hpp"
#include "dma_sync.hpp"
#include "fixture.hpp"
#include "tool/tolerance.hpp"

namespace support { namespace {

using namespace qnnpp;
using Task = int (*)(const tutorial_session*, const tutorial_rpcmem*, const void*, void*);

class tutorial_in_c : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    set(&sim::Config::vtcm_bytes, 32768);
    ASSERT_EQ(tutorial_load_rpcmem(rpcmem_library, &rpcmem_), 0);
    using GetProviders = qnn_error (*)(const qnn_provider***, std::uint32_t*);
    const auto get = reinterpret_cast<GetProviders>(
        ::dlsym(::dlopen(htp_library, RTLD_NOW | RTLD_LOCAL), "QnnInterface_getProviders"));
    const qnn_provider** providers = nullptr;
    std::uint32_t count = 0;
    ASSERT_EQ(get(&providers, &count), 0u);
    session_.qnn = providers[0];
    session_.backend = backend().native();
    session_.device = backend().native_device();
  }

  /// Sets up a segment of the network, prepared for the memory type of Io.
  template <class Io>
  void use_segment(const digits::Segment& segment, const Quantisation& input = {}) {
    auto composing = must(Context<Composing>::create(backend()));
    const auto graph = must(digits::compose<Io>(composing, segment, input).finalize());
    graph_.name = graph.name();
    graph_.inputs = graph.inputs();
    graph_.outputs = graph.outputs();
    const auto composed = must(std::move(composing).finalize());
    use_binary(must(composed.serialize()));
    use_graph();
  }
  /// Sets up a graph that is composed later. Its input and output have the shape of the
  /// probabilities.
  void use_no_binary() {
    graph_.name = "positive";
    graph_.inputs.resize(1);
    graph_.outputs.resize(1);
    graph_.inputs[0].name = "any";
    graph_.outputs[0].name = "not_negative";
    graph_.inputs[0].kind = c_api::TensorType::app_write;
    graph_.outputs[0].kind = c_api::TensorType::app_read;
    graph_.inputs[0].dimensions = graph_.outputs[0].dimensions = {digits::batch, digits::classes};
    use_graph();
  }

  int run(Task task, std::span<const float> input, std::span<float> output) const {
    return task(&session_, &rpcmem_, input.data(), output.data());
  }

  void expect_the_digits(Task task) {
    std::vector<float> found(task_.probabilities.size());
    ASSERT_EQ(run(task, task_.input, found), 0);
    EXPECT_LT(largest_difference(found, task_.probabilities), tolerance);
    expect_clean();
  }

  /// Makes the k-th call of each slot fail, and then the k-th allocation and descriptor.
  void expect_nothing_left_at_any_failure(Task task) {
    std::vector<float> output(task_.input.size());
    expect_nothing_left_at_any_failure([&] { return run(task, task_.input, output); });
  }
  void expect_nothing_left_at_any_failure(const std::function<int()>& run) {
    control().reset_counters();
    ASSERT_EQ(run(), 0);
    std::vector<sim::Slot> called;
    for (std::uint32_t slot = 0; slot < sim::table_slots; ++slot)
      if (control().calls(static_cast<sim::Slot>(slot)) > 0)
        called.push_back(static_cast<sim::Slot>(slot));
    for (const sim::Slot slot : called) {
      std::uint64_t fired = 1;
      for (std::uint64_t k = 1; fired != 0; ++k) {
        SCOPED_TRACE(qnnpp::c_api::slots[static_cast<std::size_t>(slot)].name);
        control().reset_counters();
        control().fail_call(slot, k, 1002);
        const int status = run();
        fired = control().counters().faults_fired;
        control().clear_faults();
        EXPECT_EQ(status, fired == 0 || sim::releases(slot) ? 0 : -1);
        expect_clean();
      }
    }
    for (const auto call : {sim::RpcmemCall::alloc, sim::RpcmemCall::to_fd}) {
      int status = -1;
      for (std::uint64_t k = 1; status != 0 && k < 10; ++k) {
        rpcmem_control().fail_call(call, k);
        status = run();
        rpcmem_control().clear_faults();
        EXPECT_TRUE(k > 1 || status == -1);
        expect_clean();
      }
      EXPECT_EQ(status, 0);
    }
  }

  /// Expects that only the test's own backend and device are left.
  static void expect_clean() {
    const sim::Counters left = control().counters();
    EXPECT_EQ(left.live_contexts, 0u);
    EXPECT_EQ(left.live_tensor_registrations + left.live_weights_registrations +
                  left.live_spill_fill_registrations + left.left_registrations,
              0u);
    EXPECT_EQ(left.mapped_fds, 0u);
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
    EXPECT_EQ(rpcmem_control().counters().live_fds, 0u);
    EXPECT_EQ(mappings_of("memfd:"), 0u);
    expect_no_misuse();
  }

  /// Sets up a binary.
  void use_binary(std::vector<std::byte> binary) {
    binary_ = std::move(binary);
    session_.binary = binary_.data();
    session_.binary_bytes = binary_.size();
  }
  /// Describes a tensor without memory. The description refers to `spec`.
  static qnn_tensor described(TensorSpec& spec) {
    qnn_tensor tensor{};
    tensor.version = 1;
    tensor.v1.id = spec.id;
    tensor.v1.name = spec.name.c_str();
    tensor.v1.type = static_cast<std::uint32_t>(spec.kind);
    tensor.v1.data_type = static_cast<std::uint32_t>(spec.data_type);
    const c_api::QuantizeParams quantization = spec.quantisation.native();
    static_assert(sizeof quantization == sizeof tensor.v1.quantization);
    std::memcpy(&tensor.v1.quantization, &quantization, sizeof quantization);
    tensor.v1.rank = static_cast<std::uint32_t>(spec.dimensions.size());
    tensor.v1.dimensions = spec.dimensions.data();
    return tensor;
  }

  digits::Task task_ = digits::load_task(QNNPP_DIGITS_DATA);
  tutorial_session session_{};
  tutorial_rpcmem rpcmem_{};
  std::vector<std::byte> binary_;

 private:
  void use_graph() {
    session_.graph = graph_.name.c_str();
    session_.tensors[0] = described(graph_.inputs[0]);
    session_.tensors[1] = described(graph_.outputs[0]);
  }

  GraphSpec graph_;
};

TEST_F(tutorial_in_c, ion_buffers_find_the_digits_and_leave_nothing_at_any_failure) {
  use_segment<RegisteredIo>(task_.classifier());
  expect_the_digits(&tutorial_ion_buffers);
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
  expect_nothing_left_at_any_failure(&tutorial_ion_buffers);
}

TEST_F(tutorial_in_c, a_multi_tensor_buffer_finds_the_digits_and_leaves_nothing_at_any_failure) {
  use_segment<RegisteredIo>(task_.classifier());
  expect_the_digits(&tutorial_multi_tensor_buffer);
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
  expect_nothing_left_at_any_failure(&tutorial_multi_tensor_buffer);
}

TEST_F(tutorial_in_c, external_buffers_find_the_digits_and_leave_nothing_at_any_failure) {
  use_segment<RawIo>(task_.classifier());
  expect_the_digits(&tutorial_external_buffers);
  EXPECT_GT(control().counters().peak_device_bytes, 0u);
  expect_nothing_left_at_any_failure(&tutorial_external_buffers);
}

TEST_F(tutorial_in_c, online_preparation_computes_and_leaves_nothing_at_any_failure) {
  use_no_binary();
  std::vector<float> input(digits::batch * digits::classes), expected, found(input.size());
  for (std::size_t i = 0; i < input.size(); ++i) {
    input[i] = static_cast<float>(i) - 15.5f;
    expected.push_back(std::max(input[i], 0.0f));
  }
  ASSERT_EQ(run(&tutorial_online_prepare, input, found), 0);
  EXPECT_EQ(found, expected);
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
  expect_nothing_left_at_any_failure(&tutorial_online_prepare);
}

/// The first segment over the frames of a camera.
class camera_ring_in_c : public tutorial_in_c {
 protected:
  static constexpr std::size_t frames = 5;

  void SetUp() override {
    tutorial_in_c::SetUp();
    if (HasFatalFailure()) return;
    use_segment<RegisteredIo>(task_.segments[0], {1.0f / 255.0f, 0});
    for (std::size_t frame = 0; frame < frames; ++frame) {
      const auto numbers = digits::run_segment(task_.segments[0],
                                               digits::input_batch(images_, frame * digits::batch));
      expected_.insert(expected_.end(), numbers.begin(), numbers.end());
    }
  }
  void TearDown() override {
    fail_dma_sync(0, 0);
    tutorial_in_c::TearDown();
  }

  /// Runs the task with a camera of 3 buffers, described as `change` leaves it. Expects that the
  /// camera has all its buffers back and that only the camera maps them.
  int process(const std::function<void(tutorial_camera&)>& change = {}) {
    digits::Camera camera(images_, 3, frames);
    const std::vector<int> fds{camera.fd(0), camera.fd(1), camera.fd(2)};
    struct State {
      digits::Camera& camera;
      std::vector<digits::Camera::Frame> lent;
    } state{camera, {}};
    tutorial_camera described{};
    described.fds = fds.data();
    described.buffers = 3;
    described.buffer_bytes = digits::Camera::frame_bytes;
    described.needs_sync = true;
    described.state = &state;
    described.next = [](void* of) {
      const auto frame = static_cast<State*>(of)->camera.next();
      if (!frame) return -1;
      static_cast<State*>(of)->lent.push_back(*frame);
      return static_cast<int>(frame->buffer);
    };
    described.release = [](void* of, int buffer) {
      auto& lent = static_cast<State*>(of)->lent;
      ASSERT_EQ(lent.size(), 1u);
      EXPECT_EQ(lent[0].buffer, static_cast<std::size_t>(buffer));
      static_cast<State*>(of)->camera.release(lent[0]);
      lent.clear();
    };
    if (change) change(described);
    found_.assign(expected_.size(), -1.0f);
    const int status =
        tutorial_camera_ring(&session_, &rpcmem_, &described, found_.data(), &light_);
    EXPECT_TRUE(state.lent.empty());
    EXPECT_EQ(mappings_of("memfd:dmabuf"), 3u) << "those of the camera";
    return status;
  }
  std::uint64_t light_of_the_frames() const {
    const auto end = images_.pixels.begin() + frames * digits::Camera::frame_bytes;
    return std::accumulate(images_.pixels.begin(), end, std::uint64_t{0});
  }

  const digits::Images images_ = digits::load_all_images(QNNPP_DIGITS_DATA);
  std::vector<float> expected_, found_;
  std::uint64_t light_ = 0;
};

TEST_F(camera_ring_in_c, frames_are_processed_in_the_camera_s_buffers_with_the_right_numbers) {
  control().reset_counters();
  const int syncs = dma_syncs();
  ASSERT_EQ(process(), 0);
  EXPECT_LT(largest_difference(found_, expected_), tolerance);
  EXPECT_EQ(light_, light_of_the_frames());
  EXPECT_EQ(dma_syncs() - syncs, static_cast<int>(2 * frames)) << "a start and an end of each";
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
  EXPECT_EQ(calls(sim::Slot::mem_register), 4u) << "each buffer once, and the output";
  expect_clean();
}

TEST_F(camera_ring_in_c, memory_that_needs_no_sync_is_read_without) {
  const int syncs = dma_syncs();
  EXPECT_EQ(process([](tutorial_camera& camera) { camera.needs_sync = false; }), 0);
  EXPECT_EQ(light_, light_of_the_frames());
  EXPECT_EQ(dma_syncs(), syncs);
}

TEST_F(camera_ring_in_c, nothing_is_left_at_any_failure) {
  expect_nothing_left_at_any_failure([&] { return process(); });
  for (int k = 1; k <= static_cast<int>(2 * frames); ++k) {
    fail_dma_sync(k, EIO);
    EXPECT_EQ(process(), -1) << k;
    expect_clean();
  }
  for (std::size_t bad = 0; bad < 3; ++bad) {
    std::vector<int> fds;
    EXPECT_EQ(process([&](tutorial_camera& camera) {
                fds.assign(camera.fds, camera.fds + camera.buffers);
                fds[bad] = 987654;
                camera.fds = fds.data();
              }),
              -1);
    expect_clean();
  }
}

TEST_F(camera_ring_in_c, an_interrupted_sync_is_repeated) {
  for (const int error : {EINTR, EAGAIN}) {
    const int syncs = dma_syncs();
    fail_dma_sync(2, error);
    EXPECT_EQ(process(), 0);
    EXPECT_EQ(dma_syncs() - syncs, static_cast<int>(2 * frames + 1));
  }
}

TEST_F(camera_ring_in_c, a_camera_that_does_not_fit_is_refused_before_any_call) {
  control().reset_counters();
  EXPECT_EQ(process([](tutorial_camera& camera) { camera.buffers = 9; }), -1);
  EXPECT_EQ(process([](tutorial_camera& camera) { --camera.buffer_bytes; }), -1);
  EXPECT_EQ(control().counters().calls, 0u);
}

/// The first layer of the decoder.
class decoder_in_c : public tutorial_in_c {
 protected:
  using Codes = std::vector<std::uint16_t>;

  void SetUp() override {
    tutorial_in_c::SetUp();
    if (HasFatalFailure()) return;
    network_.layers.resize(1);
    use_binary(decoder::make_binary(backend(), network_.layers[0], "layer"));
    const auto context = must(ContextBinary::own(binary_, "layer").and_then([&](auto binary) {
      return Context<Finalized>::restore(backend(), std::move(binary));
    }));
    for (std::size_t g = 0; g < 2; ++g) {
      layer_.graphs[g] = decoder::shapes[g].graph;
      const auto graph = must(Graph<Retrieved, RegisteredIo>::retrieve(context, layer_.graphs[g]));
      specs_[g].assign(graph.inputs().begin(), graph.inputs().end());
      specs_[g].insert(specs_[g].end(), graph.outputs().begin(), graph.outputs().end());
      ASSERT_EQ(specs_[g].size(), std::size(names));
      for (std::size_t i = 0; i < std::size(names); ++i) {
        ASSERT_EQ(specs_[g][i].name, names[i]);
        layer_.tensors[g][i] = described(specs_[g][i]);
      }
    }
  }

  /// Runs the layer for `tokens` tokens, the first `prompt` ones by the prefill graph.
  int run(std::size_t prompt, std::size_t tokens) {
    constexpr std::size_t width = decoder::width;
    std::vector<float> rows(tokens * width);
    for (std::size_t i = 0; i < tokens; ++i)
      network_.embed(token(i), i % decoder::most_positions,
                     std::span(rows).subspan(i * width, width));
    Codes hidden(rows.size());
    found_.assign(rows.size(), 0);
    value_or_throw(quantise<std::uint16_t>(row_spec(tokens), rows, hidden));
    return tutorial_decoder(&session_, &rpcmem_, &layer_, prompt, tokens, hidden.data(),
                            found_.data());
  }
  /// Expects the numbers of the reference, which rounds less than the graph.
  void expect_the_reference(std::size_t tokens) {
    decoder::Reference reference(network_);
    std::vector<float> expected, found(found_.size());
    for (std::size_t i = 0; i < tokens; ++i) {
      const auto row = reference.run(token(i));
      expected.insert(expected.end(), row.begin(), row.end());
    }
    value_or_throw(dequantise<std::uint16_t>(row_spec(tokens), found_, found));
    EXPECT_LT(largest_difference(found, expected), tool::tolerance(backend()).decoder);
  }
  static std::size_t token(std::size_t i) { return i * 7 % decoder::alphabet.size(); }
  static TensorSpec row_spec(std::size_t tokens) {
    return decoder::detail::hidden_spec({"", static_cast<std::uint32_t>(tokens), 0});
  }

  static constexpr const char* names[DECODER_TENSORS] = {
      "hidden", "keys", "values", "place", "past", "mask", "new_keys", "new_values", "next_hidden"};
  decoder::Network network_ = decoder::make_network();
  std::vector<TensorSpec> specs_[2];
  tutorial_layer layer_{};
  Codes found_;
};

TEST_F(decoder_in_c, two_graphs_read_one_cache_in_place_with_the_numbers_of_the_reference) {
  control().reset_counters();
  ASSERT_EQ(run(21, 40), 0);  // Prefill: a whole chunk, and one of 5 tokens.
  expect_the_reference(40);
  EXPECT_EQ(calls(sim::Slot::graph_execute), 2u + 19u);
  EXPECT_EQ(calls(sim::Slot::mem_register), 1u) << "both graphs' tensors together";
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
  expect_clean();
}

TEST_F(decoder_in_c, each_graph_fills_its_cache_to_the_last_position) {
  ASSERT_EQ(run(96, 128), 0);
  expect_the_reference(128);
  ASSERT_EQ(run(0, 3), 0) << "decode alone";
  expect_the_reference(3);
  ASSERT_EQ(run(3, 3), 0) << "prefill alone";
  expect_the_reference(3);
}

TEST_F(decoder_in_c, nothing_is_left_at_any_failure) {
  expect_nothing_left_at_any_failure([&] { return run(18, 21); });
}

TEST_F(decoder_in_c, tokens_and_shapes_that_do_not_fit_are_refused_before_any_call) {
  control().reset_counters();
  EXPECT_EQ(run(97, 128), -1) << "one more than prefill has room for";
  EXPECT_EQ(run(96, 129), -1) << "one more than decode has room for";
  EXPECT_EQ(run(9, 8), -1) << "a prompt with more than all tokens";
  for (const std::size_t cache : {DECODER_KEYS, DECODER_VALUES}) {
    std::uint32_t& positions = specs_[1][cache].dimensions[cache == DECODER_KEYS ? 2 : 1];
    for (const std::uint32_t wrong : {95u, 0u}) {
      positions = wrong;
      EXPECT_EQ(run(4, 8), -1) << "rows of decode that are shorter than those of prefill";
    }
    positions = 128;
  }
  EXPECT_EQ(control().counters().calls, 0u);
  EXPECT_EQ(run(4, 8), 0);
}

TEST_F(tutorial_in_c, a_library_without_rpcmem_is_an_error) {
  tutorial_rpcmem rpcmem;
  EXPECT_EQ(tutorial_load_rpcmem(system_library, &rpcmem), -1);
  EXPECT_EQ(tutorial_load_rpcmem("none.so", &rpcmem), -1);
}

TEST(digits_task, the_examples_take_the_numbers_of_the_reference_and_no_others) {
  const digits::Task task = digits::load_task(QNNPP_DIGITS_DATA);
  testing::internal::CaptureStdout();
  digits::report(task, task.probabilities, 1e-4F);
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_NE(printed.find("the images show 6 2 8 9, found: 6 2 8 9;"), std::string::npos) << printed;
  for (const float wrong : {0.01f, -0.01f, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> found = task.probabilities;
    found.back() += wrong;
    testing::internal::CaptureStdout();
    EXPECT_THROW(digits::report(task, found, 1e-4F), std::runtime_error) << wrong;
    (void)testing::internal::GetCapturedStdout();
  }
}

}}  // namespace support
