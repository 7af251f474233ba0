// load() from files: how often it opens each file, and how much of the files is in memory at a
// time.
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"

#include "fixture.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::SpillFillSharing;

/// Returns the resident bytes of the mappings whose name contains `words`.
std::uint64_t resident_bytes_of(const std::string& words) {
  std::ifstream maps("/proc/self/smaps");
  std::uint64_t kib = 0;
  bool is_one = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream text(line);
    std::string key;
    std::uint64_t value = 0;
    if (line.find('-') < line.find(' '))
      is_one = line.find(words) != std::string::npos;
    else if (is_one && line.rfind("Rss:", 0) == 0 && text >> key >> value)
      kib += value;
  }
  return kib * 1024;
}

/// Counts how often each file of a folder is opened.
class Opens {
 public:
  explicit Opens(const std::string& folder) : fd_(::inotify_init1(IN_NONBLOCK)) {
    (void)::inotify_add_watch(fd_, folder.c_str(), IN_OPEN | IN_CLOSE);
  }
  Opens(const Opens&) = delete;
  Opens& operator=(const Opens&) = delete;
  ~Opens() { ::close(fd_); }

  std::map<std::string, int> take() const {
    std::map<std::string, int> opens;
    alignas(inotify_event) char buffer[4096];
    for (ssize_t size; (size = ::read(fd_, buffer, sizeof(buffer))) > 0;)
      for (ssize_t at = 0; at < size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
        // Also watches closing, which separates two openings: inotify merges equal events in a row.
        if (event->len != 0 && (event->mask & IN_OPEN) != 0) ++opens[event->name];
        at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      }
    return opens;
  }

 private:
  int fd_;
};

class a_model_of_files : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    for (std::uint32_t i = 0; i < 6; ++i) {
      const Network network{
          .name = "n" + std::to_string(i), .width = 16, .hidden = 384 + 16 * i, .seed = i + 1};
      const auto bytes = binary_of(backend(), {network});
      const std::string path = folder_.file(network.name + ".bin");
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::streamsize>(bytes.size()));
      paths_.push_back(path);
      largest_bytes_ = std::max<std::uint64_t>(largest_bytes_, bytes.size());
      sum_bytes_ += bytes.size();
    }
  }

  TemporaryFolder folder_;
  std::vector<std::string> paths_;
  std::uint64_t largest_bytes_ = 0;
  std::uint64_t sum_bytes_ = 0;
};

TEST_F(a_model_of_files, opens_each_once_and_holds_one_in_memory_and_those_that_are_read_ahead) {
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::none})
    for (const std::size_t ahead : {0u, 1u, 2u}) {
      SCOPED_TRACE(std::string(name_of(sharing)) + ", ahead " + std::to_string(ahead));
      const Opens opens(folder_.path());
      std::uint64_t peak_bytes = 0;
      const auto measure = [&] {
        peak_bytes = std::max(peak_bytes, resident_bytes_of(folder_.path()));
      };
      const auto loaded = must(model::load(backend(), allocator(), paths_,
                                           {.sharing = sharing,
                                            .progress =
                                                [&](const auto&) {
                                                  measure();
                                                  return true;
                                                },
                                            .ahead = ahead}));
      measure();
      EXPECT_EQ(loaded.size(), paths_.size());
      // A page at the edges of each mapping, and the pages that the system reads around a fault.
      const std::uint64_t slack = 128 * 1024;
      const std::uint64_t most_bytes = (1 + ahead) * (largest_bytes_ + slack);
      EXPECT_LE(peak_bytes, most_bytes);
      EXPECT_GT(sum_bytes_, most_bytes) << "the test could not fail";
      EXPECT_EQ(resident_bytes_of(folder_.path()), 0u) << "dropped once they are finalized";
      const auto counted = opens.take();
      EXPECT_EQ(counted.size(), paths_.size());
      for (const auto& [name, count] : counted) EXPECT_EQ(count, 1) << name;
    }
}

TEST_F(a_model_of_files, may_be_read_into_memory_instead_of_mapped) {
  std::vector<model::BinarySource> sources;
  for (const std::string& path : paths_)
    sources.push_back(model::BinarySource::file(path, model::FileUse::read));
  for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::context_group,
                             SpillFillSharing::none}) {
    std::size_t mapped = 0;
    const auto loaded = must(model::load(backend(), allocator(), sources,
                                         {.sharing = sharing, .progress = [&](const auto&) {
                                            mapped += mappings_of(folder_.path());
                                            return true;
                                          }}));
    EXPECT_EQ(loaded.size(), paths_.size());
    EXPECT_EQ(mapped, 0u) << name_of(sharing);
  }
  const auto residency = must(model::Residency<>::create(backend(), allocator(), sources));
  EXPECT_EQ(mappings_of(folder_.path()), 0u);
}

TEST_F(a_model_of_files, that_are_read_into_memory_is_read_once_if_the_backend_cannot_defer) {
  std::vector<model::BinarySource> sources;
  for (const std::string& path : paths_)
    sources.push_back(model::BinarySource::file(path, model::FileUse::read));
  set(&sim::Config::deferred_init, 0);
  const auto expect_once = [&](SpillFillSharing asked, SpillFillSharing found) {
    const Opens opens(folder_.path());
    const auto loaded = must(model::load(backend(), allocator(), sources, {.sharing = asked}));
    EXPECT_EQ(loaded.report().sharing, found);
    const auto counted = opens.take();
    EXPECT_EQ(counted.size(), paths_.size());
    for (const auto& [name, count] : counted) EXPECT_EQ(count, 1) << name;
  };
  using enum SpillFillSharing;
  expect_once(automatic, context_group);
  expect_once(context_group, context_group);
  expect_once(none, none);
  // A backend without groups, which refuses the head.
  control().fail_call(sim::Slot::context_create_from_binary, 1, 5010);
  expect_once(automatic, none);
}

TEST_F(a_model_of_files, of_which_one_is_a_pipe_or_has_a_nul_in_its_path_does_not_wait) {
  const std::string& pipe = folder_.file("pipe.bin");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::pair<std::string, Errc> cases[] = {
      {pipe, Errc::file_unreadable}, {paths_[1] + std::string("\0x", 2), Errc::invalid_argument}};
  for (const auto& [path, kind] : cases) {
    auto paths = paths_;
    paths[1] = path;
    const Error error = error_of(model::load(backend(), allocator(), paths));
    EXPECT_EQ(error.kind, kind) << error.message();
    EXPECT_EQ(error.object, path);
    EXPECT_EQ(control().counters().live_contexts, 0u);
  }
}

TEST_F(a_model_of_files, is_named_by_paths_of_any_type) {
  const std::vector<std::filesystem::path> paths(paths_.begin(), paths_.end());
  EXPECT_EQ(must(model::load(backend(), allocator(), paths)).size(), paths.size());
  const std::vector<const char*> literals = {paths_[0].c_str(), paths_[1].c_str()};
  EXPECT_EQ(must(model::load(backend(), allocator(), literals)).size(), 2u);
}

TEST_F(a_model_of_files, that_is_a_group_opens_each_for_its_needs_and_to_load_it) {
  const Opens opens(folder_.path());
  const auto loaded = must(
      model::load(backend(), allocator(), paths_, {.sharing = SpillFillSharing::context_group}));
  for (const auto& [name, count] : opens.take()) EXPECT_EQ(count, 2) << name;
  EXPECT_EQ(resident_bytes_of(folder_.path()), 0u);
}

TEST_F(a_model_of_files, names_the_one_that_is_missing_and_leaves_nothing) {
  paths_[4] += ".gone";
  for (const auto sharing : {SpillFillSharing::automatic, SpillFillSharing::external_buffer,
                             SpillFillSharing::context_group, SpillFillSharing::none}) {
    const Error error = error_of(model::load(backend(), allocator(), paths_, {.sharing = sharing}));
    EXPECT_EQ(error.kind, Errc::file_unreadable);
    EXPECT_EQ(error.object, paths_[4]);
    EXPECT_EQ(control().counters().live_contexts, 0u);
  }
  paths_[4].resize(paths_[4].size() - 5);
}

TEST(a_source, whose_bytes_are_given_and_are_none_is_empty_and_opens_no_file_of_its_name) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.bin");
  std::ofstream(path) << "a file";
  const std::vector<std::byte> none;
  for (const model::BinarySource& source :
       {model::BinarySource{.name = path, .bytes = none},
        model::BinarySource{.name = path, .bytes = std::span<const std::byte>()}}) {
    EXPECT_TRUE(source.bytes.are_given());
    const model::BinarySource copy = source;
    EXPECT_EQ(error_of(copy.open()).kind, Errc::empty);
    EXPECT_EQ(error_of(copy.open()).object, path);
    EXPECT_EQ(must(copy.size_bytes()), 0u);
  }
  for (const model::BinarySource& source :
       {model::BinarySource{.name = path}, model::BinarySource{.name = path, .bytes = {}},
        model::BinarySource::file(path)}) {
    EXPECT_FALSE(source.bytes.are_given());
    const auto opened = must(source.open());
    EXPECT_EQ(opened.bytes().size(), 6u);
    EXPECT_EQ(must(source.size_bytes()), 6u);
  }
}

}}  // namespace support
