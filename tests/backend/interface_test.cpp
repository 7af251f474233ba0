// Interface: the choice of a provider, and its slots, which depend on the version.
#include "qnnpp/backend/interface.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <optional>
#include <string>

#include "fake_library.hpp"

namespace {

using fakes::is_loaded;
using qnnpp::Errc;
using qnnpp::Interface;
using qnnpp::Result;
using qnnpp::SharedLibrary;
using Table = qnnpp::c_api::InterfaceTable;

class interface : public fakes::Fake {
 protected:
  void SetUp() override {
    fakes::Fake::SetUp();
    auto opened = SharedLibrary::open(path);
    ASSERT_TRUE(opened.has_value());
    library_.emplace(std::move(*opened));
  }
  [[nodiscard]] Result<Interface> choose(std::uint32_t backend_id = 6) const {
    return Interface::choose(*library_, backend_id);
  }
  static void expect_detail(const Result<Interface>& chosen, const char* part) {
    EXPECT_NE(chosen.error().detail.find(part), std::string::npos) << chosen.error().detail;
  }

 private:
  std::optional<SharedLibrary> library_;
};

// ---- LOAD-03: a slot is read only if the version has it -----------------------------------------

TEST_F(interface, LOAD_03_gives_the_last_slot_that_the_version_has) {
  const auto chosen = choose();
  ASSERT_TRUE(chosen.has_value());
  const auto slot = chosen->find<&Table::context_apply_binary_section>();  // 61
  ASSERT_TRUE(slot);
  EXPECT_NE(*slot, nullptr);
}

TEST_F(interface, LOAD_03_never_reads_a_slot_past_the_end_of_an_older_table) {
  const auto chosen = choose();  // reading after its 62 slots faults
  ASSERT_TRUE(chosen.has_value());
  const auto finalize = chosen->find<&Table::context_finalize>();  // 66
  ASSERT_FALSE(finalize);
  EXPECT_EQ(finalize.error().kind, Errc::slot_missing);
  EXPECT_STREQ(finalize.error().step, "QnnContext_finalize");
  EXPECT_EQ(finalize.error().object, path);
  EXPECT_EQ(finalize.error().needed, 27u);
  EXPECT_EQ(finalize.error().found, 18u);
  // 62, the first slot after the end
  EXPECT_FALSE(chosen->find<&Table::backend_get_property>());
}

template <auto Slot>
bool has(const Interface& chosen) {
  return static_cast<bool>(chosen.find<Slot>());
}

/// Returns how many of the later slots the provider offers.
int late_slots(const Interface& chosen) {
  return has<&Table::backend_get_property>(chosen) + has<&Table::context_get_property>(chosen) +
         has<&Table::context_get_incremental_binary>(chosen) +
         has<&Table::context_release_incremental_binary>(chosen) +
         has<&Table::context_finalize>(chosen) + has<&Table::global_config_set>(chosen) +
         has<&Table::context_create_from_binary_with_callback>(chosen) +
         has<&Table::context_get_binary_section_update>(chosen) +
         has<&Table::context_free_binary_section_update>(chosen) +
         has<&Table::context_add_to_dlc>(chosen) + has<&Table::graph_validate>(chosen) +
         has<&Table::graph_free_validation_result>(chosen) +
         has<&Table::backend_register_op_package_from_binary>(chosen);
}

TEST_F(interface, LOAD_03_gives_of_every_version_the_slots_that_it_has_and_no_more) {
  for (std::uint32_t minor = 18; minor <= 45; ++minor) {
    fake().providers[0].core = {2, minor, 0};
    const auto chosen = choose();
    ASSERT_TRUE(chosen.has_value());
    EXPECT_EQ(62 + late_slots(*chosen), static_cast<int>(fakes::slot_count(minor)))
        << "core 2." << minor;
  }
}

TEST_F(interface, LOAD_03_a_slot_that_the_provider_left_out_is_an_error_with_its_name) {
  fake().null_slots[0] = offsetof(Table, graph_execute) / sizeof(void*);
  const auto chosen = choose();
  ASSERT_TRUE(chosen.has_value());
  const auto execute = chosen->find<&Table::graph_execute>();
  ASSERT_FALSE(execute);
  EXPECT_EQ(execute.error().kind, Errc::slot_null);
  EXPECT_STREQ(execute.error().step, "QnnGraph_execute");
  EXPECT_EQ(execute.error().object, path);
  EXPECT_TRUE(chosen->find<&Table::graph_execute_async>());
}

// ---- LOAD-02: core major 2, minor 18 or later ---------------------------------------------------

TEST_F(interface, LOAD_02_takes_core_2_18_and_later) {
  const auto oldest = choose();
  ASSERT_TRUE(oldest.has_value());
  EXPECT_EQ(oldest->core_version().minor, 18u);
  fake().providers[0].core = {2, 99, 1};
  const auto later = choose();
  ASSERT_TRUE(later.has_value());
  EXPECT_EQ(later->core_version().minor, 99u);
}

TEST_F(interface, LOAD_02_refuses_an_older_core_with_both_versions_in_words) {
  fake().providers[0].core = {2, 7, 2};
  const auto chosen = choose();
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().kind, Errc::version_unsupported);
  EXPECT_EQ(chosen.error().object, path);
  expect_detail(chosen, "2.18");
  expect_detail(chosen, "FAKE (core API 2.7.2)");
}

TEST_F(interface, LOAD_02_refuses_the_minor_right_before) {
  fake().providers[0].core = {2, 17, 9};
  const auto chosen = choose();
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().kind, Errc::version_unsupported);
}

TEST_F(interface, LOAD_02_refuses_another_major_whatever_its_minor) {
  for (const std::uint32_t major : {1u, 3u}) {
    fake().providers[0].core = {major, 30, 0};
    const auto chosen = choose();
    ASSERT_FALSE(chosen.has_value());
    EXPECT_EQ(chosen.error().kind, Errc::version_unsupported);
    expect_detail(chosen, ("core API " + std::to_string(major) + ".30.0").c_str());
  }
}

// ---- which provider -----------------------------------------------------------------------------

TEST_F(interface, LOAD_01_a_library_without_the_entry_point_is_not_taken) {
  const auto nothing = SharedLibrary::open(FAKES_DIR "fake_nothing.so");
  ASSERT_TRUE(nothing.has_value());
  const auto chosen = Interface::choose(*nothing, 6);
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().kind, Errc::symbol_missing);
  EXPECT_EQ(chosen.error().object, FAKES_DIR "fake_nothing.so");
  EXPECT_EQ(chosen.error().detail, "QnnInterface_getProviders");
}

TEST_F(interface, of_a_library_that_lists_no_provider_is_not_taken) {
  fake().provider_count = 0;
  EXPECT_EQ(choose().error().kind, Errc::not_qnn);
  fake().provider_count = 1;
  fake().null_list = true;
  EXPECT_EQ(choose().error().kind, Errc::not_qnn);
  fake().null_list = false;
  fake().providers[0].listed_as_null = true;
  EXPECT_EQ(choose().error().kind, Errc::not_qnn);
  fake().providers[0].listed_as_null = false;
  EXPECT_TRUE(choose().has_value());
}

TEST_F(interface, of_a_library_that_counts_too_many_providers_is_not_looked_for) {
  // the id of another backend, so that the search does not stop at once
  fake().providers[0].backend_id = 3;
  fake().said_providers = 0xFFFFFFFF;
  const auto chosen = choose();
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().kind, Errc::not_qnn);
  EXPECT_EQ(chosen.error().detail, "it reports 4294967295 providers; at most 256 are read");
}

TEST_F(interface, of_another_backend_is_not_taken_and_named) {
  fake().providers[0].backend_id = 3;
  fake().providers[0].name = "CPU_QTI_AISW";
  const auto chosen = choose(6);
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().kind, Errc::not_qnn);
  expect_detail(chosen, "needs backend id 6");
  expect_detail(chosen, "CPU_QTI_AISW (backend id 3)");
}

TEST_F(interface, without_an_id_serves_every_wish_and_a_wish_for_any_takes_every_id) {
  fake().providers[0].backend_id = 0;
  EXPECT_TRUE(choose(6).has_value());
  fake().providers[0].backend_id = 3;
  EXPECT_TRUE(choose(0).has_value());
}

TEST_F(interface, is_the_first_of_the_list_that_fits) {
  fake().provider_count = 3;
  fake().providers[0].backend_id = 3;
  fake().providers[0].name = "other id";
  fake().providers[1].core = {2, 7, 0};
  fake().providers[1].name = "too old";
  fake().providers[2].core = {2, 27, 0};
  fake().providers[2].name = "fits";
  const auto chosen = choose();
  ASSERT_TRUE(chosen.has_value());
  EXPECT_STREQ(chosen->provider_name(), "fits");
  EXPECT_TRUE(chosen->find<&Table::context_finalize>());
}

TEST_F(interface, that_fits_nowhere_names_every_provider_that_was_seen) {
  fake().provider_count = 2;
  fake().providers[0].backend_id = 3;
  fake().providers[0].name = "ONE";
  fake().providers[1].core = {2, 7, 0};
  fake().providers[1].name = "TWO";
  const auto chosen = choose();
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().kind, Errc::version_unsupported);
  expect_detail(chosen, "ONE (backend id 3), TWO (core API 2.7.0)");
}

TEST_F(interface, without_a_name_has_words_for_it) {
  fake().providers[0].name = nullptr;
  const auto chosen = choose();
  ASSERT_TRUE(chosen.has_value());
  EXPECT_STREQ(chosen->provider_name(), "(unnamed)");
}

TEST_F(interface, LOAD_06_an_error_of_the_list_is_told_by_its_low_16_bits) {
  fake().get_providers_result = 0x7000'0000'0000'0000 | 1004;
  const auto chosen = choose();
  ASSERT_FALSE(chosen.has_value());
  EXPECT_EQ(chosen.error().kind, Errc::qnn);
  EXPECT_EQ(chosen.error().code, 1004);
  EXPECT_EQ(chosen.error().native, 0x7000'0000'0000'03ECu);
}

TEST_F(interface, LOAD_06_upper_bits_alone_do_not_refuse_a_list) {
  fake().get_providers_result = 0x7000'0000'0000'0000;
  EXPECT_TRUE(choose().has_value());
}

TEST_F(interface, tells_the_versions_and_the_object_of_its_provider) {
  fake().providers[0].core = {2, 32, 1};
  fake().providers[0].backend = {5, 43, 2};
  const auto chosen = choose();
  ASSERT_TRUE(chosen.has_value());
  EXPECT_EQ(chosen->core_version().patch, 1u);
  EXPECT_EQ(chosen->backend_version().major, 5u);
  EXPECT_EQ(chosen->backend_version().minor, 43u);
  EXPECT_EQ(chosen->native()->backend_id, 6u);
}

}  // namespace
