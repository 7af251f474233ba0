// docs/simulated-htp.md lists every answer of the simulated HTP that depends on a seed.
#include "sim/tables/unconfirmed.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

namespace support { namespace {

TEST(the_documents_on_the_simulated_htp, list_each_answer_that_is_drawn_with_its_candidates) {
  std::ifstream file(QNNPP_DOCS "/simulated-htp.md");
  std::ostringstream page;
  page << file.rdbuf();
  for (const qnnpp::sim::UnconfirmedAnswer& answer : qnnpp::sim::unconfirmed_answers) {
    const bool is_code = answer.id > qnnpp::sim::Unconfirmed::error_text;
    std::string candidates;
    for (std::size_t i = 0; i < answer.count; ++i) {
      const std::uint64_t value = answer.candidates[i];
      candidates += (i == 0 ? "" : ", ");
      candidates += is_code && value == 0 ? "the call's own" : std::to_string(value);
    }
    const std::string row =
        "| " + std::string(answer.what) + " | " + candidates + " | " + answer.why + " |\n";
    EXPECT_NE(page.str().find(row), std::string::npos) << row;
  }
}

}}  // namespace support
