// Configuration arrays as QNN receives them (CFG-01), and the query that precedes deferred creation
// (EXT-07).
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"

#include "fixture.hpp"
#include "recorder.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

/// Configurations of the last created context.
struct Configs {
  static inline std::vector<c_api::ContextConfig> plain;
  static inline std::vector<c_api::HtpContextCustomConfig> custom;
  static inline std::vector<std::string> graphs;
  static inline bool null_ended = false;

  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (!entering) return;
    if (slot == static_cast<std::size_t>(Slot::context_create))
      read(argument<const c_api::ContextConfig**>(arguments, 2));
    if (slot == static_cast<std::size_t>(Slot::context_create_from_binary))
      read(argument<const c_api::ContextConfig**>(arguments, 2));
  }
  static void read(const c_api::ContextConfig** configs) {
    plain.clear();
    custom.clear();
    graphs.clear();
    null_ended = false;
    // No test has more than 16 entries. The limit stops the loop before the end of the memory if
    // the terminator is missing.
    for (std::size_t i = 0; configs != nullptr && i < 16; ++i) {
      if (configs[i] == nullptr) {
        null_ended = true;
        return;
      }
      plain.push_back(*configs[i]);
      if (configs[i]->option == c_api::ContextConfigOption::custom)
        custom.push_back(
            *static_cast<const c_api::HtpContextCustomConfig*>(configs[i]->custom_config));
      if (configs[i]->option == c_api::ContextConfigOption::enable_graphs)
        for (auto name = configs[i]->enable_graphs; *name != nullptr; ++name)
          graphs.emplace_back(*name);
    }
  }
  static const c_api::ContextConfig* find(c_api::ContextConfigOption option) {
    for (const c_api::ContextConfig& config : plain)
      if (config.option == option) return &config;
    return nullptr;
  }
  static const c_api::HtpContextCustomConfig* find(c_api::HtpContextConfigOption option) {
    for (const c_api::HtpContextCustomConfig& config : custom)
      if (config.option == option) return &config;
    return nullptr;
  }
};

class context_configs : public LoadedTest {
 protected:
  using Option = c_api::ContextConfigOption;
  using HtpOption = c_api::HtpContextConfigOption;
};

TEST_F(context_configs, CFG_01_every_option_of_a_deferred_context_is_in_a_NULL_ended_array) {
  const auto bytes = binary_of(backend(), {Network{.name = "a"}, Network{.name = "b"}});
  const auto recorder = must(load_recorder());
  const Recording recording(&Configs::hook);
  const auto context = must(Context<Deferred>::create(recorder, own(bytes),
                                                      {.priority = c_api::Priority::high,
                                                       .enabled_graphs = {"b", "a"},
                                                       .persistent_binary = true,
                                                       .file_read_memory_budget_mb = 0x1'0000'0007,
                                                       .init_acceleration = true}));
  EXPECT_TRUE(Configs::null_ended);
  EXPECT_EQ(Configs::plain.size(), 6u);
  ASSERT_NE(Configs::find(Option::priority), nullptr);
  EXPECT_EQ(Configs::find(Option::priority)->priority, c_api::Priority::high);
  EXPECT_EQ(Configs::graphs, (std::vector<std::string>{"b", "a"}));
  ASSERT_NE(Configs::find(Option::persistent_binary), nullptr);
  EXPECT_EQ(Configs::find(Option::persistent_binary)->is_persistent_binary, 1);
  ASSERT_NE(Configs::find(Option::defer_graph_init), nullptr);
  EXPECT_EQ(Configs::find(Option::defer_graph_init)->is_graph_init_deferred, 1);
  ASSERT_NE(Configs::find(HtpOption::file_read_memory_budget), nullptr);
  EXPECT_EQ(Configs::find(HtpOption::file_read_memory_budget)->file_read_memory_budget_in_mb,
            0x1'0000'0007u);
  ASSERT_NE(Configs::find(HtpOption::init_acceleration), nullptr);
  EXPECT_TRUE(Configs::find(HtpOption::init_acceleration)->init_acceleration);
}

TEST_F(context_configs, CFG_01_without_options_nothing_is_sent_but_what_is_meant) {
  const auto bytes = binary_of(backend(), {Network{}});
  const auto recorder = must(load_recorder());
  const Recording recording(&Configs::hook);
  const auto deferred = must(Context<Deferred>::create(recorder, own(bytes)));
  EXPECT_TRUE(Configs::null_ended);
  ASSERT_EQ(Configs::plain.size(), 1u);
  EXPECT_EQ(Configs::plain[0].option, Option::defer_graph_init);
  const auto eager = must(Context<Finalized>::restore(recorder, own(bytes)));
  EXPECT_TRUE(Configs::null_ended);
  EXPECT_TRUE(Configs::plain.empty());
  const auto composing = must(Context<Composing>::create(recorder));
  EXPECT_TRUE(Configs::plain.empty());
}

TEST_F(context_configs, CFG_01_options_of_a_restored_context_carry_their_values) {
  const auto bytes = binary_of(backend(), {Network{}});
  const auto recorder = must(load_recorder());
  const Recording recording(&Configs::hook);
  const auto head = must(Context<Finalized>::restore(
      recorder, own(bytes),
      {.strict_compatibility = true, .group = ContextGroup::head(0x12345600)}));
  EXPECT_TRUE(Configs::null_ended);
  ASSERT_NE(Configs::find(Option::binary_compatibility), nullptr);
  EXPECT_EQ(Configs::find(Option::binary_compatibility)->binary_compatibility_type,
            c_api::ContextBinaryCompatibilityType::strict);
  ASSERT_NE(Configs::find(HtpOption::register_multi_contexts), nullptr);
  EXPECT_EQ(
      Configs::find(HtpOption::register_multi_contexts)->group_registration.first_group_handle,
      nullptr);
  EXPECT_EQ(
      Configs::find(HtpOption::register_multi_contexts)->group_registration.max_spill_fill_buffer,
      0x12345600u);
  const auto member =
      must(Context<Finalized>::restore(recorder, own(bytes), {.group = head.as_group_head()}));
  EXPECT_EQ(
      Configs::find(HtpOption::register_multi_contexts)->group_registration.first_group_handle,
      head.native());
}

TEST_F(context_configs, CFG_01_a_configuration_of_zeros_is_what_QNN_refuses) {
  const auto bytes = binary_of(backend(), {Network{}});
  const auto create =
      *backend().provider().find<&c_api::InterfaceTable::context_create_from_binary>();
  c_api::ContextConfig zeros{};
  const c_api::ContextConfig* array[] = {&zeros, nullptr};
  c_api::ContextHandle handle = nullptr;
  expect_misuse();
  EXPECT_EQ(
      create(backend().native(), nullptr, array, bytes.data(), bytes.size(), &handle, nullptr) &
          0xFFFF,
      drawn_code(sim::Unconfirmed::crash, 5010))
      << "option 0 is CUSTOM, and its pointer is NULL: the host library crashes";
}

TEST_F(context_configs, CFG_04_an_option_is_chosen_by_the_version_of_the_library) {
  using detail::OptionPlace;
  /// The minor versions 5.30 to 5.52 whose libraries take an option in a place.
  const auto known = [](auto set, OptionPlace place) {
    detail::ContextConfigs configs;
    set(configs);
    std::vector<std::uint32_t> minors;
    for (std::uint32_t minor = 30; minor <= 52; ++minor)
      if (configs.unknown_to({5, minor, 0}, place) == nullptr) minors.push_back(minor);
    EXPECT_NE(configs.unknown_to({4, 52, 0}, place), nullptr);
    EXPECT_EQ(configs.unknown_to({6, 0, 0}, place), nullptr);
    return minors;
  };
  const auto from = [](std::uint32_t first) {
    std::vector<std::uint32_t> minors;
    for (std::uint32_t minor = first; minor <= 52; ++minor) minors.push_back(minor);
    return minors;
  };
  const auto limit = [](detail::ContextConfigs& configs) { configs.reused_io_limit_mb(1); };
  const auto patch = [](detail::ContextConfigs& configs) { configs.acceleration_patch(1); };
  const auto accelerated = [](detail::ContextConfigs& configs) { configs.init_acceleration(); };
  for (const auto place : {OptionPlace::context, OptionPlace::list}) {
    EXPECT_EQ(known(accelerated, place), from(36));
    EXPECT_EQ(known(patch, place), from(47));
  }
  EXPECT_EQ(known(limit, OptionPlace::list), from(43));
  EXPECT_EQ(known(limit, OptionPlace::context), (std::vector<std::uint32_t>{43, 49, 50, 51, 52}));
  detail::ContextConfigs shared;
  shared.weight_sharing();
  EXPECT_EQ(shared.unknown_to({4, 0, 0}, OptionPlace::context), nullptr)
      << "every library knows it, one of another target too";
}

/// Makes the recording library report the version of another SDK, older or newer.
class OtherLibrary {
 public:
  OtherLibrary(const Backend<Htp>& backend, std::uint32_t minor)
      // a static object of the library
      : version_(&const_cast<c_api::Interface*>(backend.provider().native())
                      ->api_version.backend_api_version),
        before_(*version_) {
    version_->minor = minor;
  }
  OtherLibrary(const OtherLibrary&) = delete;
  OtherLibrary& operator=(const OtherLibrary&) = delete;
  ~OtherLibrary() { *version_ = before_; }

 private:
  c_api::Version* version_;
  c_api::Version before_;
};

TEST_F(context_configs,
       CFG_04_an_option_that_the_library_does_not_know_is_refused_before_any_call) {
  const auto bytes = binary_of(backend(), {Network{}});
  const auto recorder = must(load_recorder());
  const OtherLibrary older(recorder, 35);
  const std::uint64_t before = calls(Slot::context_create_from_binary);
  const Error error = error_of(
      Context<Finalized>::restore(recorder, own(bytes, "net.bin"), {.init_acceleration = true}));
  EXPECT_EQ(error.kind, Errc::capability_missing);
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_NE(error.detail.find("INIT_ACCELERATION needs HTP 5.36"), std::string::npos);
  EXPECT_EQ(calls(Slot::context_create_from_binary), before);
  EXPECT_TRUE(succeeds(
      Context<Finalized>::restore(recorder, own(bytes), {.file_read_memory_budget_mb = 1})));
}

TEST_F(context_configs, CFG_04_the_limit_of_reused_io_is_sent_where_the_library_takes_it) {
  const auto bytes = binary_of(backend(), {Network{}});
  const RestoreOptions options{.reused_io_limit_mb = 3};
  auto recorder = must(load_recorder());
  const Recording recording(&Configs::hook);
  EXPECT_TRUE(succeeds(Context<Finalized>::restore(recorder, own(bytes), options)));
  ASSERT_NE(Configs::find(HtpOption::reused_io_limit), nullptr);
  EXPECT_EQ(Configs::find(HtpOption::reused_io_limit)->reused_io_limit_mb, 3u);
  EXPECT_TRUE(succeeds(
      Context<Deferred>::create(recorder, own(bytes), DeferredOptions{.reused_io_limit_mb = 3})));
  const OtherLibrary other(recorder, 46);
  const std::uint64_t before = calls(Slot::context_create_from_binary);
  for (const Error& error :
       {error_of(Context<Finalized>::restore(recorder, own(bytes, "net.bin"), options)),
        error_of(Context<Deferred>::create(recorder, own(bytes, "net.bin"),
                                           DeferredOptions{.reused_io_limit_mb = 3}))}) {
    EXPECT_EQ(error.kind, Errc::capability_missing);
    EXPECT_NE(error.message().find("option REUSED_IO_LIMIT needs HTP 5.49, or a list; "),
              std::string::npos)
        << error.message();
  }
  EXPECT_EQ(calls(Slot::context_create_from_binary), before);
  std::vector<ContextBinary> list;
  list.push_back(own(bytes, "net.bin"));
  EXPECT_TRUE(succeeds(restore_list(recorder, std::move(list), {.reused_io_limit_mb = 3})));
}

TEST_F(context_configs, CFG_04_the_limit_of_reused_io_is_refused_for_a_list_by_an_older_library) {
  const auto bytes = binary_of(backend(), {Network{}});
  auto recorder = must(load_recorder());
  const OtherLibrary other(recorder, 42);
  std::vector<ContextBinary> list;
  list.push_back(own(bytes, "net.bin"));
  const Error error = error_of(restore_list(recorder, std::move(list), {.reused_io_limit_mb = 3}));
  EXPECT_EQ(error.kind, Errc::capability_missing);
  EXPECT_NE(error.message().find("option REUSED_IO_LIMIT needs HTP 5.43; "), std::string::npos)
      << error.message();
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 0u);
}

/// A descriptor of this process, closed with the object.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(number_); }
  int get() const { return number_; }

 private:
  int number_;
};

TEST_F(context_configs, CFG_04_a_patch_that_cannot_be_read_and_written_is_refused_before_any_call) {
  set(&sim::Config::host_library, static_cast<std::uint32_t>(sim::HostLibrary::v2_48_40));
  const auto bytes = binary_of(backend(), {Network{}});
  auto recorder = must(load_recorder());
  const OtherLibrary other(recorder, 48);
  const Recording recording(&Configs::hook);
  const auto restored = [&](const RestoreOptions& options) {
    return Context<Finalized>::restore(recorder, own(bytes, "net.bin"), options);
  };
  const Descriptor file(::memfd_create("patch", 0));
  EXPECT_TRUE(succeeds(restored({.init_acceleration = true, .acceleration_patch = file.get()})));
  const auto* sent = Configs::find(HtpOption::concurrent_deserialization_patch);
  ASSERT_NE(sent, nullptr);
  EXPECT_EQ(sent->concurrent_deserialization_patch_fd, file.get());
  const std::uint64_t before = calls(Slot::context_create_from_binary);
  const Descriptor read_only(::open("/dev/null", O_RDONLY));
  const Descriptor write_only(::open("/dev/null", O_WRONLY));
  for (const int wrong : {-1, 4711, read_only.get(), write_only.get()}) {
    const Error error =
        error_of(restored({.init_acceleration = true, .acceleration_patch = wrong}));
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_NE(error.message().find("acceleration_patch is not open for reading and writing"),
              std::string::npos)
        << error.message();
  }
  EXPECT_NE(error_of(restored({.acceleration_patch = file.get()}))
                .message()
                .find("acceleration_patch needs init_acceleration"),
            std::string::npos);
  EXPECT_EQ(calls(Slot::context_create_from_binary), before);
}

TEST_F(context_configs, an_acceleration_takes_effect_for_a_binary_of_the_librarys_version) {
  const auto bytes = binary_of(backend(), {Network{}});
  auto recorder = must(load_recorder());
  const auto accelerated = [&](const RestoreOptions& options) {
    return must(Context<Finalized>::restore(recorder, own(bytes), options)).acceleration();
  };
  EXPECT_EQ(accelerated({}), Acceleration::not_requested);
  EXPECT_EQ(accelerated({.init_acceleration = true}), Acceleration::effective);
  auto asked = must(
      must(Context<Deferred>::create(recorder, own(bytes), {.init_acceleration = true})).query());
  auto registered = must(std::move(asked).register_buffers({}));
  EXPECT_EQ(must(std::move(registered).finalize()).acceleration(), Acceleration::effective);
  const OtherLibrary newer(recorder, 49);
  EXPECT_EQ(accelerated({.init_acceleration = true}), Acceleration::other_version);
}

// EXT-07: the device is asked before the first deferred creation.

TEST_F(context_configs, EXT_07_a_device_that_defers_is_asked_first_and_then_used) {
  const auto context = must(Context<Deferred>::create(backend(), binary(Network{})));
  EXPECT_EQ(calls(Slot::property_has_capability), 1u);
}

TEST_F(context_configs, EXT_07_a_device_that_cannot_defer_is_refused_before_a_context_exists) {
  auto from = binary(Network{});
  set(&sim::Config::deferred_init, 0);
  const Error error = error_of(Context<Deferred>::create(backend(), std::move(from)));
  EXPECT_EQ(error.kind, Errc::capability_missing);
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_NE(error.detail.find("deferred"), std::string::npos);
  EXPECT_NE(error.detail.find(htp_library), std::string::npos);
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
}

TEST_F(context_configs,
       EXT_07_a_platform_without_FastRPC_refuses_buffers_with_the_documented_code) {
  auto asked = queried(Network{});
  auto weights = weights_for(asked);
  set(&sim::Config::external_buffers, 0);
  const Error error = error_of(std::move(asked).register_buffers({.weights = std::move(weights)}));
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_EQ(error.code, drawn(sim::Unconfirmed::external_refused));
  EXPECT_STREQ(error.step, "QnnMem_register");
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
}

TEST_F(context_configs, EXT_07_a_device_that_cannot_defer_still_restores) {
  auto from = binary(Network{});
  set(&sim::Config::deferred_init, 0);
  set(&sim::Config::external_buffers, 0);
  const auto context = must(Context<Finalized>::restore(backend(), std::move(from)));
  EXPECT_LT(difference(context, Network{}), tolerance);
}

}}  // namespace support
