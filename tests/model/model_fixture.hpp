// Networks as context binaries in memory, which tests load as a model.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "qnnpp/model/load.hpp"

#include "fixture.hpp"

namespace support {

/// Adds networks, each in a separate binary.
class ModelTest : public LoadedTest {
 protected:
  void add_network(Network network) {
    networks.push_back(std::move(network));
    bytes_.push_back(binary_of(backend(), {networks.back()}));
    sources.push_back({networks.back().name + ".bin", bytes_.back(), {}});
  }
  /// Adds the four networks. Counters do not include the calls that make the binaries.
  void add_four_networks() {
    for (Network& network : four_networks()) add_network(std::move(network));
    control().reset_counters();
  }
  void clear_networks() {
    networks.clear();
    sources.clear();
    bytes_.clear();
  }

  void expect_to_work(const qnnpp::model::Model& loaded) const {
    ASSERT_EQ(loaded.size(), networks.size());
    for (std::size_t i = 0; i < networks.size(); ++i)
      EXPECT_LT(difference(loaded.context(i), networks[i]), tolerance) << networks[i].name;
  }

  std::vector<Network> networks;
  std::vector<qnnpp::model::BinarySource> sources;

 private:
  std::vector<std::vector<std::byte>> bytes_;
};

}  // namespace support
