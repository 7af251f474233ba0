// Pointers to memory that a client has unmapped: each call reports them, and none crashes.
#include "fixture.hpp"
#include "pages.hpp"

namespace sim_test { namespace {

/// Unreadable pages.
struct Dead {
  Pages pages{4096};
  Dead() { pages.take_away(); }
  template <class Type>
  operator Type*() const {  // NOLINT(google-explicit-constructor): converts to any pointer
    return reinterpret_cast<Type*>(pages.data());
  }
};

class sim_dead_memory : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    const auto binary = binary_of({chain_});
    ASSERT_EQ(code(qnn().context_create_from_binary(backend, nullptr, nullptr, binary.data(),
                                                    binary.size(), &context_, nullptr)),
              0u);
    ASSERT_EQ(code(qnn().graph_retrieve(context_, "chain", &graph_)), 0u);
    ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &composed_)), 0u);
    ASSERT_EQ(code(qnn().graph_create(composed_, "composed", nullptr, &composing_)), 0u);
  }

  /// Runs the call. Expects an error and one more misuse of ORD-16.
  template <class Call>
  void expect_named(const char* what, Call call) {
    const std::uint64_t before = control().misuses("ORD-16");
    EXPECT_NE(code(call()), 0u) << what;
    EXPECT_EQ(control().misuses("ORD-16"), before + 1) << what;
  }

  Chain chain_;
  Dead dead_;
  c_api::ContextHandle context_ = nullptr;
  c_api::ContextHandle composed_ = nullptr;
  c_api::GraphHandle graph_ = nullptr;
  c_api::GraphHandle composing_ = nullptr;
};

TEST_F(sim_dead_memory, ORD_16_a_pointer_to_dead_memory_is_named_instead_of_crashing) {
  c_api::BackendHandle made = nullptr;
  c_api::DeviceHandle device_made = nullptr;
  c_api::GraphHandle graph = nullptr;
  expect_named("backend configs", [&] { return qnn().backend_create(nullptr, dead_, &made); });
  const c_api::BackendConfig* backend_config[] = {dead_, nullptr};
  expect_named("a backend config",
               [&] { return qnn().backend_create(nullptr, backend_config, &made); });
  expect_named("device configs", [&] { return qnn().device_create(nullptr, dead_, &device_made); });
  expect_named("graph configs",
               [&] { return qnn().graph_create(composed_, "other", dead_, &graph); });
  expect_named("a name", [&] { return qnn().graph_retrieve(context_, dead_, &graph); });
  expect_named("descriptors", [&] {
    c_api::MemHandle handle = nullptr;
    return qnn().mem_register(context_, dead_, 1, &handle);
  });
  c_api::MemDescriptor descriptor{};
  descriptor.mem_type = c_api::MemType::custom;
  descriptor.custom_info = static_cast<void*>(dead_);
  c_api::MemHandle handle = nullptr;
  expect_named("custom info",
               [&] { return qnn().mem_register(context_, &descriptor, 1, &handle); });
  expect_named("handles", [&] { return qnn().mem_de_register(dead_, 1); });
  expect_named("a tensor", [&] { return qnn().tensor_create_graph_tensor(composing_, dead_); });
  c_api::OpConfig op{};
  op.version = c_api::OpConfigVersion::v1;
  op.v1 = {dead_, "qti.aisw", "Relu", 0, nullptr, 0, nullptr, 0, nullptr};
  expect_named("a node's name", [&] { return qnn().graph_add_node(composing_, op); });
}

TEST_F(sim_dead_memory, ORD_16_dead_tensors_of_an_execution_are_named) {
  std::vector<float> values(chain_.width);
  const ChainIds ids = ids_of(chain_);
  c_api::Tensor in = raw(ids.in, c_api::TensorType::app_write, values.data(), chain_.io_bytes());
  c_api::Tensor out = raw(ids.out, c_api::TensorType::app_read, values.data(), chain_.io_bytes());
  const auto execute = [&](const c_api::Tensor* inputs, c_api::Tensor* outputs) {
    return qnn().graph_execute(graph_, inputs, 1, outputs, 1, nullptr, nullptr);
  };
  EXPECT_EQ(code(execute(&in, &out)), 0u);
  expect_named("inputs", [&] { return execute(dead_, &out); });
  expect_named("outputs", [&] { return execute(&in, dead_); });
  in.v1.client_buf.data = static_cast<void*>(dead_);
  expect_named("a client buffer", [&] { return execute(&in, &out); });
}

}}  // namespace sim_test
