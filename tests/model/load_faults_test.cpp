// load() of 8 and of 66 contexts (24 in a build that is not optimised), made to fail or cancelled
// at every single call and step.
#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"

#include "model_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::BinarySource;
using model::LoadOptions;
using model::SpillFillSharing;
using sim::Slot;

struct Way {
  const char* name;
  LoadOptions options;
};
std::vector<Way> all_ways() {
  using enum SpillFillSharing;
  return {{"external buffers", {.sharing = external_buffer}},
          {"an external spill-fill alone",
           {.sharing = external_buffer, .contexts = {.external_weights = false}}},
          {"a group", {.sharing = context_group}},
          {"apart", {.sharing = none}},
          {"in one call", {.sharing = none, .in_one_call = restore_list}}};
}

class loading : public ModelTest, public testing::WithParamInterface<std::size_t> {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    if (HasFatalFailure()) return;
    for (std::size_t i = 0; i < GetParam(); ++i) {
      // The needs differ, and the largest one stands in the middle.
      add_network({.name = "n" + std::to_string(i),
                   .rows = i == GetParam() / 2 ? 8u : 2u,
                   .width = 16,
                   .hidden = 32,
                   .seed = static_cast<std::uint32_t>(i + 1)});
    }
  }

  Result<model::Model> load_model(const LoadOptions& options) const {
    return model::load(backend(), allocator(), sources, options);
  }
  bool is_one_of_the_binaries(const std::string& name) const {
    return std::any_of(sources.begin(), sources.end(),
                       [&](const BinarySource& source) { return source.name == name; });
  }
  /// Expects that nothing of a model is left, and that taking it down has caused no misuse.
  void expect_nothing_loaded() const {
    const sim::Counters left = control().counters();
    EXPECT_EQ(left.live_contexts, 0u);
    EXPECT_EQ(left.live_weights_registrations + left.live_spill_fill_registrations, 0u);
    EXPECT_EQ(left.mapped_fds, 0u);
    EXPECT_EQ(left.device_bytes + left.internal_bytes, 0u);
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
    expect_no_misuse();
  }
};

TEST_P(loading, fails_at_any_call_names_binary_and_step_and_leaves_nothing) {
  for (const Way& way : all_ways()) {
    SCOPED_TRACE(way.name);
    reload_backend();
    control().reset_counters();
    ASSERT_TRUE(succeeds(load_model(way.options)));
    std::map<std::string, std::uint64_t> calls_of_step;
    for (const auto& [slot, step] :
         {std::pair{Slot::property_has_capability, "QnnProperty_hasCapability"},
          std::pair{Slot::context_create_from_binary, "QnnContext_createFromBinary"},
          std::pair{Slot::context_get_property, "QnnContext_getProperty"},
          std::pair{Slot::mem_register, "QnnMem_register"},
          std::pair{Slot::context_finalize, "QnnContext_finalize"},
          std::pair{Slot::context_create_from_binary_list_async,
                    "QnnContext_createFromBinaryListAsync"},
          std::pair{Slot::graph_retrieve, "QnnGraph_retrieve"}})
      if (calls(slot) != 0) calls_of_step[step] = calls(slot);

    for (const std::uint32_t code : {1002u, 5005u}) {
      std::map<std::string, std::uint64_t> failures;
      for (std::uint64_t k = 1;; ++k) {
        SCOPED_TRACE("call " + std::to_string(k) + ", code " + std::to_string(code));
        reload_backend();
        control().reset_counters();
        control().fail_any_call(k, code);
        const auto loaded = load_model(way.options);
        const bool is_fired = control().counters().faults_fired != 0;
        control().clear_faults();
        // After the calls of loading, only releases follow. Their failures are silent.
        if (loaded) {
          ASSERT_FALSE(is_fired);
          break;
        }
        EXPECT_EQ(loaded.error().kind, Errc::qnn);
        EXPECT_EQ(loaded.error().code, code);
        ++failures[loaded.error().step];
        // The one call for all binaries cannot name a single binary.
        if (std::string_view(loaded.error().step) != "QnnContext_createFromBinaryListAsync") {
          EXPECT_TRUE(is_one_of_the_binaries(loaded.error().object)) << loaded.error().object;
        }
        expect_nothing_loaded();
      }
      EXPECT_EQ(failures, calls_of_step) << "each call of loading was the one that failed";
    }
    EXPECT_TRUE(succeeds(load_model(way.options)));
  }
}

TEST_P(loading, that_finds_no_memory_at_any_allocation_says_for_what_and_leaves_nothing) {
  for (const auto call : {sim::RpcmemCall::alloc2, sim::RpcmemCall::to_fd})
    for (std::uint64_t k = 1; k <= GetParam() + 1; ++k) {
      rpcmem_control().fail_call(call, k);
      const Error error = error_of(load_model({.sharing = SpillFillSharing::external_buffer}));
      rpcmem_control().clear_faults();
      EXPECT_EQ(error.kind, call == sim::RpcmemCall::alloc2 ? Errc::allocation_failed
                                                            : Errc::no_file_descriptor);
      const std::string what =
          k == 1 ? "spill-fill of the model" : "weights of " + sources[k - 2].name;
      EXPECT_NE(error.detail.find(what), std::string::npos) << error.detail;
      expect_nothing_loaded();
    }
}

TEST_P(loading, is_cancelled_at_every_step_and_leaves_nothing) {
  for (const Way& way : all_ways()) {
    SCOPED_TRACE(way.name);
    std::size_t steps = 0;
    for (std::size_t allowed = 0;; ++allowed) {
      ASSERT_LE(allowed, 5 * GetParam());
      std::size_t told = 0;
      std::string last;
      LoadOptions options = way.options;
      options.progress = [&](const model::Progress& progress) {
        last = progress.binary;
        return told++ < allowed;
      };
      const auto loaded = load_model(options);
      steps = told;
      if (loaded) break;
      EXPECT_EQ(loaded.error().kind, Errc::cancelled);
      EXPECT_EQ(loaded.error().object, last);
      expect_nothing_loaded();
    }
    EXPECT_EQ(steps % GetParam(), 0u) << "as many steps for each context";
    EXPECT_GE(steps, GetParam());
  }
}

#if defined(NDEBUG)
constexpr std::size_t most_contexts = 66;
#else
constexpr std::size_t most_contexts = 24;
#endif

INSTANTIATE_TEST_SUITE_P(of_contexts, loading, testing::Values(std::size_t{8}, most_contexts),
                         [](const auto& contexts) { return std::to_string(contexts.param); });

}}  // namespace support
