// The simulated HTP has the versions, layouts and answers of the host library that it is configured
// as: failed creations, deviceFree, contextFinalize, device options.
#include <cstring>
#include <span>
#include <utility>

#include "fixture.hpp"

namespace sim_test { namespace {

using sim::HostLibrary;

class sim_host_library : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    binary = binary_of({Chain{}});
    ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
  }
  void TearDown() override {
    control().reset_config();
    if (device != nullptr) {
      EXPECT_EQ(code(qnn().device_free(device)), 0u);
    }
    SimTest::TearDown();
  }

  static void be(HostLibrary library) {
    sim::Config config = control().config();
    config.host_library = static_cast<std::uint32_t>(library);
    ASSERT_TRUE(control().set_config(config));
  }
  static const c_api::Interface* provider() {
    const c_api::Interface** list = nullptr;
    std::uint32_t count = 0;
    const auto get = reinterpret_cast<c_api::InterfaceGetProvidersFn>(
        ::dlsym(libraries().htp, "QnnInterface_getProviders"));
    return get(&list, &count) == 0 && count == 1 ? list[0] : nullptr;
  }
  /// Creates a context on `device`; `made` receives the value of the out variable.
  std::uint32_t make(const c_api::ContextConfig** configs) {
    made = nullptr;
    return code(qnn().context_create_from_binary(backend, device, configs, binary.data(),
                                                 binary.size(), &made, nullptr));
  }
  /// Makes a context whose first remote call fails.
  std::uint32_t make_in_vain(const c_api::ContextConfig** configs, std::uint32_t fault = 1003) {
    control().fail_remote_call(1, fault);
    const std::uint32_t answer = make(configs);
    control().clear_faults();
    return answer;
  }
  /// Makes a context whose first allocation fails.
  std::uint32_t make_without_memory(const c_api::ContextConfig** configs) {
    control().fail_own_allocation(1);
    const std::uint32_t answer = make(configs);
    control().clear_faults();
    return answer;
  }
  std::uint32_t free_device() { return code(qnn().device_free(device)); }
  /// Frees backend and device, and creates both again.
  void begin_anew() {
    EXPECT_EQ(code(qnn().backend_free(std::exchange(backend, nullptr))), 0u);
    EXPECT_EQ(code(qnn().device_free(std::exchange(device, nullptr))), 0u);
    ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &backend)), 0u);
    ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
  }
  static std::uint64_t misuses() { return control().counters().misuses; }

  std::vector<std::byte> binary;
  c_api::DeviceHandle device = nullptr;
  c_api::ContextHandle made = nullptr;
  DeferredConfig deferred;
};

TEST_F(sim_host_library, has_the_versions_and_the_slots_of_its_release) {
  const std::pair<std::uint32_t, std::uint32_t> versions[] = {
      {32, 43}, {35, 46}, {37, 48}, {40, 51}, {32, 43}};
  const std::size_t slots[] = {71, 72, 72, 75, 71};
  for (const HostLibrary library : all_libraries) {
    const auto index = static_cast<std::size_t>(library);
    SCOPED_TRACE(trace_of(library));
    be(library);
    ASSERT_NE(provider(), nullptr);
    const c_api::ApiVersion& version = provider()->api_version;
    EXPECT_EQ(version.core_api_version.minor, versions[index].first);
    EXPECT_EQ(version.backend_api_version.minor, versions[index].second);
    EXPECT_EQ(sim::host_libraries[index].slots, slots[index]);
    c_api::ApiVersion asked{};
    EXPECT_EQ(code(provider()->table.backend_get_api_version(&asked)), 0u);
    EXPECT_EQ(asked.core_api_version.minor, versions[index].first);
    EXPECT_EQ(asked.backend_api_version.minor, versions[index].second);
  }
  sim::Config unknown = control().config();
  unknown.host_library = 5;
  EXPECT_FALSE(control().set_config(unknown));
}

TEST_F(sim_host_library, writes_binaries_of_its_version_and_refuses_newer_ones) {
  be(HostLibrary::v2_48_40);
  binary = binary_of({Chain{}});
  EXPECT_EQ(make(nullptr), 0u);
  EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
  be(HostLibrary::v2_46_0);
  EXPECT_EQ(make(nullptr), 5000u);
  be(HostLibrary::v2_51_0);
  EXPECT_EQ(make(nullptr), 0u);
  EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
}

TEST_F(sim_host_library, CFG_05_reads_device_options_at_the_place_of_its_version) {
  struct {
    c_api::HtpDeviceCustomConfig option{};
    std::byte behind[sizeof(c_api::HtpDeviceCustomConfigWide)]{};  // Read as the wide layout.
  } narrow;
  narrow.option.option = c_api::HtpDeviceConfigOption::signedpd;
  narrow.option.use_signed_process_domain = {0, true};
  c_api::HtpDeviceCustomConfigWide wide{};
  wide.option = c_api::HtpDeviceConfigOption::signedpd;
  wide.use_signed_process_domain = {0, true};
  // The other layout's value, where a wrong reader finds device 1.
  std::memcpy(reinterpret_cast<std::byte*>(&wide) + 4, "\1\0\0\0", 4);
  const auto create = [](void* custom) {
    c_api::DeviceConfig config{};
    config.option = c_api::DeviceConfigOption::custom;
    config.custom_config = custom;
    const c_api::DeviceConfig* configs[] = {&config, nullptr};
    c_api::DeviceHandle opened = nullptr;
    const std::uint32_t answer = code(qnn().device_create(nullptr, configs, &opened));
    if (answer == 0) {
      EXPECT_EQ(code(qnn().device_free(opened)), 0u);
    }
    return answer;
  };
  for (const HostLibrary library : all_libraries) {
    const auto& host = answers_of(library);
    SCOPED_TRACE(trace_of(library));
    be(library);
    EXPECT_EQ(create(&narrow), host.has_wide_device_options ? 14001u : 0u);
    EXPECT_EQ(create(&wide), host.has_wide_device_options ? 0u : 14001u);
  }
}

TEST_F(sim_host_library, makes_no_remote_call_in_a_deferred_creation_before_2_46) {
  for (const HostLibrary library : {HostLibrary::v2_43_1, HostLibrary::v2_43_1_android}) {
    be(library);
    control().reset_counters();
    EXPECT_EQ(make_in_vain(deferred.configs()), 0u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    EXPECT_EQ(make_without_memory(deferred.configs()), 0u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    EXPECT_EQ(control().counters().faults_fired, 0u);
    EXPECT_EQ(control().counters().remote_calls, 0u);
    // An eager creation takes the next process domain.
    EXPECT_EQ(make_in_vain(nullptr), 0u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    EXPECT_EQ(make_without_memory(nullptr), 0u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    EXPECT_EQ(control().counters().faults_fired, 2u);
  }
}

TEST_F(sim_host_library, ORD_17_ends_a_failed_deferral_in_backendFree) {
  for (const HostLibrary library :
       {HostLibrary::v2_46_0, HostLibrary::v2_48_40, HostLibrary::v2_51_0})
    for (const std::uint32_t fault : {1003u, 1007u, 1002u, 0u}) {
      SCOPED_TRACE(fault);
      be(library);
      if (fault != 0) {
        EXPECT_EQ(make_in_vain(deferred.configs(), fault), fault);
      } else {
        EXPECT_EQ(make_without_memory(deferred.configs()), 1002u);
      }
      EXPECT_NE(made, nullptr);
      control().reset_counters();
      EXPECT_EQ(code(qnn().context_finalize(made, nullptr)), 5005u);
      EXPECT_EQ(control().misuses("ORD-13"), 1u);
      if (library != HostLibrary::v2_51_0) {
        EXPECT_EQ(free_device(), 14003u);
        EXPECT_EQ(control().misuses("ORD-08"), 1u);
      }
      control().reset_counters();
      begin_anew();
      EXPECT_EQ(make(nullptr), 0u);
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
      EXPECT_EQ(misuses(), 0u);
    }
}

TEST_F(sim_host_library, ORD_17_can_be_closed_with_a_second_device) {
  for (const HostLibrary library :
       {HostLibrary::v2_46_0, HostLibrary::v2_48_40, HostLibrary::v2_51_0}) {
    be(library);
    control().reset_counters();
    EXPECT_EQ(make_in_vain(deferred.configs()), 1003u);
    c_api::DeviceHandle second = nullptr;
    ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &second)), 0u);
    EXPECT_EQ(code(qnn().device_free(second)), 0u);
    EXPECT_EQ(code(qnn().backend_free(std::exchange(backend, nullptr))), 0u);
    EXPECT_EQ(free_device(), 0u);
    EXPECT_EQ(misuses(), 0u);
    ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &backend)), 0u);
    ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
  }
}

TEST_F(sim_host_library, ORD_17_cannot_be_closed_after_a_failed_deferral_was_freed) {
  for (const HostLibrary library : {HostLibrary::v2_46_0, HostLibrary::v2_48_40}) {
    be(library);
    control().reset_counters();
    EXPECT_EQ(make_in_vain(deferred.configs()), 1003u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    EXPECT_EQ(control().misuses("ORD-17"), 1u);
    for (int times = 0; times < 2; ++times) {
      EXPECT_EQ(free_device(), 14003u);
      EXPECT_EQ(code(qnn().backend_free(backend)), 4011u);
    }
    control().reset_config();  // as a new process
  }
}

TEST_F(sim_host_library, ORD_14_leaves_what_an_eager_creation_made_to_be_freed) {
  for (const HostLibrary library :
       {HostLibrary::v2_46_0, HostLibrary::v2_48_40, HostLibrary::v2_51_0})
    for (const bool lacks_memory : {false, true}) {
      be(library);
      if (lacks_memory) {
        EXPECT_EQ(make_without_memory(nullptr), 1002u);
      } else {
        EXPECT_EQ(make_in_vain(nullptr), 1003u);
      }
      EXPECT_NE(made, nullptr);
      if (library != HostLibrary::v2_51_0) {
        EXPECT_EQ(free_device(), 14003u);
      }
      control().reset_counters();
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
      EXPECT_EQ(free_device(), 0u);
      EXPECT_EQ(misuses(), 0u);
      ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
    }
}

TEST_F(sim_host_library, as_2_51_ends_unfinalized_contexts_in_deviceFree) {
  be(HostLibrary::v2_51_0);
  for (const auto configs :
       {deferred.configs(), static_cast<const c_api::ContextConfig**>(nullptr)})
    for (const bool freed : {false, true}) {
      EXPECT_EQ(make_in_vain(configs), 1003u);
      if (freed) {
        EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
      }
      EXPECT_EQ(free_device(), 0u);
      ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
    }
  EXPECT_EQ(misuses(), 0u);
  ASSERT_EQ(make(deferred.configs()), 0u);
  EXPECT_EQ(free_device(), 0u);
  EXPECT_EQ(control().misuses("ORD-08"), 1u);
  EXPECT_EQ(code(qnn().context_free(made, nullptr)), 5002u);
  ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
  ASSERT_EQ(make(deferred.configs()), 0u);
  ASSERT_EQ(code(qnn().context_finalize(made, nullptr)), 0u);
  EXPECT_EQ(free_device(), 14003u) << "a finalized context holds the device";
  EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
}

TEST_F(sim_host_library,
       BUF_06_BUF_16_notices_from_2_48_on_what_is_wrong_with_a_spill_fill_buffer) {
  for (const HostLibrary library : all_libraries) {
    be(library);
    const bool checks = library == HostLibrary::v2_48_40 || library == HostLibrary::v2_51_0;
    const auto add = [](c_api::ContextHandle context, const Dma& dma, std::uint64_t bytes) {
      const ExternalDescriptor external{c_api::HtpMemType::shared_spillfill_buffer, dma.fd, bytes};
      c_api::MemHandle handle = nullptr;
      return code(qnn().mem_register(context, &external.descriptor, 1, &handle));
    };
    // The first size stays mapped.
    Dma shared{2 * piece_bytes};
    ASSERT_EQ(make(deferred.configs()), 0u);
    const c_api::ContextHandle first = made;
    EXPECT_EQ(add(first, shared, piece_bytes), 0u);
    EXPECT_EQ(code(qnn().context_finalize(first, nullptr)), 0u);
    ASSERT_EQ(make(deferred.configs()), 0u);
    EXPECT_EQ(add(made, shared, 2 * piece_bytes), 0u);
    EXPECT_EQ(code(qnn().context_finalize(made, nullptr)), checks ? 1002u : 0u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    EXPECT_EQ(code(qnn().context_free(first, nullptr)), 0u);
    // Freed before contextFinalize.
    Dma freed{piece_bytes};
    ASSERT_EQ(make(deferred.configs()), 0u);
    EXPECT_EQ(add(made, freed, piece_bytes), 0u);
    freed.release();
    EXPECT_EQ(code(qnn().context_finalize(made, nullptr)), checks ? 1002u : 0u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
  }
}

TEST_F(sim_host_library, as_2_51_finalizes_without_the_out_variable) {
  for (const HostLibrary library : {HostLibrary::v2_48_40, HostLibrary::v2_51_0}) {
    be(library);
    const bool reads = library == HostLibrary::v2_48_40;
    ASSERT_EQ(make(deferred.configs()), 0u);
    const c_api::ContextHandle context = made;
    made = reinterpret_cast<c_api::ContextHandle>(std::uintptr_t{7});
    EXPECT_EQ(code(qnn().context_finalize(context, nullptr)), reads ? 5002u : 0u);
    EXPECT_EQ(control().misuses("ORD-12"), reads ? 1u : 0u);
    EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
    control().reset_counters();
  }
}

TEST_F(sim_host_library, as_2_51_leaves_no_remnants_after_concurrent_sharing_behind_deferral) {
  be(HostLibrary::v2_51_0);
  c_api::HtpContextCustomConfig custom{};
  custom.option = c_api::HtpContextConfigOption::register_concurrent_resource_sharing;
  c_api::ContextConfig option{};
  option.option = c_api::ContextConfigOption::custom;
  option.custom_config = &custom;
  const c_api::ContextConfig* configs[] = {&deferred.defer, &option, nullptr};
  EXPECT_EQ(make(configs), 1000u);
  EXPECT_EQ(free_device(), 0u);
  ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
}

TEST_F(sim_host_library, ORD_14_as_2_51_frees_the_device_after_a_creation_with_wrong_options) {
  c_api::HtpContextCustomConfig custom{};
  custom.option = c_api::HtpContextConfigOption::register_concurrent_resource_sharing;
  c_api::HtpContextCustomConfig group{};
  group.option = c_api::HtpContextConfigOption::register_multi_contexts;
  group.group_registration = {nullptr, piece_bytes};
  c_api::ContextConfig sharing{}, grouped{}, hint{};
  sharing.option = grouped.option = c_api::ContextConfigOption::custom;
  sharing.custom_config = &custom;
  grouped.custom_config = &group;
  hint.option = c_api::ContextConfigOption::memory_limit_hint;
  hint.memory_limit_hint = 1000;
  const c_api::ContextConfig* lists[][3] = {{&hint, nullptr, nullptr},
                                            {&sharing, nullptr, nullptr},
                                            {&deferred.defer, &hint, nullptr},
                                            {&deferred.defer, &grouped, nullptr}};
  const std::uint32_t codes[] = {5010, 1000, 1000, 1000};
  for (const HostLibrary library : all_libraries)
    for (std::size_t i = 0; i < std::size(lists); ++i) {
      SCOPED_TRACE(trace_of(library));
      be(library);
      const bool ends = library == HostLibrary::v2_51_0;
      EXPECT_EQ(make(lists[i]), codes[i]);
      ASSERT_NE(made, nullptr);
      EXPECT_EQ(free_device(), ends ? 0u : 14003u);
      if (!ends) {
        EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
        EXPECT_EQ(free_device(), 0u);
      }
      ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
      // contextFree before it is possible, too.
      EXPECT_EQ(make(lists[i]), codes[i]);
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
      EXPECT_EQ(free_device(), 0u);
      ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
    }
}

TEST_F(sim_host_library, SHB_01_as_2_48_and_2_51_keeps_the_size_of_a_files_first_tensor) {
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    control().reset_counters();
    const std::uint32_t other_size =
        library == HostLibrary::v2_48_40 || library == HostLibrary::v2_51_0 ? 8000 : 0;
    const Dma memory{16384};
    c_api::ContextHandle first = nullptr, second = nullptr;
    ASSERT_EQ(create(binary, nullptr, first), 0u);
    ASSERT_EQ(create(binary, nullptr, second), 0u);
    std::vector<c_api::MemHandle> handles;
    const auto add = [&](c_api::ContextHandle context, const TensorDescriptor& tensor) {
      c_api::MemHandle handle = nullptr;
      const std::uint32_t answer =
          code(qnn().mem_register(context, &tensor.descriptor, 1, &handle));
      if (answer == 0) handles.push_back(handle);
      return answer;
    };
    const TensorDescriptor whole{memory.fd, 64, 8192, 0}, part{memory.fd, 64, 8192, 4096},
        larger{memory.fd, 64, 16384, 8192}, ion{memory.fd, 64}, as_large{memory.fd, 2048};
    EXPECT_EQ(add(first, whole), 0u);
    EXPECT_EQ(add(first, part), 0u);
    EXPECT_EQ(add(second, whole), 0u);
    EXPECT_EQ(add(second, as_large), 0u);
    EXPECT_EQ(add(first, larger), other_size);
    EXPECT_EQ(add(second, ion), other_size);
    EXPECT_EQ(
        code(qnn().mem_de_register(handles.data(), static_cast<std::uint32_t>(handles.size()))),
        0u);
    EXPECT_EQ(add(second, ion), 0u) << "nothing keeps the old size";
    EXPECT_EQ(code(qnn().mem_de_register(&handles.back(), 1)), 0u);
    EXPECT_EQ(free_context(first), 0u);
    EXPECT_EQ(free_context(second), 0u);
    EXPECT_EQ(misuses(), control().misuses("SHB-01"));
  }
}

TEST_F(sim_host_library, GRP_02_as_2_48_and_2_51_takes_members_for_a_group_without_its_head) {
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    control().reset_counters();
    c_api::HtpContextCustomConfig custom{};
    custom.option = c_api::HtpContextConfigOption::register_multi_contexts;
    custom.group_registration = {nullptr, piece_bytes};
    c_api::ContextConfig option{};
    option.option = c_api::ContextConfigOption::custom;
    option.custom_config = &custom;
    const c_api::ContextConfig* configs[] = {&option, nullptr};
    ASSERT_EQ(make(configs), 0u);
    custom.group_registration = {made, 0};
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    const bool takes = library == HostLibrary::v2_48_40 || library == HostLibrary::v2_51_0;
    EXPECT_EQ(make(configs), takes ? 0u : 5010u);
    EXPECT_EQ(control().misuses("GRP-02"), 1u);
    if (takes) {
      const Chain chain;
      std::vector<float> out;
      EXPECT_EQ(run_raw(graph_of(made), chain, out), 0u);
      EXPECT_LT(largest_difference(chain.reference(chain.input()), out.data()), 1e-4f);
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    }
  }
}

/// Whether a library takes an HTP option of a context beside those that all take.
bool takes_option(HostLibrary library, std::uint32_t number) {
  const bool is_2_43 = library == HostLibrary::v2_43_1 || library == HostLibrary::v2_43_1_android;
  switch (number) {
    case 17: return is_2_43 || library == HostLibrary::v2_51_0;
    case 19: return !is_2_43;
    case 21: return library == HostLibrary::v2_48_40 || library == HostLibrary::v2_51_0;
    case 24: return false;
    default: return library == HostLibrary::v2_51_0 && number < 27;
  }
}

TEST_F(sim_host_library, accepts_the_options_of_contexts_and_devices_that_its_library_accepts) {
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    const bool accepts = library == HostLibrary::v2_51_0;
    for (const std::uint32_t number : {17u, 19u, 20u, 21u, 22u, 25u, 26u, 24u, 27u, 40u}) {
      SCOPED_TRACE(number);
      c_api::HtpContextCustomConfig custom{};
      custom.option = static_cast<c_api::HtpContextConfigOption>(number);
      c_api::ContextConfig option{};
      option.option = c_api::ContextConfigOption::custom;
      option.custom_config = &custom;
      const c_api::ContextConfig* at_once[] = {&option, nullptr};
      const c_api::ContextConfig* later[] = {&deferred.defer, &option, nullptr};
      const std::uint32_t expected = takes_option(library, number) ? 0 : 5010;
      EXPECT_EQ(make(at_once), expected);
      if (expected == 0) {
        EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
      }
      ASSERT_EQ(make(later), 0u);
      EXPECT_EQ(code(qnn().context_finalize(made, nullptr)), expected);
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    }
    for (const std::uint32_t number : {4u, 5u, 6u, 7u}) {
      c_api::HtpDeviceCustomConfigWide custom{};
      custom.option = static_cast<c_api::HtpDeviceConfigOption>(number);
      c_api::DeviceConfig config{};
      config.option = c_api::DeviceConfigOption::custom;
      config.custom_config = &custom;
      const c_api::DeviceConfig* configs[] = {&config, nullptr};
      c_api::DeviceHandle opened = nullptr;
      EXPECT_EQ(code(qnn().device_create(nullptr, configs, &opened)),
                accepts && number < 7 ? 0u : 14001u);
      if (opened != nullptr) {
        EXPECT_EQ(code(qnn().device_free(opened)), 0u);
      }
    }
  }
}

TEST_F(sim_host_library, as_2_51_creates_power_configs_without_a_device) {
  c_api::DeviceInfrastructure out = nullptr;
  ASSERT_EQ(code(qnn().device_get_infrastructure(&out)), 0u);
  const auto& perf = reinterpret_cast<const c_api::HtpDeviceInfrastructure*>(out)->perf_infra;
  EXPECT_EQ(free_device(), 0u);
  for (const HostLibrary library : all_libraries) {
    be(library);
    std::uint32_t id = 0;
    const bool is_made = library == HostLibrary::v2_51_0;
    EXPECT_EQ(code(perf.create_power_config_id(0, 0, &id)), is_made ? 0u : 13001u);
    if (is_made) {
      EXPECT_EQ(code(perf.destroy_power_config_id(id)), 0u);
    }
  }
  ASSERT_EQ(code(qnn().device_create(nullptr, nullptr, &device)), 0u);
}

TEST_F(sim_host_library, ASY_02_as_2_51_refuses_a_list_with_an_entry_that_is_no_binary) {
  for (const HostLibrary library : all_libraries) {
    SCOPED_TRACE(trace_of(library));
    be(library);
    const bool refuses = library == HostLibrary::v2_51_0;
    const std::vector<std::byte> junk(4096, std::byte{0x5A});
    const std::pair<std::span<const std::byte>, std::uint32_t> bad[] = {
        {junk, 30001}, {std::span{binary}.first(binary.size() / 2), 30010}};
    for (const auto& [bytes, refusal] : bad) {
      control().reset_counters();
      std::vector<c_api::ContextHandle> notes;
      const auto entry = [&](std::span<const std::byte> of) {
        return c_api::ContextParams{
            c_api::ContextParamsVersion::v1,
            {.v1 = {nullptr, of.data(), of.size(), nullptr,
                    [](c_api::ContextHandle context, c_api::GraphHandle, const char*,
                       c_api::ContextNotifyType type, void* list, c_api::ErrorHandle) {
                      if (type == c_api::ContextNotifyType::context_init)
                        static_cast<std::vector<c_api::ContextHandle>*>(list)->push_back(context);
                    },
                    &notes}}};
      };
      const c_api::ContextParams good = entry(binary), wrong = entry(bytes);
      const c_api::ContextParams* list[] = {&good, &wrong, nullptr};
      EXPECT_EQ(code(qnn().context_create_from_binary_list_async(backend, device, list, nullptr,
                                                                 nullptr)),
                refuses ? refusal : 5005u);
      EXPECT_EQ(notes.size(), refuses ? 0u : 2u);
      EXPECT_EQ(control().misuses("ASY-02"), refuses ? 0u : 1u);
      for (const c_api::ContextHandle context : notes)
        if (context != nullptr) {
          EXPECT_EQ(code(qnn().context_free(context, nullptr)), 0u);
        }
    }
  }
}

TEST_F(sim_host_library, as_2_51_leaves_nothing_after_a_creation_by_callback) {
  be(HostLibrary::v2_51_0);
  c_api::ContextBinaryCallback callback{};
  callback.type = c_api::ContextBinaryCallbackType::dma_buffer;
  EXPECT_EQ(code(qnn().context_create_from_binary_with_callback(backend, device, nullptr, &callback,
                                                                binary.data(), binary.size(), &made,
                                                                nullptr, nullptr)),
            5010u);
  begin_anew();
}

TEST_F(sim_host_library, returns_14001_in_a_row_of_loads_that_fail_on_every_domain) {
  for (const HostLibrary library : all_libraries) {
    const auto& host = answers_of(library);
    be(library);
    const auto fail_load = [&] {
      // From 2.46 on the first remote call is not that of a process domain.
      control().fail_remote_call(host.creation_asks_dsp ? 2 : 1, 1003, /*persistent=*/true);
      const std::uint32_t answer = make(nullptr);
      control().clear_faults();
      if (answer == 0xFFFF) {
        EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
      }
      return answer;
    };
    const bool is_half = library != HostLibrary::v2_43_1 && library != HostLibrary::v2_51_0;
    EXPECT_EQ(fail_load(), 1002u);
    const std::uint32_t second = library == HostLibrary::v2_43_1 ? 0xFFFFu : 1002u;
    EXPECT_EQ(fail_load(), is_half ? 14001u : second);
    EXPECT_EQ(fail_load(), is_half ? 14001u : 1002u);
    for (int tries = 0; make(nullptr) != 0 && tries < 2; ++tries)
      EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    EXPECT_EQ(fail_load(), is_half ? 14001u : 1002u) << "a load has succeeded in between";
    control().reset_config();
  }
}

TEST_F(sim_host_library, RES_03_loads_at_once_from_2_46_on_after_a_load_that_found_no_domain) {
  for (const HostLibrary library : all_libraries) {
    be(library);
    sim::Config config = control().config();
    config.failing_domains = 4;
    ASSERT_TRUE(control().set_config(config));
    EXPECT_EQ(make(nullptr), 1002u);
    EXPECT_EQ(make(nullptr), library == HostLibrary::v2_43_1 ? 0xFFFFu : 0u);
    EXPECT_EQ(code(qnn().context_free(made, nullptr)), 0u);
    control().reset_config();
  }
}

}}  // namespace sim_test
