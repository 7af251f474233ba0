// What the tests of registered tensors share: their specifications, memory with a log, memory lent.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fixture.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/qnnpp.hpp"

namespace support {

/// What became of things, in order.
struct Log {
  static inline std::vector<std::string> events;
};

/// Memory of rpcmem that says in the Log when it goes.
class LoggingAllocator {
 public:
  explicit LoggingAllocator(const qnnpp::RpcmemAllocator& rpcmem) : rpcmem_(&rpcmem) {}

  [[nodiscard]] qnnpp::Result<qnnpp::DmaBuffer> allocate(std::uint64_t bytes) const {
    using qnnpp::detail::DmaBlock;
    auto real = rpcmem_->allocate(bytes);
    if (!real) return real;
    const auto free = [](const DmaBlock& block) noexcept {
      Log::events.push_back("free memory");
      delete static_cast<qnnpp::DmaBuffer*>(block.owner);
    };
    const DmaBlock& block = *qnnpp::detail::Access::block(*real);
    return qnnpp::DmaBuffer::from_native(block.data, block.fd, block.size_bytes, free,
                                         new qnnpp::DmaBuffer(std::move(*real)));
  }

 private:
  const qnnpp::RpcmemAllocator* rpcmem_;
};

/// Memory of rpcmem, but the k-th buffer (from 1) has a descriptor that is not open.
class BadDescriptorAllocator {
 public:
  BadDescriptorAllocator(const qnnpp::RpcmemAllocator& rpcmem, int bad)
      : rpcmem_(&rpcmem), left_(bad) {}

  [[nodiscard]] qnnpp::Result<qnnpp::DmaBuffer> allocate(std::uint64_t bytes) const {
    auto real = rpcmem_->allocate(bytes);
    if (real && --left_ == 0) qnnpp::detail::Access::block(*real)->fd = 987654;
    return real;
  }

 private:
  const qnnpp::RpcmemAllocator* rpcmem_;
  mutable int left_;
};

/// Memory that a test owns, lent for a purpose.
template <class Purpose>
qnnpp::MemRegion<Purpose> lend(const qnnpp::DmaBuffer& memory) {
  return must(qnnpp::MemRegion<Purpose>::from_buffer(must(qnnpp::DmaBuffer::from_native(
      qnnpp::detail::Access::block(memory)->data, memory.fd(), memory.size_bytes(),
      [](const qnnpp::detail::DmaBlock&) noexcept {}))));
}

inline qnnpp::TensorSpec tensor(std::string name, std::vector<std::uint32_t> dimensions,
                                c_api::DataType type = c_api::DataType::float_32) {
  return {.name = std::move(name), .data_type = type, .dimensions = std::move(dimensions)};
}

/// With a network whose inputs and outputs are prepared for registered memory.
class TensorMemoryTest : public LoadedTest {
 protected:
  /// On a device with dma-bufs, which the host library does not have.
  void SetUp() override {
    LoadedTest::SetUp();
    if (!HasFatalFailure()) set(&sim::Config::dma_buf, 1);
  }
  std::vector<qnnpp::TensorSpec> specs() const { return {network.spec("x"), network.spec("y")}; }
  template <class Form>
  qnnpp::SharedBuffer<Form> buffer() const {
    return must(qnnpp::SharedBuffer<Form>::allocate(allocator(), specs()));
  }
  static std::uint64_t registrations() { return control().counters().live_tensor_registrations; }

  /// Runs the network in `memory`, as registered with `context`, and compares.
  static float difference_in(const qnnpp::TensorMemory& memory,
                             const qnnpp::RegisteredTensors& tensors,
                             const qnnpp::Context<qnnpp::Finalized>& context,
                             const Network& network) {
    using namespace qnnpp;
    const std::vector<float> in = network.input();
    const auto x = must(memory.tensor<float>("x"));
    const auto y = must(memory.tensor<float>("y"));
    std::copy(in.begin(), in.end(), x.begin());
    std::fill(y.begin(), y.end(), -1.0f);
    auto graph = must(must(Graph<Retrieved>::retrieve(context, network.name))
                          .bind({registered(tensors, "x"), registered(tensors, "y")}));
    must(graph.execute());
    return largest_difference(y, network.reference(in));
  }

  const Network network{.io = c_api::TensorMemType::memhandle};
};

}  // namespace support
