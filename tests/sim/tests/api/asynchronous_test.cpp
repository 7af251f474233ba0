// graphExecuteAsync: order, notification, a full queue, signals, the end of the context.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "fixture.hpp"

namespace sim_test { namespace {

class sim_asynchronous : public SimTest {
 protected:
  /// One execution with separate memory, and its notification.
  struct Order {
    sim_asynchronous* test = nullptr;
    std::vector<float> in;
    std::vector<float> out;
    c_api::Tensor input;
    c_api::Tensor output;
    std::uint32_t result = 4711;
    std::thread::id thread;
    std::function<void()> also;
  };

  void SetUp() override {
    SimTest::SetUp();
    binary = binary_of({chain});
  }
  c_api::GraphHandle graph_with(std::uint32_t depth, std::uint32_t node_delay_us = 0) {
    sim::Config device = control().config();
    device.node_delay_us = node_delay_us;
    EXPECT_TRUE(control().set_config(device));
    c_api::ContextConfig option{};
    option.option = c_api::ContextConfigOption::async_execution_queue_depth;
    option.async_exe_queue_depth.type = c_api::ContextAsyncExecutionQueueDepthType::numeric;
    option.async_exe_queue_depth.depth = depth;
    const c_api::ContextConfig* configs[] = {&option, nullptr};
    EXPECT_EQ(create(binary, depth == 0 ? nullptr : configs, context), 0u);
    return graph_of(context);
  }
  std::uint32_t send(c_api::GraphHandle graph, Order& order, c_api::SignalHandle signal = nullptr) {
    const ChainIds ids = ids_of(chain);
    order.test = this;
    order.in = chain.input();
    order.out.assign(chain.width, -1.0f);
    order.input = raw(ids.in, c_api::TensorType::app_write, order.in.data(), chain.io_bytes());
    order.output = raw(ids.out, c_api::TensorType::app_read, order.out.data(), chain.io_bytes());
    return code(qnn().graph_execute_async(graph, &order.input, 1, &order.output, 1, nullptr, signal,
                                          notified, &order));
  }
  static void notified(void* parameter, c_api::NotifyStatus status) {
    auto& order = *static_cast<Order*>(parameter);
    if (order.also) order.also();
    const std::lock_guard lock{order.test->mutex};
    order.result = code(status.error);
    order.thread = std::this_thread::get_id();
    order.test->notifications.push_back(&order);
    order.test->changed.notify_all();
  }
  void wait_for(std::size_t count) {
    std::unique_lock lock{mutex};
    EXPECT_TRUE(changed.wait_for(lock, std::chrono::seconds{20},
                                 [&] { return notifications.size() >= count; }));
  }
  bool is_right(const Order& order) const {
    return order.result == 0 &&
           largest_difference(chain.reference(chain.input()), order.out.data()) < 1e-4f;
  }

  const Chain chain{.seed = 3};
  std::vector<std::byte> binary;
  c_api::ContextHandle context = nullptr;
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Order*> notifications;
};

TEST_F(sim_asynchronous, executions_run_in_order_on_another_thread_and_are_notified) {
  const c_api::GraphHandle graph = graph_with(0);
  Order orders[5];
  for (Order& order : orders) ASSERT_EQ(send(graph, order), 0u);
  wait_for(5);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(notifications[i], &orders[i]);
    EXPECT_TRUE(is_right(orders[i]));
    EXPECT_NE(orders[i].thread, std::this_thread::get_id());
  }
  EXPECT_EQ(control().counters().executions, 5u);
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(sim_asynchronous, a_call_that_fails_notifies_nobody) {
  const c_api::GraphHandle graph = graph_with(0);
  Order order;
  EXPECT_EQ(send(nullptr, order), 6001u);
  EXPECT_EQ(code(qnn().graph_execute_async(graph, nullptr, 0, nullptr, 0, nullptr, nullptr,
                                           notified, &order)),
            6000u);
  EXPECT_EQ(free_context(context), 0u);
  EXPECT_TRUE(notifications.empty());
}

TEST_F(sim_asynchronous, a_full_queue_blocks_until_there_is_a_place) {
  const c_api::GraphHandle graph = graph_with(1, 200);
  Order orders[6];
  for (Order& order : orders) {
    ASSERT_EQ(send(graph, order), 0u);
    const std::lock_guard lock{mutex};
    EXPECT_GE(notifications.size() + 2, static_cast<std::size_t>(&order - orders))
        << "one runs, one is queued";
  }
  wait_for(6);
  for (const Order& order : orders) EXPECT_TRUE(is_right(order));
}

TEST_F(sim_asynchronous, a_notification_may_execute_again_and_is_refused_where_it_would_wait) {
  const c_api::GraphHandle graph = graph_with(1, 200);
  Order first;
  Order second;
  Order third;
  std::uint32_t second_code = 4711;
  std::uint32_t third_code = 4711;
  first.also = [&] {
    second_code = send(graph, second);
    third_code = send(graph, third);
  };
  ASSERT_EQ(send(graph, first), 0u);
  wait_for(2);
  EXPECT_EQ(second_code, 0u);
  EXPECT_EQ(third_code, 6025u) << "the queue is full, and its own thread must not wait for it";
  EXPECT_TRUE(is_right(second));
}

TEST_F(sim_asynchronous, a_signal_is_in_use_until_the_notification_and_aborts) {
  const c_api::GraphHandle graph = graph_with(0, 2000);
  c_api::SignalHandle signal = nullptr;
  c_api::SignalConfig abort{};
  abort.option = c_api::SignalConfigOption::abort;
  const c_api::SignalConfig* configs[] = {&abort, nullptr};
  ASSERT_EQ(code(qnn().signal_create(backend, configs, &signal)), 0u);
  Order first;
  Order second;
  ASSERT_EQ(send(graph, first, signal), 0u);
  EXPECT_EQ(send(graph, second, signal), 6030u);
  EXPECT_EQ(code(qnn().signal_trigger(signal)), 0u);
  wait_for(1);
  EXPECT_EQ(first.result, 6031u);
  EXPECT_EQ(code(qnn().signal_free(signal)), 0u);
}

TEST_F(sim_asynchronous, ORD_08_contextFree_waits_for_executions_and_is_counted) {
  const c_api::GraphHandle graph = graph_with(0, 500);
  Order orders[3];
  for (Order& order : orders) ASSERT_EQ(send(graph, order), 0u);
  EXPECT_EQ(free_context(context), 0u);
  wait_for(3);
  for (const Order& order : orders) EXPECT_TRUE(is_right(order));
  EXPECT_EQ(control().misuses("ORD-08"), 1u);
  Order late;
  EXPECT_EQ(send(graph, late), 6001u);
}

TEST_F(sim_asynchronous, contextFree_after_the_last_notification_began_is_no_misuse) {
  std::mutex held;
  for (int round = 0; round < 10; ++round) {
    const c_api::GraphHandle graph = graph_with(0);
    Order order;
    std::atomic<bool> is_notified = false;
    // The notification waits for a mutex that the freeing thread holds.
    order.also = [&] {
      is_notified = true;
      const std::lock_guard lock{held};
    };
    {
      const std::lock_guard lock{held};
      ASSERT_EQ(send(graph, order), 0u);
      while (!is_notified) std::this_thread::yield();
      EXPECT_EQ(free_context(context), 0u);
    }
    wait_for(static_cast<std::size_t>(round) + 1);
  }
  EXPECT_EQ(control().counters().misuses, 0u);
}

TEST_F(sim_asynchronous, ORD_08_backendFree_waits_for_executions_too) {
  const c_api::GraphHandle graph = graph_with(0, 500);
  Order orders[3];
  for (Order& order : orders) ASSERT_EQ(send(graph, order), 0u);
  EXPECT_EQ(code(qnn().backend_free(backend)), 0u);
  for (const Order& order : orders)
    EXPECT_LT(largest_difference(chain.reference(chain.input()), order.out.data()), 1e-4f);
  wait_for(3);
  EXPECT_EQ(control().misuses("ORD-08"), 1u);
  ASSERT_EQ(code(qnn().backend_create(nullptr, nullptr, &backend)), 0u);
}

TEST_F(sim_asynchronous, contextFree_by_a_notification_does_not_wait_for_itself) {
  const c_api::GraphHandle graph = graph_with(0);
  Order first;
  Order second;
  first.also = [&] { EXPECT_EQ(free_context(context), 0u); };
  sim::Config device = control().config();
  device.node_delay_us = 2000;
  ASSERT_TRUE(control().set_config(device));
  ASSERT_EQ(send(graph, first), 0u);
  ASSERT_EQ(send(graph, second), 0u);
  wait_for(2);
  EXPECT_EQ(first.result, 0u);
  EXPECT_EQ(second.result, 6001u);
  EXPECT_EQ(control().misuses("ORD-08"), 1u) << "the second execution has not run";
}

TEST_F(sim_asynchronous, SSR_01_executions_that_wait_die_with_the_sub_system) {
  const c_api::GraphHandle graph = graph_with(0, 2000);
  Order first;
  Order second;
  ASSERT_EQ(send(graph, first), 0u);
  ASSERT_EQ(send(graph, second), 0u);
  control().restart_subsystem(false);
  wait_for(2);
  EXPECT_EQ(second.result, 1007u);
  EXPECT_EQ(send(graph, first), 1007u);
}

}}  // namespace sim_test
