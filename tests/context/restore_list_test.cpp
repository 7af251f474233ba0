// restore_list(): many contexts in one call, each reported on its own (ASY-01).
#include "qnnpp/context/restore_list.hpp"

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "fixture.hpp"

namespace support {
namespace {

using namespace qnnpp;
using sim::Slot;

class a_list_of_binaries : public LoadedTest {
 protected:
  std::vector<ContextBinary> binaries() const {
    std::vector<ContextBinary> all;
    for (const Network& network : networks) all.push_back(binary(network));
    return all;
  }
  const std::vector<Network> networks = four_networks();
};

TEST_F(a_list_of_binaries, is_restored_in_one_call) {
  auto list = binaries();
  control().reset_counters();
  const auto contexts = must(restore_list(backend(), std::move(list)));
  ASSERT_EQ(contexts.size(), networks.size());
  EXPECT_EQ(calls(Slot::context_create_from_binary_list_async), 1u);
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    EXPECT_EQ(contexts[i].name(), networks[i].name + ".bin");
    EXPECT_LT(difference(contexts[i], networks[i]), tolerance);
  }
}

TEST_F(a_list_of_binaries, may_share_resources_and_then_has_one_lease) {
  const auto contexts = must(restore_list(backend(), binaries(), {.share_resources = true}));
  EXPECT_TRUE(contexts[0].lease().covers(contexts[3].control()->lock));
  EXPECT_TRUE(contexts[0].control()->lock);
}

TEST_F(a_list_of_binaries, brings_up_the_graphs_that_are_enabled) {
  std::vector<ContextBinary> both;
  both.push_back(own(binary_of(backend(), {networks[0], networks[1]})));
  const auto contexts = must(restore_list(backend(), std::move(both), {}, {{"two"}}));
  EXPECT_LT(difference(contexts[0], networks[1]), tolerance);
  EXPECT_GT(difference(contexts[0], networks[0]), tolerance);
}

TEST_F(a_list_of_binaries, ASY_01_with_one_that_fails_names_it_and_leaves_no_other) {
  auto list = binaries();
  const auto bytes = binary_of(backend(), {networks[2]});
  list[2] = own({bytes.begin(), bytes.begin() + 200}, "three.bin");
  const Error error = error_of(restore_list(backend(), std::move(list)));
  EXPECT_EQ(error.object, "three.bin");
  EXPECT_EQ(error.code, 5005);
  EXPECT_STREQ(error.step, "QnnContext_createFromBinaryListAsync");
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

TEST_F(a_list_of_binaries, that_is_empty_is_refused) {
  EXPECT_EQ(error_of(restore_list(backend(), {})).kind, Errc::empty);
}

TEST_F(a_list_of_binaries, that_the_backend_refuses_is_its_error) {
  auto list = binaries();
  control().fail_call(Slot::context_create_from_binary_list_async, 1, 1002);
  EXPECT_EQ(error_of(restore_list(backend(), std::move(list))).code, 1002);
}

TEST_F(a_list_of_binaries, ASY_01_is_kept_until_each_context_is_reported) {
  detail::ContextReports reports(3);
  std::vector<std::thread> late;
  for (std::size_t i = 0; i < 3; ++i)
    late.emplace_back([&, i] {
      auto* entry = &reports.entries[2 - i];
      detail::ContextReports::notify(nullptr, nullptr, "graph", abi::ContextNotifyType::graph_init,
                                     entry, i == 1 ? 6020u : 0u);
      detail::ContextReports::notify(reinterpret_cast<abi::ContextHandle>(i + 1), nullptr, nullptr,
                                     abi::ContextNotifyType::context_init, entry, 0);
    });
  reports.wait();
  for (const auto& entry : reports.entries) EXPECT_TRUE(entry.complete);
  EXPECT_EQ(reports.entries[1].status, 6020u) << "of its graph";
  EXPECT_EQ(reports.entries[2].status, 0u);
  for (std::thread& thread : late) thread.join();
}

}  // namespace
}  // namespace support
