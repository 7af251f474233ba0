// An execution while the CPU has a tensor of the graph open.
#include <sys/ioctl.h>

#include <cerrno>
#include <cstdint>
#include <linux/dma-buf.h>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"

#include "dma_sync.hpp"
#include "fixture.hpp"
#include "networks.hpp"

namespace support::open_access_test { namespace {

using namespace qnnpp;
using sim::Slot;

/// A graph whose tensors lie in memory that needs syncs.
class graph_open_access : public LoadedTest {
 protected:
  struct SyncedAllocator {
    const RpcmemAllocator* rpcmem;
    std::vector<int>* fds = nullptr;
    [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const {
      auto real = rpcmem->allocate(bytes);
      if (!real) return real;
      const int fd = real->fd();
      if (fds != nullptr) fds->push_back(fd);
      return DmaBuffer::from_native(fd, bytes, {.fd = FdUse::borrow},
                                    [kept = std::move(*real)] { (void)kept; });
    }
  };
  auto bound(const Context<Finalized>& context) const {
    return must(must(Graph<Retrieved, RegisteredIo>::retrieve(context, "net"))
                    .bind(SyncedAllocator{&allocator()}));
  }
  const Network network{.io = c_api::TensorMemType::memhandle};
};

TEST_F(graph_open_access, SHB_07_an_execution_between_accesses_is_right_and_no_misuse) {
  const auto context = restored(network);
  auto graph = bound(context);
  const int before = dma_syncs();
  must(write_elements(graph.input<float>("x"), network.input()));
  ASSERT_TRUE(succeeds(graph.execute()));
  EXPECT_LT(largest_difference(must(graph.output<float>("y")), network.reference(network.input())),
            tolerance);
  EXPECT_EQ(dma_syncs() - before, 4) << "a start and an end of each access";
  EXPECT_EQ(control().misuses("SHB-07"), 0u);
}

TEST_F(graph_open_access, SHB_07_an_execution_in_a_sync_that_qnnpp_does_not_know_is_counted) {
  expect_misuse();
  const auto context = restored(network);
  std::vector<int> fds;
  auto graph = must(must(Graph<Retrieved, RegisteredIo>::retrieve(context, "net"))
                        .bind(SyncedAllocator{&allocator(), &fds}));
  must(graph.input<float>("x"));
  const auto sync = [&](std::uint64_t flags) {
    dma_buf_sync request{.flags = flags | DMA_BUF_SYNC_RW};
    EXPECT_EQ(::ioctl(fds.at(0), DMA_BUF_IOCTL_SYNC, &request), 0);
  };
  sync(DMA_BUF_SYNC_START);
  ASSERT_TRUE(succeeds(graph.execute()));
  EXPECT_EQ(control().misuses("SHB-07"), 2u) << "both tensors of the buffer that is open";
  sync(DMA_BUF_SYNC_END);
  ASSERT_TRUE(succeeds(graph.execute()));
  EXPECT_EQ(control().misuses("SHB-07"), 2u) << "closed again";
}

TEST_F(graph_open_access, ORD_18_that_has_ended_or_was_moved_and_ended_is_no_error) {
  const auto context = restored(network);
  auto graph = bound(context);
  {
    auto x = must(graph.input<float>("x"));
    const auto moved = std::move(x);
    const auto y = must(graph.output<float>("y"));
  }
  EXPECT_TRUE(succeeds(graph.execute()));
  auto y = must(graph.output<float>("y"));
  must(std::move(y).close());
  EXPECT_TRUE(succeeds(graph.execute()));
  // An access that could not begin is not open.
  fail_dma_sync(1, EIO);
  EXPECT_EQ(error_of(graph.input<float>("x")).kind, Errc::sync_failed);
  EXPECT_TRUE(succeeds(graph.execute()));
}

TEST_F(graph_open_access, ORD_18_to_a_tensor_of_the_graph_makes_execute_return_in_use) {
  const auto context = restored(network);
  auto graph = bound(context);
  must(graph.input<float>("x"));
  auto profile = must(Profile::create(backend()));
  const std::uint64_t calls_before = calls(Slot::graph_execute);
  const auto expect_refused = [&](const char* tensor) {
    for (Profile* const each : {static_cast<Profile*>(nullptr), &profile}) {
      const Error error = error_of(graph.execute(each));
      EXPECT_EQ(error.kind, Errc::in_use);
      EXPECT_EQ(error.message(),
                tensor + std::string(": QnnGraph_execute: the CPU has it open; try "
                                     "again when this use has ended"));
    }
  };
  {
    const auto x = must(graph.input<float>("x"));
    expect_refused("x");
  }
  {
    const auto y = must(graph.output<float>("y"));
    expect_refused("y");
    const auto again = must(graph.output<float>("y"));
  }
  EXPECT_EQ(calls(Slot::graph_execute), calls_before) << "no call of QNN";
  EXPECT_EQ(control().misuses("SHB-07"), 0u);
  EXPECT_TRUE(succeeds(graph.execute()));
}

TEST_F(graph_open_access, ORD_18_to_other_tensors_of_the_memory_disturbs_no_execution) {
  const auto context = restored(network);
  auto memory = must(SharedBuffer<MultiTensor>::allocate(
      allocator(), std::vector{network.spec("x"), network.spec("y"), network.spec("spare")}));
  const auto tensors = must(RegisteredTensors::create(context, memory));
  auto graph = must(must(Graph<Retrieved, RegisteredIo>::retrieve(context, "net")).bind(tensors));
  std::vector<TensorAccess<float>> open;
  for (int i = 0; i < 6; ++i) open.push_back(must(memory.access<float>("spare", CpuUse::write)));
  EXPECT_TRUE(succeeds(graph.execute()));
  open.push_back(must(memory.access<float>("x", CpuUse::write)));
  while (!open.empty()) {
    EXPECT_EQ(error_of(graph.execute()).object, "x");
    open.erase(open.begin());
  }
  EXPECT_TRUE(succeeds(graph.execute()));
  const auto all = must(memory.access(CpuUse::read));
  EXPECT_EQ(error_of(graph.execute()).object, "x") << "the whole memory is open";
}

TEST_F(graph_open_access, ORD_18_makes_exchange_return_in_use_and_changes_nothing) {
  const auto context = restored(network);
  auto graph = bound(context);
  must(write_elements(graph.input<float>("x"), network.input()));
  ASSERT_TRUE(succeeds(graph.execute()));
  {
    const auto x = must(graph.input<float>("x"));
    EXPECT_EQ(error_of(graph.exchange("x", "y")).object, "x");
  }
  float first = 0;
  {
    const auto y = must(graph.output<float>("y"));
    const Error error = error_of(graph.exchange("x", "y"));
    EXPECT_EQ(error.kind, Errc::in_use);
    EXPECT_EQ(error.object, "y");
    first = y[0];
  }
  must(graph.exchange("x", "y"));
  EXPECT_EQ(must(graph.input<float>("x"))[0], first);
}

}}  // namespace support::open_access_test
