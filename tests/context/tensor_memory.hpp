// Code that the tests of registered tensors share: specifications, memory with a log, and borrowed
// memory.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/qnnpp.hpp"

#include "fixture.hpp"

namespace support {

/// Events of releases, in order.
struct Log {
  static inline std::vector<std::string> events;
};

/// Allocates memory of rpcmem, and writes its release to the Log.
class LoggingAllocator {
 public:
  explicit LoggingAllocator(const qnnpp::RpcmemAllocator& rpcmem) : rpcmem_(&rpcmem) {}

  [[nodiscard]] qnnpp::Result<qnnpp::DmaBuffer> allocate(std::uint64_t bytes) const {
    auto real = rpcmem_->allocate(bytes);
    if (!real) return real;
    const int fd = real->fd();
    return qnnpp::DmaBuffer::from_native(
        fd, bytes, {.fd = qnnpp::FdUse::borrow, .needs_sync = false},
        [kept = std::move(*real)] { Log::events.push_back("free memory"); });
  }

 private:
  const qnnpp::RpcmemAllocator* rpcmem_;
};

/// Allocates memory of rpcmem. The k-th buffer (from 1) has a descriptor that is not open.
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

/// Returns a region over memory that the test owns, through another descriptor.
template <class Purpose>
qnnpp::MemRegion<Purpose> lend(const qnnpp::DmaBuffer& memory) {
  return must(qnnpp::MemRegion<Purpose>::from_buffer(must(qnnpp::DmaBuffer::from_native(
      memory.fd(), memory.size_bytes(), {.fd = qnnpp::FdUse::duplicate, .needs_sync = false}))));
}

inline qnnpp::TensorSpec tensor(std::string name, std::vector<std::uint32_t> dimensions,
                                c_api::DataType type = c_api::DataType::float_32) {
  return {.name = std::move(name), .data_type = type, .dimensions = std::move(dimensions)};
}

/// Adds a network whose inputs and outputs are prepared for registered memory.
class TensorMemoryTest : public LoadedTest {
 protected:
  /// Configures a device with dma-bufs, which the host library does not support.
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

  /// Executes the network in `memory`, as registered with `context`, and returns the largest
  /// difference from the reference.
  template <class Form>
  static float difference_in(const qnnpp::SharedBuffer<Form>& memory,
                             const qnnpp::RegisteredTensors& tensors,
                             const qnnpp::Context<qnnpp::Finalized>& context,
                             const Network& network) {
    using namespace qnnpp;
    const std::vector<float> in = network.input();
    must(write_elements(memory.template access<float>("x", CpuUse::write), in));
    must(write_elements(memory.template access<float>("y", CpuUse::write),
                        std::vector<float>(network.io_elements(), -1.0f)));
    auto graph = must(must(Graph<Retrieved>::retrieve(context, network.name))
                          .bind({registered(tensors, "x"), registered(tensors, "y")}));
    must(graph.execute());
    return largest_difference(must(memory.template access<const float>("y", CpuUse::read)),
                              network.reference(in));
  }

  const Network network{.io = c_api::TensorMemType::memhandle};
};

}  // namespace support
