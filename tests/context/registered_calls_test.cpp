// The calls that register tensor memory: every byte of their arguments, and their order (ION-01,
// ION-04, SHB-01, ORD-08).
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"

#include "recorder.hpp"
#include "tensor_memory.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

/// A descriptor as QNN sees it, with the data that it points to.
struct SeenTensor {
  c_api::MemDescriptor descriptor;
  std::vector<std::uint32_t> shape;
  c_api::HtpMemDescriptor custom;
};

/// Descriptors of the last registration.
struct TensorDescriptors {
  static inline std::vector<SeenTensor> all;
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering || slot != static_cast<std::size_t>(Slot::mem_register)) return;
    all.clear();
    const auto* descriptors = argument<const c_api::MemDescriptor*>(arguments, 1);
    for (std::uint32_t i = 0; i < argument<std::uint32_t>(arguments, 2); ++i) {
      SeenTensor seen;
      std::memcpy(&seen.descriptor, &descriptors[i], sizeof seen.descriptor);
      const c_api::MemShape& shape = seen.descriptor.mem_shape;
      seen.shape.assign(shape.dim_size, shape.dim_size + shape.num_dim);
      std::memset(&seen.custom, 0xEE, sizeof seen.custom);
      if (seen.descriptor.mem_type == c_api::MemType::custom)
        std::memcpy(&seen.custom, seen.descriptor.custom_info, sizeof seen.custom);
      all.push_back(std::move(seen));
    }
  }
  /// Returns the descriptor of a tensor, found by its shape.
  static const SeenTensor& of(const TensorSpec& spec) {
    static const SeenTensor none{};
    for (const SeenTensor& seen : all)
      if (seen.shape == spec.dimensions) return seen;
    ADD_FAILURE() << spec.name << " is not described";
    return none;
  }
};

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

/// Compares each byte of a descriptor.
void expect_described(const TensorSpec& spec, c_api::MemType type, int fd, void* data,
                      std::uint64_t size, std::uint64_t offset) {
  const SeenTensor& seen = TensorDescriptors::of(spec);
  c_api::MemDescriptor wanted;
  std::memset(&wanted, 0, sizeof wanted);
  wanted.mem_shape.num_dim = static_cast<std::uint32_t>(spec.dimensions.size());
  wanted.mem_shape.dim_size = seen.descriptor.mem_shape.dim_size;
  wanted.data_type = spec.data_type;
  wanted.mem_type = type;
  if (type == c_api::MemType::ion) wanted.ion_info.fd = fd;
  if (type == c_api::MemType::dma_buf) {
    wanted.dma_buf_info.fd = fd;
    wanted.dma_buf_info.data = data;
  }
  if (type == c_api::MemType::custom) {
    wanted.custom_info = seen.descriptor.custom_info;
    c_api::HtpMemDescriptor custom;
    std::memset(&custom, 0, sizeof custom);
    custom.type = c_api::HtpMemType::shared_buffer;
    custom.size = size;
    custom.shared_buffer_config.fd = fd;
    custom.shared_buffer_config.offset = offset;
    EXPECT_TRUE(same_bytes(seen.custom, custom)) << spec.name;
    EXPECT_EQ(seen.custom.size, size) << spec.name;
    EXPECT_EQ(seen.custom.shared_buffer_config.offset, offset) << spec.name;
    EXPECT_EQ(seen.custom.shared_buffer_config.fd, fd) << spec.name;
  }
  EXPECT_TRUE(same_bytes(seen.descriptor, wanted)) << spec.name;
}

/// A context whose calls are reported to a hook.
class registered_calls : public TensorMemoryTest {
 protected:
  void SetUp() override {
    TensorMemoryTest::SetUp();
    TensorDescriptors::all.clear();
    Log::events.clear();
    auto from = binary(network);
    context_.emplace(must(Context<Finalized>::restore(must(load_recorder()), std::move(from))));
  }
  void TearDown() override {
    context_.reset();
    TensorMemoryTest::TearDown();
  }
  const Context<Finalized>& context() const { return *context_; }
  Context<Finalized> take_context() {
    auto taken = *std::move(context_);
    context_.reset();
    return taken;
  }

  /// Three tensors of different types, ranks and sizes.
  const std::vector<TensorSpec> three{tensor("a", {3}, c_api::DataType::uint_8),
                                      tensor("b", {2, 5, 7}, c_api::DataType::float_32),
                                      tensor("c", {7, 9}, c_api::DataType::sfixed_point_16)};

 private:
  std::optional<Context<Finalized>> context_;
};

TEST_F(registered_calls, SHB_01_a_tensor_is_described_by_the_whole_buffer_and_its_own_offset) {
  const auto memory = must(SharedBuffer<MultiTensor>::allocate(allocator(), three));
  const Recording recording(&TensorDescriptors::hook);
  const auto tensors = must(RegisteredTensors::create(context(), memory));
  ASSERT_EQ(TensorDescriptors::all.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    expect_described(three[i], c_api::MemType::custom,
                     qnnpp::detail::Access::block(memory)->memory[0]->fd, nullptr,
                     memory.size_bytes(), memory.tensors()[i].offset_bytes);
}

TEST_F(registered_calls, SHB_01_within_a_part_of_a_buffer_it_is_still_the_whole_that_is_told) {
  auto region =
      must(MemRegion<TensorIo>::from_buffer(must(allocator().allocate(16384)), 4096, 1024));
  const int fd = region.fd();
  const auto memory = must(SharedBuffer<MultiTensor>::from_region(
      std::move(region), {{three[0], 0}, {three[1], 128}, {three[2], 512}}));
  const Recording recording(&TensorDescriptors::hook);
  const auto tensors = must(RegisteredTensors::create(context(), memory));
  expect_described(three[0], c_api::MemType::custom, fd, nullptr, 16384, 4096);
  expect_described(three[1], c_api::MemType::custom, fd, nullptr, 16384, 4224);
  expect_described(three[2], c_api::MemType::custom, fd, nullptr, 16384, 4608);
}

TEST_F(registered_calls, SHB_01_a_tensor_outside_of_the_size_that_was_told_is_refused_by_QNN) {
  const auto memory = must(allocator().allocate(4096));
  std::vector<std::uint32_t> shape{128};
  c_api::HtpMemDescriptor custom{};
  custom.type = c_api::HtpMemType::shared_buffer;
  custom.shared_buffer_config.fd = memory.fd();
  c_api::MemDescriptor descriptor{};
  descriptor.mem_shape.num_dim = 1;
  descriptor.mem_shape.dim_size = shape.data();
  descriptor.data_type = c_api::DataType::uint_8;
  descriptor.mem_type = c_api::MemType::custom;
  descriptor.custom_info = &custom;
  c_api::MemHandle handle = nullptr;
  const auto reg = *backend().provider().find<&c_api::InterfaceTable::mem_register>();
  const auto answer = [&](std::uint64_t size, std::uint64_t offset) {
    custom.size = size;
    custom.shared_buffer_config.offset = offset;
    return reg(context().native(), &descriptor, 1, &handle) & 0xFFFF;
  };
  EXPECT_EQ(answer(128, 512), 8000u) << "the tensor's own size with its offset";
  EXPECT_EQ(answer(4096, 0xBADBADBADBADBADB), 8000u) << "an offset that nobody set";
  EXPECT_EQ(answer(0, 0), 8000u);
}

TEST_F(registered_calls, ION_03_a_tensor_of_its_own_buffer_is_described_by_its_descriptor) {
  const auto memory = must(SharedBuffer<PerTensor>::allocate(allocator(), three));
  const Recording recording(&TensorDescriptors::hook);
  const auto tensors = must(RegisteredTensors::create(context(), memory));
  ASSERT_EQ(TensorDescriptors::all.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    expect_described(three[i], c_api::MemType::ion,
                     qnnpp::detail::Access::block(memory)->memory[i]->fd, nullptr, 0, 0);
}

TEST_F(registered_calls, ION_03_a_dma_buf_is_described_by_its_descriptor_and_its_address) {
  const auto memory = must(SharedBuffer<DmaBuf>::allocate(allocator(), three));
  const Recording recording(&TensorDescriptors::hook);
  const auto tensors = must(RegisteredTensors::create(context(), memory));
  ASSERT_EQ(TensorDescriptors::all.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    expect_described(three[i], c_api::MemType::dma_buf,
                     qnnpp::detail::Access::block(memory)->memory[i]->fd,
                     qnnpp::detail::Access::block(memory)->memory[i]->data(), 0, 0);
}

TEST_F(registered_calls, the_handle_of_a_name_is_that_of_its_own_memory) {
  // The placement order differs from the argument order.
  const auto memory = must(SharedBuffer<MultiTensor>::from_region(
      must(MemRegion<TensorIo>::allocate(allocator(), 4096)),
      {{network.spec("y"), 1024}, {tensor("other", {3}), 0}, {network.spec("x"), 128}}));
  const auto tensors = must(RegisteredTensors::create(context(), memory));
  EXPECT_LT(difference_in(memory, tensors, context(), network), tolerance);
}

// ---- order -----------------------------------------------------------------------------------

void log_calls(std::size_t slot, bool entering, const void* const* arguments) {
  if (!entering) return;
  if (slot == static_cast<std::size_t>(Slot::mem_de_register))
    Log::events.push_back("deregister " + std::to_string(argument<std::uint32_t>(arguments, 1)));
  if (slot == static_cast<std::size_t>(Slot::context_free)) Log::events.push_back("free context");
}

TEST_F(registered_calls, ION_04_deregisters_before_context_and_memory_go_in_any_order) {
  const Recording recording(&log_calls);
  const auto recorder = must(load_recorder());
  std::array<int, 4> order{0, 1, 2, 3};
  do {
    auto context = std::optional(must(Context<Finalized>::restore(recorder, binary(network))));
    auto memory = std::optional(
        must(SharedBuffer<MultiTensor>::allocate(LoggingAllocator(allocator()), specs())));
    auto tensors = std::optional(must(RegisteredTensors::create(*context, *memory)));
    auto graph =
        std::optional(must(must(Graph<Retrieved>::retrieve(*context, "net"))
                               .bind({registered(*tensors, "x"), registered(*tensors, "y")})));
    Log::events.clear();
    for (const int which : order) {
      EXPECT_TRUE(!graph || graph->execute().has_value());
      if (which == 0) context.reset();
      if (which == 1) memory.reset();
      if (which == 2) tensors.reset();
      if (which == 3) graph.reset();
    }
    ASSERT_EQ(Log::events.size(), 3u);
    EXPECT_EQ(Log::events[0], "deregister 2");
    EXPECT_EQ(std::count(Log::events.begin(), Log::events.end(), "free memory"), 1);
    EXPECT_EQ(std::count(Log::events.begin(), Log::events.end(), "free context"), 1);
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(rpcmem_control().counters().freed_while_mapped, 0u);
}

TEST_F(registered_calls, ION_04_memory_of_two_contexts_goes_after_both_gave_it_back) {
  const Recording recording(&log_calls);
  const auto second = must(Context<Finalized>::restore(must(load_recorder()), binary(network)));
  auto memory = std::optional(
      must(SharedBuffer<PerTensor>::allocate(LoggingAllocator(allocator()), specs())));
  auto first_tensors = std::optional(must(RegisteredTensors::create(context(), *memory)));
  auto second_tensors = std::optional(must(RegisteredTensors::create(second, *memory)));
  Log::events.clear();
  memory.reset();
  first_tensors.reset();
  EXPECT_EQ(Log::events, (std::vector<std::string>{"deregister 2"}));
  second_tensors.reset();
  EXPECT_EQ(Log::events, (std::vector<std::string>{"deregister 2", "deregister 2", "free memory",
                                                   "free memory"}));
}

TEST_F(registered_calls, ION_04_a_registration_that_is_assigned_over_is_given_back_at_once) {
  const Recording recording(&log_calls);
  const auto memory = buffer<PerTensor>();
  const auto names = std::vector<std::string>{"y"};
  auto tensors = must(RegisteredTensors::create(context(), memory, std::vector<std::string>{"x"}));
  tensors = must(RegisteredTensors::create(context(), memory, names));
  EXPECT_EQ(Log::events, (std::vector<std::string>{"deregister 1"}));
  EXPECT_EQ(registrations(), 1u);
  EXPECT_TRUE(succeeds(tensors.native("y")));
}

TEST_F(registered_calls, ION_04_memory_freed_under_its_registration_is_noticed_by_the_device) {
  // Makes the C calls that the types do not permit.
  expect_misuse();
  std::vector<std::uint32_t> shape{128};
  c_api::MemHandle handle = nullptr;
  {
    const auto memory = must(allocator().allocate(4096));
    c_api::MemDescriptor descriptor{};
    descriptor.mem_shape.num_dim = 1;
    descriptor.mem_shape.dim_size = shape.data();
    descriptor.data_type = c_api::DataType::uint_8;
    descriptor.mem_type = c_api::MemType::ion;
    descriptor.ion_info.fd = memory.fd();
    const auto reg = *backend().provider().find<&c_api::InterfaceTable::mem_register>();
    ASSERT_EQ(reg(context().native(), &descriptor, 1, &handle), 0u);
  }
  EXPECT_EQ(rpcmem_control().counters().freed_while_mapped, 1u);
  const auto dereg = *backend().provider().find<&c_api::InterfaceTable::mem_de_register>();
  EXPECT_EQ(dereg(&handle, 1), 0u);
  EXPECT_NE(dereg(&handle, 1), 0u) << "a second time";
}

}}  // namespace support
