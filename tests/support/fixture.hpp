// Simulated device of a test: configured before the test, and empty after it.
#pragma once

#include <dirent.h>
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/core/detail/process_wide.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/sim/control.hpp"

#include "controls.hpp"
#include "networks.hpp"
#include "results.hpp"

namespace support {

namespace c_api = qnnpp::c_api;
namespace sim = qnnpp::sim;

/// Size of the device's VTCM in tests. It holds one hidden tensor of a Network; the others spill.
inline constexpr std::uint64_t small_vtcm_bytes = 1024;

/// Returns the descriptors that this process has open.
inline std::set<int> open_descriptors() {
  std::set<int> open;
  DIR* folder = ::opendir("/proc/self/fd");
  if (folder == nullptr) return open;
  while (const dirent* entry = ::readdir(folder)) {
    const int fd = std::atoi(entry->d_name);
    if (entry->d_name[0] != '.' && fd != ::dirfd(folder)) open.insert(fd);
  }
  ::closedir(folder);
  return open;
}

/// Returns the number of mappings of this process whose name contains `words`.
inline std::size_t mappings_of(const std::string& words) {
  std::size_t count = 0;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find(words) != std::string::npos &&
        line.find(qnnpp::detail::ProcessRegistry::name) == std::string::npos)
      ++count;
  return count;
}

/// Expects that the device, the allocator and this process hold nothing, except the buffers of lost
/// contexts.
inline void expect_nothing_left(const std::set<int>& descriptors_before) {
  const sim::Counters left = control().counters();
  EXPECT_EQ(left.live_logs, 0u);
  EXPECT_EQ(left.live_backends, 0u);
  EXPECT_EQ(left.live_devices, 0u);
  EXPECT_EQ(left.live_contexts, 0u);
  EXPECT_EQ(left.live_graphs, 0u);
  EXPECT_EQ(left.live_tensor_registrations, 0u);
  EXPECT_EQ(left.live_weights_registrations, 0u);
  EXPECT_EQ(left.live_spill_fill_registrations, 0u);
  EXPECT_EQ(left.live_profiles + left.live_signals + left.live_power_configs +
                left.live_platform_infos + left.live_messages + left.live_binary_pieces,
            0u);
  EXPECT_EQ(left.mapped_fds, 0u);
  EXPECT_EQ(left.mapped_bytes, 0u);
  EXPECT_EQ(left.device_bytes, 0u);
  EXPECT_EQ(left.internal_bytes, 0u);
  EXPECT_EQ(left.left_registrations, 0u)
      << "QnnContext_free had to drop tensor registrations (ORD-08)";
  for (const std::uint64_t used : left.pd_used_bytes) EXPECT_EQ(used, 0u);
  const sim::RpcmemCounters memory = rpcmem_control().counters();
  EXPECT_EQ(memory.ignored_frees, 0u);
  EXPECT_EQ(memory.refused_to_fd, 0u);
  if (qnnpp::detail::lost_contexts->bytes() != 0) return;
  EXPECT_EQ(memory.live_allocations, 0u);
  EXPECT_EQ(memory.live_bytes, 0u);
  EXPECT_EQ(memory.live_fds, 0u);
  EXPECT_EQ(mappings_of("memfd:"), 0u);
  EXPECT_EQ(open_descriptors(), descriptors_before);
}

/// Expects that the device has reported no misuse.
inline void expect_no_misuse() {
  EXPECT_EQ(control().counters().misuses, 0u) << control().misuse_text(0);
}

/// Sets up a device with little VTCM before each test. Expects after it that nothing is alive and
/// that no misuse was reported.
class SimTest : public testing::Test {
 protected:
  void SetUp() override {
    // Starts the program again: a forked child may not use QNN (PRC-01).
    testing::GTEST_FLAG(death_test_style) = "threadsafe";
    ASSERT_TRUE(control()) << ::dlerror();
    ASSERT_TRUE(rpcmem_control()) << ::dlerror();
    control().reset_config();
    set(&sim::Config::vtcm_bytes, small_vtcm_bytes);
    control().reset_counters();
    rpcmem_control().reset_counters();
    // A first load may open descriptors that belong to no test.
    (void)must(load());
    control().reset_counters();
    descriptors_ = open_descriptors();
  }
  void TearDown() override {
    control().clear_faults();
    if (qnnpp::detail::lost_contexts->count() != 0) {
      control().reset_config();
      settle_lost_contexts(&load);
#ifdef QNNPP_RECORDER
      settle_lost_contexts(&load_recorder);
#endif
    }
    expect_nothing_left(descriptors_);
    if (!misuse_expected_) expect_no_misuse();
    control().reset_config();
  }

  /// Changes one value of the device's configuration.
  template <class Value>
  static void set(Value sim::Config::* member, std::type_identity_t<Value> value) {
    sim::Config config = control().config();
    config.*member = value;
    ASSERT_TRUE(control().set_config(config));
  }
  static qnnpp::Result<qnnpp::Backend<qnnpp::Htp>> load() {
    return qnnpp::Backend<qnnpp::Htp>::load({.library = htp_library});
  }
#ifdef QNNPP_RECORDER
  /// Loads the backend that reports its calls to a Recording.
  static qnnpp::Result<qnnpp::Backend<qnnpp::Htp>> load_recorder() {
    return qnnpp::Backend<qnnpp::Htp>::load(
        {.library = QNNPP_RECORDER, .system_library = system_library});
  }
#endif
  static qnnpp::Result<qnnpp::RpcmemAllocator> load_rpcmem() {
    return qnnpp::RpcmemAllocator::load(rpcmem_library);
  }
  /// Removes the seed, for tests that expect the default of an answer that depends on the seed.
  static void without_seed() { set(&sim::Config::seed, 0); }
  static std::uint64_t calls(sim::Slot slot) { return control().calls(slot); }

  const std::set<int>& descriptors() const { return descriptors_; }
  /// Permits the device to report misuse in this test.
  void expect_misuse() { misuse_expected_ = true; }

 private:
  std::set<int> descriptors_;
  bool misuse_expected_ = false;
};

/// Adds a backend, an allocator, and short names for common steps.
class LoadedTest : public SimTest {
 protected:
  void SetUp() override {
    SimTest::SetUp();
    if (HasFatalFailure()) return;
    backend_.emplace_back(must(load()));
    allocator_.emplace_back(must(load_rpcmem()));
  }
  void TearDown() override {
    backend_.clear();
    allocator_.clear();
    SimTest::TearDown();
  }

  const qnnpp::Backend<qnnpp::Htp>& backend() const { return backend_.front(); }
  const qnnpp::RpcmemAllocator& allocator() const { return allocator_.front(); }
  /// Replaces the backend by a new one, which has not been asked for its capabilities yet.
  void reload_backend(qnnpp::TensorMemory memory = {}) {
    backend_.clear();
    backend_.emplace_back(
        must(qnnpp::Backend<qnnpp::Htp>::load({.library = htp_library, .tensor_memory = memory})));
  }
  /// Destroy the backend and the allocator before the end of the test.
  void drop_backend() { backend_.clear(); }
  void drop_allocator() { allocator_.clear(); }

  static qnnpp::ContextBinary own(std::vector<std::byte> bytes, std::string name = "binary") {
    return must(qnnpp::ContextBinary::own(std::move(bytes), std::move(name)));
  }
  qnnpp::ContextBinary binary(const Network& network) const {
    return own(binary_of(backend(), {network}), network.name + ".bin");
  }
  qnnpp::Context<qnnpp::Queried> queried(const Network& network) const {
    return must(qnnpp::Context<qnnpp::Deferred>::create(backend(), binary(network))
                    .and_then(qnnpp::transition::query));
  }
  qnnpp::MemRegion<qnnpp::Weights> weights_for(
      const qnnpp::Context<qnnpp::Queried>& context) const {
    return must(qnnpp::MemRegion<qnnpp::Weights>::allocate(allocator(), context.requirements()));
  }
  /// Finalizes a context over `spill_fill`, with a weights buffer that only this context uses.
  qnnpp::Context<qnnpp::Finalized> finalized(qnnpp::Context<qnnpp::Queried> context,
                                             qnnpp::SharedSpillFill spill_fill = {}) const {
    auto weights = weights_for(context);
    return must(
        std::move(context)
            .register_buffers({.weights = std::move(weights), .spill_fill = std::move(spill_fill)})
            .and_then(qnnpp::transition::finalize));
  }
  /// Restores a context without external buffers.
  qnnpp::Context<qnnpp::Finalized> restored(const Network& network,
                                            const qnnpp::RestoreOptions& options = {}) const {
    return must(qnnpp::Context<qnnpp::Finalized>::restore(backend(), binary(network), options));
  }

  /// Executes a network once with raw memory and returns the largest difference from its reference;
  /// infinity if the network cannot be executed.
  static float difference(const qnnpp::Context<qnnpp::Finalized>& context, const Network& network) {
    const std::vector<float> in = network.input();
    std::vector<float> out(network.io_elements(), -1.0f);
    auto graph = must(must(qnnpp::Graph<qnnpp::Retrieved>::retrieve(context, network.name))
                          .bind({qnnpp::raw("x", in), qnnpp::raw("y", out)}));
    if (!graph.execute()) return std::numeric_limits<float>::infinity();
    return largest_difference(out, network.reference(in));
  }

 private:
  // Vectors of at most one element: moving the element out leaves no moved-from object that a test
  // could see.
  std::vector<qnnpp::Backend<qnnpp::Htp>> backend_;
  std::vector<qnnpp::RpcmemAllocator> allocator_;
};

}  // namespace support
