// Automatic sharing loads wherever some way of sharing does: at every limit of what the device maps
// and of the room of its process domains, and after every single failure for want of room.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"

#include "model_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::LoadOptions;
using model::SpillFillSharing;
using sim::Slot;

/// An allocator that gives `left` buffers, and then fails with `kind`.
struct Sparse {
  Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    if (--*left >= 0) return good->allocate(bytes);
    return fail(kind, "allocate", "sparse");
  }
  const RpcmemAllocator* good;
  int* left;
  Errc kind;
};

class some_way : public ModelTest {
 protected:
  static constexpr auto automatic = SpillFillSharing::automatic;
  static constexpr auto external_buffer = SpillFillSharing::external_buffer;
  static constexpr auto context_group = SpillFillSharing::context_group;
  static constexpr auto none = SpillFillSharing::none;

  void SetUp() override {
    ModelTest::SetUp();
    if (!HasFatalFailure()) add_four_networks();
  }

  Result<model::Model> load(SpillFillSharing sharing = automatic) const {
    return model::load(backend(), allocator(), sources, {.sharing = sharing});
  }
  static bool has(const std::string& text, std::string_view words) {
    return text.find(words) != std::string::npos;
  }
  static void expect_nothing_loaded() {
    const sim::Counters left = control().counters();
    EXPECT_EQ(left.live_contexts, 0u);
    EXPECT_EQ(left.mapped_fds, 0u);
    EXPECT_EQ(left.device_bytes + left.internal_bytes, 0u);
    for (const std::uint64_t used : left.pd_used_bytes) EXPECT_EQ(used, 0u);
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
  }
  /// Expects what the report says, in the memory of the device and in the outputs.
  void expect_as_reported(const model::Model& loaded) const {
    const sim::Counters now = control().counters();
    const model::MemoryReport& report = loaded.report();
    const bool is_external = report.sharing == external_buffer;
    EXPECT_EQ(now.external_spill_fill_bytes, is_external ? loaded.spill_fill().size_bytes() : 0u);
    EXPECT_EQ(
        now.live_weights_registrations,
        is_external && report.external_weights == ExternalWeights::confirmed ? loaded.size() : 0u);
    const bool is_first = is_external && report.external_weights == ExternalWeights::confirmed;
    EXPECT_EQ(report.reason == "the backend accepts external buffers", is_first) << report.reason;
    EXPECT_EQ(report.reason.starts_with("external_buffer: "), !is_first) << report.reason;
    expect_to_work(loaded);
  }

  /// Sets `limit` to each of `values`. Expects that automatic sharing loads if one of the others
  /// does, and that its error speaks of room otherwise. Returns the ways that it used; `automatic`
  /// is none.
  template <class Value>
  std::vector<SpillFillSharing> load_at_each(Value sim::Config::* limit,
                                             const std::vector<Value>& values) {
    const Value before = control().config().*limit;
    std::vector<SpillFillSharing> used;
    for (const Value value : values) {
      SCOPED_TRACE("limit " + std::to_string(value));
      set(limit, value);
      bool can_load = false;
      for (const auto sharing : {external_buffer, context_group, none}) {
        reload_backend();  // It remembers refusals, and the library a load without room (RES-03).
        can_load = load(sharing).has_value() || can_load;
      }
      reload_backend();
      {
        const auto loaded = load();
        EXPECT_EQ(loaded.has_value(), can_load) << (loaded ? "" : loaded.error().message());
        used.push_back(loaded ? loaded->report().sharing : automatic);
        if (loaded) {
          expect_as_reported(*loaded);
        } else {
          EXPECT_TRUE(qnnpp::detail::is_exhausted(loaded.error())) << loaded.error().message();
          EXPECT_TRUE(has(loaded.error().detail, " failed, and so did ")) << loaded.error().detail;
        }
      }
      expect_nothing_loaded();
    }
    set(limit, before);
    return used;
  }
  static bool uses(const std::vector<SpillFillSharing>& used, SpillFillSharing sharing) {
    return std::ranges::find(used, sharing) != used.end();
  }
};

TEST_F(some_way, loads_at_every_limit_of_the_bytes_that_the_device_maps) {
  std::uint64_t all = 0;
  {
    const auto loaded = must(load());
    all = control().counters().mapped_bytes;
  }
  std::vector<std::uint64_t> limits{1};
  constexpr std::uint64_t step = std::uint64_t{1} << 20;
  for (std::uint64_t limit = step; limit <= all + step; limit += step)
    limits.insert(limits.end(), {limit - 1, limit});
  const auto used = load_at_each(&sim::Config::max_mapped_bytes, limits);
  EXPECT_EQ(used.front(), context_group);
  EXPECT_EQ(used.back(), external_buffer);
  EXPECT_FALSE(uses(used, automatic)) << "QNN's own memory has no limit here";
  EXPECT_TRUE(std::ranges::is_sorted(used, std::greater<>())) << "the more is mapped, the earlier";
}

TEST_F(some_way, loads_at_every_limit_of_the_buffers_that_the_device_maps) {
  const auto used = load_at_each<std::uint32_t>(&sim::Config::max_mappings, {1, 3, 4, 7, 8, 9});
  // Each context maps the shared buffer, and its weights.
  EXPECT_EQ(used, (std::vector{context_group, context_group, external_buffer, external_buffer,
                               external_buffer, external_buffer}));
}

TEST_F(some_way, loads_at_every_room_of_a_process_domain) {
  std::uint64_t room = 0;
  {
    const auto loaded = must(load(none));
    for (const std::uint64_t used : control().counters().pd_used_bytes) room += used;
  }
  for (const std::uint32_t domains : {1u, 2u, 3u}) {
    SCOPED_TRACE(std::to_string(domains) + " domains");
    set(&sim::Config::pd_count, domains);
    std::vector<std::uint64_t> limits;
    for (std::uint64_t i = 1; i <= 24; ++i) limits.push_back(room * i / 22);
    limits.insert(limits.end(), {room / domains, room - 1, room});
    std::ranges::sort(limits);
    const auto used = load_at_each(&sim::Config::pd_budget_bytes, limits);
    EXPECT_EQ(used.front(), automatic);
    EXPECT_EQ(used.back(), external_buffer);
  }
}

TEST_F(some_way, loads_at_every_number_of_contexts_that_fits) {
  const auto used = load_at_each<std::uint32_t>(&sim::Config::max_contexts, {1, 2, 3, 4, 5});
  EXPECT_EQ(used, (std::vector{automatic, automatic, automatic, external_buffer, external_buffer}));
}

TEST_F(some_way, loads_where_both_limits_are_between) {
  std::uint64_t room = 0;
  {
    const auto loaded = must(load(none));
    for (const std::uint64_t used : control().counters().pd_used_bytes) room += used;
  }
  set(&sim::Config::pd_count, 1);
  set(&sim::Config::max_mapped_bytes, 1);
  const auto used = load_at_each(&sim::Config::pd_budget_bytes, std::vector{room - 1, room});
  EXPECT_EQ(used, (std::vector{automatic, context_group}));
}

TEST_F(some_way, says_in_the_report_what_was_refused_and_why) {
  set(&sim::Config::seed, 0);  // A seed draws the code of a refused mapping.
  set(&sim::Config::max_mapped_bytes, 1);
  const auto loaded = must(load());
  EXPECT_EQ(loaded.report().sharing, context_group);
  EXPECT_TRUE(
      has(loaded.report().reason, "external_buffer: one.bin: QnnMem_register returned 8003"))
      << loaded.report().reason;
  EXPECT_TRUE(has(loaded.report().reason,
                  "; external_buffer without external weights: one.bin: "
                  "QnnMem_register returned 8003"))
      << loaded.report().reason;
}

TEST_F(some_way, without_room_for_the_weights_leaves_them_to_QNN_and_shares_the_buffer) {
  set(&sim::Config::seed, 0);  // A seed draws the code of a refused mapping.
  set(&sim::Config::max_mappings, 7);
  {
    const auto loaded = must(load());
    EXPECT_EQ(loaded.report().sharing, external_buffer);
    EXPECT_EQ(loaded.report().external_weights, ExternalWeights::untried);
    EXPECT_TRUE(has(loaded.report().reason, "QnnMem_register returned 8003"));
    EXPECT_TRUE(loaded.report().reason.ends_with("; QNN keeps the weights"));
    EXPECT_GT(control().counters().internal_weights_bytes, 0u);
    expect_as_reported(loaded);
  }
  EXPECT_NE(backend().external_weights(), ExternalWeights::refused);
  set(&sim::Config::max_mappings, 0);
  const auto next = must(load());
  EXPECT_EQ(next.report().external_weights, ExternalWeights::confirmed) << "they are tried again";
}

TEST_F(some_way, is_found_after_each_call_that_fails_once_for_want_of_room) {
  std::size_t other_ways = 0;
  for (const std::uint32_t code : {1002u, 8003u})
    for (std::uint64_t k = 1;; ++k) {
      SCOPED_TRACE("call " + std::to_string(k) + ", code " + std::to_string(code));
      reload_backend();
      control().reset_counters();
      control().fail_any_call(k, code);
      bool is_fired = false;
      {
        const auto loaded = load();
        ASSERT_TRUE(loaded.has_value()) << loaded.error().message();
        is_fired = control().counters().faults_fired != 0;
        control().clear_faults();
        if (loaded->report().reason.starts_with("external_buffer: ")) ++other_ways;
        expect_to_work(*loaded);
      }
      expect_nothing_loaded();
      if (!is_fired) break;
    }
  // Each creation, query and registration, with both codes.
  EXPECT_GE(other_ways, 2 * 4 * networks.size());
}

TEST_F(some_way, needs_no_memory_of_the_application) {
  for (const Errc kind : {Errc::allocation_failed, Errc::no_file_descriptor})
    for (int buffers = 0; buffers <= 5; ++buffers) {
      SCOPED_TRACE(buffers);
      int left = buffers;
      const Sparse sparse{&allocator(), &left, kind};
      const auto loaded = must(model::load(backend(), sparse, sources));
      const auto wanted = buffers == 0 ? context_group : external_buffer;
      // The second way takes one buffer, of those that the first one has left.
      EXPECT_EQ(loaded.report().sharing, buffers == 5 ? wanted : context_group);
      EXPECT_TRUE(buffers == 5 || has(loaded.report().reason, "allocate"));
      expect_to_work(loaded);
    }
}

TEST_F(some_way, is_one_call_for_all_contexts_if_that_is_asked_for) {
  set(&sim::Config::max_mapped_bytes, 1);
  control().fail_call(Slot::context_create_from_binary, 2 * 4 + 1, 1002);
  const auto loaded = must(model::load(backend(), allocator(), sources,
                                       {.sharing = automatic, .in_one_call = restore_list}));
  EXPECT_EQ(loaded.report().sharing, none);
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 1u);
  EXPECT_TRUE(has(loaded.report().reason, "context_group: ")) << loaded.report().reason;
  expect_to_work(loaded);
}

TEST_F(some_way, that_a_caller_chose_is_the_only_one_tried) {
  set(&sim::Config::seed, 0);  // A seed draws the code of a refused mapping.
  set(&sim::Config::max_mapped_bytes, 1);
  const Error error = error_of(load(external_buffer));
  EXPECT_EQ(error.code, 8003);
  EXPECT_EQ(calls(Slot::context_create_from_binary), networks.size());
  EXPECT_FALSE(has(error.detail, "so did")) << error.detail;
}

TEST_F(some_way, is_not_sought_for_a_damaged_binary) {
  std::vector<std::byte> damaged(sources[2].bytes.begin(), sources[2].bytes.end());
  damaged.resize(damaged.size() / 2);
  sources[2].bytes = damaged;
  const Error error = error_of(load());
  EXPECT_EQ(error.object, sources[2].name);
  EXPECT_EQ(calls(Slot::context_create_from_binary), 3u) << error.message();
  EXPECT_FALSE(has(error.detail, "so did")) << error.detail;
  // 5005 can mean no room: not of a binary that cannot be read.
  control().reset_counters();
  control().fail_call(Slot::context_create_from_binary, 3, 5005, true);
  EXPECT_EQ(error_of(load()).code, 5005);
  EXPECT_EQ(calls(Slot::context_create_from_binary), 3u);
}

TEST_F(some_way, is_not_sought_after_a_restart_of_the_DSP_or_a_cancellation) {
  for (const Slot slot :
       {Slot::context_create_from_binary, Slot::mem_register, Slot::context_finalize}) {
    reload_backend();
    control().reset_counters();
    control().fail_call(slot, 2, 1007);
    const Error error = error_of(load());
    EXPECT_EQ(error.code, 1007) << error.message();
    // A finalize is tried again (RES-03); another way would create all contexts again.
    EXPECT_LE(calls(Slot::context_create_from_binary), networks.size() + 2);
    control().clear_faults();
    expect_nothing_loaded();
  }
  reload_backend();
  set(&sim::Config::max_mapped_bytes, 1);
  std::size_t told = 0, refused_at = 0;
  LoadOptions options;
  options.progress = [&](const model::Progress& progress) {
    if (refused_at == 0 && progress.phase == model::LoadPhase::registering) refused_at = told + 1;
    return ++told < refused_at + 3 || refused_at == 0;
  };
  EXPECT_EQ(error_of(model::load(backend(), allocator(), sources, options)).kind, Errc::cancelled);
  EXPECT_EQ(told, refused_at + 3) << "while the second way loads";
  expect_nothing_loaded();
}

TEST_F(some_way, that_fails_like_all_others_leaves_the_error_of_the_device) {
  set(&sim::Config::seed, 0);  // A seed draws the code of a refused mapping.
  set(&sim::Config::max_mapped_bytes, 1);
  set(&sim::Config::pd_budget_bytes, 1);
  const Error error = error_of(load());
  EXPECT_EQ(error.code, 1002) << "memory that can be mapped would not help";
  EXPECT_STREQ(error.step, "QnnContext_createFromBinary");
  EXPECT_TRUE(error.detail.starts_with(
      "context_group failed, and so did external_buffer (QnnMem_register returned 8003), "
      "external_buffer without external weights (QnnMem_register returned 8003), none; log: "))
      << error.detail;
  EXPECT_LE(error.message().size(), 600u);
  expect_nothing_loaded();
}

}}  // namespace support
