// Configuration arrays as QNN receives them (CFG-01), and the query that precedes deferred creation
// (EXT-07).
#include <string>
#include <vector>

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
  using detail::find_htp_option;
  EXPECT_TRUE(find_htp_option(HtpOption::init_acceleration)->is_newer_than({5, 35, 0}));
  EXPECT_FALSE(find_htp_option(HtpOption::init_acceleration)->is_newer_than({5, 36, 0}));
  EXPECT_TRUE(find_htp_option(HtpOption::init_acceleration)->is_newer_than({4, 50, 0}));
  EXPECT_FALSE(find_htp_option(HtpOption::init_acceleration)->is_newer_than({6, 0, 0}));
  EXPECT_EQ(find_htp_option(HtpOption::weight_sharing_enabled), nullptr)
      << "every library knows it, one of another target too";
}

/// Makes the recording library report an older SDK's version.
class OlderLibrary {
 public:
  OlderLibrary(const Backend<Htp>& backend, std::uint32_t minor)
      // a static object of the library
      : version_(&const_cast<c_api::Interface*>(backend.provider().native())
                      ->api_version.backend_api_version),
        before_(*version_) {
    version_->minor = minor;
  }
  OlderLibrary(const OlderLibrary&) = delete;
  OlderLibrary& operator=(const OlderLibrary&) = delete;
  ~OlderLibrary() { *version_ = before_; }

 private:
  c_api::Version* version_;
  c_api::Version before_;
};

TEST_F(context_configs,
       CFG_04_an_option_that_the_library_does_not_know_is_refused_before_any_call) {
  const auto bytes = binary_of(backend(), {Network{}});
  const auto recorder = must(load_recorder());
  const OlderLibrary older(recorder, 35);
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
