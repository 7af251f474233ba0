// Memory registration: what the device accepts, and the codes of its refusals.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <deque>
#include <tuple>

#include "fixture.hpp"

namespace sim_test { namespace {

class sim_registration : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    vtcm_bytes = control().config().vtcm_bytes;
    binary = binary_of({chain});
    deferred = deferred_context();
    asked = ask(deferred);
  }
  c_api::ContextHandle deferred_context() {
    variables.push_back(nullptr);
    EXPECT_EQ(create(binary, config.configs(), variables.back()), 0u);
    return variables.back();
  }
  std::uint32_t take(c_api::ContextHandle context, const c_api::MemDescriptor& descriptor,
                     c_api::MemHandle* out = nullptr) {
    c_api::MemHandle handle = untouched;
    const std::uint32_t error = code(qnn().mem_register(context, &descriptor, 1, &handle));
    EXPECT_EQ(handle == nullptr || handle == untouched, error != 0);
    if (out != nullptr) *out = handle;
    return error;
  }
  /// Returns how often a rule was broken.
  static std::uint64_t broken(const char* rule) { return control().misuses(rule); }
  std::uint32_t take_weights(c_api::ContextHandle context, int fd, std::uint64_t size,
                             std::uint64_t offset = 0, c_api::MemHandle* out = nullptr) {
    ExternalDescriptor external{c_api::HtpMemType::weights_buffer, fd, size, offset};
    return take(context, external.descriptor, out);
  }
  static void be(sim::HostLibrary library) {
    sim::Config config = control().config();
    config.host_library = static_cast<std::uint32_t>(library);
    ASSERT_TRUE(control().set_config(config));
  }
  std::uint32_t take_backup(c_api::ContextHandle context, int fd, std::uint64_t size,
                            c_api::MemHandle* out = nullptr) {
    ExternalDescriptor external{c_api::HtpMemType::shared_vtcmbackup_buffer, fd, size};
    return take(context, external.descriptor, out);
  }
  std::uint32_t give_back(c_api::MemHandle handle) {
    return code(qnn().mem_de_register(&handle, 1));
  }

  std::uint64_t vtcm_bytes = 0;
  static inline const auto untouched = reinterpret_cast<c_api::MemHandle>(std::uintptr_t{0xBEEF});
  const Chain chain{.memhandle_io = true};
  std::vector<std::byte> binary;
  DeferredConfig config;
  std::deque<c_api::ContextHandle> variables;  ///< contextFinalize reads them again (ORD-12)
  c_api::ContextHandle deferred = nullptr;
  AskedFor asked;
};

TEST_F(sim_registration, BUF_03_a_weights_buffer_that_is_too_small_is_refused) {
  Dma dma{asked.weights};
  c_api::MemHandle handle = nullptr;
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights - 1, 0, &handle), 8000u);
  EXPECT_EQ(handle, untouched);
  EXPECT_EQ(broken("BUF-03"), 1u);
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights), 0u);
}

TEST_F(sim_registration, BUF_02_a_start_that_is_not_aligned_is_counted) {
  Dma dma{asked.weights + 8192};
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights + 8192, 256), 0u);
  EXPECT_EQ(broken("BUF-02"), 1u);
  ASSERT_EQ(code(qnn().context_finalize(deferred, nullptr)), 0u);
  EXPECT_EQ(std::memcmp(dma.data + 256, chain.weights(0).data(), 64), 0)
      << "the weights start at the offset";
  EXPECT_EQ(take_weights(deferred_context(), dma.fd, asked.weights + 8192, 4096), 0u);
  EXPECT_EQ(broken("BUF-02"), 1u);
}

TEST_F(sim_registration, BUF_01_memory_that_is_no_DMA_memory_is_counted) {
  EXPECT_EQ(take_weights(deferred, -1, asked.weights), 8003u);
  EXPECT_EQ(take_weights(deferred, 1000000, asked.weights), 8003u)
      << "the CPU maps weights during the registration";
  const int own = ::memfd_create("mine", MFD_CLOEXEC);
  ASSERT_EQ(::ftruncate(own, static_cast<off_t>(asked.weights)), 0);
  EXPECT_EQ(take_weights(deferred, own, asked.weights), 0u);
  EXPECT_EQ(broken("BUF-01"), 1u);
  TensorDescriptor tensor{own, 64};
  EXPECT_EQ(take(deferred_context(), tensor.descriptor), 0u);
  EXPECT_EQ(broken("BUF-01"), 1u) << "it counts once per file";
  const int stand_in = ::memfd_create("qnnpp", MFD_CLOEXEC);
  ASSERT_EQ(::ftruncate(stand_in, 65536), 0);
  TensorDescriptor other{stand_in, 64};
  EXPECT_EQ(take(deferred, other.descriptor), 0u);
  EXPECT_EQ(broken("BUF-01"), 1u) << "MemfdAllocator's memory counts as DMA memory";
  ::close(own);
  ::close(stand_in);
}

TEST_F(sim_registration, BUF_01_a_spill_fill_buffer_that_FastRPC_cannot_map_fails_at_finalize) {
  ExternalDescriptor closed{c_api::HtpMemType::shared_spillfill_buffer, 1000000, piece_bytes};
  EXPECT_EQ(take(deferred, closed.descriptor), 0u);
  EXPECT_EQ(broken("BUF-01"), 1u);
  EXPECT_EQ(code(qnn().context_finalize(deferred, nullptr)), 1002u);
  c_api::ContextHandle other = deferred_context();
  Dma dma{piece_bytes};
  ExternalDescriptor longer{c_api::HtpMemType::shared_spillfill_buffer, dma.fd, 2 * piece_bytes};
  EXPECT_EQ(take(other, longer.descriptor), 0u);
  EXPECT_EQ(broken("BUF-16"), 1u);
  EXPECT_EQ(code(qnn().context_finalize(other, nullptr)), 1002u);
}

/// Maps through the FastRPC function that a client calls itself.
int map_by_fastrpc(const Dma& dma) {
  using Map = int (*)(int, int, void*, int, std::size_t, std::uint32_t);
  return reinterpret_cast<Map>(::dlsym(libraries().rpc, "fastrpc_mmap"))(3, dma.fd, dma.data, 0,
                                                                         dma.bytes, 0);
}
int unmap_by_fastrpc(const Dma& dma) {
  using Unmap = int (*)(int, int, void*, std::size_t);
  return reinterpret_cast<Unmap>(::dlsym(libraries().rpc, "fastrpc_munmap"))(3, dma.fd, dma.data,
                                                                             dma.bytes);
}

TEST_F(sim_registration, BUF_04_memory_that_the_client_has_mapped_by_fastrpc_mmap_is_counted) {
  Dma dma{asked.weights};
  ASSERT_EQ(map_by_fastrpc(dma), 0);
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights), 0u);
  EXPECT_EQ(broken("BUF-04"), 1u);
  EXPECT_EQ(unmap_by_fastrpc(dma), 0);
}

TEST_F(sim_registration, BUF_04_memory_of_a_DMA_handle_is_mapped_until_it_has_0_bytes) {
  using Map = int (*)(int, std::uint32_t);
  const auto map = reinterpret_cast<Map>(::dlsym(libraries().rpc, "remote_register_dma_handle"));
  Dma dma{asked.weights};
  EXPECT_EQ(map(dma.fd, 0), -1) << "it is not mapped";
  ASSERT_EQ(map(dma.fd, static_cast<std::uint32_t>(dma.bytes)), 0);
  EXPECT_EQ(libraries().rpcmem_control.counters().live_fastrpc_maps, 1u);
  EXPECT_EQ(map(dma.fd, 0), 0);
  EXPECT_EQ(libraries().rpcmem_control.counters().live_fastrpc_maps, 0u);
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights), 0u);
  EXPECT_EQ(broken("BUF-04"), 0u);
}

TEST_F(sim_registration, BUF_04_memory_that_the_client_has_unmapped_again_is_taken) {
  Dma dma{asked.weights};
  ASSERT_EQ(map_by_fastrpc(dma), 0);
  ASSERT_EQ(unmap_by_fastrpc(dma), 0);
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights), 0u);
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(sim_registration, BUF_07_an_fd_that_serves_two_kinds_of_memory_is_counted) {
  Dma dma{asked.weights};
  ASSERT_EQ(take_weights(deferred, dma.fd, asked.weights), 0u);
  EXPECT_EQ(broken("BUF-07"), 0u);
  TensorDescriptor tensor{dma.fd, 64};
  EXPECT_EQ(take(deferred, tensor.descriptor), 0u);
  EXPECT_EQ(broken("BUF-07"), 1u);
  const int copy = ::dup(dma.fd);
  TensorDescriptor same_memory{copy, 64};
  EXPECT_EQ(take(deferred, same_memory.descriptor), 0u)
      << "another fd of the same memory is accepted";
  EXPECT_EQ(broken("BUF-07"), 2u);
  ExternalDescriptor spill{c_api::HtpMemType::shared_spillfill_buffer, dma.fd, asked.weights};
  EXPECT_EQ(take(deferred, spill.descriptor), 0u);
  EXPECT_EQ(broken("BUF-07"), 3u);
  ::close(copy);
}

TEST_F(sim_registration, BUF_08_weights_that_two_contexts_share_are_counted) {
  c_api::ContextHandle other = deferred_context();
  Dma dma{2 * asked.weights};
  ASSERT_EQ(take_weights(deferred, dma.fd, 2 * asked.weights), 0u);
  EXPECT_EQ(take_weights(other, dma.fd, 2 * asked.weights), 0u);
  EXPECT_EQ(broken("BUF-08"), 1u);
  EXPECT_EQ(take_weights(deferred_context(), dma.fd, 2 * asked.weights, asked.weights), 0u)
      << "two regions of one buffer do not overlap";
  EXPECT_EQ(broken("BUF-08"), 1u);
}

TEST_F(sim_registration, BUF_08_weights_buffers_that_overlap_in_part_are_counted) {
  const std::uint64_t all = 4 * asked.weights;
  Dma dma{all};
  ASSERT_EQ(take_weights(deferred, dma.fd, all, asked.weights), 0u);
  EXPECT_EQ(take_weights(deferred_context(), dma.fd, all, 4096), 0u) << "overlaps the start";
  EXPECT_EQ(take_weights(deferred_context(), dma.fd, all, 2 * asked.weights - 4096), 0u);
  EXPECT_EQ(broken("BUF-08"), 2u);
  EXPECT_EQ(take_weights(deferred_context(), dma.fd, all, 3 * asked.weights), 0u)
      << "starts after the end";
  EXPECT_EQ(broken("BUF-08"), 2u);
}

TEST_F(sim_registration, BUF_16_a_size_counts_from_the_start_of_the_file) {
  Dma dma{asked.weights + 8192};
  c_api::MemHandle handle = nullptr;
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights, 4096, &handle), 8000u)
      << "4096 bytes are missing";
  EXPECT_EQ(handle, untouched);
  EXPECT_EQ(broken("BUF-16"), 1u);
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights + 4096, 4096), 0u);
  EXPECT_EQ(control().counters().external_weights_bytes, asked.weights);
  EXPECT_EQ(take_weights(deferred_context(), dma.fd, 4096, 8192), 0u)
      << "an offset beyond the size passes the library's unsigned check";
  EXPECT_GE(broken("BUF-16"), 2u);
}

TEST_F(sim_registration, BUF_16_a_weights_buffer_larger_than_its_file_fails_at_finalize) {
  Dma dma{asked.weights};
  EXPECT_EQ(take_weights(deferred, dma.fd, 2 * asked.weights), 0u);
  EXPECT_EQ(broken("BUF-16"), 1u);
  EXPECT_EQ(code(qnn().context_finalize(deferred, nullptr)), 1002u)
      << "FastRPC cannot map that size";
  Dma page{4096};
  c_api::ContextHandle other = deferred_context();
  EXPECT_EQ(take_weights(other, page.fd, asked.weights), 0u);
  EXPECT_EQ(code(qnn().context_finalize(other, nullptr)), 1002u);
  EXPECT_EQ(broken("BUF-16"), 3u) << "the CPU would write beyond the file: SIGBUS";
}

TEST_F(sim_registration, BUF_11_a_shared_spill_fill_region_counts_once_with_its_largest_size) {
  c_api::ContextHandle other = deferred_context();
  Dma dma{2 * piece_bytes};
  ExternalDescriptor small{c_api::HtpMemType::shared_spillfill_buffer, dma.fd, piece_bytes};
  ExternalDescriptor large{c_api::HtpMemType::shared_spillfill_buffer, dma.fd, 2 * piece_bytes};
  c_api::MemHandle first = nullptr;
  c_api::MemHandle second = nullptr;
  ASSERT_EQ(take(deferred, small.descriptor, &first), 0u);
  EXPECT_EQ(control().counters().external_spill_fill_bytes, piece_bytes);
  ASSERT_EQ(take(other, large.descriptor, &second), 0u);
  EXPECT_EQ(control().counters().external_spill_fill_bytes, 2 * piece_bytes);
  EXPECT_EQ(control().counters().misuses, 1u) << "BUF-16: the first size stays mapped";
  EXPECT_EQ(control().counters().live_spill_fill_registrations, 2u);
  ASSERT_EQ(give_back(second), 0u);
  EXPECT_EQ(control().counters().external_spill_fill_bytes, piece_bytes);
  ASSERT_EQ(give_back(first), 0u);
  EXPECT_EQ(control().counters().external_spill_fill_bytes, 0u);
}

TEST_F(sim_registration, BUF_19_a_vtcm_backup_of_the_whole_vtcm_is_used_and_counts_once) {
  be(sim::HostLibrary::v2_48_40);
  Dma dma{vtcm_bytes};
  c_api::ContextHandle other = deferred_context();
  for (const c_api::ContextHandle context : {deferred, other}) {
    EXPECT_EQ(take_backup(context, dma.fd, vtcm_bytes), 0u);
    EXPECT_EQ(take_backup(context, dma.fd, vtcm_bytes), 8002u);
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
  }
  EXPECT_EQ(control().counters().live_vtcm_backup_registrations, 2u);
  EXPECT_EQ(control().counters().external_vtcm_backup_bytes, vtcm_bytes);
  EXPECT_EQ(control().counters().misuses, 0u);
  EXPECT_EQ(take_backup(deferred, dma.fd, vtcm_bytes), 8000u) << "it is finalized";
}

TEST_F(sim_registration, BUF_19_a_vtcm_backup_that_is_too_small_is_taken_and_counted) {
  be(sim::HostLibrary::v2_48_40);
  Dma dma{vtcm_bytes};
  std::uint64_t count = 0;
  for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{1}, vtcm_bytes - 1}) {
    const c_api::ContextHandle context = deferred_context();
    c_api::MemHandle handle = nullptr;
    EXPECT_EQ(take_backup(context, dma.fd, bytes, &handle), 0u);
    EXPECT_EQ(broken("BUF-19"), ++count);
    EXPECT_EQ(give_back(handle), 0u);
  }
}

TEST_F(sim_registration, BUF_19_a_library_without_vtcm_backup_refuses_it_and_its_size) {
  Dma dma{vtcm_bytes};
  for (const auto& [library, told, taken] : {std::tuple(sim::HostLibrary::v2_43_1, 1000u, 8001u),
                                             std::tuple(sim::HostLibrary::v2_46_0, 0u, 1000u),
                                             std::tuple(sim::HostLibrary::v2_48_40, 0u, 0u)}) {
    be(library);
    c_api::HtpContextCustomProperty custom{};
    custom.option = c_api::HtpContextPropertyOption::max_vtcmbackup_buffer_size;
    custom.vtcm_backup_buffer_size = 77;
    c_api::ContextProperty property{};
    property.custom_property = &custom;
    c_api::ContextProperty* list[] = {&property, nullptr};
    EXPECT_EQ(code(qnn().context_get_property(deferred, list)), told);
    EXPECT_EQ(custom.vtcm_backup_buffer_size, told == 0 ? 0u : 77u) << "the size is not stated";
    EXPECT_EQ(take_backup(deferred, dma.fd, vtcm_bytes), taken);
  }
}

TEST_F(sim_registration, BUF_06_BUF_07_a_vtcm_backup_is_watched_as_spill_fill_is) {
  be(sim::HostLibrary::v2_48_40);
  {
    Dma dma{std::max(vtcm_bytes, asked.spill_fill)};
    ExternalDescriptor spill{c_api::HtpMemType::shared_spillfill_buffer, dma.fd,
                             std::max(vtcm_bytes, asked.spill_fill)};
    c_api::MemHandle handle = nullptr;
    ASSERT_EQ(take(deferred, spill.descriptor, &handle), 0u);
    EXPECT_EQ(take_backup(deferred, dma.fd, vtcm_bytes), 8000u) << "one fd, two purposes";
    ASSERT_EQ(give_back(handle), 0u);
    EXPECT_EQ(take_backup(deferred, dma.fd, vtcm_bytes), 0u);
    EXPECT_EQ(broken("BUF-06"), 0u);
  }
  EXPECT_EQ(code(qnn().context_finalize(deferred, nullptr)), 1002u) << "its memory is freed";
  EXPECT_EQ(broken("BUF-06"), 1u);
}

TEST_F(sim_registration, BUF_13_a_second_weights_buffer_is_refused) {
  Dma first{asked.weights};
  Dma second{asked.weights};
  ASSERT_EQ(take_weights(deferred, first.fd, asked.weights), 0u);
  EXPECT_EQ(take_weights(deferred, second.fd, asked.weights), 8002u);
}

TEST_F(sim_registration, BUF_14_a_shape_or_data_type_on_a_weights_buffer_is_counted) {
  Dma dma{asked.weights};
  std::uint32_t dims[1] = {4};
  ExternalDescriptor external{c_api::HtpMemType::weights_buffer, dma.fd, asked.weights};
  external.descriptor.mem_shape = {1, nullptr, nullptr};
  EXPECT_EQ(take(deferred, external.descriptor), 8004u) << "it crashes the host library";
  external.descriptor.mem_shape = {1, dims, nullptr};
  EXPECT_EQ(take(deferred, external.descriptor), 0u);
  EXPECT_EQ(broken("BUF-14"), 2u);
  external.descriptor.mem_shape = {};
  external.descriptor.data_type = c_api::DataType::float_32;
  EXPECT_EQ(take(deferred_context(), external.descriptor), 0u);
  EXPECT_EQ(broken("BUF-14"), 3u);
}

TEST_F(sim_registration, BUF_15_the_first_of_two_buffers_is_lost_if_the_second_fails) {
  Dma dma{asked.weights};
  std::uint32_t dims[1] = {4};
  ExternalDescriptor weights{c_api::HtpMemType::weights_buffer, dma.fd, asked.weights};
  ExternalDescriptor spill{c_api::HtpMemType::shared_spillfill_buffer, -1, piece_bytes};
  weights.descriptor.mem_shape = spill.descriptor.mem_shape = {1, dims, nullptr};
  const c_api::MemDescriptor both[2] = {weights.descriptor, spill.descriptor};
  c_api::MemHandle handles[2] = {untouched, untouched};
  EXPECT_EQ(code(qnn().mem_register(deferred, both, 2, handles)), 8003u);
  EXPECT_EQ(handles[0], nullptr);
  EXPECT_EQ(handles[1], nullptr);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights), 8002u)
      << "the context still counts it as registered";
  EXPECT_EQ(code(qnn().context_finalize(deferred, nullptr)), 5005u);
  EXPECT_EQ(broken("BUF-15"), 2u);
}

TEST_F(sim_registration, BUF_09_a_buffer_for_a_need_of_nothing_is_taken) {
  control().reset_config();
  const auto roomy = binary_of({Chain{}});
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(create(roomy, config.configs(), context), 0u);
  EXPECT_EQ(ask(context).spill_fill, 0u) << "all intermediates fit 8 MiB of VTCM";
  Dma dma{4096};
  ExternalDescriptor external{c_api::HtpMemType::shared_spillfill_buffer, dma.fd, 4096};
  EXPECT_EQ(take(context, external.descriptor), 0u);
  EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), 0u);
}

TEST_F(sim_registration, ORD_01_external_buffers_are_for_deferred_contexts_only) {
  c_api::ContextHandle eager = nullptr;
  ASSERT_EQ(create(binary, nullptr, eager), 0u);
  Dma dma{asked.weights};
  EXPECT_EQ(take_weights(eager, dma.fd, asked.weights), 8000u);
  ASSERT_EQ(code(qnn().context_finalize(deferred, nullptr)), 0u);
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights), 8000u) << "only before contextFinalize";
}

TEST_F(sim_registration, ORD_06_weights_are_not_given_back_after_finalize) {
  Dma dma{asked.weights};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take_weights(deferred, dma.fd, asked.weights, 0, &handle), 0u);
  ASSERT_EQ(give_back(handle), 0u) << "before contextFinalize it is possible";
  ASSERT_EQ(take_weights(deferred, dma.fd, asked.weights, 0, &handle), 0u);
  ASSERT_EQ(code(qnn().context_finalize(deferred, nullptr)), 0u);
  Dma io{4096};
  TensorDescriptor tensor{io.fd, 64};
  c_api::MemHandle both[2] = {handle, nullptr};
  ASSERT_EQ(take(deferred, tensor.descriptor, &both[1]), 0u);
  EXPECT_EQ(code(qnn().mem_de_register(both, 2)), 8000u);
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u)
      << "the call releases the other handle";
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_EQ(control().counters().live_weights_registrations, 1u);
}

TEST_F(sim_registration, EXT_07_a_platform_without_FastRPC_has_no_external_buffers) {
  sim::Config device = control().config();
  device.external_buffers = 0;
  ASSERT_TRUE(control().set_config(device));
  Dma dma{asked.weights};
  EXPECT_EQ(take_weights(deferred, dma.fd, asked.weights), 1000u);
}

TEST_F(sim_registration, EXT_06_a_secure_domain_has_no_external_buffers) {
  sim::Config with_secure = control().config();
  with_secure.secure_domains = 1;
  ASSERT_TRUE(control().set_config(with_secure));
  c_api::HtpDeviceCustomConfig custom{};
  custom.option = c_api::HtpDeviceConfigOption::securepd;
  custom.use_secure_process_domain = {0, true};
  c_api::DeviceConfig option{};
  option.option = c_api::DeviceConfigOption::custom;
  option.custom_config = &custom;
  const c_api::DeviceConfig* configs[] = {&option, nullptr};
  c_api::DeviceHandle device = nullptr;
  ASSERT_EQ(code(qnn().device_create(nullptr, configs, &device)), 0u);
  c_api::ContextHandle context = nullptr;
  ASSERT_EQ(code(qnn().context_create_from_binary(backend, device, config.configs(), binary.data(),
                                                  binary.size(), &context, nullptr)),
            0u);
  Dma dma{asked.weights};
  EXPECT_EQ(take_weights(context, dma.fd, asked.weights), 1000u);
  EXPECT_EQ(code(qnn().device_free(device)), 14003u);
  EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
  EXPECT_EQ(code(qnn().device_free(device)), 0u);
}

TEST_F(sim_registration, an_array_is_registered_whole_or_not_at_all) {
  Dma good{4096};
  TensorDescriptor first{good.fd, 64};
  TensorDescriptor bad{-1, 64};
  const c_api::MemDescriptor both[2] = {first.descriptor, bad.descriptor};
  c_api::MemHandle handles[2];
  EXPECT_EQ(code(qnn().mem_register(deferred, both, 2, handles)), 8003u);
  EXPECT_EQ(handles[0], nullptr);
  EXPECT_EQ(handles[1], nullptr);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
}

TEST_F(sim_registration, ION_04_a_handle_is_given_back_once) {
  Dma dma{4096};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(deferred, tensor.descriptor, &handle), 0u);
  EXPECT_EQ(take(deferred, tensor.descriptor), 8002u) << "it is already registered";
  EXPECT_EQ(give_back(handle), 0u);
  EXPECT_EQ(give_back(handle), 8001u);
  EXPECT_EQ(control().counters().misuses, 1u);
  EXPECT_EQ(give_back(reinterpret_cast<c_api::MemHandle>(&dma)), 8001u)
      << "the number is no handle";
}

TEST_F(sim_registration, SHB_04_the_good_handles_of_a_failed_deregistration_are_gone) {
  Dma dma{4096};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handles[2] = {nullptr, nullptr};
  ASSERT_EQ(take(deferred, tensor.descriptor, &handles[1]), 0u);
  EXPECT_EQ(code(qnn().mem_de_register(handles, 2)), 8001u);
  EXPECT_EQ(control().counters().live_tensor_registrations, 0u);
}

TEST_F(sim_registration, a_tensor_without_a_size_is_refused) {
  Dma dma{4096};
  TensorDescriptor tensor{dma.fd, 64};
  tensor.descriptor.mem_shape = {};
  EXPECT_EQ(take(deferred, tensor.descriptor), 8000u);
  TensorDescriptor shapeless{dma.fd, 64, 4096, 0};
  shapeless.descriptor.mem_shape = {};
  EXPECT_EQ(take(deferred, shapeless.descriptor), 0u) << "counts as one element of a shared buffer";
  EXPECT_EQ(broken("SHB-06"), 1u);
  TensorDescriptor zero{dma.fd, 0};
  EXPECT_EQ(take(deferred, zero.descriptor), 8000u);
  TensorDescriptor no_type{dma.fd, 64};
  no_type.descriptor.data_type = c_api::DataType::undefined;
  EXPECT_EQ(take(deferred, no_type.descriptor), 8000u);
  TensorDescriptor too_large{dma.fd, 4096};
  EXPECT_EQ(take(deferred, too_large.descriptor), 8003u);
  TensorDescriptor qurt{dma.fd, 64, 4096, 0};
  qurt.custom.type = c_api::HtpMemType::qurt;
  EXPECT_EQ(take(deferred, qurt.descriptor), 8001u);
  qurt.custom.type = static_cast<c_api::HtpMemType>(77);
  EXPECT_EQ(take(deferred, qurt.descriptor), 8001u);
  qurt.custom.type = c_api::HtpMemType::undefined;
  EXPECT_EQ(take(deferred, qurt.descriptor), 8000u);
}

TEST_F(sim_registration, SHB_05_another_shape_type_or_kind_of_the_same_bytes_has_its_own_handle) {
  Dma dma{8192};
  TensorDescriptor ion{dma.fd, 64};
  EXPECT_EQ(take(deferred, ion.descriptor), 0u);
  EXPECT_EQ(take(deferred, ion.descriptor), 8002u);
  TensorDescriptor shape{dma.fd, 32};
  EXPECT_EQ(take(deferred, shape.descriptor), 0u);
  TensorDescriptor type{dma.fd, 64};
  type.descriptor.data_type = c_api::DataType::int_8;
  EXPECT_EQ(take(deferred, type.descriptor), 0u);
  TensorDescriptor shared{dma.fd, 64, 8192, 0};
  EXPECT_EQ(take(deferred, shared.descriptor), 0u);
  TensorDescriptor size{dma.fd, 64, 4096, 0};
  EXPECT_EQ(take(deferred, size.descriptor), 8002u)
      << "the buffer's size is not part of the identity";
  EXPECT_EQ(control().counters().live_tensor_registrations, 4u);
}

TEST_F(sim_registration, no_descriptors_and_no_handles_are_no_error) {
  c_api::MemHandle handle = untouched;
  TensorDescriptor tensor{-1, 64};
  EXPECT_EQ(code(qnn().mem_register(deferred, &tensor.descriptor, 0, &handle)), 0u);
  EXPECT_EQ(code(qnn().mem_de_register(&handle, 0)), 0u);
  EXPECT_EQ(code(qnn().mem_de_register(nullptr, 0)), 8000u);
  EXPECT_EQ(handle, untouched);
}

TEST_F(sim_registration, SHB_02_a_tensor_lies_within_its_shared_buffer) {
  Dma dma{4096};
  TensorDescriptor inside{dma.fd, 64, 4096, 4096 - 256};
  EXPECT_EQ(take(deferred, inside.descriptor), 0u);
  TensorDescriptor over{dma.fd, 64, 4096, 4096 - 252};
  EXPECT_EQ(take(deferred, over.descriptor), 8000u);
  TensorDescriptor far{dma.fd, 64, 4096, ~std::uint64_t{0} - 100};
  EXPECT_EQ(take(deferred, far.descriptor), 8000u);
  TensorDescriptor longer{dma.fd, 64, 8192, 0};
  EXPECT_EQ(take(deferred, longer.descriptor), 8003u);
}

TEST_F(sim_registration, the_number_of_mappings_can_be_limited) {
  sim::Config device = control().config();
  device.max_mappings = 1;
  ASSERT_TRUE(control().set_config(device));
  Dma first{4096};
  Dma second{4096};
  TensorDescriptor one{first.fd, 64};
  TensorDescriptor two{second.fd, 64};
  EXPECT_EQ(take(deferred, one.descriptor), 0u);
  EXPECT_EQ(take(deferred, two.descriptor), 8003u);
}

TEST_F(sim_registration, contextFree_drops_registrations_and_counts_those_left) {
  Dma dma{4096};
  TensorDescriptor tensor{dma.fd, 64};
  c_api::MemHandle handle = nullptr;
  ASSERT_EQ(take(deferred, tensor.descriptor, &handle), 0u);
  EXPECT_EQ(free_context(deferred), 0u);
  EXPECT_EQ(control().counters().left_registrations, 1u);
  EXPECT_EQ(control().counters().mapped_fds, 0u);
  EXPECT_EQ(give_back(handle), 8001u);
}

TEST_F(sim_registration, SHB_08_a_tensor_of_2_GiB_is_refused) {
  const std::uint64_t half = std::uint64_t{1} << 31;
  Dma dma{half - 65536};
  TensorDescriptor tensor{dma.fd, 64};
  tensor.descriptor.data_type = c_api::DataType::uint_8;
  const auto with = [&](std::uint32_t rows, std::uint32_t columns) {
    tensor.dims[0] = rows;
    tensor.dims[1] = columns;
    return take(deferred, tensor.descriptor);
  };
  EXPECT_EQ(with(32768, 65536), 1000u) << "2 GiB";
  EXPECT_EQ(with(65536, 65536), 8000u) << "2^32 bytes are 0 in 32 bits";
  EXPECT_EQ(with(32767, 65536), 0u);
}

}}  // namespace sim_test
