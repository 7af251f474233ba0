// Advice: every code at every step with every combination of the facts that its rows ask for.
#include "qnnpp/core/detail/error_advice.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/core/detail/error_names.hpp"
#include "qnnpp/core/error.hpp"

namespace {

using namespace qnnpp::detail;  // NOLINT(google-build-using-namespace): all of it is tested
using qnnpp::Errc;
using qnnpp::Error;

/// A step of each kind, as an error names it.
constexpr const char* steps[] = {"QnnDevice_create",
                                 "QnnContext_createFromBinary",
                                 "QnnContext_createFromBinaryListAsync",
                                 "QnnContext_create",
                                 "QnnContext_finalize",
                                 "QnnMem_register",
                                 "QnnGraph_addNode",
                                 "QnnGraph_finalize",
                                 "QnnGraph_execute",
                                 "QnnSystemContext_getMetadata",
                                 "QnnSome_step"};

/// Facts of the log, with a line that states each.
struct Line {
  std::uint32_t fact;
  const char* text;
};
constexpr Line lines[] = {
    {fact::log_no_stub, "Failed in loading stub: cannot open libQnnHtpV79Stub.so"},
    {fact::log_no_skel, "Failed to load skel, error: 4000"},
    {fact::log_unknown_soc, "Unknown config socModel 4711"},
    {fact::log_no_soc, "No Snapdragon SOC detected, defaulting to SM8350"},
};
constexpr std::uint32_t of_log =
    fact::log_no_stub | fact::log_no_skel | fact::log_unknown_soc | fact::log_no_soc;

/// Words that an advice must not have if a fact holds: a cause that the fact excludes, or a cure
/// that it says is applied. Stated apart from the table, which must agree.
struct Excluded {
  std::uint32_t fact;
  std::string_view words;
};
constexpr Excluded excluded_words[] = {
    {fact::alone, "other contexts"},
    {fact::one_graph, "fewer graphs"},
    {fact::spill_fill_shared, "share spill-fill"},
    {fact::own_weights, "external weights"},
    {fact::own_weights, "leave the weights"},
    {fact::weights_worked, "external weights"},
    {fact::weights_worked, "leave the weights"},
    {fact::rpcmem, "from rpcmem or"},
    {fact::rpcmem, "memory of this kind"},
    {fact::dma_heap, "a DMA heap"},
    {fact::registered, "raw tensors"},
    {fact::registered, "bind registered"},
    {fact::arch_fits, "another architecture"},
    {fact::arch_fits, "for this device"},
    {fact::not_newer, "a newer SDK made"},
    {fact::not_newer, "at least as new"},
    {fact::digest_matches, "damaged"},
    {fact::digest_matches, "truncated"},
    {fact::digest_matches, "replace"},
    {fact::emulation, "process domain has room"},
    {fact::emulation, "SMMU"},
    {fact::emulation, "other processes"},
    {fact::emulation, "another architecture"},
    {fact::library_named, "which copy"},
    {fact::library_named, "older skel"},
    {fact::library_named, "and the SoC"},
    {fact::log_no_soc, "does not know this SoC"},
};

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Number of the combinations that combination() makes of the bits of `mask`.
std::uint32_t combinations(std::uint32_t mask) { return 1u << std::popcount(mask); }
/// The combination number `index` of the bits of `mask`.
std::uint32_t combination(std::uint32_t mask, std::uint32_t index) {
  std::uint32_t chosen = 0;
  for (; mask != 0; mask &= mask - 1, index >>= 1)
    if ((index & 1) != 0) chosen |= mask & (0 - mask);
  return chosen;
}

/// Facts for which the rows of a code ask, or that exclude words of their texts, other than those
/// that follow from code and step.
std::uint32_t facts_of_rows(std::uint16_t code) {
  std::uint32_t asked = 0;
  for (const ErrorAdvice& row : error_advice)
    if (row.code == code || row.code == 0) {
      asked |= row.needs | row.excluded;
      for (const auto& [fact, words] : excluded_words)
        if (contains(row.cause, words) || contains(row.cure, words)) asked |= fact;
    }
  return asked & ~fact::no_room;
}

Error error_of(std::uint16_t code, const char* step, std::uint32_t facts) {
  Error error = Error::from_qnn(code, step, "it");
  error.facts = facts & ~of_log;
  for (const Line& line : lines)
    if ((facts & line.fact) != 0) error.log += std::string(line.text) + "; ";
  return error;
}

/// Calls `check(error, advice)` for every code at every step with every combination of facts.
template <class Check>
void for_every_error(Check check) {
  for (const ErrorName& each : error_names) {
    const std::uint32_t mask = facts_of_rows(each.code);
    for (const char* step : steps)
      for (std::uint32_t i = 0; i < combinations(mask); ++i) {
        const Error error = error_of(each.code, step, combination(mask, i));
        check(error, advice_on(error));
        if (testing::Test::HasFailure()) return;
      }
  }
}

bool holds(const ErrorAdvice& row, const Error& error) {
  const std::uint32_t facts = facts_of(error);
  return (row.code == error.code || row.code == 0) && (row.steps & step_of(error.step)) != 0 &&
         (facts & row.needs) == row.needs && (facts & row.excluded) == 0;
}

TEST(error_advice, names_no_cause_that_is_excluded_and_no_cure_that_is_applied) {
  for_every_error([](const Error& error, const std::string& advice) {
    const std::uint32_t facts = facts_of(error);
    for (const auto& [fact, words] : excluded_words)
      EXPECT_FALSE((facts & fact) != 0 && contains(advice, words))
          << error.code << " " << error.step << ", facts " << std::hex << facts << ": " << advice;
    EXPECT_FALSE(contains(advice, "a signal aborted")) << "qnnpp passes none: " << advice;
  });
}

TEST(error_advice, answers_every_code_at_every_step) {
  for_every_error([](const Error& error, const std::string& advice) {
    const std::size_t end = advice.find("; ");
    ASSERT_NE(end, std::string::npos) << error.code << " " << error.step << ": " << advice;
    EXPECT_GT(end, 5u) << advice;
    EXPECT_GT(advice.size() - end, 10u) << advice;
    EXPECT_EQ(advice.find("; ", end + 2), std::string::npos)
        << "one cause and one cure: " << advice;
    EXPECT_LE(advice.size(), 300u) << "a message has room for the log, too: " << advice;
    const std::string text = error.message();
    EXPECT_TRUE(contains(text, advice)) << text;
  });
}

TEST(error_advice, names_all_causes_and_cures_that_hold) {
  for_every_error([](const Error& error, const std::string& advice) {
    for (const ErrorAdvice& row : error_advice)
      if (holds(row, error)) {
        EXPECT_TRUE(contains(advice, row.cause)) << row.cause << ": " << advice;
        EXPECT_TRUE(contains(advice, row.cure)) << row.cure << ": " << advice;
      }
  });
}

TEST(error_advice, reaches_each_row_by_some_combination) {
  std::set<const ErrorAdvice*> reached;
  for_every_error([&](const Error& error, const std::string&) {
    for (const ErrorAdvice& row : error_advice)
      if (holds(row, error)) reached.insert(&row);
  });
  for (const ErrorAdvice& row : error_advice)
    EXPECT_TRUE(reached.contains(&row)) << row.code << " " << row.cause << "; " << row.cure;
}

TEST(error_advice, has_rows_of_known_codes_that_exclude_nothing_they_need) {
  for (const ErrorAdvice& row : error_advice) {
    EXPECT_TRUE(row.code == 0 || *error_name(row.code) != '\0') << row.code;
    EXPECT_EQ(row.needs & row.excluded, 0u) << row.code << " " << row.cause;
    EXPECT_NE(row.steps & step::all, 0) << row.code << " " << row.cause;
    EXPECT_FALSE(contains(row.cause, "; ") || contains(row.cure, "; ")) << row.cause << row.cure;
    EXPECT_TRUE(*row.cause != '\0' || *row.cure != '\0') << row.code;
  }
}

TEST(error_advice, asks_the_predicate_of_residencies_what_no_room_is) {
  for_every_error([](const Error& error, const std::string& advice) {
    EXPECT_EQ((facts_of(error) & fact::no_room) != 0, is_exhausted(error));
    const bool is_load = (step_of(error.step) & step::loads) != 0;
    const bool frees = contains(advice, "free other contexts");
    EXPECT_TRUE(frees || !is_exhausted(error) || !is_load || (error.facts & fact::alone) != 0)
        << error.code << " " << error.step << ": " << advice;
    EXPECT_TRUE(!frees || is_exhausted(error)) << error.code << " " << error.step << ": " << advice;
  });
}

TEST(error_advice, knows_a_step_of_each_kind) {
  std::uint16_t kinds = 0;
  for (const char* step : steps) kinds |= step_of(step);
  EXPECT_EQ(kinds, step::all);
  EXPECT_EQ(step_of(""), step::other);
}

TEST(error_advice, knows_a_line_for_each_fact_of_the_log) {
  for (const auto& [fact, text] : lines) {
    Error error = Error::from_qnn(14001, "QnnDevice_create", "it");
    error.log = text;
    EXPECT_EQ(facts_of(error) & of_log, fact) << text;
  }
  EXPECT_EQ(std::size(lines), std::size(log_words));
}

TEST(error_advice, of_an_unknown_code_refers_to_the_sdk) {
  EXPECT_EQ(advice_on(Error::from_qnn(4321, "QnnGraph_execute", "it")),
            "see the SDK's error codes");
}

// ------------------------------------------------------------------------ What each case says.

std::string advice(std::uint16_t code, const char* step, std::uint32_t facts = 0) {
  return advice_on(error_of(code, step, facts));
}

TEST(error_advice, of_1002_of_an_execution_speaks_of_copies_of_raw_tensors) {
  EXPECT_EQ(advice(1002, "QnnGraph_execute", fact::raw_tensors),
            "QNN's copies of raw tensors do not fit; bind registered tensor memory, or free other "
            "contexts");
  EXPECT_EQ(advice(1002, "QnnGraph_execute", fact::registered | fact::alone),
            "the device has no memory for the execution; end other processes that use the HTP");
}

TEST(error_advice, of_1002_of_a_composed_graph_speaks_of_its_nodes) {
  EXPECT_EQ(advice(1002, "QnnGraph_finalize", fact::emulation | fact::alone),
            "the HTP cannot prepare an op or a node; read in the log which node it is, and change "
            "its types or shapes");
}

TEST(error_advice, of_1002_of_a_composed_graph_speaks_of_room_only_on_a_device) {
  EXPECT_FALSE(contains(advice(1002, "QnnGraph_finalize", fact::emulation), "contexts"));
  EXPECT_TRUE(contains(advice(1002, "QnnGraph_finalize"),
                       ", or no process domain has room; read in the log which node it is"));
  EXPECT_TRUE(contains(advice(1002, "QnnGraph_finalize"), ", or free other contexts"));
}

TEST(error_advice, of_no_room_advises_what_this_process_can_still_do) {
  EXPECT_EQ(advice(1002, "QnnContext_finalize", fact::own_weights),
            "no process domain has room, or an SMMU mapping failed; free other contexts, enable "
            "fewer graphs, or share spill-fill memory");
  const std::uint32_t all_done =
      fact::own_weights | fact::alone | fact::one_graph | fact::spill_fill_shared;
  EXPECT_EQ(advice(1002, "QnnContext_finalize", all_done),
            "no process domain has room, or an SMMU mapping failed; end other processes that use "
            "the HTP, or split the model into smaller contexts");
}

TEST(error_advice, of_8003_does_not_advise_rpcmem_for_memory_from_it) {
  EXPECT_EQ(advice(8003, "QnnMem_register"),
            "the device cannot map memory of this kind, or the process domain has no room to map "
            "the memory; allocate it from rpcmem or a DMA heap, free other contexts, or release "
            "other registrations");
  EXPECT_EQ(advice(8003, "QnnMem_register", fact::rpcmem),
            "the process domain has no room to map the memory; free other contexts, or release "
            "other registrations");
}

TEST(error_advice, of_5005_excludes_an_architecture_that_was_compared) {
  EXPECT_EQ(advice(5005, "QnnContext_createFromBinary",
                   fact::arch_fits | fact::one_graph | fact::spill_fill_shared | fact::alone),
            "no process domain has room; end other processes that use the HTP, or split the model "
            "into smaller contexts");
}

TEST(error_advice, of_codes_of_a_creation_names_a_damaged_binary) {
  constexpr std::uint16_t codes[] = {5000, 5007, 30001, 30002, 30010};
  for (const std::uint16_t code : codes)
    for (const char* step :
         {"QnnContext_createFromBinary", "QnnContext_createFromBinaryListAsync"}) {
      EXPECT_TRUE(contains(advice(code, step), "the binary is damaged")) << code;
      EXPECT_FALSE(contains(advice(code, step), "libQnnSystem")) << code;
      EXPECT_FALSE(contains(advice(code, step, fact::digest_matches), "damaged")) << code;
    }
  EXPECT_TRUE(contains(advice(5000, "QnnContext_createFromBinary"), "a newer SDK made"));
  EXPECT_TRUE(contains(advice(30010, "QnnSystemContext_getMetadata"), "libQnnSystem.so"));
}

TEST(error_advice, of_a_start_asks_the_log_which_chip_is_meant) {
  EXPECT_EQ(advice(14001, "QnnDevice_create", fact::log_unknown_soc),
            "the library does not know the SoC of an option; give a SoC that it knows, or use a "
            "library of a newer SDK");
  EXPECT_TRUE(contains(advice(4000, "QnnBackend_create", fact::log_no_soc),
                       "no Snapdragon chip was detected; use a device with such a chip"));
}

TEST(error_advice, of_nodes_names_an_op_and_a_package_that_the_backend_lacks) {
  EXPECT_TRUE(contains(advice(6005, "QnnGraph_addNode"), "the backend has no such op"));
  EXPECT_TRUE(contains(advice(6007, "QnnGraph_addNode"), "no such op package is registered"));
}

TEST(error_advice, of_a_call_that_was_ended_blames_no_signal) {
  constexpr std::uint16_t codes[] = {5012, 5013, 6031, 6033};
  for (const std::uint16_t code : codes)
    EXPECT_EQ(advice(code, "QnnGraph_execute"),
              "the backend ended a call that has no stop and no time limit; make the call again");
}

}  // namespace
