// Positions by name: empty lists, similar names, and many names.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/core/tensor_spec.hpp"

namespace {

using qnnpp::detail::LazyNameTable;
using qnnpp::detail::NameList;
using qnnpp::detail::NameTable;

using Names = std::vector<std::string>;

/// Returns the index of `name`. Expects that both tables return the same.
std::uint32_t position(const Names& names, std::string_view name) {
  const auto name_of = [&](std::size_t i) { return std::string_view(names[i]); };
  NameTable table(names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::uint32_t& at = table(names[i], name_of); at == NameTable::none)
      at = static_cast<std::uint32_t>(i);
  const NameTable& filled = table;
  const std::uint32_t found = filled(name, name_of);
  EXPECT_EQ(LazyNameTable().find(name, names), found);
  return found;
}

TEST(name_table, finds_nothing_where_there_is_nothing) {
  EXPECT_EQ(position({}, "a"), NameTable::none);
  EXPECT_EQ(position({}, ""), NameTable::none);
  const NameTable none;
  EXPECT_EQ(none("a", [](std::size_t) { return std::string_view(); }), NameTable::none);
}

TEST(name_table, finds_the_one_that_there_is) {
  EXPECT_EQ(position({"a"}, "a"), 0u);
  EXPECT_EQ(position({"a"}, "b"), NameTable::none);
  EXPECT_EQ(position({""}, ""), 0u);
}

TEST(name_table, finds_the_first_of_equal_names) {
  EXPECT_EQ(position({"a", "b", "b", "a"}, "a"), 0u);
  EXPECT_EQ(position({"a", "b", "b", "a"}, "b"), 1u);
  EXPECT_EQ(position(Names(1000, "same"), "same"), 0u);
  EXPECT_EQ(position(Names(1000, "same"), "other"), NameTable::none);
}

TEST(name_table, tells_a_name_from_its_prefixes) {
  const Names names{"layer", "layer.1", "layer.10", "layer.1.weight", ""};
  for (std::uint32_t i = 0; i < names.size(); ++i) EXPECT_EQ(position(names, names[i]), i);
  EXPECT_EQ(position(names, "layer."), NameTable::none);
  EXPECT_EQ(position(names, "l"), NameTable::none);
}

TEST(name_table, compares_bytes_of_any_value) {
  const Names names{"\x80",
                    "\xFF",
                    "\xFF\x80",
                    "\xC3\xA4",
                    "\xC3",
                    std::string("a\0b", 3),
                    std::string("a\0c", 3),
                    "a",
                    std::string(1, '\0')};
  for (std::uint32_t i = 0; i < names.size(); ++i) EXPECT_EQ(position(names, names[i]), i);
  EXPECT_EQ(position(names, "\x7F"), NameTable::none);
}

/// A name that counts how often it is read.
struct CountedName {
  std::string text;
  std::uint64_t* reads;
  explicit operator std::string_view() const {
    ++*reads;
    return text;
  }
};
struct Named {
  CountedName name;
};

TEST(name_table, finds_each_of_10000_names_in_a_few_comparisons) {
  std::uint64_t comparisons = 0;
  std::vector<Named> names;
  for (int i = 0; i < 10'000; ++i)
    names.push_back({{"/model/layers." + std::to_string(i) + "/key", &comparisons}});
  const LazyNameTable index;
  for (std::uint32_t i = 0; i < names.size(); ++i)
    ASSERT_EQ(index.find(names[i].name.text, names), i);
  EXPECT_EQ(index.find("/model/layers.10000/key", names), NameTable::none);
  EXPECT_LE(comparisons, 5 * names.size());
}

TEST(name_table, that_is_lazy_knows_names_that_were_added_since) {
  Names names{"a"};
  const LazyNameTable index;
  EXPECT_EQ(index.find("b", names), NameTable::none);
  names.push_back("b");
  EXPECT_EQ(index.find("b", names), 1u);
  EXPECT_EQ(index.find("a", names), 0u);
}

TEST(name_list, says_how_many_names_it_leaves_out) {
  NameList list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(list.text(), "");
  for (int i = 0; i < 3; ++i) list.add("input ", std::to_string(i));
  EXPECT_FALSE(list.empty());
  EXPECT_EQ(list.text(), "input 0, input 1, input 2");
  list.add("", "3");
  EXPECT_EQ(list.text(), "input 0, input 1, input 2 and 1 more");
}

TEST(name_list, begins_with_the_names_that_are_most_like_the_wanted_one) {
  const auto list = [](std::string_view wanted) {
    NameList names(wanted);
    for (const char* const name : {"image", "mask", "hidden", "next_hidden", "r64", "r256"})
      names.add("", name);
    return names.text();
  };
  EXPECT_EQ(list("imge"), "image, mask, r64 and 3 more");
  EXPECT_EQ(list("Hidden"), "hidden, next_hidden, image and 3 more");
  EXPECT_EQ(list("r265"), "r256, r64, mask and 3 more");
  EXPECT_EQ(list(""), "image, mask, hidden and 3 more");
}

TEST(check_name, refuses_a_NUL_anywhere) {
  using qnnpp::detail::check_name;
  EXPECT_TRUE(check_name("", "step").has_value());
  EXPECT_TRUE(check_name("n\xC3\xA4me", "step").has_value());
  for (const std::string& name :
       {std::string(1, '\0'), std::string("a\0", 2), std::string("\0a", 2)})
    EXPECT_EQ(check_name(name, "step").error().kind, qnnpp::Errc::invalid_argument);
}

}  // namespace
