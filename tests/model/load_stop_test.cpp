// Stop and at_most in loads and residencies: pulled in every phase and in every C call, nothing is
// left.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/core/stop.hpp"

#include "residency_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using namespace std::chrono_literals;
using model::LoadOptions;
using model::SpillFillSharing;
using sim::HostLibrary;
using sim::Slot;

class a_stopped_load : public ModelTest {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    if (HasFatalFailure()) return;
    add_four_networks();
  }
  void be(HostLibrary library) {
    set(&sim::Config::host_library, static_cast<std::uint32_t>(library));
    reload_backend();
    control().reset_counters();
  }
  static std::vector<LoadOptions> all_ways() {
    using enum SpillFillSharing;
    return {{.sharing = external_buffer},
            {.sharing = context_group},
            {.sharing = none},
            {.sharing = none, .in_one_call = restore_list},
            {}};
  }
  Result<model::Model> load_model(const LoadOptions& options) const {
    return model::load(backend(), allocator(), sources, options);
  }
  void expect_nothing_left() const {
    const sim::Counters left = control().counters();
    EXPECT_EQ(left.live_contexts + left.live_signals, 0u);
    EXPECT_EQ(left.mapped_fds, 0u);
    EXPECT_EQ(left.device_bytes + left.internal_bytes, 0u);
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
    expect_no_misuse();
  }
  bool is_a_binary(const std::string& name) const {
    return name == "4 binaries" ||
           std::any_of(sources.begin(), sources.end(),
                       [&](const auto& source) { return source.name == name; });
  }
  /// Loads while another thread pulls the stop in call `at` of the library, or later. Returns
  /// whether that ended the load.
  bool ends_in_call(std::uint64_t at, LoadOptions options) {
    control().reset_counters();
    Stop stop;
    options.stop = stop;
    std::atomic<bool> is_over = false;
    std::thread other([&] {
      while (!is_over && control().counters().calls < at) std::this_thread::yield();
      stop.pull();
    });
    bool is_ended = false;
    {
      const auto loaded = load_model(options);
      is_over = true;
      other.join();
      is_ended = !loaded;
      if (!loaded) {
        EXPECT_EQ(loaded.error().kind, Errc::cancelled) << loaded.error().message();
        EXPECT_TRUE(is_a_binary(loaded.error().object)) << loaded.error().object;
      } else {
        expect_to_work(*loaded);
      }
    }
    expect_nothing_left();
    return is_ended;
  }
};

TEST_F(a_stopped_load, ends_in_each_phase_and_leaves_nothing) {
  for (LoadOptions options : all_ways()) {
    SCOPED_TRACE(name_of(options.sharing));
    for (int at = 1;; ++at) {
      Stop stop;
      int phases = 0;
      options.stop = stop;
      options.progress = [&](const model::Progress&) {
        if (++phases == at) stop.pull();
        return true;
      };
      const auto loaded = load_model(options);
      if (loaded) {
        EXPECT_GE(at, 8);
        EXPECT_LE(at, phases + 1);
        break;
      }
      EXPECT_EQ(loaded.error().kind, Errc::cancelled) << loaded.error().message();
      EXPECT_TRUE(is_a_binary(loaded.error().object)) << loaded.error().object;
      EXPECT_LE(phases, at + 1) << "nothing begins after the pull";
      expect_nothing_left();
    }
  }
  expect_to_work(must(load_model({})));
}

TEST_F(a_stopped_load, ends_in_each_c_call_of_another_thread_and_leaves_nothing) {
  for (const auto library : {HostLibrary::v2_43_1, HostLibrary::v2_46_0, HostLibrary::v2_51_0}) {
    be(library);
    for (LoadOptions options : all_ways()) {
      SCOPED_TRACE(name_of(options.sharing));
      options.stop = {};
      control().reset_counters();
      (void)must(load_model(options));
      const std::uint64_t calls = control().counters().calls;
      int ended = 0;
      // On a busy machine, the other thread may come too late for each of the loads. Then they last
      // longer.
      for (std::uint32_t delay_us = 300; ended == 0 && delay_us < 100'000; delay_us *= 4) {
        set(&sim::Config::load_delay_us, delay_us);
        for (std::uint64_t at = 1; at <= calls; at += 3) ended += ends_in_call(at, options) ? 1 : 0;
      }
      EXPECT_GE(ended, 1);
      set(&sim::Config::load_delay_us, 0);
    }
  }
}

TEST_F(a_stopped_load, ends_within_a_creation_where_the_library_does) {
  const auto load_alone = [&](const Stop& stop) {
    return model::load(backend(), allocator(), {sources[0]},
                       {.sharing = SpillFillSharing::none, .stop = stop});
  };
  for (const auto library : {HostLibrary::v2_43_1, HostLibrary::v2_46_0}) {
    be(library);
    set(&sim::Config::load_delay_us, 400'000);
    Stop stop;
    std::thread other([&] {
      while (control().calls(Slot::context_create_from_binary_with_signal) == 0)
        std::this_thread::yield();
      stop.pull();
    });
    const auto loaded = load_alone(stop);
    other.join();
    const Error& error = loaded.error();
    EXPECT_EQ(error.kind, Errc::cancelled);
    // The newer library forgets a trigger during its first call to the DSP; it is repeated.
    EXPECT_EQ(error.code, 5012) << error.message();
    set(&sim::Config::load_delay_us, 0);
    expect_nothing_left();
  }
}

TEST_F(a_stopped_load, ends_when_its_time_is_over) {
  for (const auto library : {HostLibrary::v2_43_1, HostLibrary::v2_46_0, HostLibrary::v2_51_0}) {
    be(library);
    set(&sim::Config::load_delay_us, 20'000);
    for (LoadOptions options : all_ways()) {
      SCOPED_TRACE(name_of(options.sharing));
      options.at_most = 10ms;
      const Error error = error_of(load_model(options));
      EXPECT_EQ(error.kind, Errc::timed_out) << error.message();
      EXPECT_TRUE(error.detail.find(" ms of at most 10 ms") != std::string::npos)
          << error.message();
      expect_nothing_left();
      Stop stop;
      options.stop = stop;
      EXPECT_EQ(error_of(load_model(options)).kind, Errc::timed_out);
      expect_nothing_left();
    }
    set(&sim::Config::load_delay_us, 0);
    expect_to_work(must(load_model({.at_most = 1h})));
  }
}

TEST_F(a_stopped_load, frees_the_context_that_a_list_has_made) {
  be(HostLibrary::v2_43_1);
  set(&sim::Config::load_delay_us, 50'000);
  Stop stop;
  std::thread other([&] {
    while (control().calls(Slot::context_create_from_binary_list_async) == 0)
      std::this_thread::yield();
    stop.pull();
  });
  const Error error = error_of(
      load_model({.sharing = SpillFillSharing::none, .in_one_call = restore_list, .stop = stop}));
  other.join();
  EXPECT_EQ(error.kind, Errc::cancelled) << error.message();
  EXPECT_EQ(error.code, 5005);
  set(&sim::Config::load_delay_us, 0);
  expect_nothing_left();
  expect_to_work(
      must(load_model({.sharing = SpillFillSharing::none, .in_one_call = restore_list})));
}

TEST_F(a_stopped_load, of_a_context_ends_as_a_load_does) {
  be(HostLibrary::v2_43_1);
  Stop stop;
  stop.pull();
  const auto restore = [&](const RestoreOptions& options) {
    return error_of(Context<Finalized>::restore(backend(), must(sources[0].open()), options));
  };
  EXPECT_EQ(restore({.stop = stop}).kind, Errc::cancelled);
  EXPECT_EQ(restore({.at_most = 0ms}).kind, Errc::timed_out);
  set(&sim::Config::load_delay_us, 200'000);
  const Error late = restore({.at_most = 100ms});
  EXPECT_EQ(late.kind, Errc::timed_out);
  EXPECT_EQ(late.code, 5013);
  EXPECT_EQ(late.object, sources[0].name);
  expect_nothing_left();
}

TEST_F(a_stopped_load, and_executions_with_limits_leave_nothing_if_any_call_fails) {
  be(HostLibrary::v2_43_1);
  const auto job = [&](const Stop& stop) -> Result<void> {
    QNNPP_LET(loaded, load_model({.sharing = SpillFillSharing::none, .stop = stop, .at_most = 1h}));
    std::vector<float> in = networks[1].input(), out(networks[1].io_elements());
    QNNPP_LET(graph, loaded->graph(networks[1].name));
    QNNPP_LET(bound, std::move(*graph).bind({raw("x", in), raw("y", out)}));
    QNNPP_TRY(bound->execute({.at_most = 1h}));
    QNNPP_TRY(bound->execute({.at_most = 2h}));
    set(&sim::Config::node_delay_us, 20'000);
    if (const auto late = bound->execute({.at_most = 1ms, .stop = stop}); late)
      return fail(Errc::invalid_argument, "a test", "execute", "it was not ended; end it");
    set(&sim::Config::node_delay_us, 0);
    QNNPP_TRY(bound->execute({.stop = stop}));
    EXPECT_LT(largest_difference(out, networks[1].reference(in)), tolerance);
    return {};
  };
  Stop stop;
  control().reset_counters();
  ASSERT_TRUE(succeeds(job(stop)));
  const std::uint64_t calls = control().counters().calls;
  std::size_t survived = 0;
  for (std::uint64_t k = 1; k <= calls; ++k)
    for (const std::uint32_t code : {1000u, 5005u}) {
      SCOPED_TRACE(std::to_string(k));
      control().reset_counters();
      control().fail_any_call(k, code);
      const auto done = job(stop);
      control().clear_faults();
      set(&sim::Config::node_delay_us, 0);
      if (done)
        ++survived;
      else
        EXPECT_NE(done.error().kind, Errc::cancelled) << done.error().message();
      expect_nothing_left();
    }
  EXPECT_GT(survived, 10u) << "without signals everything works, but for the call that is late";
  EXPECT_TRUE(succeeds(job(stop)));
}

// ------------------------------------------------------------------------------------ residencies

class a_stopped_residency : public ResidencyTest {
 protected:
  model::Residency<> make(const Stop& stop, model::ResidencyOptions<> options = {}) const {
    options.stop = stop;
    return must(model::Residency<>::create(backend(), allocator(), sources, std::move(options)));
  }
};

TEST_F(a_stopped_residency, gives_only_what_is_resident) {
  Stop stop;
  auto residency = make(stop);
  (void)must(residency.acquire(0));
  stop.pull();
  EXPECT_TRUE(residency.acquire(0).has_value());
  const Error error = error_of(residency.acquire(1));
  EXPECT_EQ(error.kind, Errc::cancelled);
  EXPECT_EQ(error.object, "n1.bin");
  EXPECT_EQ(error_of(residency.recover()).kind, Errc::cancelled);
  EXPECT_EQ(residency.stats().resident_contexts, 1u);
}

TEST_F(a_stopped_residency, ends_the_waits_of_its_requests) {
  Stop stop;
  auto residency = make(stop, {.max_contexts = 1});
  auto pinned = std::optional(must(residency.acquire(0)));
  std::atomic<int> cancelled = 0;
  std::vector<std::thread> threads;
  for (const std::size_t i : {0u, 1u, 1u})
    threads.emplace_back([&, i] {
      if (error_of(residency.acquire_for(i, 1h)).kind == Errc::cancelled) ++cancelled;
    });
  while (residency.stats().waiting != 3) std::this_thread::yield();
  stop.pull();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(cancelled, 3);
  pinned.reset();
  EXPECT_TRUE(residency.acquire(0).has_value());
}

TEST_F(a_stopped_residency, ends_its_loads_and_those_ahead) {
  for (const bool ahead : {false, true}) {
    Stop stop;
    std::optional<model::Residency<>> residency;
    residency.emplace(make(stop, {.order = model::UseOrder::cyclic(),
                                  .prefetch = ahead ? Prefetch::ahead : Prefetch::off,
                                  .prefetch_depth = 4}));
    set(&sim::Config::load_delay_us, 30'000);
    control().reset_counters();
    std::thread other([&] {
      while (control().counters().calls == 0) std::this_thread::yield();
      stop.pull();
    });
    Errc last = Errc::qnn;
    for (std::size_t i = 0; i < 12; ++i)
      if (const auto pinned = residency->acquire(i % 6); !pinned) last = pinned.error().kind;
    other.join();
    EXPECT_TRUE(ahead || last == Errc::cancelled);
    (void)residency->settle().has_value();
    residency.reset();
    set(&sim::Config::load_delay_us, 0);
    EXPECT_EQ(control().counters().live_contexts, 0u);
  }
}

TEST_F(a_stopped_residency, recovers_nothing) {
  Stop stop;
  auto residency = make(stop);
  for (std::size_t i = 0; i < 3; ++i) (void)must(residency.acquire(i));
  control().fail_call(Slot::context_create_from_binary, 1, 1007);
  stop.pull();
  EXPECT_EQ(error_of(residency.acquire(4)).kind, Errc::cancelled);
}

TEST_F(a_stopped_residency, may_outlive_every_other_handle_of_its_stop) {
  auto stop = std::optional<Stop>(std::in_place);
  auto residency = make(*stop);
  stop.reset();
  EXPECT_TRUE(residency.acquire(0).has_value());
}

}}  // namespace support
