// The layers of a residency one by one, above a lowest layer that loads nothing.
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/model/detail/load_ahead.hpp"
#include "qnnpp/model/detail/recovery.hpp"
#include "qnnpp/model/detail/residency_core.hpp"

#include "results.hpp"

namespace support { namespace {

using namespace qnnpp;
using namespace qnnpp::model::detail;
using model::Prefetch;
using model::ResidencyStats;
using model::UseOrder;

/// A context without QNN.
struct FakeItem : ResidentState {
  using ResidentState::ResidentState;
  bool has_payload = false, dead = false, held = false;

  [[nodiscard]] bool is_dead() const noexcept { return dead; }
  [[nodiscard]] bool is_ready() const noexcept { return has_payload && !dead; }
  [[nodiscard]] bool is_held() const noexcept { return held; }
  [[nodiscard]] static std::string holders() { return "a graph"; }
  void drop_payload() noexcept { has_payload = false; }
  [[nodiscard]] MemRegion<Weights> reclaim() noexcept { return {}; }
};

std::unique_ptr<FakeItem> item(std::size_t index, std::uint64_t bytes = 10) {
  auto made = std::make_unique<FakeItem>(index);
  made->bytes = bytes;
  made->has_payload = true;
  return made;
}

/// Loads contexts of 10 bytes, and fails with the next error of `errors`.
struct FakeSource {
  using Item = FakeItem;
  std::vector<std::string> names = {"n0", "n1", "n2", "n3"};
  std::deque<Error> errors = {};
  std::vector<std::size_t> loaded = {};
  Ref<qnnpp::detail::RestartLog> log = Ref<qnnpp::detail::RestartLog>::make();

  void limit(const qnnpp::detail::CallLimits&) noexcept {}
  [[nodiscard]] std::size_t size() const noexcept { return names.size(); }
  [[nodiscard]] const std::string& name(std::size_t i) const { return names[i]; }
  [[nodiscard]] Need need_of(std::size_t) const noexcept { return {10, 0, 0}; }
  [[nodiscard]] qnnpp::detail::Epoch epoch() const noexcept { return {.log = log.get()}; }
  void describe(ResidencyStats& stats) const noexcept { stats.spill_fill_bytes = 1; }
  void prepare_beside(std::size_t, std::size_t, bool) const noexcept {}
  void stop_preparing() const noexcept {}
  [[nodiscard]] Result<std::unique_ptr<FakeItem>> load(std::size_t i, MemRegion<Weights>) {
    if (!errors.empty()) {
      Error error = errors.front();
      errors.pop_front();
      return fail(std::move(error));
    }
    loaded.push_back(i);
    return std::make_unique<FakeItem>(i);
  }
  [[nodiscard]] Result<void> build(FakeItem& item) const {
    item.has_payload = true;
    return {};
  }
};

using FakeLoading = Loading<FakeSource>;
using Places = std::vector<std::size_t>;

UseOrder cyclic(std::size_t contexts) {
  UseOrder order = UseOrder::cyclic();
  EXPECT_FALSE(order.begin(contexts).has_value());
  return order;
}
Places indices_of(const FakeLoading& loading) {
  return loading.residents.indices_of([](const FakeItem&) { return true; });
}
const Error no_room = Error::from_qnn(1002, "QnnContext_finalize", "");
const Error restart = Error::from_qnn(1007, "QnnContext_finalize", "");

// ------------------------------------------------------------------------------------- residents

TEST(a_layer_of_residents, counts_a_retired_context_until_it_is_swept) {
  Residents<FakeItem> residents(2, {}, {});
  residents.add(item(0));
  residents.add(item(1, 20));
  const auto pin = residents.at(1)->pin(true);
  FakeItem& pinned = *residents.at(1);
  pinned.dead = true;
  residents.keep(residents.remove(1));
  EXPECT_EQ(residents.occupancy(), (Occupancy{2, 30}));
  EXPECT_EQ(residents.on_device(), (Occupancy{1, 10})) << "a restart emptied its domain";
  EXPECT_TRUE(residents.has_pinned_retired());
  EXPECT_EQ(residents.sweep(false), nullptr);
  pinned.unpin(pin);
  EXPECT_NE(residents.sweep(false), nullptr);
  EXPECT_EQ(residents.occupancy(), (Occupancy{1, 10}));
}

TEST(a_layer_of_residents, evicts_the_farthest_next_use_and_else_the_least_recently_used) {
  const auto all = [](const FakeItem&) { return true; };
  for (const bool is_known : {true, false}) {
    Residents<FakeItem> residents(3, is_known ? cyclic(3) : UseOrder(), {});
    EXPECT_EQ(residents.farthest(0, all), nullptr);
    for (std::size_t i = 0; i < 3; ++i) {
      residents.add(item(i));
      residents.at(i)->last_use = 9 - i;
    }
    residents.at(1)->last_use = 1;
    EXPECT_EQ(residents.farthest(0, all)->index, is_known ? 2u : 1u);
  }
}

// --------------------------------------------------------------------------------------- waiting

TEST(a_layer_of_waiting, loads_for_the_first_request_alone) {
  Residents<FakeItem> residents(2, {}, {});
  RequestLine<Residents<FakeItem>> line(residents);
  Request first{0, true, true}, second{1, true, true};
  line.join(first);
  line.join(second);
  EXPECT_EQ(line.waiting(), 2u);
  EXPECT_EQ(line.next_of(first, false), Next::load);
  EXPECT_EQ(line.next_of(first, true), Next::wait_for_turn);
  EXPECT_EQ(line.next_of(second, false), Next::wait_for_turn);
  line.leave(first);
  EXPECT_EQ(line.next_of(second, false), Next::load);
}

TEST(a_layer_of_waiting, lets_a_hit_pass_unless_its_context_is_room_for_an_earlier_request) {
  Residents<FakeItem> residents(2, {}, {});
  RequestLine<Residents<FakeItem>> line(residents);
  residents.add(item(0));
  Request earlier{1, true, true};
  line.join(earlier);
  const Request hit{0, true, true};
  EXPECT_EQ(line.next_of(hit, true), Next::pin);
  earlier.stuck_at = residents.version();
  EXPECT_EQ(line.next_of(hit, true), Next::wait_for_turn);
  residents.at(0)->held = true;
  EXPECT_EQ(line.next_of(hit, true), Next::pin) << "its eviction would free nothing";
  EXPECT_EQ(line.next_of(earlier, false), Next::wait_for_release);
  residents.forget_limits();
  EXPECT_EQ(line.next_of(earlier, false), Next::load) << "room may have become free";
}

TEST(a_layer_of_waiting, knows_who_waits_for_its_own_pins) {
  Residents<FakeItem> residents(2, {}, {});
  RequestLine<Residents<FakeItem>> line(residents);
  residents.add(item(0));
  const Request same{0, true, true}, other{1, true, true};
  EXPECT_FALSE(line.waits_for_itself(same));
  EXPECT_FALSE(line.waits_for_itself(other));
  (void)residents.at(0)->pin(false);
  EXPECT_EQ(line.next_of(same, false), Next::wait_for_release);
  EXPECT_TRUE(line.waits_for_itself(same));
  EXPECT_TRUE(line.waits_for_itself(other));
  std::thread([&] { EXPECT_FALSE(line.waits_for_itself(same)); }).join();
}

TEST(a_layer_of_waiting, gives_the_turn_to_one_thread_at_a_time) {
  std::mutex state;
  Turns turns;
  int inside = 0, most = 0;
  const auto work = [&] {
    for (int i = 0; i < 100; ++i) {
      std::unique_lock known(state);
      turns.take(known);
      most = std::max(most, ++inside);
      EXPECT_TRUE(turns.is_mine());
      known.unlock();
      std::this_thread::yield();
      known.lock();
      --inside;
      turns.end();
    }
  };
  std::thread other(work);
  work();
  other.join();
  EXPECT_EQ(most, 1);
  EXPECT_FALSE(turns.is_taken());
}

// ------------------------------------------------------------------------------- budget, learning

TEST(a_layer_of_loading, evicts_within_the_budget) {
  FakeLoading loading({}, cyclic(4), Capacity(25, 0));
  for (std::size_t i = 0; i < 4; ++i) {
    (void)loading.residents.order.note(i);
    must(loading.load(i, Reason::request));
  }
  EXPECT_EQ(loading.source.loaded, (Places{0, 1, 2, 3}));
  EXPECT_EQ(indices_of(loading), (Places{0, 3}));
  EXPECT_EQ(loading.counts.evictions, 2u);
  EXPECT_EQ(loading.counts.loads, 4u);
}

TEST(a_layer_of_loading, RES_01_learns_from_a_refusal) {
  FakeLoading loading({}, {}, {});
  must(loading.load(0, Reason::request));
  must(loading.load(1, Reason::request));
  loading.source.errors = {no_room};
  must(loading.load(2, Reason::request));
  EXPECT_EQ(loading.residents.capacity.learnt(), (Occupancy{2, 20}));
  EXPECT_EQ(loading.counts.capacity_retries, 1u);
  must(loading.load(3, Reason::request));
  EXPECT_EQ(loading.counts.capacity_retries, 1u) << "it evicts before it asks";
}

TEST(a_layer_of_loading, evicts_for_a_request_only) {
  FakeLoading loading({}, {}, Capacity(0, 1));
  must(loading.load(0, Reason::request));
  EXPECT_EQ(error_of(loading.load(1, Reason::prefetch)).kind, Errc::in_use);
  EXPECT_EQ(indices_of(loading), (Places{0}));
}

TEST(a_layer_of_loading, names_what_is_pinned_and_remembers_that_it_is_stuck) {
  FakeLoading loading({}, {}, Capacity(0, 1));
  must(loading.load(0, Reason::request));
  EXPECT_EQ(loading.stuck_at, 0u);
  (void)loading.residents.at(0)->pin(true);
  const Error error = error_of(loading.load(1, Reason::request));
  EXPECT_EQ(error.kind, Errc::in_use);
  EXPECT_EQ(error.object, "n1");
  EXPECT_NE(error.detail.find("n0 is pinned"), std::string::npos) << error.detail;
  EXPECT_EQ(loading.stuck_at, loading.residents.version());
}

TEST(a_layer_of_loading, builds_the_payload_alone_if_the_context_is_there) {
  FakeLoading loading({}, {}, {});
  must(loading.load(0, Reason::request));
  loading.residents.at(0)->drop_payload();
  must(loading.load(0, Reason::request));
  EXPECT_EQ(loading.source.loaded, (Places{0}));
  EXPECT_TRUE(loading.residents.at(0)->is_ready());
}

// -------------------------------------------------------------------------------------- recovery

TEST(a_layer_of_recovery, SSR_01_loads_once_more_after_a_restart) {
  FakeLoading loading({}, {}, {});
  Recovery<FakeLoading> recovery(loading);
  must(recovery.load(0));
  loading.residents.at(0)->dead = true;
  loading.source.errors = {restart};
  must(recovery.load(1));
  EXPECT_EQ(indices_of(loading), (Places{1}));
  EXPECT_EQ(loading.counts.recoveries, 1u);
  loading.source.errors = {restart, restart};
  EXPECT_EQ(error_of(recovery.load(2)).code, 1007);
}

TEST(a_layer_of_recovery, SSR_01_loads_what_was_resident_in_the_order_of_its_use) {
  FakeLoading loading({}, cyclic(4), {});
  Recovery<FakeLoading> recovery(loading);
  for (std::size_t i = 0; i < 4; ++i) must(recovery.load(i));
  for (const std::size_t i : {0u, 1u}) (void)loading.residents.order.note(i);
  loading.source.loaded.clear();
  must(recovery.recover());
  EXPECT_EQ(loading.source.loaded, (Places{2, 3, 0, 1})) << "no call reported the restart";
  EXPECT_EQ(loading.counts.recoveries, 1u);
}

// -------------------------------------------------------------------------------------- prefetch

bool nobody_waits() { return false; }
bool nobody_wants(std::size_t) { return false; }

TEST(a_layer_of_prefetching, takes_no_room_while_a_request_waits_for_a_load) {
  FakeLoading loading({}, cyclic(4), Capacity(0, 1));
  LoadAhead<FakeLoading> ahead(loading, Prefetch::spare_room, 2);
  ahead.note_request(0);  // A thread that is about to load context 0.
  ahead.advance([] { return true; }, nobody_wants);
  EXPECT_TRUE(indices_of(loading).empty());
  must(loading.load(0, Reason::request));
  EXPECT_EQ(indices_of(loading), (Places{0}));
}

TEST(a_layer_of_prefetching, loads_the_next_missing_contexts_up_to_its_depth) {
  FakeLoading loading({}, cyclic(4), {});
  LoadAhead<FakeLoading> ahead(loading, Prefetch::spare_room, 2);
  for (int i = 0; i < 4; ++i) ahead.advance(nobody_waits, nobody_wants);
  EXPECT_EQ(indices_of(loading), (Places{0, 1}));
  EXPECT_EQ(loading.counts.prefetched, 2u);
  ahead.note_request(0);
  ahead.note_pin(*loading.residents.at(0));
  ahead.advance(nobody_waits, nobody_wants);
  EXPECT_EQ(indices_of(loading), (Places{0, 1, 2}));
}

TEST(a_layer_of_prefetching, keeps_what_a_waiting_request_is_about_to_pin) {
  for (const bool is_wanted : {false, true}) {
    FakeLoading loading({}, cyclic(3), Capacity(0, 2));
    LoadAhead<FakeLoading> ahead(loading, Prefetch::ahead, 1);
    for (const std::size_t i : {0u, 1u}) {
      ahead.note_request(i);
      must(loading.load(i, Reason::request));
    }
    // Context 1 was requested last, so that its next use is the farthest, but it is not pinned yet.
    for (int step = 0; step < 2; ++step)
      ahead.advance(nobody_waits, [&](std::size_t i) { return is_wanted && i == 1; });
    EXPECT_EQ(indices_of(loading), is_wanted ? (Places{1, 2}) : (Places{0, 2}));
  }
}

TEST(a_layer_of_prefetching, evicts_what_the_request_would_evict_or_what_was_used) {
  for (const Prefetch how : {Prefetch::spare_room, Prefetch::ahead}) {
    FakeLoading loading({}, cyclic(3), Capacity(0, 2));
    LoadAhead<FakeLoading> ahead(loading, how, 1);
    for (const std::size_t i : {0u, 1u}) {
      ahead.note_request(i);
      must(loading.load(i, Reason::request));
    }
    (void)loading.residents.at(1)->pin(true);
    for (int i = 0; i < 3; ++i) ahead.advance(nobody_waits, nobody_wants);
    EXPECT_EQ(indices_of(loading), how == Prefetch::ahead ? (Places{1, 2}) : (Places{0, 1}));
  }
}

TEST(a_layer_of_prefetching, tries_again_after_an_error_only_when_a_request_has_tried) {
  for (const bool is_full : {true, false}) {
    FakeLoading loading({}, cyclic(2), {});
    LoadAhead<FakeLoading> ahead(loading, Prefetch::spare_room, 1);
    loading.source.errors = {is_full ? no_room : Error::from_qnn(1001, "", "")};
    ahead.advance(nobody_waits, nobody_wants);
    ahead.advance(nobody_waits, nobody_wants);
    EXPECT_TRUE(indices_of(loading).empty()) << "a request alone tries again";
    ahead.forget_failure(0);
    ahead.advance(nobody_waits, nobody_wants);
    EXPECT_EQ(indices_of(loading), (Places{0}));
  }
}

TEST(a_layer_of_prefetching, wakes_its_thread_only_for_a_change_that_can_give_it_work) {
  FakeLoading loading({}, cyclic(3), Capacity(0, 1));
  LoadAhead<FakeLoading> ahead(loading, Prefetch::spare_room, 1);
  must(ahead.start([&] { ahead.advance(nobody_waits, nobody_wants); }));
  std::unique_lock known(loading.state);
  ahead.settle(known);
  FakeItem& first = *loading.residents.at(0);
  EXPECT_EQ(loading.counts.wakeups, 0u);
  ahead.note_release(first);
  EXPECT_EQ(loading.counts.wakeups, 0u) << "enough is loaded ahead";
  const auto pin = first.pin(true);
  ahead.note_request(0);
  ahead.note_pin(first);
  EXPECT_EQ(loading.counts.wakeups, 1u) << "what was loaded ahead is used";
  ahead.settle(known);
  EXPECT_EQ(loading.source.loaded, (Places{0})) << "the context that goes is pinned";
  first.unpin(pin);
  ahead.note_release(first);
  EXPECT_EQ(loading.counts.wakeups, 2u) << "there is room now";
  ahead.settle(known);
  EXPECT_EQ(loading.source.loaded, (Places{0, 1}));
  known.unlock();
  ahead.stop();
}

// ----------------------------------------------------------------------------------- all of them

TEST(the_layers_of_a_residency, serve_threads_together) {
  const auto core = Ref<ResidencyCore<FakeSource>>::make(FakeSource{}, cyclic(4), Capacity(0, 2),
                                                         Prefetch::ahead, std::size_t{1});
  must(core->start());
  std::atomic<int> wrong{0};
  const auto work = [&](std::size_t from) {
    for (std::size_t k = 0; k < 200; ++k) {
      const auto held =
          core->acquire((from + k) % 4, true, Turns::Clock::now() + std::chrono::minutes(1));
      if (!held || held->item->index != (from + k) % 4) ++wrong;
      if (held) core->release(*held);
    }
  };
  std::thread other([&] { work(2); });
  work(0);
  other.join();
  EXPECT_EQ(wrong.load(), 0);
  EXPECT_LE(core->stats().resident_contexts, 2u);
  core->close();
  EXPECT_EQ(core->stats().resident_contexts, 0u);
}

}}  // namespace support
