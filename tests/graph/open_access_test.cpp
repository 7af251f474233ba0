// SHB-07 during an execution: the CPU may have no open access to a tensor of the graph.
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"

#include "dma_sync.hpp"
#include "fixture.hpp"
#include "networks.hpp"

namespace support::open_access_test { namespace {

using namespace qnnpp;

/// A graph whose tensors lie in memory that needs syncs.
class graph_open_access : public LoadedTest {
 protected:
  struct SyncedAllocator {
    const RpcmemAllocator* rpcmem;
    [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const {
      auto real = rpcmem->allocate(bytes);
      if (!real) return real;
      const int fd = real->fd();
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

TEST_F(graph_open_access, SHB_07_an_execution_with_a_tensor_open_for_the_cpu_is_counted) {
  expect_misuse();
  const auto context = restored(network);
  auto graph = bound(context);
  {
    const auto x = must(graph.input<float>("x"));
    ASSERT_TRUE(succeeds(graph.execute()));
    EXPECT_EQ(control().misuses("SHB-07"), 2u) << "both tensors of the buffer that is open";
    const auto y = must(graph.output<float>("y"));
  }
  ASSERT_TRUE(succeeds(graph.execute()));
  EXPECT_EQ(control().misuses("SHB-07"), 2u) << "closed again, each as often as opened";
}

}}  // namespace support::open_access_test
