// The code of docs/power.md and docs/devices.md.
#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/abi/soc_model.hpp"
#include "qnnpp/backend/performance.hpp"
#include "qnnpp/format.hpp"
#include "qnnpp/throw.hpp"

#include "fixture.hpp"

namespace support { namespace {

using namespace qnnpp;

class the_documents_on_power_and_devices : public SimTest {
 protected:
  const std::string path = htp_library;
  const Network network = {};
};

TEST_F(the_documents_on_power_and_devices, show_a_vote_around_executions) {
  const auto backend = must(load());
  const auto bytes = binary_of(backend, {network});
  const auto context =
      must(Context<Finalized>::restore(backend, must(ContextBinary::borrow(bytes, "network.bin"))));
  const std::vector<float> in = network.input();
  std::vector<float> out(network.io_elements());
  auto graph = must(
      must(Graph<Retrieved>::retrieve(context, network.name)).bind({raw("x", in), raw("y", out)}));
  auto vote = value_or_throw(Performance::vote(backend, PerformanceMode::burst));
  for (const auto& setting : vote.refused()) fmt::print("{}\n", setting);
  value_or_throw(graph.execute());
  value_or_throw(vote.change(PerformanceMode::balanced));
  value_or_throw(graph.execute());
  EXPECT_EQ(control().counters().live_power_configs, 1u);
}

TEST_F(the_documents_on_power_and_devices, show_settings_of_the_programs_own) {
  const auto backend = must(load());
  PerformanceSettings settings = settings_of(PerformanceMode::burst);
  settings.sleep_disabled = true;
  settings.rpc_control_latency_us = 50;
  auto vote = value_or_throw(Performance::vote(backend, settings));
  EXPECT_EQ(calls(sim::Slot::perf_set_power_config), 3u);
  PerformanceSettings next = vote.settings();
  next.rpc_polling_us = 0;
  value_or_throw(vote.change(next));
  EXPECT_EQ(control().counters().power_polling_us, 0u);
}

TEST_F(the_documents_on_power_and_devices, show_expanded_corners) {
  const auto backend = must(load());
  auto vote = value_or_throw(Performance::vote(backend, PerformanceMode::burst));
  PerformanceSettings fine = settings_of(PerformanceMode::balanced);
  fine.scaling = true;
  fine.expanded.bus = {{HmxVoltageCorner::nom, HmxVoltageCorner::tur_l1, HmxVoltageCorner::tur_l3}};
  fine.expanded.core = Corners<HmxVoltageCorner>::at(HmxVoltageCorner::nom_l0);
  fine.expanded.core_clock = HmxClock::high_d2;
  value_or_throw(vote.change(fine));
  EXPECT_EQ(vote.refused().front().object, "expanded DCVS") << "the chip is no v85";
}

TEST_F(the_documents_on_power_and_devices, show_the_platform) {
  const auto backend = must(load());
  const auto platform = value_or_throw(backend.platform_info());
  for (const DeviceInfo& device : platform) fmt::print("{}\n", device);
  EXPECT_FALSE(platform.empty());
}

TEST_F(the_documents_on_power_and_devices, show_an_unsigned_process_domain) {
  const auto backend = value_or_throw(Backend<Htp>::load(
      {.library = path, .device = {.process_domain = ProcessDomainKind::unsigned_}}));
  EXPECT_NE(backend.native_device(), nullptr);
}

TEST_F(the_documents_on_power_and_devices, show_the_preparation_for_a_chip) {
  const auto compose = [this](Context<Composing>& context) {
    (void)support::compose(context, network);
  };
  const auto host = value_or_throw(Backend<Htp>::load(
      {.library = path,
       .device = {.soc_model = static_cast<std::uint32_t>(c_api::SocModel::sm8650)}}));
  auto context = value_or_throw(Context<Composing>::create(host));
  compose(context);
  const auto composed = value_or_throw(std::move(context).finalize());
  const std::vector<std::byte> binary = value_or_throw(composed.serialize());
  EXPECT_FALSE(binary.empty());
}

}}  // namespace support
