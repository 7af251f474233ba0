// value_or_throw: results as exceptions.
#include "qnnpp/throw.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <type_traits>

namespace {

using qnnpp::Errc;
using qnnpp::Error;
using qnnpp::Result;
using qnnpp::value_or_throw;

TEST(value_or_throw, gives_the_value_of_a_result) {
  EXPECT_EQ(value_or_throw(Result<int>(7)), 7);
  static_assert(std::is_same_v<decltype(value_or_throw(Result<int>(7))), int>);
}

TEST(value_or_throw, moves_the_value_out) {
  const auto value = value_or_throw(Result<std::unique_ptr<int>>(std::make_unique<int>(7)));
  ASSERT_NE(value, nullptr);
  EXPECT_EQ(*value, 7);
}

TEST(value_or_throw, passes_success_without_a_value) {
  EXPECT_NO_THROW(value_or_throw(Result<void>()));
}

TEST(value_or_throw, throws_the_error_where_there_is_no_value) {
  const Error error = Error::from_qnn(1002, "QnnContext_finalize", "a.bin");
  try {
    (void)value_or_throw(Result<int>(qnnpp::fail(error)));
    FAIL() << "nothing was thrown";
  } catch (const qnnpp::Exception& exception) {
    EXPECT_EQ(exception.error().kind, Errc::qnn);
    EXPECT_EQ(exception.error().code, 1002);
    EXPECT_EQ(exception.error().object, "a.bin");
    EXPECT_EQ(std::string(exception.what()), error.message());
  }
}

TEST(value_or_throw, throws_where_success_has_no_value_either) {
  EXPECT_THROW(value_or_throw(Result<void>(qnnpp::fail(Error::make(Errc::empty, "step", "it")))),
               std::runtime_error);
}

}  // namespace
