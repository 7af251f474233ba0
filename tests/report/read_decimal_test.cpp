// Tests of report/detail/read_decimal.hpp.
#include "qnnpp/report/detail/read_decimal.hpp"

#include <gtest/gtest.h>

#include <clocale>
#include <limits>

namespace {

using qnnpp::detail::read_decimal;

TEST(a_decimal_number, is_read_to_its_last_digit) {
  EXPECT_EQ(read_decimal<float>("0.1"), 0.1f);
  EXPECT_EQ(read_decimal<double>("0.1"), 0.1);
  EXPECT_EQ(read_decimal<double>("-25e-3"), -0.025);
  EXPECT_EQ(read_decimal<float>("1e-45"), std::numeric_limits<float>::denorm_min());
  // Between two floats: the nearest double would be half way, and round to the even one.
  EXPECT_EQ(read_decimal<float>("1.00000005960464477540"), 1.00000012f);
}

TEST(a_decimal_number, is_empty_beyond_the_range_of_its_type) {
  EXPECT_EQ(read_decimal<float>("1e39"), std::nullopt);
  EXPECT_EQ(read_decimal<double>("1e39"), 1e39);
  EXPECT_EQ(read_decimal<float>("1e-60"), std::nullopt);
  EXPECT_EQ(read_decimal<float>("0e-60"), 0.0f);
}

TEST(a_text_that_is_no_decimal_number, is_empty) {
  for (const char* const text :
       {"", " 1", "1 ", "1,5", "0x1", "inf", "nan", "1e", "1.2.3", "-", "e5"})
    EXPECT_EQ(read_decimal<double>(text), std::nullopt) << "'" << text << "'";
}

}  // namespace
