// Wrong registrations of tensor memory in plain C calls: each is an error, or a counted misuse or
// leak. The correct variants are tested, too.
#include <unistd.h>

#include <fstream>

#include "fixture.hpp"

namespace sim_test { namespace {

class sim_tensor_misuse : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    binary = binary_of({chain});
    ASSERT_EQ(create(binary, nullptr, context), 0u);
    graph = graph_of(context);
  }
  std::uint32_t take(const c_api::MemDescriptor& descriptor, c_api::MemHandle* out = nullptr,
                     c_api::ContextHandle with = nullptr) {
    c_api::MemHandle handle = nullptr;
    const std::uint32_t error =
        code(qnn().mem_register(with != nullptr ? with : context, &descriptor, 1, &handle));
    if (out != nullptr) *out = handle;
    return error;
  }
  std::uint32_t give_back(c_api::MemHandle handle) {
    return code(qnn().mem_de_register(&handle, 1));
  }
  /// Executes with this input, and an output in plain memory.
  std::uint32_t run(const c_api::Tensor& input, std::vector<float>& values) {
    values.assign(chain.width, -1.0f);
    c_api::Tensor output = raw(ids.out, c_api::TensorType::app_read, values.data(), 256);
    return code(qnn().graph_execute(graph, &input, 1, &output, 1, nullptr, nullptr));
  }
  static std::uint64_t misuses() { return control().counters().misuses; }
  static std::uint64_t freed_while_mapped() {
    return libraries().rpcmem_control.counters().freed_while_mapped;
  }

  const Chain chain{.memhandle_io = true};
  const ChainIds ids = ids_of(chain);
  std::vector<std::byte> binary;
  c_api::ContextHandle context = nullptr;
  c_api::GraphHandle graph = nullptr;
  std::vector<float> result;
};

TEST_F(sim_tensor_misuse, ION_01_a_registered_tensor_goes_by_its_handle) {
  Dma dma{256};
  std::memcpy(dma.data, chain.input().data(), 256);
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(tensor.descriptor, &handle), 0u);
  ASSERT_EQ(run(registered(ids.in, c_api::TensorType::app_write, handle), result), 0u);
  EXPECT_LT(largest_difference(chain.reference(chain.input()), result.data()), 1e-5f);
  EXPECT_EQ(give_back(handle), 0u);
}

TEST_F(sim_tensor_misuse, ION_01_a_client_buffer_in_place_of_a_handle_is_refused) {
  Dma dma{256};
  c_api::Tensor input = registered(ids.in, c_api::TensorType::app_write, nullptr);
  input.v1.client_buf = {dma.data, 256};
  EXPECT_EQ(run(input, result), 6004u);
}

TEST_F(sim_tensor_misuse, ION_01_a_handle_in_place_of_a_client_buffer_is_refused_and_counted) {
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(tensor.descriptor, &handle), 0u);
  c_api::Tensor input = raw(ids.in, c_api::TensorType::app_write, handle, 256);
  EXPECT_EQ(run(input, result), 6004u);
  EXPECT_EQ(misuses(), 1u);
  EXPECT_EQ(give_back(handle), 0u);
  EXPECT_EQ(run(input, result), 6004u) << "a stale handle is refused, too";
  EXPECT_EQ(misuses(), 2u);
}

TEST_F(sim_tensor_misuse, ION_02_memory_is_registered_with_a_context_that_is_alive) {
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handle = nullptr;
  EXPECT_EQ(code(qnn().mem_register(nullptr, &tensor.descriptor, 1, &handle)), 8001u);
  ASSERT_EQ(free_context(context), 0u);
  EXPECT_EQ(take(tensor.descriptor, &handle), 8001u);
}

TEST_F(sim_tensor_misuse, ION_03_one_buffer_for_two_alike_tensors_of_type_ION_is_refused) {
  Dma dma{512};
  TensorDescriptor first{dma.fd, 64};
  TensorDescriptor second{dma.fd, 64};
  const c_api::MemDescriptor both[2] = {first.descriptor, second.descriptor};
  c_api::MemHandle handles[2];
  EXPECT_EQ(code(qnn().mem_register(context, both, 2, handles)), 8002u);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
  Dma other{256};
  TensorDescriptor third{other.fd, 32};
  const c_api::MemDescriptor apart[2] = {first.descriptor, third.descriptor};
  EXPECT_EQ(code(qnn().mem_register(context, apart, 2, handles)), 0u);
  EXPECT_EQ(code(qnn().mem_de_register(handles, 2)), 0u);
}

TEST_F(sim_tensor_misuse, ION_04_memory_that_is_freed_while_it_is_registered_is_counted) {
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(tensor.descriptor, &handle), 0u);
  dma.release();
  EXPECT_EQ(freed_while_mapped(), 1u);
  EXPECT_EQ(control().misuses("ION-04"), 1u);
  ASSERT_EQ(run(registered(ids.in, c_api::TensorType::app_write, handle), result), 0u);
  EXPECT_EQ(largest_difference(chain.reference(chain.input()), result.data()), INFINITY)
      << "the freed memory holds not-a-numbers";
  EXPECT_EQ(give_back(handle), 0u);
}

TEST_F(sim_tensor_misuse, ION_04_memory_that_is_freed_after_its_deregistration_is_fine) {
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(tensor.descriptor, &handle), 0u);
  EXPECT_EQ(give_back(handle), 0u);
  dma.release();
  EXPECT_EQ(freed_while_mapped(), 0u);
}

TEST_F(sim_tensor_misuse, BUF_06_a_weights_buffer_that_is_freed_before_its_context_is_counted) {
  DeferredConfig config;
  c_api::ContextHandle deferred = nullptr;
  ASSERT_EQ(create(binary, config.configs(), deferred), 0u);
  Dma early{ask(deferred).weights};
  ExternalDescriptor weights{c_api::HtpMemType::weights_buffer, early.fd, early.bytes};
  ASSERT_EQ(take(weights.descriptor, nullptr, deferred), 0u);
  ASSERT_EQ(code(qnn().context_finalize(deferred, nullptr)), 0u);
  early.release();
  EXPECT_EQ(freed_while_mapped(), 1u);
  EXPECT_EQ(control().misuses("BUF-06"), 1u);
  EXPECT_EQ(control().misuse_text(0),
            "rpcmem_free: BUF-06: memory that is registered as an external buffer");
  ASSERT_EQ(free_context(deferred), 0u);
}

TEST_F(sim_tensor_misuse, ION_04_a_buffer_that_is_kept_after_a_failed_registration_is_a_leak) {
  void* const kept = libraries().alloc2(25, 1, 256);
  TensorDescriptor tensor{libraries().to_fd(kept), 1025};
  EXPECT_EQ(take(tensor.descriptor), 8003u);
  EXPECT_EQ(libraries().rpcmem_control.counters().live_allocations, 1u);
  libraries().free(kept);
  EXPECT_EQ(libraries().rpcmem_control.counters().live_allocations, 0u);
}

TEST_F(sim_tensor_misuse, SHB_01_hazard_1_an_offset_or_size_that_was_not_initialised_is_refused) {
  Dma dma{4096};
  for (const std::uint64_t garbage : {0xCDCDCDCDCDCDCDCDull, 0xAAAAAAAAAAAAAAAAull,
                                      0xFFFFFFFFFFFFFFFFull, 0x00007FFDCAFE1230ull}) {
    TensorDescriptor offset{dma.fd, 64, 4096, garbage};
    EXPECT_EQ(take(offset.descriptor), 8000u);
    TensorDescriptor size{dma.fd, 64, garbage, 0};
    EXPECT_EQ(take(size.descriptor), 8003u);
  }
  TensorDescriptor nothing{dma.fd, 64, 0, 0};
  EXPECT_EQ(take(nothing.descriptor), 8000u);
  TensorDescriptor fd{static_cast<int>(0xCDCDCDCD), 64, 4096, 0};
  EXPECT_EQ(take(fd.descriptor), 8003u);
}

TEST_F(sim_tensor_misuse, SHB_01_a_size_that_is_only_the_tensor_s_own_is_counted) {
  Dma dma{8192};
  TensorDescriptor own{dma.fd, 64, 256, 0};
  EXPECT_EQ(take(own.descriptor), 0u);
  EXPECT_EQ(misuses(), 1u);
  TensorDescriptor further{dma.fd, 64, 256, 4096};
  EXPECT_EQ(take(further.descriptor), 8000u) << "the tensor lies outside that size";
  TensorDescriptor whole{dma.fd, 64, 8192, 4096};
  EXPECT_EQ(take(whole.descriptor), 0u);
  TensorDescriptor rounded_up{dma.fd, 64, 8192 - 4095, 512};
  EXPECT_EQ(take(rounded_up.descriptor), 0u) << "an allocator may round up to pages";
  EXPECT_EQ(misuses(), 1u);
}

TEST_F(sim_tensor_misuse, SHB_02_tensors_may_overlap_and_begin_together) {
  Dma dma{4096};
  TensorDescriptor first{dma.fd, 64, 4096, 0};
  TensorDescriptor over_it{dma.fd, 64, 4096, 128};
  TensorDescriptor same_start{dma.fd, 32, 4096, 128};
  EXPECT_EQ(take(first.descriptor), 0u);
  EXPECT_EQ(take(over_it.descriptor), 0u);
  EXPECT_EQ(take(same_start.descriptor), 0u);
}

TEST_F(sim_tensor_misuse, SHB_09_at_execution_other_memory_than_the_tensor_s_is_counted) {
  Dma dma{4096};
  TensorDescriptor small{dma.fd, 32};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(small.descriptor, &handle), 0u);
  EXPECT_EQ(run(registered(ids.in, c_api::TensorType::app_write, handle), result), 6004u);
  EXPECT_EQ(control().misuses("SHB-09"), 1u) << "another size";
  c_api::ContextHandle other = nullptr;
  ASSERT_EQ(create(binary, nullptr, other), 0u);
  TensorDescriptor same{dma.fd, 64};
  ASSERT_EQ(take(same.descriptor, &handle, other), 0u);
  EXPECT_EQ(run(registered(ids.in, c_api::TensorType::app_write, handle), result), 6004u);
  EXPECT_EQ(control().misuses("SHB-09"), 2u) << "another context";
}

TEST_F(sim_tensor_misuse, SHB_06_a_client_buffer_of_another_size_is_counted) {
  std::vector<float> values(65, 1.0f);
  EXPECT_EQ(run(raw(ids.in, c_api::TensorType::app_write, values.data(), 252), result), 6004u);
  EXPECT_EQ(run(raw(ids.in, c_api::TensorType::app_write, values.data(), 260), result), 0u);
  EXPECT_EQ(control().misuses("SHB-06"), 2u);
}

/// Handles are small numbers that are reused, as in the host library.
class sim_recycled_handles : public sim_tensor_misuse {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    sim::Config device = control().config();
    device.recycled_handles = 1;
    ASSERT_TRUE(control().set_config(device));
    binary = binary_of({chain});
    ASSERT_EQ(create(binary, nullptr, context), 0u);
    graph = graph_of(context);
  }
  template <class Handle>
  static std::uintptr_t number(Handle handle) {
    return reinterpret_cast<std::uintptr_t>(handle);
  }
};

TEST_F(sim_recycled_handles, the_lowest_free_number_is_the_next_handle) {
  EXPECT_EQ(number(context), 1u);
  EXPECT_EQ(number(graph), 1u);
  Dma dma{4096};
  c_api::MemHandle handles[3];
  for (std::uint32_t i = 0; i < 3; ++i) {
    TensorDescriptor tensor{dma.fd, i + 1};
    ASSERT_EQ(take(tensor.descriptor, &handles[i]), 0u);
    EXPECT_EQ(number(handles[i]), i + 1);
  }
  EXPECT_EQ(give_back(handles[1]), 0u);
  TensorDescriptor again{dma.fd, 9};
  ASSERT_EQ(take(again.descriptor, &handles[1]), 0u);
  EXPECT_EQ(number(handles[1]), 2u);
  ASSERT_EQ(code(qnn().mem_de_register(handles, 3)), 0u);
}

TEST_F(sim_recycled_handles, SSR_01_numbers_of_dead_contexts_are_kept_until_they_are_freed) {
  control().restart_subsystem(false);
  c_api::ContextHandle after = nullptr;
  ASSERT_EQ(create(binary, nullptr, after), 0u);
  EXPECT_EQ(number(after), 2u);
  EXPECT_EQ(number(graph_of(after)), 2u);
  std::vector<float> out;
  EXPECT_EQ(run_raw(graph, chain, out), 1007u);
  EXPECT_EQ(free_context(context), 0u);
  ASSERT_EQ(create(binary, nullptr, context), 0u);
  EXPECT_EQ(number(context), 1u);
}

TEST_F(sim_recycled_handles, ION_04_a_second_deregistration_destroys_another_tensor_s_memory) {
  Dma dma{4096};
  TensorDescriptor first{dma.fd, 64};
  c_api::MemHandle stale = nullptr;
  ASSERT_EQ(take(first.descriptor, &stale), 0u);
  ASSERT_EQ(give_back(stale), 0u);
  c_api::MemHandle used = nullptr;
  ASSERT_EQ(take(first.descriptor, &used), 0u);
  EXPECT_EQ(used, stale);
  EXPECT_EQ(give_back(stale), 0u) << "the library cannot know that it is the second time";
  EXPECT_EQ(run(registered(ids.in, c_api::TensorType::app_write, used), result), 6004u);
  EXPECT_EQ(control().misuses("SHB-09"), 1u);
  EXPECT_EQ(give_back(used), 8001u);
  EXPECT_EQ(control().misuses("ION-04"), 1u);
}

TEST_F(sim_tensor_misuse, SHB_03_hazard_3_a_failure_at_a_third_tensor_leaves_two_that_are_counted) {
  {
    Dma dma{4096};
    TensorDescriptor first{dma.fd, 64, 4096, 0};
    TensorDescriptor second{dma.fd, 64, 4096, 256};
    TensorDescriptor third{dma.fd, 64, 4096, 4095};
    EXPECT_EQ(take(first.descriptor), 0u);
    EXPECT_EQ(take(second.descriptor), 0u);
    EXPECT_EQ(take(third.descriptor), 8000u);
  }
  EXPECT_EQ(freed_while_mapped(), 1u) << "the memory is freed although two handles are alive";
  EXPECT_EQ(free_context(context), 0u);
  EXPECT_EQ(control().counters().left_registrations, 2u);
}

TEST_F(sim_tensor_misuse, SHB_03_a_failure_within_one_array_leaves_nothing) {
  Dma dma{4096};
  TensorDescriptor first{dma.fd, 64, 4096, 0};
  TensorDescriptor second{dma.fd, 64, 4096, 256};
  TensorDescriptor third{dma.fd, 64, 4096, 4095};
  const c_api::MemDescriptor all[3] = {first.descriptor, second.descriptor, third.descriptor};
  c_api::MemHandle handles[3];
  EXPECT_EQ(code(qnn().mem_register(context, all, 3, handles)), 8000u);
  for (const c_api::MemHandle handle : handles) EXPECT_EQ(handle, nullptr);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
  EXPECT_EQ(control().counters().mapped_bytes, 0u);
  EXPECT_EQ(control().counters().device_mappings, 0u);
  EXPECT_EQ(code(qnn().mem_register(context, all, 2, handles)), 0u)
      << "the failed call leaves nothing registered";
  EXPECT_EQ(code(qnn().mem_de_register(handles, 2)), 0u);
}

TEST_F(sim_tensor_misuse,
       BUF_15_two_external_buffers_in_one_call_are_named_and_leave_none_registered) {
  DeferredConfig config;
  c_api::ContextHandle deferred = nullptr;
  ASSERT_EQ(create(binary, config.configs(), deferred), 0u);
  const std::uint64_t need = ask(deferred).weights;
  Dma one{need};
  Dma two{need};
  ExternalDescriptor first{c_api::HtpMemType::weights_buffer, one.fd, need};
  ExternalDescriptor second{c_api::HtpMemType::weights_buffer, two.fd, need};
  const c_api::MemDescriptor both[2] = {first.descriptor, second.descriptor};
  c_api::MemHandle handles[2];
  EXPECT_EQ(code(qnn().mem_register(deferred, both, 2, handles)), 8000u);
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_NE(control().misuse_text(0).find("BUF-15"), std::string::npos);
  EXPECT_EQ(control().counters().external_weights_bytes, 0u);
  EXPECT_EQ(take(second.descriptor, nullptr, deferred), 0u);
  EXPECT_EQ(control().counters().external_weights_bytes, need);
}

TEST_F(sim_tensor_misuse, SHB_04_hazard_2_a_result_tested_after_the_deregistration) {
  TensorDescriptor tensor{-1, 64};
  c_api::MemHandle handle = reinterpret_cast<c_api::MemHandle>(std::uintptr_t{1});
  const c_api::ErrorHandle error = qnn().mem_register(context, &tensor.descriptor, 1, &handle);
  EXPECT_EQ(give_back(handle), 8001u) << "the handle is NULL: nothing was registered";
  EXPECT_EQ(code(error), 8003u);
  EXPECT_EQ(run(registered(ids.in, c_api::TensorType::app_write, handle), result), 6004u);
}

TEST_F(sim_tensor_misuse, SHB_04_a_handle_that_stands_twice_in_an_array_is_counted) {
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handles[2];
  ASSERT_EQ(take(tensor.descriptor, &handles[0]), 0u);
  handles[1] = handles[0];
  EXPECT_EQ(code(qnn().mem_de_register(handles, 2)), 8001u);
  EXPECT_EQ(misuses(), 1u);
  EXPECT_EQ(code(qnn().mem_de_register(handles, 2)), 8001u) << "the array must not be tried again";
  EXPECT_EQ(misuses(), 3u);
}

TEST_F(sim_tensor_misuse, SHB_05_memory_is_registered_with_each_context_by_fd_and_offset) {
  c_api::ContextHandle other = nullptr;
  ASSERT_EQ(create(binary, nullptr, other), 0u);
  Dma dma{4096};
  TensorDescriptor here{dma.fd, 64, 4096, 0};
  TensorDescriptor there{dma.fd, 64, 4096, 256};
  EXPECT_EQ(take(here.descriptor), 0u);
  EXPECT_EQ(take(there.descriptor), 0u) << "another offset";
  EXPECT_EQ(take(here.descriptor, nullptr, other), 0u) << "another context";
  EXPECT_EQ(take(here.descriptor), 8002u);
  EXPECT_EQ(take(here.descriptor, nullptr, other), 8002u);
  const int same_memory = ::dup(dma.fd);
  TensorDescriptor again{same_memory, 64, 4096, 0};
  EXPECT_EQ(take(again.descriptor), 0u) << "the library compares the fd's number, not its memory";
  ASSERT_EQ(::dup2(Dma{4096}.fd, same_memory), same_memory);
  EXPECT_EQ(take(again.descriptor), 8002u) << "other memory with the same number is not noticed";
  ::close(same_memory);
}

TEST_F(sim_tensor_misuse, SHB_05_hazard_22_a_handle_of_another_context_is_refused) {
  c_api::ContextHandle other = nullptr;
  ASSERT_EQ(create(binary, nullptr, other), 0u);
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(tensor.descriptor, &handle, other), 0u);
  EXPECT_EQ(run(registered(ids.in, c_api::TensorType::app_write, handle), result), 6004u);
  EXPECT_EQ(give_back(handle), 0u);
}

TEST_F(sim_tensor_misuse, ION_04_hazard_26_a_second_registration_gives_no_handle_to_free_twice) {
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle first = nullptr;
  c_api::MemHandle second = nullptr;
  ASSERT_EQ(take(tensor.descriptor, &first), 0u);
  EXPECT_EQ(take(tensor.descriptor, &second), 8002u);
  EXPECT_EQ(second, nullptr);
  EXPECT_EQ(give_back(first), 0u);
  EXPECT_EQ(give_back(first), 8001u);
  EXPECT_EQ(misuses(), 1u);
}

TEST_F(sim_tensor_misuse, SHB_06_a_shape_whose_size_overflows_is_refused) {
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  tensor.dims[0] = tensor.dims[1] = 0x80000000u;
  EXPECT_EQ(take(tensor.descriptor), 8000u) << "2^64 bytes";
  TensorDescriptor larger{dma.fd, 1025};
  EXPECT_EQ(take(larger.descriptor), 8003u) << "the tensor is larger than its memory";
}

TEST_F(sim_tensor_misuse, BUF_03_hazard_4_a_need_that_was_not_asked_for_is_no_size) {
  DeferredConfig config;
  c_api::ContextHandle deferred = nullptr;
  ASSERT_EQ(create(binary, config.configs(), deferred), 0u);
  const auto unknown = static_cast<std::uint64_t>(-1);
  EXPECT_EQ(libraries().alloc2(25, 1, unknown), nullptr);
  Dma dma{ask(deferred).weights};
  ExternalDescriptor weights{c_api::HtpMemType::weights_buffer, dma.fd, unknown};
  c_api::ContextHandle other = nullptr;
  ASSERT_EQ(create(binary, config.configs(), other), 0u);
  EXPECT_EQ(take(weights.descriptor, nullptr, other), 0u);
  EXPECT_EQ(control().misuses("BUF-16"), 1u) << "the size is not the size of the file";
  EXPECT_EQ(code(qnn().context_finalize(other, nullptr)), 1002u);
  ExternalDescriptor unaligned{c_api::HtpMemType::weights_buffer, dma.fd, dma.bytes, 64};
  EXPECT_EQ(take(unaligned.descriptor, nullptr, deferred), 8000u) << "the alignment was ignored";
}

TEST_F(sim_tensor_misuse, BUF_14_hazard_5_bytes_of_a_descriptor_that_were_not_set_are_refused) {
  DeferredConfig config;
  c_api::ContextHandle deferred = nullptr;
  ASSERT_EQ(create(binary, config.configs(), deferred), 0u);
  const std::uint64_t need = ask(deferred).spill_fill;
  Dma dma{need};
  ExternalDescriptor spill_fill{c_api::HtpMemType::shared_spillfill_buffer, dma.fd, need};
  std::memset(&spill_fill.custom.shared_spillfill_buffer_config, 0xCD,
              sizeof spill_fill.custom.shared_spillfill_buffer_config);
  EXPECT_NE(take(spill_fill.descriptor, nullptr, deferred), 0u);
  spill_fill.custom.shared_spillfill_buffer_config = {dma.fd, 0};
  EXPECT_EQ(take(spill_fill.descriptor, nullptr, deferred), 0u);
}

class sim_dma_buf : public sim_tensor_misuse {
 protected:
  void SetUp() override {
    sim_tensor_misuse::SetUp();
    sim::Config device = control().config();
    device.dma_buf = 1;
    ASSERT_TRUE(control().set_config(device));
  }
  /// Describes a tensor in a dma-buf.
  static void describe(TensorDescriptor& tensor, const Dma& dma, void* data) {
    tensor.descriptor.mem_type = c_api::MemType::dma_buf;
    tensor.descriptor.dma_buf_info = {dma.fd, data};
  }
  static std::uint32_t capability() {
    return code(qnn().property_has_capability(c_api::PropertyKey::memory_support_mem_type_dma_buf));
  }
};

TEST_F(sim_dma_buf, a_dma_buf_is_registered_where_the_device_has_the_capability) {
  EXPECT_EQ(capability(), 0u);
  Dma dma{256};
  std::memcpy(dma.data, chain.input().data(), 256);
  TensorDescriptor tensor{dma.fd, 64};
  describe(tensor, dma, dma.data);
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(tensor.descriptor, &handle), 0u);
  ASSERT_EQ(run(registered(ids.in, c_api::TensorType::app_write, handle), result), 0u);
  EXPECT_LT(largest_difference(chain.reference(chain.input()), result.data()), 1e-5f);
  EXPECT_EQ(give_back(handle), 0u);
}

TEST_F(sim_dma_buf, a_dma_buf_without_an_address_is_refused) {
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  describe(tensor, dma, nullptr);
  EXPECT_EQ(take(tensor.descriptor), 8000u);
}

TEST_F(sim_dma_buf, LOAD_04_a_device_without_the_capability_refuses_dma_bufs) {
  sim::Config device = control().config();
  device.dma_buf = 0;
  ASSERT_TRUE(control().set_config(device));
  EXPECT_EQ(capability(), 1000u);
  Dma dma{256};
  TensorDescriptor tensor{dma.fd, 64};
  describe(tensor, dma, dma.data);
  EXPECT_EQ(take(tensor.descriptor), 8005u) << "it crashes the host library";
  EXPECT_EQ(control().misuses("LOAD-04"), 1u);
  TensorDescriptor ion{dma.fd, 64};
  EXPECT_EQ(take(ion.descriptor), 0u);
}

/// Many tensors in one buffer, which the device maps once.
class sim_many_tensors : public sim_tensor_misuse {
 protected:
  struct Many {
    std::vector<std::uint32_t> dims;
    std::vector<c_api::HtpMemDescriptor> customs;
    std::vector<c_api::MemDescriptor> descriptors;
    std::vector<c_api::MemHandle> handles;

    Many(const Dma& dma, std::uint32_t count) : dims{1, 64} {
      customs.resize(count);
      descriptors.resize(count);
      handles.resize(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        customs[i].type = c_api::HtpMemType::shared_buffer;
        customs[i].size = dma.bytes;
        customs[i].shared_buffer_config = {dma.fd, std::uint64_t{i} * 256};
        descriptors[i].mem_shape = {2, dims.data(), nullptr};
        descriptors[i].data_type = c_api::DataType::float_32;
        descriptors[i].mem_type = c_api::MemType::custom;
        descriptors[i].custom_info = &customs[i];
      }
    }
    [[nodiscard]] std::uint32_t count() const {
      return static_cast<std::uint32_t>(descriptors.size());
    }
  };
  /// Expects `mappings` of the device, besides rpcmem's own.
  static void expect_registered(std::uint64_t tensors, std::uint64_t mappings) {
    const sim::Counters counters = control().counters();
    EXPECT_EQ(counters.live_tensor_registrations, tensors);
    EXPECT_EQ(counters.mapped_fds, tensors);
    EXPECT_EQ(counters.mapped_bytes, tensors * 256);
    EXPECT_EQ(counters.device_mappings, mappings);
    std::uint64_t found = 0;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);)
      found += line.find("memfd:rpcmem") != std::string::npos;
    EXPECT_EQ(found, mappings + 1);
  }
};

TEST_F(sim_many_tensors, two_thousand_in_one_call_share_a_mapping_and_one_call_ends_it) {
  Dma dma{2000 * 256};
  Many many{dma, 2000};
  ASSERT_EQ(code(qnn().mem_register(context, many.descriptors.data(), 2000, many.handles.data())),
            0u);
  expect_registered(2000, 1);
  for (const std::uint32_t i : {0u, 1u, 999u, 1999u}) {
    std::memcpy(dma.data + i * 256, chain.input().data(), 256);
    ASSERT_EQ(run(registered(ids.in, c_api::TensorType::app_write, many.handles[i]), result), 0u);
    EXPECT_LT(largest_difference(chain.reference(chain.input()), result.data()), 1e-5f) << i;
  }
  ASSERT_EQ(code(qnn().mem_de_register(many.handles.data(), 2000)), 0u);
  expect_registered(0, 0);
  EXPECT_EQ(control().counters().peak_mapped_bytes, 2000u * 256u);
}

TEST_F(sim_many_tensors, two_thousand_in_as_many_calls_are_dropped_by_contextFree) {
  Dma dma{2000 * 256};
  Many many{dma, 2000};
  for (std::uint32_t i = 0; i < many.count(); ++i)
    ASSERT_EQ(take(many.descriptors[i], &many.handles[i]), 0u);
  expect_registered(2000, 1);
  ASSERT_EQ(give_back(many.handles[1000]), 0u);
  expect_registered(1999, 1);
  ASSERT_EQ(free_context(context), 0u);
  expect_registered(0, 0);
  EXPECT_EQ(control().counters().left_registrations, 1999u);
}

TEST_F(sim_many_tensors, a_failure_at_the_last_of_two_thousand_leaves_nothing) {
  Dma dma{2000 * 256};
  Many many{dma, 2000};
  many.customs[1999].shared_buffer_config.offset = 0;
  EXPECT_EQ(code(qnn().mem_register(context, many.descriptors.data(), 2000, many.handles.data())),
            8002u);
  expect_registered(0, 0);
}

TEST_F(sim_many_tensors, a_thousand_contexts_hold_two_registrations_each_of_one_buffer) {
  Dma dma{512};
  Many many{dma, 2};
  std::vector<c_api::ContextHandle> made(1000);
  for (c_api::ContextHandle& one : made) {
    ASSERT_EQ(create(binary, nullptr, one), 0u);
    ASSERT_EQ(code(qnn().mem_register(one, many.descriptors.data(), 2, many.handles.data())), 0u);
  }
  expect_registered(2000, 1);
  for (std::size_t i = 0; i < made.size(); i += 2) ASSERT_EQ(free_context(made[i]), 0u);
  expect_registered(1000, 1);
}

TEST_F(sim_many_tensors, a_thousand_graphs_of_one_context_run_over_two_thousand_registrations) {
  std::vector<Chain> chains;
  for (int i = 0; i < 1000; ++i)
    chains.push_back(
        {.name = "g" + std::to_string(i), .width = 8, .layers = 1, .memhandle_io = true});
  const auto large = binary_of(chains);
  c_api::ContextHandle one = nullptr;
  ASSERT_EQ(create(large, nullptr, one), 0u);
  Dma dma{2000 * 32};
  Many many{dma, 2000};
  many.dims[1] = 8;
  for (std::uint32_t i = 0; i < 2000; ++i)
    many.customs[i].shared_buffer_config.offset = std::uint64_t{i} * 32;
  ASSERT_EQ(code(qnn().mem_register(one, many.descriptors.data(), 2000, many.handles.data())), 0u);
  std::uint32_t first_id = 1;
  for (std::size_t i = 0; i < chains.size(); ++i) {
    const ChainIds tensor_ids = ids_of(chains[i], first_id);
    first_id += 3;
    std::memcpy(dma.data + 2 * i * 32, chains[i].input().data(), 32);
    const c_api::Tensor in =
        registered(tensor_ids.in, c_api::TensorType::app_write, many.handles[2 * i]);
    c_api::Tensor out =
        registered(tensor_ids.out, c_api::TensorType::app_read, many.handles[2 * i + 1]);
    const c_api::GraphHandle handle = graph_of(one, chains[i].name.c_str());
    ASSERT_EQ(code(qnn().graph_execute(handle, &in, 1, &out, 1, nullptr, nullptr)), 0u) << i;
    ASSERT_LT(largest_difference(chains[i].reference(chains[i].input()),
                                 reinterpret_cast<float*>(dma.data + (2 * i + 1) * 32)),
              1e-5f);
  }
  EXPECT_EQ(control().counters().in_place, 2000u);
  EXPECT_EQ(control().counters().device_mappings, 1u);
  EXPECT_EQ(code(qnn().mem_de_register(many.handles.data(), 2000)), 0u);
}

TEST_F(sim_many_tensors, a_buffer_that_has_grown_is_mapped_anew_and_the_old_tensors_stay) {
  Dma dma{4096};
  Many first{dma, 1};
  ASSERT_EQ(take(first.descriptors[0], &first.handles[0]), 0u);
  ASSERT_EQ(::ftruncate(dma.fd, 8192), 0);
  TensorDescriptor further{dma.fd, 64, 8192, 4096};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(further.descriptor, &handle), 0u);
  ASSERT_EQ(::pwrite(dma.fd, chain.input().data(), 256, 4096), 256);
  const std::vector<float> ones(64, 1.0f);
  ASSERT_EQ(::pwrite(dma.fd, ones.data(), 256, 0), 256);
  ASSERT_EQ(run(registered(ids.in, c_api::TensorType::app_write, first.handles[0]), result), 0u);
  EXPECT_LT(largest_difference(chain.reference(ones), result.data()), 1e-5f);
  ASSERT_EQ(run(registered(ids.in, c_api::TensorType::app_write, handle), result), 0u);
  EXPECT_LT(largest_difference(chain.reference(chain.input()), result.data()), 1e-5f);
  EXPECT_EQ(give_back(first.handles[0]), 0u);
  EXPECT_EQ(give_back(handle), 0u);
}

}}  // namespace sim_test
