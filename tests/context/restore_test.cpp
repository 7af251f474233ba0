// Contexts restored in one call: options, damaged binaries, and groups that share QNN's internal
// spill-fill memory.
#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"

#include "../backend/fakes/system.hpp"
#include "fixture.hpp"
#include "recorder.hpp"
#include "sealed_binary.hpp"

namespace support { namespace {

using namespace qnnpp;
using sim::Slot;

class restored_context : public LoadedTest {
 protected:
  /// Returns a binary with two graphs, "first" and "second".
  std::vector<std::byte> two_graphs() const {
    return binary_of(backend(),
                     {Network{.name = "first", .seed = 1}, Network{.name = "second", .seed = 2}});
  }
  Error refused(std::vector<std::byte> bytes, bool deferred) const {
    auto from = own(std::move(bytes), "bad.bin");
    return deferred ? error_of(Context<Deferred>::create(backend(), std::move(from)))
                    : error_of(Context<Finalized>::restore(backend(), std::move(from)));
  }
};

TEST_F(restored_context, is_complete_at_once_and_computes_right_numbers) {
  const Network network;
  const auto context = restored(network);
  EXPECT_EQ(context.name(), "net.bin");
  ASSERT_EQ(context.graphs().size(), 1u);
  EXPECT_EQ(context.graphs()[0].inputs.size(), 1u);
  EXPECT_LT(difference(context, network), tolerance);
  EXPECT_EQ(calls(Slot::context_finalize), 0u);
  EXPECT_EQ(calls(Slot::mem_register), 0u);
}

TEST_F(restored_context, BIN_01_of_an_SDK_as_old_as_the_library_or_older_is_loaded) {
  const Network network;
  const auto bytes = binary_of(backend(), {network});
  for (const std::uint32_t minor : {43u, 29u}) {
    const auto older = made_by(bytes, "v2." + std::to_string(minor) + ".0.241129103708", minor);
    EXPECT_LT(difference(must(Context<Finalized>::restore(backend(), own(older))), network),
              tolerance);
  }
}

TEST_F(restored_context, BIN_01_of_a_newer_SDK_is_refused_by_QNN_and_both_versions_are_named) {
  const auto newer = made_by(binary_of(backend(), {Network()}), "v2.51.0.260929181845", 51);
  for (const bool deferred : {false, true}) {
    const Error error = refused(newer, deferred);
    EXPECT_EQ(error.kind, Errc::version_unsupported);
    EXPECT_EQ(error.code, 5000);
    EXPECT_EQ(error.message(),
              "bad.bin: QnnContext_createFromBinary: SDK 2.51.0 made the binary, " +
                  std::string(htp_library) +
                  " has backend API 5.43.0; use a library at least as new, or prepare the binary "
                  "with an older SDK");
  }
}

TEST_F(restored_context, BIN_01_that_is_no_newer_keeps_QNNs_5000) {
  const auto bytes = binary_of(backend(), {Network()});
  // The version of the HTP's API decides, as in the library, and not the text of the build id.
  for (const auto& [build, minor] :
       {std::pair("v2.29.0.241129103708", 29u), std::pair("v2.51.0.260929181845", 43u)}) {
    control().fail_call(Slot::context_create_from_binary, 1, 5000);
    EXPECT_EQ(refused(made_by(bytes, build, minor), false).kind, Errc::qnn) << build;
  }
}

TEST_F(restored_context, whose_load_fails_quotes_what_the_library_logged) {
  const auto fails = [&](Slot slot, std::uint32_t code) {
    control().fail_call(slot, 1, code);
    return error_of(Context<Deferred>::create(backend(), binary(Network{}))
                        .and_then(transition::query)
                        .and_then([&](Context<Queried> context) {
                          auto weights = weights_for(context);
                          return std::move(context).register_buffers(
                              {.weights = std::move(weights)});
                        })
                        .and_then(transition::finalize));
  };
  for (const Slot slot :
       {Slot::context_create_from_binary, Slot::mem_register, Slot::context_finalize}) {
    const Error error = fails(slot, 1002);
    EXPECT_EQ(error.detail, std::string("log: ") + name_of(slot) + " failed with 1002");
    EXPECT_NE(error.message().find("(log: "), std::string::npos) << error.message();
  }
}

TEST_F(restored_context, of_a_binary_that_the_library_cannot_read_names_both_versions) {
  for (const std::uint32_t code : {30001u, 30010u}) {
    control().fail_call(Slot::context_create_from_binary, 1, code);
    const Error error = error_of(Context<Finalized>::restore(backend(), binary(Network{})));
    EXPECT_EQ(error.code, code);
    EXPECT_NE(error.detail.find(std::string(htp_library) + " has backend API 5."),
              std::string::npos)
        << error.detail;
    EXPECT_NE(error.detail.find("made "), std::string::npos) << error.detail;
    EXPECT_NE(error.detail.find("; log: "), std::string::npos) << error.detail;
  }
}

TEST_F(restored_context, every_option_reaches_the_device_and_is_taken) {
  const Network network;
  const auto context = restored(network, {.priority = c_api::Priority::low,
                                          .enabled_graphs = {network.name},
                                          .persistent_binary = true,
                                          .file_read_memory_budget_mb = 16,
                                          .init_acceleration = true,
                                          .strict_compatibility = true});
  EXPECT_LT(difference(context, network), tolerance);
}

TEST_F(restored_context, a_limit_of_memory_with_a_persistent_binary_switches_graphs) {
  const auto context = must(Context<Finalized>::restore(
      backend(), own(two_graphs()), {.persistent_binary = true, .graph_switching = true}));
  EXPECT_LT(difference(context, Network{.name = "first", .seed = 1}), tolerance);
  EXPECT_LT(difference(context, Network{.name = "second", .seed = 2}), tolerance);
  EXPECT_EQ(control().counters().graph_switches, 2u);
}

TEST_F(restored_context, EXT_09_a_limit_without_a_persistent_binary_is_refused_before_any_call) {
  auto from = binary(Network{});
  const std::uint64_t before = calls(Slot::context_create_from_binary);
  const Error error =
      error_of(Context<Finalized>::restore(backend(), std::move(from), {.graph_switching = true}));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_NE(error.detail.find("persistent_binary"), std::string::npos);
  EXPECT_EQ(calls(Slot::context_create_from_binary), before);
}

TEST_F(restored_context, a_binary_for_less_VTCM_is_taken_unless_compatibility_is_strict) {
  auto bytes = binary_of(backend(), {Network{}});
  set(&sim::Config::vtcm_bytes, small_vtcm_bytes * 4);
  EXPECT_TRUE(succeeds(Context<Finalized>::restore(backend(), own(bytes))));
  EXPECT_EQ(
      error_of(Context<Finalized>::restore(backend(), own(bytes), {.strict_compatibility = true}))
          .code,
      5011);
}

TEST_F(restored_context, enabled_graphs_are_brought_up_and_the_others_are_disabled) {
  const auto context = must(
      Context<Finalized>::restore(backend(), own(two_graphs()), {.enabled_graphs = {"second"}}));
  EXPECT_LT(difference(context, Network{.name = "second", .seed = 2}), tolerance);
  EXPECT_EQ(context.graphs().size(), 1u);
  const Error error = error_of(Graph<Retrieved>::retrieve(context, "first"));
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "first");
  EXPECT_EQ(error.detail, "binary has enabled: second");
}

TEST_F(restored_context, enabled_graphs_of_a_deferred_context_need_memory_for_all_graphs) {
  const auto bytes =
      binary_of(backend(), {Network{.name = "small"}, Network{.name = "large", .spill_mib = 3}});
  const auto all =
      must(Context<Deferred>::create(backend(), own(bytes)).and_then(transition::query));
  const auto small =
      must(Context<Deferred>::create(backend(), own(bytes), {.enabled_graphs = {"small"}})
               .and_then(transition::query));
  EXPECT_EQ(all.requirements().spill_fill_bytes, std::uint64_t{4} << 20);
  EXPECT_EQ(all.requirements().weights_bytes, std::uint64_t{4} << 20);
  EXPECT_EQ(small.requirements(), all.requirements());
}

TEST_F(restored_context, CFG_03_an_unknown_enabled_graph_is_refused_before_any_call) {
  const auto bytes = two_graphs();
  const std::uint64_t before = calls(Slot::context_create_from_binary);
  for (const bool deferred : {false, true}) {
    auto from = own(bytes, "two.bin");
    const Error error =
        deferred ? error_of(Context<Deferred>::create(backend(), std::move(from),
                                                      {.enabled_graphs = {"first", "third"}}))
                 : error_of(Context<Finalized>::restore(backend(), std::move(from),
                                                        {.enabled_graphs = {"third"}}));
    EXPECT_EQ(error.kind, Errc::unknown_name);
    EXPECT_EQ(error.object, "third");
    EXPECT_TRUE(error.detail == "two.bin has: first, second" ||
                error.detail == "two.bin has: second, first")
        << error.detail;
  }
  EXPECT_EQ(calls(Slot::context_create_from_binary), before);
}

TEST_F(restored_context, CFG_03_without_metadata_an_unknown_enabled_graph_fails_at_execution) {
  const auto bytes = two_graphs();
  const auto blind = must(Backend<Htp>::load({.library = QNNPP_RECORDER}));
  const auto context =
      must(Context<Finalized>::restore(blind, own(bytes), {.enabled_graphs = {"third"}}));
  EXPECT_TRUE(context.graphs().empty());
  const auto retrieve = *blind.provider().find<&c_api::InterfaceTable::graph_retrieve>();
  const auto execute = *blind.provider().find<&c_api::InterfaceTable::graph_execute>();
  c_api::GraphHandle graph = nullptr;
  EXPECT_EQ(retrieve(context.native(), "first", &graph), 0u);
  EXPECT_EQ(execute(graph, nullptr, 0, nullptr, 0, nullptr, nullptr) & 0xFFFF, 6001u);
}

TEST_F(restored_context,
       an_enabled_graph_whose_name_holds_a_nul_is_refused_with_and_without_metadata) {
  const auto bytes = two_graphs();
  const auto blind = must(Backend<Htp>::load({.library = QNNPP_RECORDER}));
  const std::vector<std::string> names{std::string("first\0x", 7)};
  const std::uint64_t before = calls(Slot::context_create_from_binary);
  for (const Backend<Htp>* on : {&backend(), &blind})
    for (const Error& error :
         {error_of(Context<Finalized>::restore(*on, own(bytes), {.enabled_graphs = names})),
          error_of(Context<Deferred>::create(*on, own(bytes), {.enabled_graphs = names}))}) {
      EXPECT_EQ(error.kind, Errc::invalid_argument);
      EXPECT_EQ(error.object, names[0]);
    }
  EXPECT_EQ(calls(Slot::context_create_from_binary), before);
}

// Metadata that the system library cannot read, in a binary that QNN accepts.

class unreadable_metadata : public LoadedTest {
 protected:
  static constexpr const char* reader = QNNPP_FAKES_DIR "/fake_system.so";

  void SetUp() override {
    LoadedTest::SetUp();
    library_ = ::dlopen(reader, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
    fake_ = reinterpret_cast<fakes::SystemControlFn>(::dlsym(library_, "fake_system_control"))();
    *fake_ = fakes::SystemControl();
    fake_->behaviour.metadata_result = 30010;
    blind_.emplace_back(
        must(Backend<Htp>::load({.library = htp_library, .system_library = reader})));
  }
  void TearDown() override {
    blind_.clear();
    if (library_ != nullptr) ::dlclose(library_);
    LoadedTest::TearDown();
  }
  const Backend<Htp>& blind() const { return blind_.front(); }
  fakes::SystemBehaviour& fake() { return fake_->behaviour; }

 private:
  void* library_ = nullptr;
  fakes::SystemControl* fake_ = nullptr;
  std::vector<Backend<Htp>> blind_;
};

TEST_F(unreadable_metadata, BIN_02_is_the_error_of_a_load_and_names_the_system_library) {
  for (const Error& error : {error_of(Context<Finalized>::restore(blind(), binary(Network()))),
                             error_of(Context<Deferred>::create(blind(), binary(Network())))}) {
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, 30010);
    EXPECT_EQ(error.object, "net.bin");
    EXPECT_NE(error.message().find(reader), std::string::npos) << error.message();
  }
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(unreadable_metadata, BIN_02_that_qnnpp_cannot_read_names_the_system_library_too) {
  fake().metadata_result = 0;
  fake().graph_info_version = 9;
  const Error error = error_of(Context<Finalized>::restore(blind(), binary(Network())));
  EXPECT_EQ(error.kind, Errc::no_metadata);
  EXPECT_NE(error.message().find(reader), std::string::npos) << error.message();
}

TEST_F(unreadable_metadata, BIN_02_is_replaced_by_graphs_with_tensors) {
  const Network network;
  const auto known = restored(network);
  const auto graphs = known.graphs();
  const auto context =
      must(Context<Finalized>::restore(blind(), binary(network), {.graphs = &graphs}));
  ASSERT_EQ(context.graphs().size(), 1u);
  EXPECT_LT(difference(context, network), tolerance);
  auto without_tensors = graphs;
  without_tensors[0].outputs.clear();
  EXPECT_EQ(
      error_of(Context<Finalized>::restore(blind(), binary(network), {.graphs = &without_tensors}))
          .code,
      30010);
}

// Damaged and foreign binaries: each has an error code, and nothing is left.

TEST_F(restored_context, a_truncated_binary_is_a_typed_error_at_every_quarter) {
  const auto whole = binary_of(backend(), {Network{}});
  for (const bool deferred : {false, true}) {
    for (std::size_t quarter = 1; quarter < 4; ++quarter) {
      const Error error = refused(
          {whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(whole.size() * quarter / 4)},
          deferred);
      EXPECT_EQ(error.kind, Errc::qnn);
      EXPECT_EQ(error.code, 30010);
      EXPECT_STREQ(error.step, "QnnContext_createFromBinary");
      EXPECT_EQ(error.object, "bad.bin");
    }
  }
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(restored_context, a_foreign_file_is_a_typed_error) {
  for (const bool deferred : {false, true}) {
    const std::string text =
        "\x7f"
        "ELF and then something that is no context binary at all, but long enough for a header....";
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    const Error error = refused({first, first + text.size()}, deferred);
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, 30001);
  }
}

TEST_F(restored_context, a_flipped_bit_of_the_weights_is_found_when_they_are_read) {
  auto flipped = binary_of(backend(), {Network{}});
  flipped[flipped.size() - 1000] ^= std::byte{0x10};
  EXPECT_EQ(refused(flipped, false).code, 30010);
  // A deferred context reads its weights in finalize.
  auto registered = must(
      Context<Deferred>::create(backend(), own(flipped, "flipped.bin"))
          .and_then(transition::query)
          .and_then([](Context<Queried> asked) { return std::move(asked).register_buffers({}); }));
  const Error error = error_of(std::move(registered).finalize());
  EXPECT_EQ(error.code, 30010);
  EXPECT_STREQ(error.step, "QnnContext_finalize");
  EXPECT_EQ(error.object, "flipped.bin");
}

TEST_F(restored_context, a_flipped_bit_of_the_header_is_a_typed_error) {
  const auto whole = binary_of(backend(), {Network{}});
  for (const std::size_t at : {std::size_t{0}, std::size_t{8}, std::size_t{16}, std::size_t{24}}) {
    auto flipped = whole;
    flipped[at] ^= std::byte{0x04};
    for (const bool deferred : {false, true}) {
      const Error error = refused(flipped, deferred);
      EXPECT_EQ(error.code, at == 0 ? 30001 : at == 8 ? 5004 : 30010) << at << ": " << error.code;
    }
  }
}

TEST_F(restored_context, a_binary_for_more_VTCM_than_the_device_has_is_refused_with_5008) {
  set(&sim::Config::vtcm_bytes, small_vtcm_bytes * 16);
  auto bytes = binary_of(backend(), {Network{}});
  set(&sim::Config::vtcm_bytes, small_vtcm_bytes);
  EXPECT_EQ(refused(bytes, false).code, 5008);
  EXPECT_EQ(refused(bytes, true).code, 5008);
}

TEST_F(restored_context, a_full_process_domain_is_1002_and_the_first_context_runs_on) {
  const Network network;
  auto second_binary = binary(network);
  const auto first = restored(network);
  const std::uint64_t used = control().counters().pd_used_bytes[0];
  set(&sim::Config::pd_count, 1);
  set(&sim::Config::pd_budget_bytes, used + used / 2);
  const Error error = error_of(Context<Finalized>::restore(backend(), std::move(second_binary)));
  EXPECT_EQ(error.code, 1002);
  EXPECT_EQ(error.object, "net.bin");
  EXPECT_LT(difference(first, network), tolerance);
}

TEST_F(restored_context, LOAD_06_bits_above_the_code_are_kept_apart) {
  set(&sim::Config::error_high_bits, 0xABCD);
  const Error error = refused({std::byte{1}, std::byte{2}}, false);
  EXPECT_EQ(error.code, 30001);
  EXPECT_EQ(error.native >> 16, 0xABCDu);
}

// Groups.

class context_group : public LoadedTest {
 protected:
  /// Returns the largest spill-fill need of these networks.
  std::uint64_t largest_need(const std::vector<Network>& networks) const {
    std::uint64_t most = 0;
    for (const Network& network : networks)
      most = std::max(most, queried(network).requirements().spill_fill_bytes);
    return most;
  }
  const Network large{.name = "large", .seed = 5, .spill_mib = 3};
  const Network small{.name = "small", .hidden = 48, .seed = 6};
};

TEST_F(context_group, GRP_02_a_head_and_its_members_share_one_buffer_and_run_right) {
  const std::uint64_t most = largest_need({large, small});
  const auto head = restored(large, {.group = ContextGroup::head(most)});
  const auto member = restored(small, {.group = head.as_group_head()});
  EXPECT_EQ(control().counters().internal_spill_fill_bytes, most);
  for (int round = 0; round < 2; ++round) {
    EXPECT_LT(difference(head, large), tolerance);
    EXPECT_LT(difference(member, small), tolerance);
  }
}

TEST_F(context_group, GRP_02_a_context_that_was_not_restored_as_a_head_leads_no_group) {
  const auto alone = restored(large);
  const Error error = error_of(
      Context<Finalized>::restore(backend(), binary(small), {.group = alone.as_group_head()}));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_EQ(error.object, "small.bin");
  EXPECT_NE(error.detail.find("large.bin"), std::string::npos);
}

TEST_F(context_group, GRP_02_a_member_leads_no_group) {
  const std::uint64_t most = largest_need({large, small});
  const auto head = restored(large, {.group = ContextGroup::head(most)});
  const auto member = restored(small, {.group = head.as_group_head()});
  const Error error = error_of(
      Context<Finalized>::restore(backend(), binary(small), {.group = member.as_group_head()}));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
}

TEST_F(context_group, GRP_01_a_group_that_is_too_small_is_refused_before_any_call) {
  const std::uint64_t most = largest_need({small});
  const auto head = restored(small, {.group = ContextGroup::head(most)});
  auto joining = binary(large);
  auto leading = binary(large);
  const std::uint64_t before = calls(Slot::context_create_from_binary);
  for (const Error& error :
       {error_of(Context<Finalized>::restore(backend(), std::move(joining),
                                             {.group = head.as_group_head()})),
        error_of(Context<Finalized>::restore(backend(), std::move(leading),
                                             {.group = ContextGroup::head(most)}))}) {
    EXPECT_EQ(error.kind, Errc::too_small);
    EXPECT_EQ(error.object, "large.bin");
    EXPECT_EQ(error.found, most);
  }
  EXPECT_EQ(calls(Slot::context_create_from_binary), before);
}

TEST_F(context_group, GRP_01_a_group_of_no_bytes_is_refused_before_any_call) {
  auto from = binary(small);
  const std::uint64_t before = calls(Slot::context_create_from_binary);
  EXPECT_EQ(error_of(Context<Finalized>::restore(backend(), std::move(from),
                                                 {.group = ContextGroup::head(0)}))
                .kind,
            Errc::invalid_argument);
  EXPECT_EQ(calls(Slot::context_create_from_binary), before);
}

// The recording library has no system library in its folder, so QNN is the first to know the need.
TEST_F(context_group, ORD_14_what_a_refused_creation_leaves_alive_is_freed) {
  auto leader = binary(small);
  auto joining = binary(large);
  const std::uint64_t most = largest_need({small});
  auto blind = must(Backend<Htp>::load({.library = QNNPP_RECORDER}));
  expect_misuse();
  {
    const Error error = error_of(Context<Finalized>::restore(
        blind, own(binary_of(backend(), {large}), "large.bin"), {.group = ContextGroup::head(16)}));
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, 5010);
    EXPECT_EQ(error.object, "large.bin");
    EXPECT_EQ(control().counters().live_contexts, 0u);
  }
  {
    const auto head = must(
        Context<Finalized>::restore(blind, std::move(leader), {.group = ContextGroup::head(most)}));
    EXPECT_EQ(error_of(Context<Finalized>::restore(blind, std::move(joining),
                                                   {.group = head.as_group_head()}))
                  .code,
              5010);
    EXPECT_EQ(control().counters().live_contexts, 1u);
  }
  EXPECT_TRUE(succeeds(std::move(blind).close())) << "no context holds the device";
}

/// After a failed creation of an empty context, stores the handle of a live context in its place.
struct Leaving {
  static inline c_api::ContextHandle found = nullptr;
  static inline c_api::ContextHandle left = nullptr;
  static void hook(std::size_t slot, bool entering, const void* const* arguments) {
    if (slot != static_cast<std::size_t>(Slot::context_create)) return;
    c_api::ContextHandle* const variable = argument<c_api::ContextHandle*>(arguments, 3);
    if (entering)
      found = *variable;
    else
      *variable = left;
  }
};

TEST_F(context_group, ORD_14_a_failed_creation_of_an_empty_context_is_freed_too) {
  const auto create = *backend().provider().find<&c_api::InterfaceTable::context_create>();
  ASSERT_EQ(create(backend().native(), nullptr, nullptr, &Leaving::left), 0u);
  const auto recorder = must(load_recorder());
  const Recording recording(&Leaving::hook);
  control().fail_call(Slot::context_create, 1, 5000);
  EXPECT_EQ(error_of(Context<Composing>::create(recorder)).code, 5000);
  EXPECT_EQ(Leaving::found, nullptr);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(context_group, GRP_01_the_size_is_that_of_the_largest_of_all) {
  const std::uint64_t most = largest_need({large, small});
  const auto head = restored(small, {.group = ContextGroup::head(most)});
  const auto member = restored(large, {.group = head.as_group_head()});
  EXPECT_LT(difference(member, large), tolerance);
}

TEST_F(context_group, GRP_03_the_head_outlives_its_members_in_any_order_of_destruction) {
  const std::uint64_t most = largest_need({large, small});
  for (const bool head_first : {true, false}) {
    auto head = std::optional(restored(large, {.group = ContextGroup::head(most)}));
    auto member = std::optional(restored(small, {.group = head->as_group_head()}));
    if (head_first) {
      head.reset();
      EXPECT_EQ(control().counters().live_contexts, 2u) << "the member holds its head";
      EXPECT_LT(difference(*member, small), tolerance);
      member.reset();
    } else {
      member.reset();
      EXPECT_EQ(control().counters().live_contexts, 1u);
      EXPECT_LT(difference(*head, large), tolerance);
      head.reset();
    }
    EXPECT_EQ(control().counters().live_contexts, 0u);
  }
}

TEST_F(context_group, GRP_03_the_head_is_in_use_while_a_member_lives) {
  const std::uint64_t most = largest_need({large, small});
  auto head = restored(large, {.group = ContextGroup::head(most)});
  auto member = restored(small, {.group = head.as_group_head()});
  const std::uint64_t before = calls(Slot::context_free);
  EXPECT_EQ(error_of(std::move(head).close()).kind, Errc::in_use);
  EXPECT_EQ(calls(Slot::context_free), before);
  EXPECT_TRUE(succeeds(std::move(member).close()));
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(context_group, GRP_03_a_group_option_that_was_kept_keeps_the_head) {
  RestoreOptions options;
  {
    const auto head = restored(large, {.group = ContextGroup::head(largest_need({large, small}))});
    options.group = head.as_group_head();
  }
  EXPECT_EQ(control().counters().live_contexts, 1u);
  const auto member = restored(small, options);
  EXPECT_LT(difference(member, small), tolerance);
}

TEST_F(context_group, a_head_of_another_backend_is_refused_before_any_call) {
  const auto other = must(load());
  auto from = binary(small);
  const auto head = must(
      Context<Finalized>::restore(other, binary(large), {.group = ContextGroup::head(4u << 20)}));
  const std::uint64_t before = calls(Slot::context_create_from_binary);
  const Error error = error_of(
      Context<Finalized>::restore(backend(), std::move(from), {.group = head.as_group_head()}));
  EXPECT_EQ(error.kind, Errc::foreign_object);
  EXPECT_EQ(error.object, "small.bin");
  EXPECT_EQ(calls(Slot::context_create_from_binary), before);
}

TEST_F(context_group, BUF_12_members_and_head_have_one_lock) {
  const auto head = restored(large, {.group = ContextGroup::head(largest_need({large, small}))});
  const auto member = restored(small, {.group = head.as_group_head()});
  EXPECT_TRUE(qnnpp::detail::Access::block(head)->lock);
  EXPECT_EQ(qnnpp::detail::Access::block(head)->lock, qnnpp::detail::Access::block(member)->lock);
}

}}  // namespace support
