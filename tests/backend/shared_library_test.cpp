// SharedLibrary: which files it opens, which symbols it finds, and when it is closed.
#include "qnnpp/backend/shared_library.hpp"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>

#include "../support/contracts.hpp"
#include "../support/temporary_folder.hpp"
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

/// Returns the part of a file that the loader checks first: an ELF header for this class, byte
/// order and machine.
std::string elf_header(int elf_class, int byte_order, int machine) {
  std::string bytes(64, '\0');
  bytes.replace(0, 4,
                "\x7F"
                "ELF");
  bytes[4] = static_cast<char>(elf_class);
  bytes[5] = static_cast<char>(byte_order);
  bytes[6] = 1;   // EV_CURRENT
  bytes[16] = 3;  // ET_DYN
  bytes[byte_order == 2 ? 19 : 18] = static_cast<char>(machine);
  return bytes;
}

class an_unusable_library : public testing::Test {
 protected:
  /// Returns the error detail of loading a file of these bytes.
  [[nodiscard]] std::string refusal(const std::string& bytes) const {
    std::ofstream(path, std::ios::binary) << bytes;
    return refusal_of(path);
  }
  [[nodiscard]] static std::string refusal_of(const std::string& name) {
    return refusal_of(name, name);
  }
  /// The same for a name that stands for `file`, which the error names.
  [[nodiscard]] static std::string refusal_of(const std::string& name, const std::string& file) {
    const auto library = SharedLibrary::open(name);
    EXPECT_FALSE(library.has_value());
    if (library) return {};
    EXPECT_EQ(library.error().kind, Errc::library_unusable);
    EXPECT_EQ(library.error().object, file);
    return library.error().detail;
  }

  support::TemporaryFolder folder;
  std::string path = folder.file("libQnnHtp.so");
#if defined(__x86_64__)
  static constexpr int other_machine = 183;
  const std::string architectures = "it is for AArch64, 64 bit, this process is x86-64, 64 bit";
#else
  static constexpr int other_machine = 62;
  const std::string architectures = "it is for x86-64, 64 bit, this process is AArch64, 64 bit";
#endif
};

TEST_F(an_unusable_library, for_another_architecture_names_both) {
  EXPECT_EQ(refusal(elf_header(2, 1, other_machine)), architectures);
  const std::string line = SharedLibrary::open(path).error().message();
  EXPECT_EQ(line.find("No such file"), std::string::npos) << line;
  EXPECT_NE(line.find("the file exists"), std::string::npos) << line;
}

TEST_F(an_unusable_library, for_the_DSP_or_of_another_width_or_byte_order_says_so) {
  EXPECT_NE(refusal(elf_header(1, 1, 164)).find("it is for Hexagon, 32 bit"), std::string::npos);
  EXPECT_NE(refusal(elf_header(1, 1, 40)).find("it is for ARM, 32 bit"), std::string::npos);
  EXPECT_NE(refusal(elf_header(1, 1, 3)).find("it is for x86, 32 bit"), std::string::npos);
  EXPECT_NE(refusal(elf_header(2, 2, 21)).find("ELF machine 21, 64 bit, big endian"),
            std::string::npos);
}

TEST_F(an_unusable_library, found_by_its_name_is_looked_at_too_and_named_by_its_path) {
  const char* const set = std::getenv("LD_LIBRARY_PATH");
  const std::string before = set == nullptr ? "" : set;
  // The process may have loaded a library that is called libQnnHtp.so.
  const std::string name = "libQnnHtpOfAnother.so";
  std::ofstream(folder.file(name), std::ios::binary) << elf_header(2, 1, other_machine);
  ::setenv("LD_LIBRARY_PATH", ("/no/such/folder::" + folder.path()).c_str(), 1);
  EXPECT_EQ(refusal_of(name, qnnpp::detail::in_real_folder(folder.file(name))), architectures);
  const auto none = SharedLibrary::open("libNoSuch.so");
  EXPECT_EQ(none.error().kind, Errc::library_not_found);
  EXPECT_EQ(none.error().object, "libNoSuch.so");
  if (set == nullptr)
    ::unsetenv("LD_LIBRARY_PATH");
  else
    ::setenv("LD_LIBRARY_PATH", before.c_str(), 1);
}

TEST_F(an_unusable_library, that_is_none_says_what_it_is) {
  EXPECT_EQ(refusal("version https://git-lfs.github.com/spec/v1\n"), "it is no ELF file");
  EXPECT_EQ(refusal(""), "it is empty");
  EXPECT_EQ(refusal_of(folder.path() + "/"), "it is a folder");
}

TEST_F(an_unusable_library, that_is_a_named_pipe_is_refused_and_nobody_waits_for_its_writer) {
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  EXPECT_EQ(refusal_of(path), "it is no regular file");
}

TEST(shared_library, whose_path_holds_a_nul_is_not_what_the_beginning_of_the_path_names) {
  const std::string name("libQnnHtp.so\0x", 14);
  const auto library = SharedLibrary::open(name);
  ASSERT_FALSE(library.has_value());
  EXPECT_EQ(library.error().kind, Errc::invalid_argument);
  EXPECT_EQ(library.error().object, name);
}

TEST_F(an_unusable_library, that_may_not_be_read_says_so) {
  (void)refusal("");
  ASSERT_EQ(::chmod(path.c_str(), 0), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0711), 0);
  // Root can read every file, so the test becomes another user.
  const bool is_root = ::geteuid() == 0;
  ASSERT_TRUE(!is_root || ::seteuid(65534) == 0);
  const std::string why = refusal_of(path);
  ASSERT_TRUE(!is_root || ::seteuid(0) == 0);
  ::prctl(PR_SET_DUMPABLE, 1);  // the change of user has cleared it; the leak sanitizer needs it
  EXPECT_EQ(why, "no permission to read it");
}

TEST_F(an_unusable_library, that_lacks_a_library_which_it_needs_names_that_one) {
  // The loader's error names the missing library.
  const std::string missing = refusal_of(FAKES_DIR "fake_lacking.so");
  EXPECT_NE(missing.find("fake_missing.so"), std::string::npos) << missing;
}

TEST_F(an_unusable_library, that_passes_calls_on_to_one_of_QAIRT_names_all_that_it_needs) {
  const std::string missing = refusal_of(FAKES_DIR "fake_forwarding.so");
  for (const char* word : {"libQairtHtp.so, libQairtSystem.so and libQairtHtpV..Stub.so",
                           "libQairtHtp.so: cannot open shared object file"})
    EXPECT_NE(missing.find(word), std::string::npos) << missing;
}

TEST(shared_library, of_an_empty_path_is_not_the_program_itself) {
  const auto library = SharedLibrary::open("");
  ASSERT_FALSE(library.has_value());
  EXPECT_EQ(library.error().kind, Errc::library_not_found);
}

TEST(shared_library, LOAD_01_gives_the_functions_that_it_exports) {
  const auto library = SharedLibrary::open(nothing_path);
  ASSERT_TRUE(library.has_value());
  const auto function = library->symbol("nothing_of_qnn");
  ASSERT_TRUE(function.has_value());
  EXPECT_EQ(reinterpret_cast<int (*)()>(*function)(), 42);
}

TEST(shared_library, LOAD_01_a_missing_symbol_is_an_error_with_its_name) {
  const auto library = SharedLibrary::open(nothing_path);
  ASSERT_TRUE(library.has_value());
  const auto function = library->symbol("rpcmem_alloc");
  ASSERT_FALSE(function.has_value());
  EXPECT_EQ(function.error().kind, Errc::symbol_missing);
  EXPECT_EQ(function.error().object, nothing_path);
  EXPECT_EQ(function.error().detail, "rpcmem_alloc");
}

TEST(shared_library, that_was_moved_from_is_not_searched) {
  auto library = SharedLibrary::open(nothing_path);
  ASSERT_TRUE(library.has_value());
  const SharedLibrary taken = std::move(*library);
  // With a null handle the loader would search the whole program, and find this symbol.
  EXPECT_CONTRACT(moved_library, (void)library->symbol("abort"));
}

constexpr const char* backend_path = FAKES_DIR "fake_backend.so";
constexpr const char* system_path = FAKES_DIR "fake_system.so";

TEST(shared_library, names_the_file_that_the_loader_opened) {
  // A copy that the process has loaded before is used for its bare name, in whatever folders the
  // loader searches.
  constexpr const char* first = FAKES_DIR "fake_named_backend.so";
  const auto copy = SharedLibrary::open(first);
  ASSERT_TRUE(copy.has_value());
  const auto by_name = SharedLibrary::open("libQnnHtpOfTheTest.so");
  ASSERT_TRUE(by_name.has_value());
  EXPECT_EQ(by_name->path(), first);
  EXPECT_EQ(by_name->folder(), "");
  EXPECT_EQ(by_name->symbol("no_such").error().object, first);
}

TEST(shared_library, of_no_entry_of_qnn_is_named_as_it_was_asked_for) {
  const auto library = SharedLibrary::open("libc.so.6");
  ASSERT_TRUE(library.has_value());
  EXPECT_EQ(library->path(), "libc.so.6");
  // By a function that it exports.
  const auto by_entry = SharedLibrary::open("libc.so.6", "malloc_usable_size");
  ASSERT_TRUE(by_entry.has_value());
  EXPECT_TRUE(by_entry->path().starts_with("/")) << by_entry->path();
  EXPECT_TRUE(by_entry->path().ends_with("/libc.so.6")) << by_entry->path();
  EXPECT_EQ(by_entry->folder(), "");
}

TEST(shared_library, follows_links_of_its_folder_and_keeps_the_name_of_a_linked_file) {
  const support::TemporaryFolder folder;
  const std::string linked_folder = folder.file("sdk");
  ASSERT_EQ(::symlink(FAKES_DIR, linked_folder.c_str()), 0);
  for (const char* const file : {"/fake_refused_backend.so", "/fake_system.so"}) {
    const auto library = SharedLibrary::open(linked_folder + file);
    ASSERT_TRUE(library.has_value());
    EXPECT_EQ(library->path(), std::string(FAKES_DIR) + (file + 1));
    EXPECT_EQ(library->folder(), linked_folder + "/");
  }
  const std::string linked_file = folder.file("libQnnSystem.so");
  ASSERT_EQ(::symlink(system_path, linked_file.c_str()), 0);
  const auto library = SharedLibrary::open(linked_file);
  ASSERT_TRUE(library.has_value());
  EXPECT_EQ(library->path(), qnnpp::detail::in_real_folder(linked_file));
  EXPECT_TRUE(library->path().ends_with("/libQnnSystem.so")) << library->path();
}

TEST(shared_library, of_a_relative_path_is_named_by_the_absolute_one) {
  // In a new process, which may change its folder.
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto open = [] {
    if (::chdir(FAKES_DIR) != 0) std::exit(1);
    const auto library = SharedLibrary::open("./fake_backend.so");
    std::fputs(library ? library->path().c_str() : "not opened", stderr);
    std::exit(0);
  };
  EXPECT_EXIT(open(), testing::ExitedWithCode(0), testing::Eq(backend_path));
}

TEST(shared_library, that_is_in_no_folder_that_exists_is_named_as_the_loader_names_it) {
  // As in an APK.
  constexpr const char* packed = "/no/such/base.apk!/lib/arm64-v8a/libQnnHtp.so";
  EXPECT_EQ(qnnpp::detail::in_real_folder(packed), packed);
  EXPECT_EQ(qnnpp::detail::in_real_folder("libQnnHtp.so"), "libQnnHtp.so");
  EXPECT_EQ(qnnpp::detail::file_of(nullptr), "");
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
