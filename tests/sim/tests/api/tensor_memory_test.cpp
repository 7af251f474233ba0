// The four rows of tensor memory (prepared raw or for memory handles, executed with either), in
// bytes: allocations and their time, copies, idle memory.
#include "fixture.hpp"

namespace sim_test { namespace {

constexpr std::uint64_t tensor_bytes = 256;  ///< of the chains' input, and of their output

/// Difference between the counters after and before an action.
struct Bytes {
  std::uint64_t preallocated = 0;
  std::uint64_t at_execution = 0;
  std::uint64_t copied_in = 0;
  std::uint64_t copied_out = 0;
  std::uint64_t in_place = 0;
  std::uint64_t idle_copies = 0;
  friend bool operator==(const Bytes&, const Bytes&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Bytes& b) {
    return out << "preallocated " << b.preallocated << ", at execution " << b.at_execution
               << ", copied in " << b.copied_in << ", out " << b.copied_out << ", in place "
               << b.in_place << ", idle copies " << b.idle_copies;
  }
};

Bytes now() {
  const sim::Counters c = libraries().control.counters();
  return {c.io_preallocated_bytes, c.io_at_execution_bytes, c.copied_in_bytes,
          c.copied_out_bytes,      c.in_place_bytes,        c.idle_copy_bytes};
}
Bytes since(const Bytes& before) {
  const Bytes after = now();
  return {after.preallocated - before.preallocated, after.at_execution - before.at_execution,
          after.copied_in - before.copied_in,       after.copied_out - before.copied_out,
          after.in_place - before.in_place,         after.idle_copies - before.idle_copies};
}

class TensorMemoryTest : public SimTest {
 protected:
  /// Returns the graph of a chain in a new context, composed here (online) or from a binary.
  c_api::GraphHandle graph_for(const Chain& chain, bool online) {
    c_api::GraphHandle graph = nullptr;
    if (!online) {
      binary_ = binary_of({chain});
      before_ = now();
      EXPECT_EQ(create(binary_, nullptr, context), 0u);
      return graph_of(context);
    }
    before_ = now();
    EXPECT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
    contexts.push_back(context);
    EXPECT_EQ(compose(context, chain, &graph), 0u);
    return graph;
  }

  /// Runs one inference, with raw or registered memory for each tensor, and checks the result.
  void infer(c_api::GraphHandle graph, const Chain& chain, bool registered_in,
             bool registered_out) {
    const ChainIds ids = ids_of(chain);
    Dma in{tensor_bytes};
    Dma out{tensor_bytes};
    TensorDescriptor first{in.fd, chain.width};
    TensorDescriptor second{out.fd, chain.width};
    const c_api::MemDescriptor both[2] = {first.descriptor, second.descriptor};
    c_api::MemHandle handles[2];
    ASSERT_EQ(code(qnn().mem_register(context, both, 2, handles)), 0u);
    std::vector<float> values = chain.input();
    std::vector<float> result(chain.width, -1.0f);
    std::memcpy(in.data, values.data(), tensor_bytes);
    const c_api::Tensor input = registered_in
                                    ? registered(ids.in, c_api::TensorType::app_write, handles[0])
                                    : raw(ids.in, c_api::TensorType::app_write, values.data(), 256);
    c_api::Tensor output = registered_out
                               ? registered(ids.out, c_api::TensorType::app_read, handles[1])
                               : raw(ids.out, c_api::TensorType::app_read, result.data(), 256);
    EXPECT_EQ(code(qnn().graph_execute(graph, &input, 1, &output, 1, nullptr, nullptr)), 0u);
    EXPECT_LT(
        largest_difference(chain.reference(values), registered_out ? out.floats() : result.data()),
        1e-5f);
    EXPECT_EQ(code(qnn().mem_de_register(handles, 2)), 0u);
  }

  Bytes before_;
  c_api::ContextHandle context = nullptr;
  std::vector<std::byte> binary_;
};

/// One row of the table, for tensors of 256 bytes.
struct Row {
  const char* name;
  bool prepared_memhandle;
  bool executed_memhandle;
  Bytes prepared;  ///< after the graph is loaded
  Bytes first;     ///< added by the first inference
  Bytes second;    ///< added by each later inference
};

const Row rows[] = {
    {"QMEM_01_prepared_raw_executed_raw",
     false,
     false,
     {.preallocated = 512},
     {.copied_in = 256, .copied_out = 256},
     {.copied_in = 256, .copied_out = 256}},
    {"QMEM_02_prepared_raw_executed_registered",
     false,
     true,
     {.preallocated = 512},
     {.in_place = 512, .idle_copies = 512},
     {.in_place = 512, .idle_copies = 512}},
    {"QMEM_03_prepared_registered_executed_raw",
     true,
     false,
     {},
     {.at_execution = 512, .copied_in = 256, .copied_out = 256},
     {.copied_in = 256, .copied_out = 256}},
    {"QMEM_04_prepared_registered_executed_registered",
     true,
     true,
     {},
     {.in_place = 512},
     {.in_place = 512}},
};

class sim_tensor_memory : public TensorMemoryTest,
                          public ::testing::WithParamInterface<std::tuple<Row, bool>> {};

TEST_P(sim_tensor_memory, costs_what_the_table_says) {
  const auto& [row, online] = GetParam();
  const Chain chain{.memhandle_io = row.prepared_memhandle};
  const c_api::GraphHandle graph = graph_for(chain, online);
  EXPECT_EQ(since(before_), row.prepared);
  Bytes before = now();
  infer(graph, chain, row.executed_memhandle, row.executed_memhandle);
  EXPECT_EQ(since(before), row.first);
  before = now();
  infer(graph, chain, row.executed_memhandle, row.executed_memhandle);
  EXPECT_EQ(since(before), row.second);
  ASSERT_EQ(free_context(context), 0u);
  EXPECT_EQ(now().preallocated, 0u) << "contextFree releases the copies";
  EXPECT_EQ(now().at_execution, 0u);
}

INSTANTIATE_TEST_SUITE_P(rows, sim_tensor_memory,
                         ::testing::Combine(::testing::ValuesIn(rows), ::testing::Bool()),
                         [](const auto& row) {
                           return std::string(std::get<0>(row.param).name) +
                                  (std::get<1>(row.param) ? "_online" : "_from_a_binary");
                         });

class sim_tensor_memory_of : public TensorMemoryTest {};

TEST_F(sim_tensor_memory_of, QMEM_02_QMEM_03_a_mixed_graph_each_tensor_costs_its_own_row) {
  const Chain mixed{.memhandle_io = true, .raw_out = true};
  const c_api::GraphHandle graph = graph_for(mixed, false);
  EXPECT_EQ(since(before_), (Bytes{.preallocated = 256}));
  Bytes before = now();
  infer(graph, mixed, false, true);
  EXPECT_EQ(since(before),
            (Bytes{.at_execution = 256, .copied_in = 256, .in_place = 256, .idle_copies = 256}));
  before = now();
  infer(graph, mixed, true, false);
  EXPECT_EQ(since(before), (Bytes{.copied_out = 256, .in_place = 256}));
}

TEST_F(sim_tensor_memory_of, QMEM_03_copies_of_the_first_raw_inference_are_kept_for_later_ones) {
  const Chain chain{.memhandle_io = true};
  const c_api::GraphHandle graph = graph_for(chain, true);
  infer(graph, chain, false, true);
  EXPECT_EQ(now().at_execution, 256u);
  infer(graph, chain, true, true);
  infer(graph, chain, true, false);
  infer(graph, chain, false, false);
  EXPECT_EQ(now().at_execution, 512u);
}

TEST_F(sim_tensor_memory_of, QMEM_01_copies_are_there_when_a_deferred_context_is_finalized) {
  binary_ = binary_of({Chain{}, Chain{.name = "other"}});
  DeferredConfig deferred;
  ASSERT_EQ(create(binary_, deferred.configs(), context), 0u);
  EXPECT_EQ(now().preallocated, 0u);
  ASSERT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  EXPECT_EQ(now().preallocated, 1024u) << "both graphs have copies";
}

TEST_F(sim_tensor_memory_of, QMEM_01_graphs_that_are_not_enabled_have_no_copies) {
  binary_ = binary_of({Chain{}, Chain{.name = "other"}});
  const char* names[] = {"other", nullptr};
  c_api::ContextConfig enable{};
  enable.option = c_api::ContextConfigOption::enable_graphs;
  enable.enable_graphs = names;
  const c_api::ContextConfig* configs[] = {&enable, nullptr};
  ASSERT_EQ(create(binary_, configs, context), 0u);
  EXPECT_EQ(now().preallocated, 512u);
}

TEST_F(sim_tensor_memory_of, spill_fill_and_vtcm_do_not_depend_on_the_kind_of_tensor_memory) {
  DeferredConfig deferred;
  const auto raw = binary_of({Chain{}});
  const auto registered = binary_of({Chain{.memhandle_io = true}});
  c_api::ContextHandle one = nullptr;
  c_api::ContextHandle other = nullptr;
  ASSERT_EQ(create(raw, deferred.configs(), one), 0u);
  ASSERT_EQ(create(registered, deferred.configs(), other), 0u);
  EXPECT_EQ(ask(one).spill_fill, ask(other).spill_fill);
  EXPECT_EQ(ask(one).spill_fill, piece_bytes) << "256 bytes, rounded up";
}

/// Copies beyond a configured limit fail like copies without free memory.
class sim_tensor_memory_without_room : public TensorMemoryTest {
 protected:
  static void allow(std::uint64_t bytes) {
    sim::Config device = control().config();
    device.max_io_copy_bytes = bytes;
    ASSERT_TRUE(control().set_config(device));
  }
  static void expect_nothing_taken(const sim::Counters& before) {
    const sim::Counters after = control().counters();
    EXPECT_EQ(after.live_graphs, before.live_graphs);
    EXPECT_EQ(after.live_contexts, before.live_contexts);
    EXPECT_EQ(after.internal_bytes, before.internal_bytes);
    EXPECT_EQ(after.io_preallocated_bytes, before.io_preallocated_bytes);
    EXPECT_EQ(after.io_at_execution_bytes, before.io_at_execution_bytes);
    for (std::size_t i = 0; i < 16; ++i)
      EXPECT_EQ(after.pd_used_bytes[i], before.pd_used_bytes[i]) << i;
  }
};

TEST_F(sim_tensor_memory_without_room, QMEM_01_an_eager_creation_fails_and_leaves_nothing) {
  binary_ = binary_of({Chain{}, Chain{.name = "other"}});
  const sim::Counters before = control().counters();
  allow(1023);
  EXPECT_EQ(create(binary_, nullptr, context), 1002u) << "no memory for the second graph's copies";
  expect_nothing_taken(before);
  allow(1024);
  EXPECT_EQ(create(binary_, nullptr, context), 0u);
}

TEST_F(sim_tensor_memory_without_room,
       QMEM_01_contextFinalize_fails_and_another_context_may_succeed) {
  binary_ = binary_of({Chain{}});
  DeferredConfig deferred;
  ASSERT_EQ(create(binary_, deferred.configs(), context), 0u);
  const sim::Counters before = control().counters();
  allow(511);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 1002u);
  expect_nothing_taken(before);
  allow(512);
  ASSERT_EQ(create(binary_, deferred.configs(), context), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  infer(graph_of(context), Chain{}, false, false);
}

TEST_F(sim_tensor_memory_without_room, QMEM_01_graphFinalize_fails_and_may_be_repeated) {
  ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
  contexts.push_back(context);
  allow(511);
  EXPECT_EQ(compose(context, Chain{}), 1002u);
  const c_api::GraphHandle graph = graph_of(context);
  const sim::Counters failed = control().counters();
  EXPECT_EQ(failed.internal_bytes + failed.io_preallocated_bytes + failed.pd_used_bytes[0], 0u);
  EXPECT_EQ(code(qnn().graph_execute(graph, nullptr, 0, nullptr, 0, nullptr, nullptr)), 6023u);
  allow(512);
  EXPECT_EQ(code(qnn().graph_finalize(graph, nullptr, nullptr)), 0u);
  infer(graph, Chain{}, false, false);
}

TEST_F(sim_tensor_memory_without_room, QMEM_03_an_execution_takes_all_its_copies_or_none) {
  const Chain chain{.memhandle_io = true};
  const c_api::GraphHandle graph = graph_for(chain, false);
  const sim::Counters before = control().counters();
  allow(511);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph, chain, out), 1002u);
  expect_nothing_taken(before);
  EXPECT_EQ(control().counters().executions, before.executions);
  allow(512);
  EXPECT_EQ(run_raw(graph, chain, out), 0u);
  EXPECT_LT(largest_difference(chain.reference(chain.input()), out.data()), 1e-5f);
}

TEST_F(sim_tensor_memory_without_room, QMEM_01_memory_that_the_host_does_not_have_is_1002_too) {
  ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
  contexts.push_back(context);
  c_api::GraphHandle graph = nullptr;
  ASSERT_EQ(code(qnn().graph_create(context, "vast", nullptr, &graph)), 0u);
  std::uint32_t vast[] = {1u << 19, 1u << 19};  // 1 TiB of floats
  std::uint32_t small[] = {4};
  const auto add = [&](const std::string& name, c_api::TensorType type, std::uint32_t* dims,
                       std::uint32_t rank) {
    c_api::Tensor tensor = raw(0, type, nullptr, 0);
    tensor.v1.name = name.c_str();
    tensor.v1.rank = rank;
    tensor.v1.dimensions = dims;
    EXPECT_EQ(code(qnn().tensor_create_graph_tensor(graph, &tensor)), 0u);
    return tensor;
  };
  for (int i = 0; i < 70; ++i)
    static_cast<void>(add("in" + std::to_string(i), c_api::TensorType::app_write, vast, 2));
  const c_api::Tensor in = add("in", c_api::TensorType::app_write, small, 1);
  c_api::Tensor out = add("out", c_api::TensorType::app_read, small, 1);
  c_api::OpConfig op{};
  op.version = c_api::OpConfigVersion::v1;
  op.v1 = {"relu", "qti.aisw", "Relu", 0, nullptr, 1, const_cast<c_api::Tensor*>(&in), 1, &out};
  ASSERT_EQ(code(qnn().graph_add_node(graph, op)), 0u);
  EXPECT_EQ(code(qnn().graph_finalize(graph, nullptr, nullptr)), 1002u);
  EXPECT_EQ(control().counters().io_preallocated_bytes, 0u);
}

/// Composition: the memory type at a tensor's creation and in the nodes that use it.
class sim_tensor_preparation : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    c_api::ContextHandle context = nullptr;
    ASSERT_EQ(code(qnn().context_create(backend, nullptr, nullptr, &context)), 0u);
    contexts.push_back(context);
    ASSERT_EQ(code(qnn().graph_create(context, "graph", nullptr, &graph)), 0u);
  }
  std::uint32_t add(const char* name, c_api::TensorType type, c_api::TensorMemType memory,
                    c_api::Tensor& tensor, c_api::MemHandle handle = nullptr) {
    tensor = raw(0, type, nullptr, 0);
    tensor.v1.name = name;
    tensor.v1.rank = 1;
    tensor.v1.dimensions = dims;
    tensor.v1.mem_type = memory;
    if (memory == c_api::TensorMemType::memhandle) tensor.v1.mem_handle = handle;
    return code(qnn().tensor_create_graph_tensor(graph, &tensor));
  }
  std::uint32_t node(c_api::Tensor reads, c_api::Tensor writes) {
    c_api::OpConfig op{};
    op.version = c_api::OpConfigVersion::v1;
    op.v1 = {"relu", "qti.aisw", "Relu", 0, nullptr, 1, &reads, 1, &writes};
    return code(qnn().graph_add_node(graph, op));
  }

  std::uint32_t dims[1] = {4};
  c_api::GraphHandle graph = nullptr;
  c_api::Tensor in;
  c_api::Tensor out;
  static constexpr auto memhandle = c_api::TensorMemType::memhandle;
};

TEST_F(sim_tensor_preparation, QMEM_05_memhandle_with_a_null_handle_in_both_places_is_right) {
  ASSERT_EQ(add("in", c_api::TensorType::app_write, memhandle, in), 0u);
  ASSERT_EQ(add("out", c_api::TensorType::app_read, memhandle, out), 0u);
  EXPECT_EQ(node(in, out), 0u);
  EXPECT_EQ(code(qnn().graph_finalize(graph, nullptr, nullptr)), 0u);
  EXPECT_EQ(control().counters().misuses, 0u);
  EXPECT_EQ(control().counters().io_preallocated_bytes, 0u);
}

TEST_F(sim_tensor_preparation, QMEM_05_a_node_that_does_not_say_the_memory_type_is_right) {
  ASSERT_EQ(add("in", c_api::TensorType::app_write, memhandle, in), 0u);
  ASSERT_EQ(add("out", c_api::TensorType::app_read, c_api::TensorMemType::raw, out), 0u);
  in.v1.mem_type = out.v1.mem_type = c_api::TensorMemType::undefined;
  EXPECT_EQ(node(in, out), 0u);
}

TEST_F(sim_tensor_preparation, QMEM_05_a_node_that_contradicts_the_memory_type_is_refused) {
  ASSERT_EQ(add("in", c_api::TensorType::app_write, memhandle, in), 0u);
  ASSERT_EQ(add("out", c_api::TensorType::app_read, c_api::TensorMemType::raw, out), 0u);
  c_api::Tensor raw_in = in;
  raw_in.v1.mem_type = c_api::TensorMemType::raw;
  EXPECT_EQ(node(raw_in, out), 6004u);
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_NE(control().misuse_text(0).find("'in' has another memory type"), std::string::npos);
  c_api::Tensor memhandle_out = out;
  memhandle_out.v1.mem_type = memhandle;
  EXPECT_EQ(node(in, memhandle_out), 6004u);
  EXPECT_EQ(control().counters().misuses, 2u);
  EXPECT_EQ(node(in, out), 0u);
}

TEST_F(sim_tensor_preparation, QMEM_05_a_handle_that_is_not_null_is_refused) {
  const auto handle = reinterpret_cast<c_api::MemHandle>(std::uintptr_t{0x77});
  EXPECT_EQ(add("in", c_api::TensorType::app_write, memhandle, in, handle), 7004u);
  EXPECT_EQ(control().counters().misuses, 1u);
  ASSERT_EQ(add("in", c_api::TensorType::app_write, memhandle, in), 0u);
  ASSERT_EQ(add("out", c_api::TensorType::app_read, c_api::TensorMemType::raw, out), 0u);
  c_api::Tensor with_handle = in;
  with_handle.v1.mem_handle = handle;
  EXPECT_EQ(node(with_handle, out), 6004u);
  EXPECT_EQ(control().counters().misuses, 2u);
  EXPECT_EQ(node(in, out), 0u);
}

TEST_F(sim_tensor_preparation, QMEM_05_intermediates_and_constants_are_no_memory_handles) {
  EXPECT_EQ(add("native", c_api::TensorType::native, memhandle, in), 7004u);
  EXPECT_EQ(add("static", c_api::TensorType::static_, memhandle, in), 7004u);
  ASSERT_EQ(add("native", c_api::TensorType::native, c_api::TensorMemType::raw, out), 0u);
  ASSERT_EQ(add("in", c_api::TensorType::app_write, memhandle, in), 0u);
  out.v1.mem_type = memhandle;
  EXPECT_EQ(node(in, out), 6004u);
}

}}  // namespace sim_test
