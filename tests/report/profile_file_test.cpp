// ProfileFile: the file of the SDK's viewer, over a fake system library.
#include "qnnpp/report/profile_file.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "../backend/fake_library.hpp"
#include "../backend/fakes/system.hpp"
#include "../support/temporary_folder.hpp"
#include "failing_sync.hpp"

namespace {

using qnnpp::Backend;
using qnnpp::Errc;
using qnnpp::Htp;
using qnnpp::ProfileFile;
using qnnpp::ProfileRecord;

class profile_file : public fakes::Fake {
 protected:
  static constexpr const char* system_path = FAKES_DIR "fake_system.so";

  void SetUp() override {
    Fake::SetUp();
    library_ = ::dlopen(system_path, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library_, nullptr) << ::dlerror();
    system = reinterpret_cast<fakes::SystemControlFn>(::dlsym(library_, "fake_system_control"))();
    *system = fakes::SystemControl();
    system->behaviour.version = {1, 6, 0};
  }
  void TearDown() override {
    EXPECT_EQ(system->live_targets, 0);
    if (library_ != nullptr) ::dlclose(library_);
    Fake::TearDown();
  }

  static qnnpp::Result<ProfileFile> create(std::string path,
                                           const std::string& app_name = "qnnpp") {
    auto backend = Backend<Htp>::load({.library = Fake::path, .system_library = system_path});
    if (!backend) return qnnpp::fail(std::move(backend).error());
    return ProfileFile::create(*backend, std::move(path), app_name);
  }
  template <class T>
  static void expect_error(const qnnpp::Result<T>& result, Errc kind, const char* step) {
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, kind) << result.error().message();
    EXPECT_STREQ(result.error().step, step);
  }

  static ProfileRecord record_of_execution() {
    return {.call = "QnnGraph_execute",
            .object = "decoder",
            .start_ns = 5'000'999,
            .end_ns = 5'800'000,
            .events = {{.type = 3003, .unit = 3, .value = 300},
                       {.type = 404, .unit = 3, .value = 100, .node = "a", .depth = 1, .parent = 0},
                       {.type = 5001, .unit = 3, .value = 7, .depth = 2, .parent = 1},
                       {.type = 404, .unit = 3, .value = 200, .node = "b", .depth = 1, .parent = 0},
                       {.type = 600, .unit = 5, .object = std::vector<std::byte>(3)}}};
  }

  fakes::SystemControl* system = nullptr;
  const support::TemporaryFolder folder;

 private:
  void* library_ = nullptr;
};

/// The working folder, which the destructor restores.
class WorkingFolder {
 public:
  WorkingFolder() : path_(std::filesystem::current_path()) {}
  WorkingFolder(const WorkingFolder&) = delete;
  WorkingFolder& operator=(const WorkingFolder&) = delete;
  ~WorkingFolder() { EXPECT_EQ(::chdir(path_.c_str()), 0); }

 private:
  std::string path_;
};

/// A disk without room: files of this process become no longer than `bytes`.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    EXPECT_EQ(::getrlimit(RLIMIT_FSIZE, &before_), 0);
    const rlimit less{bytes, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_FSIZE, &less), 0);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int);
  rlimit before_{};
};

constexpr const char* create_step = "QnnSystemProfile_createSerializationTarget";

TEST_F(profile_file, has_each_call_with_its_events_in_their_order) {
  auto file = create(folder.file("run.bin"), "app");
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ(system->path, folder.file("run.bin"));
  EXPECT_STREQ(system->header, "1: app 0.0 v2.25.0.fake");
  ASSERT_TRUE(file->write(record_of_execution()).has_value());
  ProfileRecord other = record_of_execution();
  other.events.resize(1);
  for (const char* call : {"QnnGraph_finalize", "QnnContext_finalize", "QnnContext_free",
                           "QnnContext_createFromBinary"}) {
    other.call = call;
    ASSERT_TRUE(file->write(other).has_value());
  }
  EXPECT_STREQ(system->written,
               "1 5000-5800 decoder: 3003=300:[ 404=100:a[ 5001=7:] 404=200:b] 600=object of 3\n"
               "2 5000-5800 decoder: 3003=300:\n"
               "12 5000-5800 decoder: 3003=300:\n"
               "5 5000-5800 decoder: 3003=300:\n"
               "4 5000-5800 decoder: 3003=300:\n");
  EXPECT_TRUE(std::move(*file).close().has_value());
}

TEST_F(profile_file, has_no_call_without_events) {
  auto file = create(folder.file("run.bin"));
  ASSERT_TRUE(file.has_value());
  EXPECT_TRUE(file->write(ProfileRecord{.call = "QnnGraph_execute"}).has_value());
  EXPECT_STREQ(system->written, "");
}

TEST_F(profile_file, has_the_time_of_an_event) {
  auto file = create(folder.file("run.bin"));
  ASSERT_TRUE(file.has_value());
  ProfileRecord record = record_of_execution();
  record.events = {{.type = 3003, .unit = 3, .value = 300, .time = 77}};
  ASSERT_TRUE(file->write(record).has_value());
  EXPECT_STREQ(system->written, "1 5000-5800 decoder: 3003=300@77:\n");
}

TEST_F(profile_file, has_no_call_with_an_event_before_its_parent) {
  auto file = create(folder.file("run.bin"));
  ASSERT_TRUE(file.has_value());
  ProfileRecord record = record_of_execution();
  for (const std::size_t parent : {std::size_t{1}, std::size_t{3}, std::size_t{99}}) {
    record.events[1].parent = parent;
    const auto written = file->write(record);
    expect_error(written, Errc::invalid_argument, "QnnSystemProfile_serializeEventData");
    EXPECT_EQ(written.error().object, "decoder");
    EXPECT_EQ(written.error().detail.find("event 1 has the parent " + std::to_string(parent)), 0u);
  }
  EXPECT_STREQ(system->written, "");
}

TEST_F(profile_file, needs_system_api_1_6) {
  system->behaviour.version = {1, 5, 0};
  const auto file = create(folder.file("run.bin"));
  expect_error(file, Errc::slot_missing, create_step);
  EXPECT_EQ(file.error().needed, 6u);
  EXPECT_EQ(file.error().found, 5u);
  system->behaviour.version = {1, 6, 0};
  system->behaviour.without_profiles = true;
  expect_error(create(folder.file("run.bin")), Errc::slot_null, create_step);
}

TEST_F(profile_file, is_not_written_by_the_library_with_another_order_of_functions) {
  for (const std::uint32_t minor : {32u, 34u}) {
    fake().providers[0].core = {2, minor, 0};
    EXPECT_TRUE(create(folder.file("run.bin")).has_value());
  }
  fake().providers[0].core = {2, 33, 0};
  expect_error(create(folder.file("run.bin")), Errc::version_unsupported, create_step);
}

TEST_F(profile_file, needs_a_folder_that_exists_and_a_name) {
  const auto file = create(folder.file("no/such.bin"));
  expect_error(file, Errc::file_unwritable, "writing a profile file");
  EXPECT_EQ(file.error().code, ENOENT);
  expect_error(create(folder.path() + "/"), Errc::invalid_argument, create_step);
  expect_error(create(""), Errc::invalid_argument, create_step);
  expect_error(create(std::string("a\0b", 3)), Errc::invalid_argument, create_step);
  EXPECT_STREQ(system->path, "") << "the library was not called";
}

TEST_F(profile_file, without_a_folder_is_in_the_working_folder_of_its_creation) {
  const WorkingFolder before;
  ASSERT_EQ(::chdir(folder.path().c_str()), 0);
  auto file = create("run.bin");
  ASSERT_TRUE(file.has_value()) << file.error().message();
  EXPECT_EQ(system->path, folder.file("run.bin"));
  ASSERT_EQ(::chdir("/"), 0);
  EXPECT_TRUE(file->write(record_of_execution()).has_value());
  EXPECT_TRUE(std::move(*file).close().has_value());
}

TEST_F(profile_file, is_a_regular_file_that_the_process_may_write) {
  const auto expect_refused = [&](const std::string& where, int code, const char* why) {
    SCOPED_TRACE(where.substr(0, 100));
    const auto file = create(where);
    expect_error(file, Errc::file_unwritable, "writing a profile file");
    if (file) return;
    EXPECT_EQ(file.error().code, code);
    EXPECT_EQ(file.error().detail, why);
  };
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  ASSERT_EQ(::symlink(folder.file("no/such.bin").c_str(), folder.file("link").c_str()), 0);
  expect_refused(folder.path(), 0, "not a regular file");
  expect_refused(folder.file("pipe"), 0, "not a regular file");
  expect_refused("/dev/full", 0, "not a regular file");
  expect_refused(folder.file("link"), ENOENT, "");
  expect_refused(folder.file(std::string(300, 'n')), ENAMETOOLONG, "");
  if (::geteuid() != 0) {
    std::ofstream(folder.file("old.bin")) << "old";
    ASSERT_EQ(::chmod(folder.file("old.bin").c_str(), 0444), 0);
    expect_refused(folder.file("old.bin"), EACCES, "");
  }
  EXPECT_STREQ(system->path, "") << "the library was not called";
}

TEST_F(profile_file, returns_the_error_of_each_call_and_frees_its_target) {
  system->behaviour.create_target_result = 30001;
  expect_error(create(folder.file("run.bin")), Errc::qnn, create_step);
  system->behaviour.create_target_result = 0;
  {
    auto file = create(folder.file("run.bin"));
    ASSERT_TRUE(file.has_value());
    system->behaviour.serialize_result = 30002;
    expect_error(file->write(record_of_execution()), Errc::qnn,
                 "QnnSystemProfile_serializeEventData");
    system->behaviour.serialize_result = 0;
    EXPECT_TRUE(file->write(record_of_execution()).has_value());
  }
  EXPECT_EQ(system->live_targets, 0);
  auto file = create(folder.file("run.bin"));
  ASSERT_TRUE(file.has_value());
  system->behaviour.free_target_result = 30000;
  expect_error(std::move(*file).close(), Errc::qnn, "QnnSystemProfile_freeSerializationTarget");
}

TEST_F(profile_file, that_the_library_did_not_write_is_an_error) {
  system->behaviour.writes_file = false;
  auto file = create(folder.file("run.bin"));
  ASSERT_TRUE(file.has_value());
  ASSERT_EQ(::unlink(folder.file("run.bin").c_str()), 0);
  expect_error(std::move(*file).close(), Errc::file_unwritable, "writing a profile file");
}

TEST_F(profile_file, does_not_keep_an_old_run_that_the_library_did_not_replace) {
  const std::string old = folder.file("run.bin");
  std::ofstream(old) << "old run";
  system->behaviour.writes_file = false;
  auto file = create(old);
  ASSERT_TRUE(file.has_value()) << file.error().message();
  ASSERT_TRUE(file->write(record_of_execution()).has_value());
  const auto closed = std::move(*file).close();
  ASSERT_FALSE(closed.has_value());
  expect_error(closed, Errc::file_unwritable, "writing a profile file");
  EXPECT_EQ(closed.error().detail, "the library wrote nothing");
  EXPECT_EQ(std::filesystem::file_size(old), 0u);
  // A file without calls may be empty.
  auto unused = create(old);
  ASSERT_TRUE(unused.has_value());
  EXPECT_TRUE(std::move(*unused).close().has_value());
}

TEST_F(profile_file, on_a_full_disk_is_an_error_although_the_library_reports_none) {
  const std::string cut = folder.file("run.bin");
  for (const rlim_t room : {rlim_t{0}, rlim_t{2}, rlim_t{40}}) {
    SCOPED_TRACE(room);
    auto file = create(cut);
    ASSERT_TRUE(file.has_value()) << file.error().message();
    ASSERT_TRUE(file->write(record_of_execution()).has_value());
    const auto closed = [&] {
      const FullDisk full(room);
      return std::move(*file).close();
    }();
    EXPECT_EQ(std::filesystem::file_size(cut), room);
    expect_error(closed, Errc::file_unwritable, "writing a profile file");
    if (closed || room != 40) continue;
    const std::string whole = std::to_string(4 + std::string(system->written).size());
    EXPECT_EQ(closed.error().detail,
              "the library wrote 40 of " + whole + " bytes; is the disk full?");
  }
}

TEST_F(profile_file, that_cannot_be_synchronised_is_an_error) {
  auto file = create(folder.file("run.bin"));
  ASSERT_TRUE(file.has_value()) << file.error().message();
  ASSERT_TRUE(file->write(record_of_execution()).has_value());
  support::unsynchronised_files = 1;
  const auto closed = std::move(*file).close();
  support::unsynchronised_files = 0;
  expect_error(closed, Errc::file_unwritable, "writing a profile file");
  EXPECT_EQ(closed ? 0 : closed.error().code, EIO);
}

}  // namespace
