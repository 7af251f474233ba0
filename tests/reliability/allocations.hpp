// Code that the tests of failing allocations share: a device behind the recording libraries, names
// too long for the internal buffer of a std::string, and the total of failed allocations.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/qnnpp.hpp"

#include "allocation_faults.hpp"
#include "networks.hpp"

namespace support::allocations {

/// Forwards to another allocator. The other allocator's allocations never fail.
template <class Allocator>
struct NeverFailing {
  const Allocator& allocator;

  [[nodiscard]] qnnpp::Result<qnnpp::DmaBuffer> allocate(std::uint64_t bytes) const {
    HeapWatch::pause(true);
    auto made = allocator.allocate(bytes);
    HeapWatch::pause(false);
    return made;
  }
};

/// Number of allocations that have failed in this run of the program.
inline std::uint64_t& failed_so_far() {
  static std::uint64_t sum = 0;
  return sum;
}

/// Adds the loaded recording libraries and the binaries of two networks.
class AllocationTest : public AllocationFaultsTest {
 protected:
  void SetUp() override {
    AllocationFaultsTest::SetUp();
    if (HasFatalFailure()) return;
    backend_.push_back(must(qnnpp::Backend<qnnpp::Htp>::load(recorded())));
    rpcmem_.push_back(must(qnnpp::RpcmemAllocator::load(QNNPP_RECORDER)));
    for (const Network& network : networks) binaries_.push_back(binary_of(backend(), {network}));
    control().reset_counters();
  }
  void TearDown() override {
    backend_.clear();
    rpcmem_.clear();
    RecordProperty("allocations_failed", std::to_string(failed_));
    failed_so_far() += failed_;
    AllocationFaultsTest::TearDown();
  }

  /// Calls fail_each_allocation() and adds to the total.
  template <class Prepare, class Operation>
  void each(std::string_view name, Prepare prepare, Operation operation, std::uint64_t step = 1) {
    failed_ += fail_each_allocation(name, std::move(prepare), std::move(operation), step);
  }

  static qnnpp::BackendOptions recorded() {
    return {.library = QNNPP_RECORDER, .system_library = QNNPP_RECORDER};
  }
  const qnnpp::Backend<qnnpp::Htp>& backend() const { return backend_.front(); }
  const qnnpp::RpcmemAllocator& rpcmem() const { return rpcmem_.front(); }
  const std::vector<std::byte>& bytes(std::size_t i = 0) const { return binaries_[i]; }
  qnnpp::ContextBinary binary(std::size_t i = 0) const {
    return must(qnnpp::ContextBinary::borrow(binaries_[i], networks[i].name + ".bin"));
  }

  qnnpp::Context<qnnpp::Deferred> deferred(std::size_t i = 0) const {
    return must(qnnpp::Context<qnnpp::Deferred>::create(backend(), binary(i)));
  }
  qnnpp::Context<qnnpp::Queried> queried(std::size_t i = 0) const {
    return must(deferred(i).query());
  }
  qnnpp::ExternalBuffers buffers_for(const qnnpp::Context<qnnpp::Queried>& context) const {
    const qnnpp::BufferRequirements& need = context.requirements();
    return {.weights = must(qnnpp::MemRegion<qnnpp::Weights>::allocate(rpcmem(), need)),
            .spill_fill = must(qnnpp::SharedSpillFill::allocate(rpcmem(), need))};
  }
  qnnpp::Context<qnnpp::Registered> registered_context(std::size_t i = 0) const {
    auto context = queried(i);
    auto buffers = buffers_for(context);
    return must(std::move(context).register_buffers(std::move(buffers)));
  }
  qnnpp::Context<qnnpp::Finalized> finalized(std::size_t i = 0) const {
    return must(registered_context(i).finalize());
  }
  qnnpp::Context<qnnpp::Finalized> restored(std::size_t i = 0) const {
    return must(qnnpp::Context<qnnpp::Finalized>::restore(backend(), binary(i)));
  }

  static Network network(const char* name, std::uint32_t hidden) {
    return {.name = name,
            .width = 8,
            .hidden = hidden,
            .io = qnnpp::c_api::TensorMemType::memhandle,
            .x_name = "an input whose name is on the heap",
            .y_name = "an output whose name is on the heap"};
  }
  const std::vector<Network> networks{network("a network whose name is on the heap", 32),
                                      network("another network, its name on the heap", 48)};

 private:
  std::vector<qnnpp::Backend<qnnpp::Htp>> backend_;
  std::vector<qnnpp::RpcmemAllocator> rpcmem_;
  std::vector<std::vector<std::byte>> binaries_;
  std::uint64_t failed_ = 0;
};

/// Prints the total at the end of the program.
class Sum : public testing::Environment {
 public:
  void TearDown() override {
    std::printf("allocations failed: %llu\n", static_cast<unsigned long long>(failed_so_far()));
  }
};
inline testing::Environment* const told_at_the_end = testing::AddGlobalTestEnvironment(new Sum);

}  // namespace support::allocations
