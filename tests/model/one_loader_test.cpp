// load() and a Residency load the same contexts in the same way: with equal bytes and equal
// reasons.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/graph/compose.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/report/digest.hpp"

#include "model_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::SpillFillSharing;

/// What is in force while a mix is loaded.
enum class Device { all_works, refuses_weights, refuses_external_buffers };

/// Contexts, one a letter: S shares spill-fill, D was prepared with DLBC, N needs no spill-fill.
/// Each has another size.
struct Mix {
  const char* contexts;
  Device device = Device::all_works;
  bool by_a_manifest = false;
  bool shares_without_dlbc = false;
};

[[maybe_unused]] void PrintTo(const Mix& mix, std::ostream* out) {
  *out << mix.contexts << (mix.device == Device::refuses_weights ? " without external weights" : "")
       << (mix.device == Device::refuses_external_buffers ? " without external buffers" : "")
       << (mix.by_a_manifest ? " by a manifest" : "")
       << (mix.shares_without_dlbc ? " sharing without DLBC" : "");
}

/// What loading took from the device, and why.
struct Outcome {
  std::uint64_t external_weights, internal_weights, external_spill_fill, internal_spill_fill;
  SpillFillSharing sharing;
  ExternalWeights weights;
  std::string reason;

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

[[maybe_unused]] void PrintTo(const Outcome& outcome, std::ostream* out) {
  *out << outcome.external_weights << "+" << outcome.internal_weights << " B of weights, "
       << outcome.external_spill_fill << "+" << outcome.internal_spill_fill
       << " B of spill-fill, shared by " << model::name_of(outcome.sharing) << ": "
       << outcome.reason;
}

class one_loader : public LoadedTest, public testing::WithParamInterface<Mix> {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    const std::string kinds = GetParam().contexts;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      const bool is_small = kinds[i] == 'N';
      const Network net{.name = std::string(1, kinds[i]) + std::to_string(i),
                        .hidden = is_small ? 4u : static_cast<std::uint32_t>(64 + 16 * i),
                        .seed = static_cast<std::uint32_t>(20 + i),
                        .spill_mib = is_small ? 0u : static_cast<std::uint32_t>(2 * i + 2)};
      bytes_.push_back(binary_of_kind(net, kinds[i] == 'D'));
      sources_.push_back({net.name + ".bin", bytes_.back(), {}});
      const auto need = must(model::survey(backend(), sources_.back())).memory.spill_fill.or_zero();
      EXPECT_EQ(need == 0, is_small);
      const bool is_alone = kinds[i] == 'D' && !GetParam().shares_without_dlbc;
      (is_alone ? alone_ : shared_).push_back(need);
    }
    if (GetParam().by_a_manifest) {
      model::Manifest manifest;
      for (const auto& source : sources_)
        manifest.entries.push_back(must(model::manifest_entry(backend(), source, source.name)));
      sources_ = must(model::expected_by(manifest, sources_, model::digest_of));
    }
    apply();
  }

  std::vector<std::byte> binary_of_kind(const Network& net, bool dlbc) {
    auto context = must(Context<Composing>::create(backend()));
    auto graph = must(Graph<Composing>::create(context, net.name, {.dlbc = dlbc}));
    const std::vector<std::vector<float>> matrices{net.matrix(0), net.matrix(1), net.matrix(2)};
    add_all(graph, net, matrices);
    (void)must(std::move(graph).finalize());
    return must(must(std::move(context).finalize()).serialize());
  }
  static void apply() {
    set(&sim::Config::linux_weights, GetParam().device == Device::refuses_weights);
    set(&sim::Config::external_buffers, GetParam().device != Device::refuses_external_buffers);
  }
  [[nodiscard]] Outcome outcome(SpillFillSharing sharing, ExternalWeights weights,
                                std::string reason) const {
    const auto counters = control().counters();
    return {counters.external_weights_bytes,
            counters.internal_weights_bytes,
            counters.external_spill_fill_bytes,
            counters.internal_spill_fill_bytes,
            sharing,
            weights,
            std::move(reason)};
  }
  [[nodiscard]] model::ContextSettings settings() const {
    return {.share_without_dlbc = GetParam().shares_without_dlbc};
  }
  [[nodiscard]] Outcome loaded() {
    const auto made = must(model::load(backend(), allocator(), sources_, {.contexts = settings()}));
    report_spill_fill_ = made.report().spill_fill().bytes;
    const auto& report = made.report();
    return outcome(report.sharing, report.external_weights, report.reason);
  }
  [[nodiscard]] Outcome resident() {
    reload_backend();
    apply();
    auto made = must(
        model::Residency<>::create(backend(), allocator(), sources_, {.contexts = settings()}));
    for (std::size_t i = 0; i < made.size(); ++i) (void)must(made.acquire(i));
    const auto stats = made.stats();
    EXPECT_EQ(stats.resident_contexts, sources_.size());
    return outcome(stats.sharing, stats.external_weights, stats.reason);
  }
  [[nodiscard]] static std::uint64_t sum(const std::vector<std::uint64_t>& needs) {
    std::uint64_t all = 0;
    for (const auto need : needs) all += need;
    return all;
  }
  [[nodiscard]] std::uint64_t largest_shared() const {
    return shared_.empty() ? 0 : *std::max_element(shared_.begin(), shared_.end());
  }

  std::vector<std::vector<std::byte>> bytes_;
  std::vector<model::BinarySource> sources_;
  std::vector<std::uint64_t> shared_, alone_;
  std::uint64_t report_spill_fill_ = 0;
};

TEST_P(one_loader, BUF_18_takes_equal_bytes_for_equal_reasons_in_a_model_and_in_a_residency) {
  const Outcome model = loaded();
  EXPECT_EQ(model.external_spill_fill + model.internal_spill_fill, largest_shared() + sum(alone_));
  EXPECT_EQ(report_spill_fill_, largest_shared() + sum(alone_));
  const Outcome residency = resident();
  if (GetParam().device != Device::refuses_external_buffers) {
    EXPECT_EQ(model, residency);
    return;
  }
  // A model tries a group next; a residency, whose contexts come and go, has none.
  EXPECT_EQ(model.sharing, SpillFillSharing::context_group);
  EXPECT_EQ(residency.sharing, SpillFillSharing::none);
  EXPECT_EQ(model.reason.rfind(residency.reason, 0), 0u) << model.reason << residency.reason;
  EXPECT_EQ(residency.internal_spill_fill, sum(shared_) + sum(alone_));
}

constexpr auto refuses_weights = Device::refuses_weights;
constexpr auto refuses_external_buffers = Device::refuses_external_buffers;
INSTANTIATE_TEST_SUITE_P(
    of_twenty_mixes, one_loader,
    testing::Values(
        Mix{"SSS"}, Mix{"DSS"}, Mix{"SDS"}, Mix{"SSD"}, Mix{"SSSSD"}, Mix{"NSD"}, Mix{"DNS"},
        Mix{"SDN"}, Mix{"DSD"}, Mix{"DDD"}, Mix{"NNN"}, Mix{"DNN"},
        Mix{.contexts = "SDS", .by_a_manifest = true},
        Mix{.contexts = "DNS", .by_a_manifest = true},
        Mix{.contexts = "SSD", .shares_without_dlbc = true},
        Mix{.contexts = "SDS", .device = refuses_weights},
        Mix{.contexts = "DSN", .device = refuses_weights},
        Mix{.contexts = "NDS", .device = refuses_weights, .by_a_manifest = true},
        Mix{.contexts = "SDSN", .device = refuses_external_buffers},
        Mix{.contexts = "DSS", .device = refuses_external_buffers, .by_a_manifest = true}));

}}  // namespace support
