// Concepts that refusals use to recognise a Result that was not tested, and a path.
#include "qnnpp/core/detail/concepts.hpp"

#include "qnnpp/config.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "qnnpp/core/result.hpp"

namespace {

using namespace qnnpp;

/// Has the members of a class of qnnpp.
struct Handle {
  Handle() = default;
  QNNPP_MOVE_ONLY(Handle, "a handle has one owner; write std::move(handle)");
  template <detail::ResultOf<Handle> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *std::move(handle)", Handle,
                           const R&);
};

TEST(results, are_recognised_and_nothing_else_is) {
  EXPECT_TRUE(detail::AnyResult<Result<int>>);
  EXPECT_TRUE(detail::AnyResult<Result<void>>);
  EXPECT_FALSE(detail::AnyResult<int>);
  EXPECT_FALSE(detail::AnyResult<std::vector<Result<int>>>);
  EXPECT_TRUE((detail::ResultOf<Result<Handle>, Handle>));
  EXPECT_FALSE((detail::ResultOf<Result<int>, Handle>));
}

TEST(results, make_no_object_whoever_asks) {
  EXPECT_FALSE((std::is_constructible_v<Handle, Result<Handle>>));
  EXPECT_FALSE((std::is_convertible_v<Result<Handle>&, Handle>));
  EXPECT_FALSE((std::is_convertible_v<const Result<Handle>&, Handle>));
  EXPECT_TRUE(std::is_nothrow_move_constructible_v<Handle>);
}

TEST(results, of_a_refusing_class_still_move_and_hold_it) {
  Result<Handle> made = Handle();
  Result<Handle> moved = std::move(made);
  EXPECT_TRUE(moved.has_value());
  std::vector<Handle> all;
  all.push_back(*std::move(moved));
  EXPECT_EQ(all.size(), 1u);
}

TEST(paths, are_what_turns_into_a_string) {
  EXPECT_TRUE(detail::PathLike<char[6]>);
  EXPECT_TRUE(detail::PathLike<const char*>);
  EXPECT_TRUE(detail::PathLike<std::string>);
  EXPECT_TRUE(detail::PathLike<std::string_view>);
  EXPECT_TRUE(detail::PathLike<std::filesystem::path>);
  EXPECT_FALSE(detail::PathLike<std::vector<std::string>>);
  EXPECT_FALSE(detail::PathLike<std::span<const std::byte>>);
  EXPECT_FALSE(detail::PathLike<int>);
}

}  // namespace
