// A VTCM backup buffer of a model: on request, shared by all contexts, or left out and reported.
#include <string>

#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"
#include "qnnpp/report/format.hpp"
#include "qnnpp/report/json.hpp"

#include "model_fixture.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::SpillFillSharing;

class a_vtcm_backup_of_a_model : public ModelTest {
 protected:
  void SetUp() override {
    ModelTest::SetUp();
    if (HasFatalFailure()) return;
    add_four_networks();
    be(sim::HostLibrary::v2_48_40);
  }
  void be(sim::HostLibrary library) {
    set(&sim::Config::host_library, static_cast<std::uint32_t>(library));
    reload_backend();
    control().reset_counters();
  }
  Result<model::Model> load_backed_up(
      SpillFillSharing sharing = SpillFillSharing::automatic) const {
    return model::load(backend(), allocator(), sources,
                       {.sharing = sharing, .contexts = {.vtcm_backup = true}});
  }
};

TEST_F(a_vtcm_backup_of_a_model, BUF_19_is_one_buffer_for_all_contexts_and_reported) {
  const auto loaded = must(load_backed_up());
  const model::MemoryReport& report = loaded.report();
  EXPECT_EQ(report.vtcm_backup_bytes, std::uint64_t{1} << 20);
  EXPECT_EQ(report.reason.find("VTCM"), std::string::npos) << report.reason;
  EXPECT_EQ(control().counters().live_vtcm_backup_registrations, networks.size());
  EXPECT_EQ(control().counters().external_vtcm_backup_bytes, report.vtcm_backup_bytes);
  EXPECT_NE(model::to_text(report).find("VTCM backup, shared: 1048576 (1.0 MiB)"),
            std::string::npos)
      << model::to_text(report);
  EXPECT_NE(model::to_json(report).find("\"vtcm_backup\": 1048576"), std::string::npos)
      << model::to_json(report);
  expect_to_work(loaded);
}

TEST_F(a_vtcm_backup_of_a_model, BUF_19_is_not_made_unless_it_is_asked_for) {
  const auto loaded = must(model::load(backend(), allocator(), sources));
  EXPECT_EQ(loaded.report().vtcm_backup_bytes, 0u);
  EXPECT_EQ(control().counters().live_vtcm_backup_registrations, 0u);
}

TEST_F(a_vtcm_backup_of_a_model, BUF_19_that_is_refused_is_left_out_and_the_report_says_why) {
  be(sim::HostLibrary::v2_46_0);
  {
    const auto loaded = must(load_backed_up());
    EXPECT_EQ(loaded.report().vtcm_backup_bytes, 0u);
    EXPECT_NE(loaded.report().reason.find(
                  "no VTCM backup buffer: one.bin: QnnMem_register returned 1000"),
              std::string::npos)
        << loaded.report().reason;
    EXPECT_EQ(loaded.report().sharing, SpillFillSharing::external_buffer);
    expect_to_work(loaded);
  }
  be(sim::HostLibrary::v2_43_1);
  const auto loaded = must(load_backed_up());
  EXPECT_NE(loaded.report().reason.find("libraries before HTP 5.46 have none"), std::string::npos)
      << loaded.report().reason;
  expect_to_work(loaded);
}

TEST_F(a_vtcm_backup_of_a_model, BUF_19_needs_external_buffers_and_the_report_says_so) {
  const auto loaded = must(load_backed_up(SpillFillSharing::none));
  EXPECT_EQ(loaded.report().vtcm_backup_bytes, 0u);
  EXPECT_NE(loaded.report().reason.find("no VTCM backup buffer"), std::string::npos)
      << loaded.report().reason;
}

TEST_F(a_vtcm_backup_of_a_model, BUF_19_serves_a_residency_too) {
  for (const bool is_expected : {false, true}) {
    for (model::BinarySource& source : sources)
      if (is_expected) source.expected = must(model::survey(backend(), source));
    auto residency = must(model::Residency<>::create(backend(), allocator(), sources,
                                                     {.contexts = {.vtcm_backup = true}}));
    for (std::size_t i = 0; i < networks.size(); ++i) {
      const auto pinned = must(residency.acquire(i));
      EXPECT_TRUE(must(pinned.context().vtcm_backup()));
      EXPECT_LT(difference(pinned.context(), networks[i]), tolerance);
    }
    EXPECT_EQ(control().counters().live_vtcm_backup_registrations, networks.size());
  }
}

}}  // namespace support
