// Context binaries in memory: mapped, owned or borrowed, and how long they stay valid.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>

#include "qnnpp/abi/system_interface.hpp"
#include "qnnpp/context/detail/failed_load.hpp"
#include "qnnpp/core/detail/access.hpp"

#include "fixture.hpp"
#include "recorder.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;

/// A file in a separate folder. The destructor removes both.
class File {
 public:
  explicit File(std::span<const std::byte> bytes)
      : path_(folder_.file("qnnpp-context-binary.bin")) {
    const int fd = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    written_ =
        fd >= 0 && ::write(fd, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size());
    if (fd >= 0) ::close(fd);
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& folder() const { return folder_.path(); }
  [[nodiscard]] bool written() const { return written_; }

 private:
  TemporaryFolder folder_;
  std::string path_;
  bool written_ = false;
};

class context_binary : public LoadedTest {
 protected:
  std::vector<std::byte> bytes() const { return binary_of(backend(), {Network{}}); }
};

TEST_F(context_binary, a_mapped_file_has_the_bytes_of_the_file_and_its_path_as_name) {
  const auto content = bytes();
  const File file(content);
  ASSERT_TRUE(file.written());
  const auto binary = must(ContextBinary::map(file.path()));
  ASSERT_EQ(binary.bytes().size(), content.size());
  EXPECT_EQ(std::memcmp(binary.bytes().data(), content.data(), content.size()), 0);
  EXPECT_EQ(binary.name(), file.path());
  EXPECT_EQ(open_descriptors(), descriptors()) << "the file is closed, its mapping stays";
}

TEST_F(context_binary, a_mapping_goes_with_its_object) {
  const File file(bytes());
  {
    const auto binary = must(ContextBinary::map(file.path()));
    EXPECT_EQ(mappings_of(file.path()), 1u);
  }
  EXPECT_EQ(mappings_of(file.path()), 0u);
}

TEST_F(context_binary, a_missing_file_is_an_error_with_path_and_errno) {
  const Error error = error_of(ContextBinary::map("/nowhere/at/all.bin"));
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.code, ENOENT);
  EXPECT_EQ(error.object, "/nowhere/at/all.bin");
}

TEST_F(context_binary, a_folder_is_no_binary) {
  const File file(bytes());
  const Error error = error_of(ContextBinary::map(file.folder()));
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.object, file.folder());
}

TEST_F(context_binary, a_named_pipe_is_refused_and_nobody_waits_for_its_writer) {
  TemporaryFolder folder;
  const std::string& pipe = folder.file("pipe.bin");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const auto open : {&ContextBinary::map, &ContextBinary::read})
    for (const std::string& path : {pipe, std::string("/dev/zero")}) {
      const Error error = error_of(open(path));
      EXPECT_EQ(error.kind, Errc::file_unreadable) << path;
      EXPECT_EQ(error.object, path);
      EXPECT_EQ(error.detail, "not a regular file");
    }
}

TEST_F(context_binary, a_path_that_holds_a_nul_is_refused_and_its_beginning_not_opened) {
  const File file(bytes());
  const std::string path = file.path() + std::string("\0.bin", 5);
  for (const auto open : {&ContextBinary::map, &ContextBinary::read}) {
    const Error error = error_of(open(path));
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_EQ(error.object, path);
    EXPECT_EQ(error.message(), file.path() + "\\x00.bin: open: the path holds a NUL; remove it");
  }
}

TEST_F(context_binary, a_file_that_was_read_may_be_truncated) {
  const auto content = bytes();
  const File file(content);
  auto binary = must(ContextBinary::read(file.path()));
  EXPECT_EQ(binary.name(), file.path());
  EXPECT_EQ(mappings_of(file.path()), 0u);
  EXPECT_EQ(open_descriptors(), descriptors());
  ASSERT_EQ(::truncate(file.path().c_str(), 0), 0);
  ASSERT_EQ(binary.bytes().size(), content.size());
  EXPECT_EQ(std::memcmp(binary.bytes().data(), content.data(), content.size()), 0);
  const auto context = must(Context<Finalized>::restore(backend(), std::move(binary)));
  EXPECT_LT(difference(context, Network{}), tolerance);
  EXPECT_EQ(error_of(ContextBinary::read(file.path())).kind, Errc::empty);
  EXPECT_EQ(error_of(ContextBinary::read(file.folder())).kind, Errc::file_unreadable);
  EXPECT_EQ(error_of(ContextBinary::read("/nowhere/at/all.bin")).code, ENOENT);
}

TEST_F(context_binary, a_file_above_a_limit_is_not_read) {
  const File file(bytes());
  const Error error = error_of(detail::read_file(file.path(), 100));
  EXPECT_EQ(error.kind, Errc::too_large);
  EXPECT_EQ(error.needed, bytes().size());
  EXPECT_EQ(error.found, 100u);
}

TEST_F(context_binary, a_file_of_another_length_than_it_had_when_it_was_opened_is_not_taken) {
  const auto content = bytes();
  const File file(content);
  const auto read = [&](std::size_t length) {
    const auto open = must(detail::open_file(file.path()));
    std::vector<std::byte> memory(length);
    return detail::read_into(memory, open, file.path());
  };
  EXPECT_TRUE(succeeds(read(content.size())));
  EXPECT_EQ(error_of(read(content.size() + 1)).detail, "it became shorter while it was read");
  EXPECT_EQ(error_of(read(content.size() - 1)).detail, "it became longer while it was read");
}

TEST_F(context_binary, a_file_of_more_bytes_than_there_is_memory_is_an_error_that_says_so) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  const File file(bytes());
  ASSERT_EQ(::truncate(file.path().c_str(), gib), 0);
  // Not in pages: a program may be told that they are larger than the kernel's.
  std::uint64_t kib = 0;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word && word != "VmSize:";) {
  }
  ASSERT_TRUE(status >> kib);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  rlimit limit = before;
  limit.rlim_cur = kib * 1024 + gib / 2;
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &limit), 0);
  const auto read = ContextBinary::read(file.path());
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  const Error error = error_of(read);
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.code, ENOMEM);
  EXPECT_TRUE(detail::is_exhausted(error)) << "a residency evicts and tries again";
}

TEST_F(context_binary, bytes_that_were_read_stay_where_the_pages_of_a_file_are_dropped) {
  const auto content = bytes();
  const File file(content);
  for (const auto open : {&ContextBinary::map, &ContextBinary::read}) {
    const auto binary = must(open(file.path()));
    binary.drop_pages();
    ASSERT_EQ(binary.bytes().size(), content.size());
    EXPECT_EQ(std::memcmp(binary.bytes().data(), content.data(), content.size()), 0);
  }
}

/// A file that holds a binary in its middle, as an APK does, open for reading.
class Archive {
 public:
  Archive(std::span<const std::byte> content, std::uint64_t offset)
      : offset_(offset), file_(surrounded(content, offset)), fd_(::open(path(), O_RDONLY)) {}
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;
  ~Archive() { ::close(fd_); }
  [[nodiscard]] const char* path() const { return file_.path().c_str(); }
  [[nodiscard]] int fd() const { return fd_; }
  [[nodiscard]] std::uint64_t offset() const { return offset_; }

 private:
  static std::vector<std::byte> surrounded(std::span<const std::byte> content,
                                           std::uint64_t offset) {
    std::vector<std::byte> all(offset, std::byte{0xAB});
    all.insert(all.end(), content.begin(), content.end());
    all.insert(all.end(), 100, std::byte{0xCD});
    return all;
  }
  std::uint64_t offset_;
  File file_;
  int fd_;
};

TEST_F(context_binary, in_the_middle_of_an_open_file_is_mapped_from_any_offset) {
  const auto content = bytes();
  for (const std::uint64_t offset : {0u, 1u, 44u, 4096u, 16380u, 16384u, 100004u}) {
    const Archive archive(content, offset);
    const auto mapped = [&] {
      return must(ContextBinary::map(archive.fd(), offset, content.size(), "apk!/net.bin"));
    };
    const auto binary = mapped();
    ASSERT_EQ(binary.bytes().size(), content.size());
    EXPECT_EQ(std::memcmp(binary.bytes().data(), content.data(), content.size()), 0);
    EXPECT_EQ(binary.name(), "apk!/net.bin");
    EXPECT_EQ(mappings_of(archive.path()), 1u);
    binary.drop_pages();
    EXPECT_EQ(binary.bytes().front(), content.front());
    const auto context = must(Context<Finalized>::restore(backend(), mapped()));
    EXPECT_LT(difference(context, Network{}), tolerance);
  }
}

TEST_F(context_binary, of_a_descriptor_needs_it_during_the_call_only) {
  const auto content = bytes();
  const Archive archive(content, 44);
  const int fd = ::dup(archive.fd());
  const auto binary = must(ContextBinary::map(fd, 44, content.size(), "net.bin"));
  ASSERT_EQ(::close(fd), 0) << "it is still the caller's";
  EXPECT_EQ(std::memcmp(binary.bytes().data(), content.data(), content.size()), 0);
  const Error error = error_of(ContextBinary::map(fd, 44, content.size(), "net.bin"));
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.code, EBADF);
  EXPECT_EQ(error.object, "net.bin");
}

TEST_F(context_binary, of_a_descriptor_has_bytes_inside_the_file) {
  const Archive archive(std::vector<std::byte>(100), 44);  // 244 bytes
  EXPECT_TRUE(succeeds(ContextBinary::map(archive.fd(), 44, 200, "net.bin")));
  constexpr std::uint64_t most = UINT64_MAX;
  for (const auto& [offset, size] : std::initializer_list<std::pair<std::uint64_t, std::uint64_t>>{
           {44, 201}, {244, 1}, {245, 1}, {most, 2}, {44, most}, {most, most}}) {
    const Error error = error_of(ContextBinary::map(archive.fd(), offset, size, "net.bin"));
    EXPECT_EQ(error.kind, Errc::too_large) << offset << " + " << size;
    EXPECT_EQ(error.object, "net.bin");
  }
  EXPECT_EQ(error_of(ContextBinary::map(archive.fd(), 44, 0, "net.bin")).kind, Errc::empty);
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_EQ(error_of(ContextBinary::map(ends[0], 0, 1, "net.bin")).detail, "not a regular file");
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST_F(context_binary, of_a_file_that_has_bytes_and_no_size_says_so) {
  for (const Error& error : {error_of(ContextBinary::map("/proc/self/status")),
                             error_of(ContextBinary::read("/proc/self/status"))}) {
    EXPECT_EQ(error.kind, Errc::empty);
    EXPECT_NE(error.message().find("the file has no size"), std::string::npos) << error.message();
  }
  const Error error = error_of(detail::read_file("/proc/self/status", 4096));
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.detail, "the file has no size; copy it to a file that has one");
}

TEST_F(context_binary, an_empty_file_is_an_error_of_its_own) {
  const File file({});
  const Error error = error_of(ContextBinary::map(file.path()));
  EXPECT_EQ(error.kind, Errc::empty);
  EXPECT_EQ(error.object, file.path());
}

TEST_F(context_binary, no_bytes_are_neither_owned_nor_borrowed) {
  EXPECT_EQ(error_of(ContextBinary::own({}, "nothing")).kind, Errc::empty);
  EXPECT_EQ(error_of(ContextBinary::borrow({}, "nothing")).object, "nothing");
}

TEST_F(context_binary, owned_bytes_stay_at_their_address_when_the_object_moves) {
  auto binary = own(bytes());
  const std::byte* address = binary.bytes().data();
  auto moved = std::move(binary);
  EXPECT_EQ(moved.bytes().data(), address);
  std::vector<ContextBinary> many;
  many.push_back(std::move(moved));
  many.reserve(64);
  EXPECT_EQ(many.front().bytes().data(), address);
}

TEST_F(context_binary, a_binary_that_was_moved_from_has_no_bytes_to_dangle) {
  const auto empty_after_move = [](ContextBinary& from) {
    const ContextBinary to = std::move(from);
    return from.bytes().empty() && !to.bytes().empty();
  };
  auto owned = own(bytes());
  EXPECT_TRUE(empty_after_move(owned));
  const File file(bytes());
  auto mapped = must(ContextBinary::map(file.path()));
  EXPECT_TRUE(empty_after_move(mapped));
}

TEST_F(context_binary, borrowed_bytes_are_those_of_the_caller) {
  const auto content = bytes();
  const auto binary = must(ContextBinary::borrow(content, "borrowed"));
  EXPECT_EQ(binary.bytes().data(), content.data());
  const auto context = must(
      Context<Finalized>::restore(backend(), must(ContextBinary::borrow(content, "borrowed"))));
  EXPECT_LT(difference(context, Network{}), tolerance);
}

TEST_F(context_binary, a_mapping_is_kept_until_finalize_and_dropped_then) {
  const File file(bytes());
  auto asked = must(Context<Deferred>::create(backend(), must(ContextBinary::map(file.path())))
                        .and_then(transition::query));
  EXPECT_EQ(mappings_of(file.path()), 1u);
  auto weights = weights_for(asked);
  auto registered = must(std::move(asked).register_buffers({.weights = std::move(weights)}));
  EXPECT_EQ(mappings_of(file.path()), 1u);
  const auto context = must(std::move(registered).finalize());
  EXPECT_EQ(mappings_of(file.path()), 0u);
  EXPECT_LT(difference(context, Network{}), tolerance);
}

TEST_F(context_binary, a_mapping_of_a_persistent_context_is_kept_until_the_context_is_gone) {
  const File file(bytes());
  {
    auto asked = must(Context<Deferred>::create(backend(), must(ContextBinary::map(file.path())),
                                                {.persistent_binary = true})
                          .and_then(transition::query));
    const auto context = finalized(std::move(asked));
    EXPECT_EQ(mappings_of(file.path()), 1u);
    EXPECT_LT(difference(context, Network{}), tolerance);
  }
  EXPECT_EQ(mappings_of(file.path()), 0u);
}

TEST_F(context_binary, restore_drops_the_mapping_before_it_returns_unless_persistent) {
  const File file(bytes());
  const auto context =
      must(Context<Finalized>::restore(backend(), must(ContextBinary::map(file.path()))));
  EXPECT_EQ(mappings_of(file.path()), 0u);
  const auto persistent = must(Context<Finalized>::restore(
      backend(), must(ContextBinary::map(file.path())), {.persistent_binary = true}));
  EXPECT_EQ(mappings_of(file.path()), 1u);
}

TEST_F(context_binary, a_failed_finalize_drops_the_mapping) {
  const File file(bytes());
  auto registered = must(
      Context<Deferred>::create(backend(), must(ContextBinary::map(file.path())))
          .and_then(transition::query)
          .and_then([](Context<Queried> asked) { return std::move(asked).register_buffers({}); }));
  control().fail_call(sim::Slot::context_finalize, 1, 1002);
  EXPECT_EQ(error_of(std::move(registered).finalize()).code, 1002);
  EXPECT_EQ(mappings_of(file.path()), 0u);
}

/// The file that a program truncates at the end of a call of QNN, and the slot of this call.
struct Truncation {
  const char* path = nullptr;
  std::size_t slot = 0;
} truncation;

void truncate_at_the_end(std::size_t slot, bool entering, const void* const*) {
  if (entering || slot != truncation.slot) return;
  EXPECT_EQ(::truncate(truncation.path, 0), 0);
}

class truncated_binary : public context_binary {
 protected:
  /// Returns the error of a step during which another program truncates the binary's file. The call
  /// of `slot` in it returns `code`.
  template <class Step>
  Error error_during(sim::Slot slot, std::uint32_t code, Step step) {
    const File file(bytes());
    const auto recorded = must(load_recorder());
    auto binary = must(ContextBinary::map(file.path()));
    truncation = {file.path().c_str(), static_cast<std::size_t>(slot)};
    const Recording recording(&truncate_at_the_end);
    control().fail_call(slot, 1, code);
    return step(recorded, std::move(binary));
  }
  static constexpr const char* shorter = "the file became shorter after it was mapped";
};

constexpr auto restore = [](const Backend<Htp>& backend, ContextBinary from) {
  return error_of(Context<Finalized>::restore(backend, std::move(from)));
};

TEST_F(truncated_binary, during_a_creation_is_an_error_and_no_signal) {
  for (const std::uint32_t code : {5000u, 5005u, 30001u, 30010u, 1002u}) {
    SCOPED_TRACE(code);
    const Error error = error_during(sim::Slot::context_create_from_binary, code, restore);
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, code);
    EXPECT_NE(error.detail.find(shorter), std::string::npos) << error.message();
  }
}

TEST_F(truncated_binary, is_not_given_to_the_next_try) {
  constexpr std::uint32_t undefined = code_of(c_api::CommonError::undefined);
  const Error error = error_during(sim::Slot::context_create_from_binary, undefined, restore);
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.detail, shorter);
}

TEST_F(truncated_binary, during_a_finalize_is_an_error_and_no_signal) {
  const auto finalize = [](const Backend<Htp>& backend, ContextBinary from) {
    return error_of(
        must(Context<Deferred>::create(backend, std::move(from)).and_then(transition::query))
            .register_buffers({})
            .and_then([](Context<Registered> context) { return std::move(context).finalize(); }));
  };
  for (const std::uint32_t code : {5000u, 5005u}) {
    const Error error = error_during(sim::Slot::context_finalize, code, finalize);
    EXPECT_EQ(error.kind, Errc::qnn);
    EXPECT_EQ(error.code, code);
    EXPECT_NE(error.detail.find(shorter), std::string::npos) << error.message();
  }
}

TEST_F(truncated_binary, between_the_calls_is_an_error_and_no_signal) {
  const File file(bytes());
  auto binary = must(ContextBinary::map(file.path()));
  auto registered = must(
      Context<Deferred>::create(backend(), must(ContextBinary::map(file.path())))
          .and_then(transition::query)
          .and_then([](Context<Queried> asked) { return std::move(asked).register_buffers({}); }));
  ASSERT_EQ(::truncate(file.path().c_str(), 0), 0);
  EXPECT_EQ(error_of(std::move(registered).finalize()).kind, Errc::file_unreadable);
  EXPECT_EQ(restore(backend(), std::move(binary)).kind, Errc::file_unreadable);
}

TEST_F(truncated_binary, while_its_metadata_is_read_is_an_error_and_no_signal) {
  const File file(std::vector<std::byte>(10000));
  const auto recorded =
      must(Backend<Htp>::load({.library = QNNPP_RECORDER, .system_library = QNNPP_RECORDER}));
  const auto binary = must(ContextBinary::map(file.path()));
  truncation = {file.path().c_str(), first_system_slot + offsetof(c_api::SystemInterfaceTable,
                                                                  system_context_get_meta_data) /
                                                             sizeof(void (*)())};
  const Recording recording(&truncate_at_the_end);
  const auto& system = detail::Access::block(recorded)->system;
  ASSERT_TRUE(system.has_value());
  const Error error = error_of(system->metadata(binary.bytes(), binary.name()));
  EXPECT_EQ(error.kind, Errc::qnn);
  EXPECT_NE(error.detail.find("the file names no SDK"), std::string::npos) << error.message();
}

}}  // namespace support
