// SharedLibrary: what it opens, what it finds there, and when it is closed.
#include "qnnpp/backend/shared_library.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "../support/contracts.hpp"
#include "fake_library.hpp"

namespace {

using fakes::is_loaded;
using qnnpp::Errc;
using qnnpp::SharedLibrary;

constexpr const char* nothing_path = FAKES_DIR "fake_nothing.so";

TEST(shared_library, is_closed_by_its_destructor) {
  {
    const auto library = SharedLibrary::open(nothing_path);
    ASSERT_TRUE(library.has_value());
    EXPECT_TRUE(is_loaded(nothing_path));
    EXPECT_EQ(library->path(), nothing_path);
    EXPECT_NE(library->native(), nullptr);
  }
  EXPECT_FALSE(is_loaded(nothing_path));
}

TEST(shared_library, that_does_not_exist_is_an_error_with_the_words_of_the_loader) {
  const auto library = SharedLibrary::open("/no/such/libQnnHtp.so");
  ASSERT_FALSE(library.has_value());
  EXPECT_EQ(library.error().kind, Errc::library_not_found);
  EXPECT_EQ(library.error().object, "/no/such/libQnnHtp.so");
  EXPECT_NE(library.error().detail.find("No such file"), std::string::npos)
      << library.error().detail;
}

TEST(shared_library, of_an_empty_path_is_not_the_program_itself) {
  const auto library = SharedLibrary::open("");
  ASSERT_FALSE(library.has_value());
  EXPECT_EQ(library.error().kind, Errc::library_not_found);
}

TEST(shared_library, LOAD_01_gives_the_functions_that_it_exports) {
  const auto library = SharedLibrary::open(nothing_path);
  ASSERT_TRUE(library.has_value());
  const auto function = library->symbol<int (*)()>("nothing_of_qnn");
  ASSERT_TRUE(function.has_value());
  EXPECT_EQ((*function)(), 42);
  EXPECT_EQ(library->optional_symbol<int (*)()>("nothing_of_qnn"), *function);
}

TEST(shared_library, LOAD_01_a_missing_symbol_is_an_error_with_its_name) {
  const auto library = SharedLibrary::open(nothing_path);
  ASSERT_TRUE(library.has_value());
  const auto function = library->symbol<int (*)()>("rpcmem_alloc");
  ASSERT_FALSE(function.has_value());
  EXPECT_EQ(function.error().kind, Errc::symbol_missing);
  EXPECT_EQ(function.error().object, nothing_path);
  EXPECT_EQ(function.error().detail, "rpcmem_alloc");
  EXPECT_EQ(library->optional_symbol<int (*)()>("rpcmem_alloc"), nullptr);
}

TEST(shared_library, that_was_moved_from_is_not_searched) {
  auto library = SharedLibrary::open(nothing_path);
  ASSERT_TRUE(library.has_value());
  const SharedLibrary taken = std::move(*library);
  // By a null handle the loader would search the whole program, and find this.
  EXPECT_CONTRACT(moved_library, (void)library->symbol<void (*)()>("abort"));
  EXPECT_CONTRACT(moved_library, (void)library->optional_symbol<void (*)()>("abort"));
}

TEST(shared_library, knows_the_folder_of_its_path) {
  const auto library = SharedLibrary::open(nothing_path);
  ASSERT_TRUE(library.has_value());
  EXPECT_EQ(library->folder(), FAKES_DIR);
  const auto by_name = SharedLibrary::open("libc.so.6");
  ASSERT_TRUE(by_name.has_value());
  EXPECT_EQ(by_name->folder(), "");
}

TEST(shared_library, LOAD_05_stays_loaded_once_it_is_pinned) {
  constexpr const char* pinned = FAKES_DIR "fake_pinned.so";
  {
    const auto library = SharedLibrary::open(pinned);
    ASSERT_TRUE(library.has_value());
    library->pin();
    library->pin();
  }
  EXPECT_TRUE(is_loaded(pinned));
}

}  // namespace
