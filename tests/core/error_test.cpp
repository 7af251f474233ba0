// Error, Result, check: the meaning of a C function's return value.
#include "qnnpp/core/error.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <string_view>

#include "qnnpp/core/detail/error_names.hpp"
#include "qnnpp/core/result.hpp"

namespace {

using qnnpp::Errc;
using qnnpp::Error;
using qnnpp::Result;

TEST(check, LOAD_06_upper_bits_alone_are_success) {
  EXPECT_TRUE(qnnpp::check(0, "QnnBackend_create", "lib").has_value());
  EXPECT_TRUE(qnnpp::check(0x10000, "QnnBackend_create", "lib").has_value());
  EXPECT_TRUE(qnnpp::check(0xFFFF'FFFF'FFFF'0000, "QnnBackend_create", "lib").has_value());
}

TEST(check, LOAD_06_the_low_16_bits_are_the_code_and_the_rest_is_kept) {
  const Result<void> result = qnnpp::check(0xDEAD'BEEF'0001'03EA, "QnnContext_finalize", "a.bin");
  ASSERT_FALSE(result.has_value());
  EXPECT_EQ(result.error().kind, Errc::qnn);
  EXPECT_EQ(result.error().code, 1002);
  EXPECT_EQ(result.error().native, 0xDEAD'BEEF'0001'03EAu);
  EXPECT_STREQ(result.error().step, "QnnContext_finalize");
  EXPECT_EQ(result.error().object, "a.bin");
}

TEST(check, LOAD_06_is_decided_by_the_low_16_bits_of_any_value) {
  std::mt19937_64 random(20260103);
  for (int i = 0; i < 2000; ++i) {
    std::uint64_t native = random();
    if (i % 2 == 0) native &= ~std::uint64_t{0xFFFF};
    const auto result = qnnpp::check(native, "step", "object");
    ASSERT_EQ(result.has_value(), native % 65536 == 0) << native;
    if (!result) {
      ASSERT_EQ(result.error().code, native % 65536);
      ASSERT_EQ(result.error().native, native);
    }
  }
}

TEST(error, of_the_library_itself_has_no_code) {
  const Error error = Error::make(Errc::not_qnn, "QnnInterface_getProviders", "lib.so", "none");
  EXPECT_EQ(error.kind, Errc::not_qnn);
  EXPECT_EQ(error.code, 0);
  EXPECT_EQ(error.native, 0u);
  EXPECT_STREQ(error.step, "QnnInterface_getProviders");
  EXPECT_EQ(error.object, "lib.so");
  EXPECT_EQ(error.detail, "none");
}

TEST(error, of_a_mismatch_holds_both_numbers) {
  const Error error = Error::mismatch(Errc::too_small, "sharing", "b.bin", 4096, 1024);
  EXPECT_EQ(error.kind, Errc::too_small);
  EXPECT_EQ(error.needed, 4096u);
  EXPECT_EQ(error.found, 1024u);
  EXPECT_TRUE(error.detail.empty());
}

TEST(error, has_a_detail_of_texts_and_integers) {
  const std::string name = "stem";
  const Error error = Error::make(Errc::empty, "testing", "object",
                                  {"graph ", name, std::string_view(" of many").substr(0, 3), " ",
                                   std::string_view(), 0, ", ", INT64_MIN, ", ", UINT64_MAX});
  EXPECT_EQ(error.kind, Errc::empty);
  EXPECT_STREQ(error.step, "testing");
  EXPECT_EQ(error.object, "object");
  EXPECT_EQ(error.detail, "graph stem of 0, -9223372036854775808, 18446744073709551615");
  EXPECT_EQ(Error::make(Errc::empty, "testing", "object", {"text", 3u}).detail, "text3");
}

TEST(result, holds_a_value_or_the_error_that_was_failed_with) {
  const auto half = [](int number) -> Result<int> {
    if (number % 2 != 0) return qnnpp::fail(Error::make(Errc::invalid_argument, "half", "number"));
    return number / 2;
  };
  ASSERT_TRUE(half(8).has_value());
  EXPECT_EQ(*half(8), 4);
  ASSERT_FALSE(half(7).has_value());
  EXPECT_EQ(half(7).error().kind, Errc::invalid_argument);
  EXPECT_EQ(half(8).and_then(half).and_then(half).value(), 1);
  EXPECT_FALSE(half(2).and_then(half).has_value());
}

TEST(error_names, know_each_code_once) {
  std::set<std::uint16_t> codes;
  for (const qnnpp::detail::ErrorName& each : qnnpp::detail::error_names) {
    EXPECT_TRUE(codes.insert(each.code).second) << each.code;
    EXPECT_NE(std::string_view(each.name), "") << each.code;
    EXPECT_EQ(qnnpp::detail::error_name(each.code), each.name);
  }
}

TEST(error_names, are_empty_for_an_unknown_code) {
  EXPECT_STREQ(qnnpp::detail::error_name(4321), "");
}

}  // namespace
