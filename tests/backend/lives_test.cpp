// Lives and gates: who lives after a restart, and how graphs come to know of it.
#include "qnnpp/backend/lives.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <thread>
#include <utility>

namespace {

namespace c_api = qnnpp::c_api;
using qnnpp::detail::Birth;
using qnnpp::detail::CallPointer;
using qnnpp::detail::ExecuteGate;
using qnnpp::detail::Lives;

constexpr std::uint64_t recovered = 1007;

std::uint64_t succeed(c_api::GraphHandle, const c_api::Tensor*, std::uint32_t, c_api::Tensor*,
                      std::uint32_t, c_api::ProfileHandle, c_api::SignalHandle) {
  return 0;
}

/// Who may call, where nothing is locked.
constexpr std::uintptr_t anybody = 0;

TEST(lives, SSR_01_a_restart_ends_what_was_made_before_the_call_that_tells) {
  Lives lives;
  const Birth old = Birth::now(lives);
  const std::uint64_t moment = old.moment();
  const Birth meanwhile = Birth::now(lives);
  old.note(recovered, moment);
  const Birth later = Birth::now(lives);
  EXPECT_TRUE(old.is_over());
  EXPECT_FALSE(meanwhile.is_over());
  EXPECT_FALSE(later.is_over());
  EXPECT_EQ(lives.restarts(), 1u);
}

TEST(lives, SSR_01_other_codes_and_a_second_tale_of_it_end_nothing) {
  Lives lives;
  const Birth old = Birth::now(lives);
  old.note(0, old.moment());
  old.note(1002, old.moment());
  EXPECT_FALSE(old.is_over());
  const std::uint64_t moment = old.moment();
  old.note(recovered, moment);
  old.note(recovered, moment);
  EXPECT_EQ(lives.restarts(), 1u);
}

TEST(a_gate, is_closed_at_first_and_opens_for_the_living) {
  Lives lives;
  const Birth birth = Birth::now(lives);
  ExecuteGate gate(birth, succeed, nullptr);
  EXPECT_TRUE(gate.is_closed());
  EXPECT_FALSE(gate.call.is_open_for(anybody));
  EXPECT_TRUE(gate.open(anybody));
  EXPECT_FALSE(gate.is_closed());
  EXPECT_TRUE(gate.call.is_open_for(anybody));
  EXPECT_EQ(gate.call(), 0u);
  EXPECT_EQ(gate.moment(), birth.moment());
}

TEST(a_gate, BUF_12_opens_for_one_key_alone) {
  Lives lives;
  ExecuteGate gate(Birth::now(lives), succeed, nullptr);
  ASSERT_TRUE(gate.open(64));
  EXPECT_TRUE(gate.call.is_open_for(64));
  EXPECT_FALSE(gate.call.is_open_for(128));
  EXPECT_FALSE(gate.call.is_open_for(anybody));
}

TEST(a_call, of_no_graph_is_open_for_nobody_and_is_what_a_moved_pointer_has) {
  Lives lives;
  ExecuteGate gate(Birth::now(lives), succeed, nullptr);
  ASSERT_TRUE(gate.open(anybody));
  CallPointer first(gate.call);
  CallPointer second(std::move(first));
  EXPECT_EQ(&*second, &gate.call);
  EXPECT_FALSE((*first).is_open_for(anybody));
  first = std::move(second);
  EXPECT_EQ(&*first, &gate.call);
  EXPECT_EQ(&*second, &qnnpp::detail::no_call);
}

TEST(a_gate, closes_when_a_context_comes_so_that_the_next_call_counts_it) {
  Lives lives;
  ExecuteGate gate(Birth::now(lives), succeed, nullptr);
  ASSERT_TRUE(gate.open(anybody));
  const std::uint64_t before = gate.moment();
  (void)Birth::now(lives);
  EXPECT_TRUE(gate.is_closed());
  EXPECT_EQ(gate.moment(), before) << "the call that runs now began before";
  EXPECT_TRUE(gate.open(anybody));
  EXPECT_EQ(gate.moment(), before + 1);
}

TEST(a_gate, SSR_01_closes_at_a_restart_and_opens_for_the_dead_no_more) {
  Lives lives;
  const Birth old = Birth::now(lives);
  ExecuteGate of_the_dead(old, succeed, nullptr);
  ASSERT_TRUE(of_the_dead.open(anybody));
  old.note(recovered, old.moment());
  EXPECT_TRUE(of_the_dead.is_closed());
  EXPECT_FALSE(of_the_dead.open(anybody));
  EXPECT_TRUE(of_the_dead.is_closed());

  ExecuteGate of_the_living(Birth::now(lives), succeed, nullptr);
  EXPECT_TRUE(of_the_living.open(anybody));
  EXPECT_FALSE(of_the_living.is_closed());
}

TEST(a_gate, of_any_that_were_made_can_go_first) {
  Lives lives;
  const Birth birth = Birth::now(lives);
  std::optional<ExecuteGate> gates[3];
  for (const std::size_t first : {0u, 1u, 2u}) {
    for (auto& gate : gates) gate.emplace(birth, succeed, nullptr);
    gates[first].reset();
    for (auto& gate : gates) {
      if (gate) {
        ASSERT_TRUE(gate->open(anybody));
      }
    }
    (void)Birth::now(lives);
    for (auto& gate : gates) {
      if (gate) {
        EXPECT_TRUE(gate->is_closed());
      }
    }
    for (auto& gate : gates) gate.reset();
  }
}

// The order of open(): whoever comes while a gate opens is counted, or closes it again.
TEST(a_gate, that_opens_while_contexts_come_misses_none) {
  Lives lives;
  const Birth birth = Birth::now(lives);
  ExecuteGate gate(birth, succeed, nullptr);
  std::atomic<bool> done{false};
  std::thread others([&] {
    for (int i = 0; i < 20'000; ++i) (void)Birth::now(lives);
    done = true;
  });
  bool last_look = false;
  while (!last_look) {
    last_look = done;
    if (gate.is_closed()) {
      ASSERT_TRUE(gate.open(anybody));
    }
  }
  others.join();
  EXPECT_FALSE(gate.is_closed());
  EXPECT_EQ(gate.moment(), birth.moment());
}

}  // namespace
