// A program may destroy its objects in every order; nothing is left in the end (ORD-08, BUF-06,
// ION-04, GRP-03).
#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;

/// Holds all objects of a program. Each object can be destroyed separately.
struct Objects {
  std::vector<Network> networks;
  std::vector<Backend<Htp>> backend;
  std::vector<RpcmemAllocator> allocator;
  std::vector<SharedSpillFill> pool;
  std::vector<std::vector<Context<Finalized>>> contexts;
  std::vector<std::vector<SharedBuffer<PerTensor>>> buffers;
  std::vector<std::vector<RegisteredTensors>> tensors;
  std::vector<std::vector<Graph<Bound>>> graphs;
  std::vector<std::vector<float>> outputs;

  /// Returns one function for each object, which destroys that object.
  [[nodiscard]] std::vector<std::function<void()>> ends() {
    std::vector<std::function<void()>> all;
    all.push_back([this] { backend.clear(); });
    all.push_back([this] { allocator.clear(); });
    all.push_back([this] { pool.clear(); });
    for (auto& one : contexts) all.push_back([&one] { one.clear(); });
    for (auto& one : buffers) all.push_back([&one] { one.clear(); });
    for (auto& one : tensors) all.push_back([&one] { one.clear(); });
    for (auto& one : graphs) all.push_back([&one] { one.clear(); });
    return all;
  }
  /// Destroys all objects of one kind. Tensor memory is destroyed with its allocator. The kinds 0
  /// to 4 leave the graphs alive.
  void drop(int kind) {
    switch (kind) {
      case 0: return backend.clear();
      case 1: buffers.clear(); return allocator.clear();
      case 2: return contexts.clear();
      case 3: return pool.clear();
      case 4: return tensors.clear();
      default: return graphs.clear();
    }
  }
  /// Reports whether every remaining graph still computes correct numbers.
  [[nodiscard]] bool graphs_are_right() {
    for (std::size_t i = 0; i < graphs.size(); ++i)
      for (Graph<Bound>& graph : graphs[i]) {
        std::fill(outputs[i].begin(), outputs[i].end(), -1.0f);
        if (!graph.execute()) return false;
        if (!(largest_difference(outputs[i], networks[i].reference(networks[i].input())) <
              tolerance))
          return false;
      }
    return true;
  }
};

class destruction : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    if (HasFatalFailure()) return;
    const auto backend = must(load());
    for (const Network& network : networks_) binaries_.push_back(binary_of(backend, {network}));
  }

  /// Builds the job on two contexts, up to bound graphs with registered inputs and raw outputs.
  std::unique_ptr<Objects> build() const {
    auto all = std::make_unique<Objects>();
    all->networks = networks_;
    all->backend.push_back(must(load()));
    all->allocator.push_back(must(load_rpcmem()));
    std::vector<Context<Queried>> queried;
    for (std::size_t i = 0; i < networks_.size(); ++i)
      queried.push_back(must(ContextBinary::borrow(binaries_[i], networks_[i].name)
                                 .and_then([&](ContextBinary binary) {
                                   return Context<Deferred>::create(all->backend[0],
                                                                    std::move(binary));
                                 })
                                 .and_then(transition::query)));
    all->pool.push_back(must(SharedSpillFill::allocate(all->allocator[0], queried)));
    all->contexts.resize(networks_.size());
    all->buffers.resize(networks_.size());
    all->tensors.resize(networks_.size());
    all->graphs.resize(networks_.size());
    all->outputs.resize(networks_.size());
    for (std::size_t i = 0; i < networks_.size(); ++i) {
      auto weights =
          must(MemRegion<Weights>::allocate(all->allocator[0], queried[i].requirements()));
      all->contexts[i].push_back(
          must(std::move(queried[i])
                   .register_buffers({.weights = std::move(weights), .spill_fill = all->pool[0]})
                   .and_then(transition::finalize)));
      const Context<Finalized>& context = all->contexts[i][0];
      all->buffers[i].push_back(must(SharedBuffer<PerTensor>::allocate(
          all->allocator[0], std::vector<TensorSpec>{networks_[i].spec("x")})));
      all->tensors[i].push_back(must(RegisteredTensors::create(context, all->buffers[i][0])));
      must(write_elements(all->buffers[i][0].access<float>("x", CpuUse::write),
                          networks_[i].input()));
      all->outputs[i].resize(networks_[i].io_elements());
      all->graphs[i].push_back(
          must(must(Graph<Retrieved>::retrieve(context, networks_[i].name))
                   .bind({registered(all->tensors[i][0], "x"), raw("y", all->outputs[i])})));
    }
    return all;
  }

  const std::vector<Network> networks_{{.name = "one", .hidden = 48, .seed = 31},
                                       {.name = "two", .hidden = 96, .seed = 32}};
  std::vector<std::vector<std::byte>> binaries_;
};

TEST_F(destruction, ORD_08_every_order_of_the_six_kinds_of_objects_leaves_nothing) {
  std::array<int, 6> order{0, 1, 2, 3, 4, 5};
  int tried = 0;
  do {
    const auto all = build();
    for (const int kind : order) {
      all->drop(kind);
    }
    ++tried;
    expect_nothing_left(descriptors());
    expect_no_misuse();
    if (HasFailure()) {
      std::string text;
      for (const int kind : order) text += std::to_string(kind);
      FAIL() << "order " << text;
    }
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(tried, 720);
}

TEST_F(destruction, ORD_08_graphs_compute_right_numbers_until_they_go_whatever_went_before) {
  std::array<int, 5> order{0, 1, 2, 3, 4};
  do {
    const auto all = build();
    for (const int kind : order) {
      all->drop(kind);
      ASSERT_TRUE(all->graphs_are_right()) << kind;
    }
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(destruction, ORD_08_random_orders_of_single_objects_leave_nothing) {
  std::mt19937 random(20240607);
  for (int round = 0; round < 150; ++round) {
    const auto all = build();
    auto ends = all->ends();
    std::shuffle(ends.begin(), ends.end(), random);
    const std::size_t look = random() % ends.size();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      ends[i]();
      if (i == look) {
        ASSERT_TRUE(all->graphs_are_right()) << "round " << round;
      }
    }
    expect_nothing_left(descriptors());
    expect_no_misuse();
    ASSERT_FALSE(HasFailure()) << "round " << round;
  }
}

TEST_F(destruction, ORD_08_a_lease_may_outlive_everything) {
  auto all = build();
  auto lease = std::make_unique<SpillFillLease>(must(all->pool[0].lease()));
  all.reset();
  expect_nothing_left(descriptors());
  lease.reset();
}

TEST_F(destruction, ORD_07_contexts_go_in_every_state_and_every_order) {
  std::array<int, 5> order{0, 1, 2, 3, 4};
  do {
    std::vector<Backend<Htp>> backend;
    backend.push_back(must(load()));
    std::vector<RpcmemAllocator> allocator;
    allocator.push_back(must(load_rpcmem()));
    const auto deferred_from = [&](std::size_t i) {
      return must(Context<Deferred>::create(
          backend[0], must(ContextBinary::borrow(binaries_[i], networks_[i].name))));
    };
    std::vector<Context<Deferred>> deferred;
    deferred.push_back(deferred_from(0));
    std::vector<Context<Queried>> queried;
    queried.push_back(must(deferred_from(1).query()));
    std::vector<Context<Registered>> registered_ones;
    {
      auto asked = must(deferred_from(1).query());
      auto weights = must(MemRegion<Weights>::allocate(allocator[0], asked.requirements()));
      auto pool = must(SharedSpillFill::allocate(allocator[0], asked.requirements()));
      registered_ones.push_back(must(std::move(asked).register_buffers(
          {.weights = std::move(weights), .spill_fill = std::move(pool)})));
    }
    for (const int kind : order) {
      switch (kind) {
        case 0: backend.clear(); break;
        case 1: allocator.clear(); break;
        case 2: deferred.clear(); break;
        case 3: queried.clear(); break;
        default: registered_ones.clear(); break;
      }
    }
    expect_nothing_left(descriptors());
    expect_no_misuse();
    ASSERT_FALSE(HasFailure());
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST_F(destruction, GRP_03_a_group_goes_in_every_order_of_its_contexts) {
  std::array<std::size_t, 4> order{0, 1, 2, 3};
  do {
    std::vector<Backend<Htp>> backend;
    backend.push_back(must(load()));
    std::array<std::vector<Context<Finalized>>, 3> contexts;
    const auto restore = [&](std::size_t i, ContextGroup group) {
      return must(Context<Finalized>::restore(
          backend[0], must(ContextBinary::borrow(binaries_[i], networks_[i].name)),
          {.group = std::move(group)}));
    };
    contexts[0].push_back(restore(1, ContextGroup::head(1u << 16)));
    contexts[1].push_back(restore(0, contexts[0][0].as_group_head()));
    contexts[2].push_back(restore(0, contexts[0][0].as_group_head()));
    for (const std::size_t kind : order) {
      if (kind == 3)
        backend.clear();
      else
        contexts[kind].clear();
    }
    expect_nothing_left(descriptors());
    expect_no_misuse();
    ASSERT_FALSE(HasFailure());
  } while (std::next_permutation(order.begin(), order.end()));
}

}}  // namespace support
