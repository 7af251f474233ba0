// Compares sizes, offsets, numbers and slots of abi/ with tables of facts from the layouts of
// SDKs.
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "qnnpp/abi/backend.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/htp/graph.hpp"
#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/htp/perf.hpp"
#include "qnnpp/abi/htp/profile.hpp"
#include "qnnpp/abi/htp/system.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/memory.hpp"
#include "qnnpp/abi/op.hpp"
#include "qnnpp/abi/profile.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/abi/rpcmem.hpp"
#include "qnnpp/abi/soc_model.hpp"
#include "qnnpp/abi/system_interface.hpp"
#include "qnnpp/abi/tensor.hpp"

#include "facts.hpp"

namespace qnnpp::test { namespace {

using namespace qnnpp::c_api;
using Lines = std::vector<std::string>;

#define SIZES(...) row({__VA_ARGS__})
#define ALIGNMENTS SIZES
#define OFFSETS SIZES
#define NUMBERS SIZES
#define INDICES SIZES

const std::vector<Fact>& records() {
  static const std::vector<Fact> facts{
#define RECORD(type, c_name, sizes, alignments) \
  Fact{#type, "size", sizeof(type), sizes}, Fact{#type, "alignment", alignof(type), alignments},
#include "facts/all.inc"
  };
  return facts;
}

const std::vector<Fact>& fields() {
  static const std::vector<Fact> facts{
#define FIELD(type, field, c_name, offsets, sizes)                   \
  Fact{#type "::" #field, "offset", offsetof(type, field), offsets}, \
      Fact{#type "::" #field, "size", sizeof(type::field), sizes},
#include "facts/all.inc"
  };
  return facts;
}

const std::vector<Fact>& enumerators() {
  static const std::vector<Fact> facts{
#define VALUE(type, enumerator, c_name, numbers) \
  Fact{#type "::" #enumerator, "number", static_cast<std::int64_t>(type::enumerator), numbers},
#include "facts/all.inc"
  };
  return facts;
}

const std::vector<Fact>& slots() {
  static const std::vector<Fact> facts{
#define SLOT(slot, c_name, function, first_minor, indices)                                    \
  Fact{"InterfaceTable::" #slot, "slot", offsetof(InterfaceTable, slot) / sizeof(void (*)()), \
       indices},                                                                              \
      Fact{"Slot::" #slot, "number", static_cast<std::int64_t>(Slot::slot), indices},
#define SYSTEM_SLOT(slot, c_name, indices)     \
  Fact{"SystemInterfaceTable::" #slot, "slot", \
       offsetof(SystemInterfaceTable, slot) / sizeof(void (*)()), indices},
#include "facts/all.inc"
  };
  return facts;
}

TEST(abi_facts, every_table_has_its_facts) {
  EXPECT_EQ(records().size(), 2 * 144u);
  EXPECT_EQ(fields().size(), 2 * 622u);
  EXPECT_EQ(enumerators().size(), 681u);
  EXPECT_EQ(slots().size(), 2 * 75u + 16u);
  const std::size_t items =
      records().size() + fields().size() + enumerators().size() + slots().size();
  EXPECT_GE(items, 2200u);
  const std::size_t numbers =
      count(records()) + count(fields()) + count(enumerators()) + count(slots());
  EXPECT_GE(numbers, 11000u);
  RecordProperty("items", static_cast<int>(items));
  RecordProperty("numbers", static_cast<int>(numbers));
}

TEST(abi_facts, every_item_is_known_to_some_sdk) {
  EXPECT_EQ(unknown(records()), Lines{});
  EXPECT_EQ(unknown(fields()), Lines{});
  EXPECT_EQ(unknown(enumerators()), Lines{});
  EXPECT_EQ(unknown(slots()), Lines{});
}

TEST(abi_facts, records_are_as_in_every_sdk_but_for_those_that_grew) {
  EXPECT_EQ(differences(records()), (Lines{"size of HtpGraphCustomConfig is 56, in SDK 2.25.0 16",
                                           "size of HtpGraphCustomConfig is 56, in SDK 2.30.0 32",
                                           "size of InterfaceTable is 600, in SDK 2.25.0 496",
                                           "size of InterfaceTable is 600, in SDK 2.30.0 512",
                                           "size of InterfaceTable is 600, in SDK 2.36.1 544",
                                           "size of InterfaceTable is 600, in SDK 2.40.0 552",
                                           "size of InterfaceTable is 600, in SDK 2.43.0 568",
                                           "size of InterfaceTable is 600, in SDK 2.48.0 576",
                                           "size of Interface is 640, in SDK 2.25.0 536",
                                           "size of Interface is 640, in SDK 2.30.0 552",
                                           "size of Interface is 640, in SDK 2.36.1 584",
                                           "size of Interface is 640, in SDK 2.40.0 592",
                                           "size of Interface is 640, in SDK 2.43.0 608",
                                           "size of Interface is 640, in SDK 2.48.0 616",
                                           "size of SystemContextGraphInfo is 88, in SDK 2.25.0 64",
                                           "size of SystemInterfaceTable is 128, in SDK 2.25.0 32",
                                           "size of SystemInterfaceTable is 128, in SDK 2.30.0 32",
                                           "size of SystemInterfaceTable is 128, in SDK 2.36.1 104",
                                           "size of SystemInterfaceTable is 128, in SDK 2.48.0 216",
                                           "size of SystemInterface is 160, in SDK 2.25.0 64",
                                           "size of SystemInterface is 160, in SDK 2.30.0 64",
                                           "size of SystemInterface is 160, in SDK 2.36.1 136",
                                           "size of SystemInterface is 160, in SDK 2.48.0 248"}));
}

TEST(abi_facts, fields_are_where_every_sdk_has_them) {
  EXPECT_EQ(differences(fields()),
            (Lines{"size of Interface::table is 600, in SDK 2.25.0 496",
                   "size of Interface::table is 600, in SDK 2.30.0 512",
                   "size of Interface::table is 600, in SDK 2.36.1 544",
                   "size of Interface::table is 600, in SDK 2.40.0 552",
                   "size of Interface::table is 600, in SDK 2.43.0 568",
                   "size of Interface::table is 600, in SDK 2.48.0 576",
                   "size of SystemInterface::table is 128, in SDK 2.25.0 32",
                   "size of SystemInterface::table is 128, in SDK 2.30.0 32",
                   "size of SystemInterface::table is 128, in SDK 2.36.1 104",
                   "size of SystemInterface::table is 128, in SDK 2.48.0 216"}));
}

TEST(abi_facts, enumerators_have_the_numbers_of_every_sdk_but_for_one_that_counts_the_others) {
  EXPECT_EQ(differences(enumerators()),
            (Lines{"number of HtpDeviceCoreType::max is 2, in SDK 2.25.0 1",
                   "number of HtpDeviceCoreType::max is 2, in SDK 2.30.0 1"}));
}

TEST(abi_facts, slots_are_where_every_sdk_has_them) { EXPECT_EQ(differences(slots()), Lines{}); }

TEST(abi_facts, slots_have_the_names_and_the_first_versions_of_their_C_functions) {
  std::size_t count = 0;
#define SLOT(slot, c_name, function, minor, indices)                                            \
  EXPECT_STREQ(name_of(Slot::slot), function);                                                  \
  EXPECT_EQ(c_api::slots[static_cast<std::size_t>(Slot::slot)].first_minor, minor##u) << #slot; \
  ++count;
#include "facts/all.inc"
  EXPECT_EQ(count, sizeof(InterfaceTable) / sizeof(void (*)()));
  EXPECT_EQ(count, slots_of_core(39));
  EXPECT_EQ(slots_of_core(18), 62u);
}

TEST(abi_facts, the_functions_of_the_performance_infrastructure_follow_those_of_the_table) {
  EXPECT_EQ(static_cast<std::size_t>(Slot::perf_create_power_config_id),
            sizeof(InterfaceTable) / sizeof(void (*)()));
  EXPECT_EQ(c_api::slot_count, 75u + sizeof(HtpDevicePerfInfrastructure) / sizeof(void (*)()));
  EXPECT_STREQ(name_of(Slot::perf_create_power_config_id),
               "QnnHtpPerfInfrastructure_createPowerConfigId");
  EXPECT_STREQ(name_of(Slot::perf_destroy_power_config_id),
               "QnnHtpPerfInfrastructure_destroyPowerConfigId");
  EXPECT_STREQ(name_of(Slot::perf_set_power_config), "QnnHtpPerfInfrastructure_setPowerConfig");
  EXPECT_STREQ(name_of(Slot::perf_set_memory_config), "QnnHtpPerfInfrastructure_setMemoryConfig");
  EXPECT_STREQ(name_of(Slot{79}), "?");
}

TEST(abi_facts, the_tables_have_only_grown_at_their_ends) {
  for (std::size_t sdk = 0; sdk < sdks.size(); ++sdk)
    for (const std::string_view table : {"InterfaceTable::", "SystemInterfaceTable::"}) {
      bool ended = false;
      for (const Fact& slot : slots())
        if (slot.name.starts_with(table)) {
          const bool missing = slot.expected[sdk] == none;
          EXPECT_FALSE(ended && !missing) << slot.name << " in SDK " << sdks[sdk];
          ended = ended || missing;
        }
    }
}

TEST(abi_facts, property_keys_are_their_groups_plus_their_numbers) {
  int keys = 0;
#define KEY(key, c_name, group, number)                                                       \
  EXPECT_EQ(static_cast<std::uint32_t>(PropertyKey::key), std::uint32_t{(group) + (number)}); \
  ++keys;
#include "facts/all.inc"
  EXPECT_EQ(keys, 107);
}

TEST(abi_facts, constants_have_their_numbers) {
  int numbers = 0;
#define CONSTANT(constant, c_name, number)                               \
  EXPECT_EQ(static_cast<std::int64_t>(constant), (number)) << #constant; \
  ++numbers;
#include "facts/all.inc"
  EXPECT_EQ(numbers, 110);
}

TEST(abi_facts, ops_and_parameters_are_spelled_as_in_their_definitions) {
  int texts = 0;
#define TEXT(constant, c_name, text) \
  EXPECT_STREQ(constant, text);      \
  ++texts;
#include "facts/all.inc"
  EXPECT_EQ(texts, 21);
}

TEST(abi_facts, a_short_list_goes_on_with_its_last_number) {
  EXPECT_EQ(row({4}), (Row{4, 4, 4, 4, 4, 4, 4}));
  EXPECT_EQ(row({none, none, 8, unseen}), (Row{none, none, 8, unseen, unseen, unseen, unseen}));
}

TEST(abi_facts, a_wrong_expectation_is_reported) {
  Fact fact = records().front();
  EXPECT_EQ(differences({&fact, 1}), Lines{});
  fact.expected[2] += 4;
  EXPECT_EQ(differences({&fact, 1}), (Lines{"size of BackendConfig is 16, in SDK 2.36.1 20"}));
  fact.expected.fill(none);
  fact.expected[1] = unseen;
  EXPECT_EQ(differences({&fact, 1}), Lines{});
  EXPECT_EQ(unknown({&fact, 1}), (Lines{"BackendConfig"}));
  EXPECT_EQ(count({&fact, 1}), 0u);
}

}}  // namespace qnnpp::test

// The other tests of the facts define these macros differently.
#undef SIZES
#undef ALIGNMENTS
#undef OFFSETS
#undef NUMBERS
#undef INDICES
