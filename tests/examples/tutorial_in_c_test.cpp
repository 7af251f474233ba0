// The tasks of QNN's pages in plain C compute correct numbers, and leave nothing behind at any
// failing call. The counted code is therefore the code that a correct program needs.
#include "tutorial_in_c.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/interface.hpp"

#include "digits/compose.hpp"
#include "digits/task.hpp"
#include "fixture.hpp"

namespace support {
namespace {

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

  /// Sets up the classifier, prepared for the memory type of Io.
  template <class Io>
  void use_classifier() {
    auto composing = must(Context<Composing>::create(backend()));
    const auto graph = must(digits::compose<Io>(composing, task_.classifier()).finalize());
    graph_.name = graph.name();
    graph_.inputs = graph.inputs();
    graph_.outputs = graph.outputs();
    const auto composed = must(std::move(composing).finalize());
    binary_ = must(composed.serialize());
    session_.binary = binary_.data();
    session_.binary_bytes = binary_.size();
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
    const std::vector<float> input(task_.input);
    std::vector<float> output(task_.input.size());
    control().reset_counters();
    ASSERT_EQ(run(task, input, output), 0);
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
        const int status = run(task, input, output);
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
        status = run(task, input, output);
        rpcmem_control().clear_faults();
        EXPECT_TRUE(k > 1 || status == -1);
        expect_clean();
      }
      EXPECT_EQ(status, 0);
    }
  }

 private:
  void use_graph() {
    session_.graph = graph_.name.c_str();
    std::size_t i = 0;
    for (TensorSpec* spec : {&graph_.inputs[0], &graph_.outputs[0]}) {
      qnn_tensor& tensor = session_.tensors[i++];
      tensor = {};
      tensor.version = 1;
      tensor.v1.id = spec->id;
      tensor.v1.name = spec->name.c_str();
      tensor.v1.type = static_cast<std::uint32_t>(spec->kind);
      tensor.v1.data_type = QNN_FLOAT_32;
      tensor.v1.quantization.definition = QNN_UNDEFINED;
      tensor.v1.quantization.encoding = QNN_UNDEFINED;
      tensor.v1.rank = static_cast<std::uint32_t>(spec->dimensions.size());
      tensor.v1.dimensions = spec->dimensions.data();
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
    expect_no_misuse();
  }

 protected:
  digits::Task task_ = digits::load_task(QNNPP_DIGITS_DATA);

 private:
  std::vector<std::byte> binary_;
  GraphSpec graph_;
  tutorial_session session_{};
  tutorial_rpcmem rpcmem_{};
};

TEST_F(tutorial_in_c, ion_buffers_find_the_digits_and_leave_nothing_at_any_failure) {
  use_classifier<RegisteredIo>();
  expect_the_digits(&tutorial_ion_buffers);
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
  expect_nothing_left_at_any_failure(&tutorial_ion_buffers);
}

TEST_F(tutorial_in_c, a_multi_tensor_buffer_finds_the_digits_and_leaves_nothing_at_any_failure) {
  use_classifier<RegisteredIo>();
  expect_the_digits(&tutorial_multi_tensor_buffer);
  EXPECT_EQ(control().counters().copied_in + control().counters().copied_out, 0u);
  expect_nothing_left_at_any_failure(&tutorial_multi_tensor_buffer);
}

TEST_F(tutorial_in_c, external_buffers_find_the_digits_and_leave_nothing_at_any_failure) {
  use_classifier<RawIo>();
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

TEST_F(tutorial_in_c, a_library_without_rpcmem_is_an_error) {
  tutorial_rpcmem rpcmem;
  EXPECT_EQ(tutorial_load_rpcmem(system_library, &rpcmem), -1);
  EXPECT_EQ(tutorial_load_rpcmem("none.so", &rpcmem), -1);
}

TEST(digits_task, the_examples_take_the_numbers_of_the_reference_and_no_others) {
  const digits::Task task = digits::load_task(QNNPP_DIGITS_DATA);
  testing::internal::CaptureStdout();
  digits::report(task, task.probabilities);
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_NE(printed.find("the images show 6 2 8 9, found: 6 2 8 9;"), std::string::npos) << printed;
  for (const float wrong : {0.01f, -0.01f, std::numeric_limits<float>::quiet_NaN()}) {
    std::vector<float> found = task.probabilities;
    found.back() += wrong;
    testing::internal::CaptureStdout();
    EXPECT_THROW(digits::report(task, found), std::runtime_error) << wrong;
    (void)testing::internal::GetCapturedStdout();
  }
}

}  // namespace
}  // namespace support
