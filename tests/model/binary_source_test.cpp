// BinarySource::function() and BinarySource::descriptor(): when qnnpp asks for the bytes, how long
// it keeps them, and what errors of the function become.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fstream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/manifest.hpp"

#include "fixture.hpp"
#include "heap.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::BinarySource;
using model::SpillFillSharing;
using sim::Slot;

constexpr std::byte secret{0x5a};

/// Six networks as encrypted binaries of different sizes, whose sources decrypt them.
class decrypted : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    if (HasFatalFailure()) return;
    for (std::uint32_t i = 0; i < 6; ++i) {
      const Network network{.name = "n" + std::to_string(i),
                            .rows = i == 3 ? 8u : 2u,
                            .width = 16,
                            .hidden = 384 + 16 * i,
                            .seed = i + 1};
      auto bytes = binary_of(backend(), {network});
      for (std::byte& byte : bytes) byte ^= secret;
      sum_bytes += bytes.size();
      encrypted.push_back(std::move(bytes));
      asked.push_back(0);
      networks.push_back(network);
    }
    for (std::size_t i = 0; i < encrypted.size(); ++i)
      sources.push_back(BinarySource::function(
          networks[i].name + ".enc", [this, i] { return decrypt(i); }, /*wipe=*/true));
    control().reset_counters();
  }

  std::vector<std::byte> plain(std::size_t i) const {
    std::vector<std::byte> bytes(encrypted[i]);
    for (std::byte& byte : bytes) byte ^= secret;
    return bytes;
  }
  Result<ContextBinary> decrypt(std::size_t i) {
    ++asked[i];
    return ContextBinary::own(plain(i), "another name");
  }
  /// Gives the same binaries as mappings that can be counted.
  void give_files(bool one_at_a_time = true) {
    for (std::size_t i = 0; i < encrypted.size(); ++i)
      sources[i].give = [this, i, one_at_a_time] {
        EXPECT_TRUE(!one_at_a_time || mappings_of(folder.path()) == 0) << "others are kept";
        ++asked[i];
        const std::string path = folder.file(std::to_string(i));
        const auto bytes = plain(i);
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return ContextBinary::map(path);
      };
  }
  Result<model::Model> load_model(const model::LoadOptions& options = {}) const {
    return model::load(backend(), allocator(), sources, options);
  }
  void expect_nothing_left() const {
    EXPECT_EQ(control().counters().live_contexts, 0u);
    EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
    expect_no_misuse();
  }
  void expect_to_work(const model::Model& loaded) const {
    ASSERT_EQ(loaded.size(), networks.size());
    for (std::size_t i = 0; i < networks.size(); ++i)
      EXPECT_LT(difference(loaded.context(i), networks[i]), tolerance) << networks[i].name;
  }

  std::vector<Network> networks;
  std::vector<std::vector<std::byte>> encrypted;
  std::vector<BinarySource> sources;
  TemporaryFolder folder;
  std::vector<int> asked;  ///< How often each function was called.
  std::uint64_t sum_bytes = 0;
};

TEST_F(decrypted, binaries_are_loaded_in_each_way_and_never_two_at_a_time) {
  give_files();
  using enum SpillFillSharing;
  for (const auto& [sharing, times] :
       {std::pair{external_buffer, 2}, {context_group, 2}, {none, 1}, {automatic, 2}}) {
    SCOPED_TRACE(name_of(sharing));
    std::fill(asked.begin(), asked.end(), 0);
    const auto loaded = must(load_model({.sharing = sharing}));
    EXPECT_EQ(mappings_of(folder.path()), 0u);
    EXPECT_EQ(asked, std::vector<int>(6, times));
    expect_to_work(loaded);
  }
  expect_nothing_left();
}

TEST_F(decrypted, binaries_are_loaded_apart_without_a_deferred_initialisation) {
  give_files();
  set(&sim::Config::deferred_init, 0);
  expect_to_work(must(load_model()));
  expect_to_work(must(load_model({.sharing = SpillFillSharing::none})));
  expect_nothing_left();
}

TEST_F(decrypted, binaries_are_restored_by_one_call_which_gets_all_of_them) {
  expect_to_work(
      must(load_model({.sharing = SpillFillSharing::none, .in_one_call = restore_list})));
  EXPECT_EQ(asked, std::vector<int>(6, 1));
}

TEST_F(decrypted, binaries_are_overwritten_before_they_are_freed_if_that_is_asked) {
  const std::size_t bytes =
      std::min_element(encrypted.begin(), encrypted.end(), [](const auto& one, const auto& other) {
        return one.size() < other.size();
      })->size();
  const auto zeroed = [&] {
    const FreedBlocks freed(bytes);
    for (const auto sharing : {SpillFillSharing::external_buffer, SpillFillSharing::none})
      (void)must(load_model({.sharing = sharing}));
    (void)error_of(model::load(backend(), allocator(),
                               {sources[0], BinarySource::file("/nonexistent")},
                               {.sharing = SpillFillSharing::none}));
    EXPECT_GE(freed.count(), 18u);
    return freed.zeroed();
  };
  EXPECT_EQ(zeroed(), 18u) << "every byte of what the functions gave";
  for (BinarySource& source : sources) source.wipe = false;
  EXPECT_EQ(zeroed(), 0u);
}

TEST_F(decrypted, binaries_that_are_moved_over_others_overwrite_both) {
  auto one = must(decrypt(0)), other = must(decrypt(1));
  const FreedBlocks freed(std::min(encrypted[0].size(), encrypted[1].size()));
  one.wipe_on_release();
  other.wipe_on_release();
  other = std::move(one);
  EXPECT_EQ(freed.zeroed(), 1u);
  {
    const auto last = std::move(other);
    EXPECT_EQ(last.bytes().size(), encrypted[0].size());
    EXPECT_EQ(last.bytes()[0], encrypted[0][0] ^ secret);
  }
  EXPECT_EQ(freed.zeroed(), 2u);
}

TEST_F(decrypted, binaries_have_the_name_of_their_source) {
  const auto loaded = must(load_model());
  EXPECT_EQ(loaded.context(2).name(), "n2.enc");
}

TEST_F(decrypted, binaries_count_in_the_progress_once_they_are_known) {
  for (const auto sharing : {SpillFillSharing::automatic, SpillFillSharing::none}) {
    std::uint64_t total = 0, done = 0;
    (void)must(load_model({.sharing = sharing, .progress = [&](const model::Progress& progress) {
                             EXPECT_LE(progress.bytes_done, progress.bytes_total);
                             EXPECT_GE(progress.bytes_total, total);
                             total = progress.bytes_total;
                             done = progress.bytes_done;
                             return true;
                           }}));
    EXPECT_EQ(total, sum_bytes);
    EXPECT_EQ(done, sum_bytes);
  }
}

TEST_F(decrypted, binaries_are_kept_while_a_persistent_context_lives) {
  give_files(/*one_at_a_time=*/false);
  auto loaded = std::optional(must(load_model({.contexts = {.persistent_binaries = true}})));
  EXPECT_EQ(mappings_of(folder.path()), 6u);
  loaded.reset();
  EXPECT_EQ(mappings_of(folder.path()), 0u);
}

TEST_F(decrypted, binaries_are_asked_for_again_by_a_residency_and_after_a_restart) {
  auto residency =
      must(model::Residency<>::create(backend(), allocator(), sources, {.max_contexts = 2}));
  EXPECT_EQ(asked, std::vector<int>(6, 1)) << "each was asked for its needs";
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t i = 0; i < 6; ++i) (void)must(residency.acquire(i));
  EXPECT_EQ(asked, std::vector<int>(6, 3));
  control().fail_call(Slot::context_create_from_binary, 1, 1007);
  (void)must(residency.acquire(0));
  EXPECT_GT(asked[0], 4) << "the call that tells of the restart, and the next one";
  (void)must(residency.acquire(5));
  EXPECT_EQ(asked[5], 4) << "lost by the restart";
}

TEST_F(decrypted, binaries_that_a_function_refuses_end_the_load_with_its_error) {
  // Each would mean something else if the library had returned it.
  std::vector<Error> errors = {
      Error::make(Errc::qnn, "QnnContext_createFromBinary", "the key store", "locked"),
      Error::make(Errc::qnn, "QnnContext_finalize", "the key store", "locked"),
      Error::make(Errc::allocation_failed, "decrypting", "the key store", "locked"),
      Error::make(Errc::capability_missing, "decrypting", "the key store", "locked"),
      Error::make(Errc::file_unreadable, "decrypting", "n4.enc", "locked"),
      Error::make(Errc::no_metadata, "decrypting", "the key store", "locked")};
  errors[0].code = 5005;
  errors[1].code = 1002;
  errors[4].code = ENOMEM;
  for (const Error& said : errors)
    for (const int fails_at : {1, 2})
      for (const auto sharing : {SpillFillSharing::automatic, SpillFillSharing::external_buffer,
                                 SpillFillSharing::context_group, SpillFillSharing::none}) {
        if (sharing == SpillFillSharing::none && fails_at == 2) continue;
        SCOPED_TRACE(said.message() + name_of(sharing));
        int calls = 0;
        sources[4].give = [&]() -> Result<ContextBinary> {
          if (++calls == fails_at) return fail(said);
          return decrypt(4);
        };
        const Error error = error_of(load_model({.sharing = sharing}));
        EXPECT_EQ(error.message(), said.message());
        EXPECT_EQ(calls, fails_at) << "no other way of loading is tried";
        expect_nothing_left();
      }
  sources[4].give = [&]() -> Result<ContextBinary> { return fail(errors[0]); };
  EXPECT_EQ(error_of(model::Residency<>::create(backend(), allocator(), sources)).message(),
            errors[0].message());
  EXPECT_EQ(error_of(model::survey(backend(), sources[4])).message(), errors[0].message());
}

TEST_F(decrypted, binaries_that_a_function_refuses_evict_nothing) {
  bool refuses = false;
  const Error said = Error::make(Errc::allocation_failed, "decrypting", "the key store", "locked");
  sources[5].give = [&]() -> Result<ContextBinary> {
    if (refuses) return fail(said);
    return decrypt(5);
  };
  auto residency = must(model::Residency<>::create(backend(), allocator(), sources));
  for (std::size_t i = 0; i < 3; ++i) (void)must(residency.acquire(i));
  refuses = true;
  EXPECT_EQ(error_of(residency.acquire(5)).message(), said.message());
  EXPECT_EQ(residency.stats().evictions, 0u);
  refuses = false;
  (void)must(residency.acquire(5));
}

#ifdef __cpp_exceptions
TEST_F(decrypted, binaries_of_functions_that_throw_leave_nothing) {
  for (const auto sharing : {SpillFillSharing::automatic, SpillFillSharing::external_buffer,
                             SpillFillSharing::context_group, SpillFillSharing::none})
    for (const int throws_at : {1, 2}) {
      int calls = 0;
      sources[4].give = [&]() -> Result<ContextBinary> {
        if (++calls == throws_at) throw std::runtime_error("no network");
        return decrypt(4);
      };
      if (sharing == SpillFillSharing::none && throws_at == 2) continue;
      EXPECT_THROW((void)load_model({.sharing = sharing}), std::runtime_error);
      expect_nothing_left();
    }
}
#endif

TEST_F(decrypted, binaries_are_errors_if_there_are_no_bytes_or_no_function) {
  sources[2] = BinarySource::function("n2.enc", nullptr);
  EXPECT_EQ(error_of(load_model()).message(),
            "n2.enc: BinarySource::function: the function is empty; give one that "
            "returns a ContextBinary");
  std::optional<ContextBinary> moved;
  sources[2] = BinarySource::function("n2.enc", [&]() -> Result<ContextBinary> {
    auto made = must(decrypt(2));
    moved.emplace(std::move(made));
    return made;  // NOLINT(bugprone-use-after-move): what the test is about
  });
  const Error error = error_of(load_model());
  EXPECT_EQ(error.kind, Errc::empty);
  EXPECT_EQ(error.object, "n2.enc");
  expect_nothing_left();
}

TEST_F(decrypted, binaries_are_compared_with_a_manifest) {
  model::Manifest manifest;
  for (std::size_t i = 0; i < sources.size(); ++i)
    manifest.entries.push_back(must(
        model::manifest_entry(backend(), sources[i], sources[i].name, model::DigestKind::whole)));
  auto expected = must(model::expected_by(manifest, sources, model::digest_of));
  EXPECT_EQ(must(expected[1].size_bytes()), encrypted[1].size());
  EXPECT_EQ(must(sources[1].size_bytes()), 0u);
  (void)must(model::load(backend(), allocator(), expected));
  encrypted[1][encrypted[1].size() / 2] ^= std::byte{1};
  EXPECT_EQ(error_of(model::load(backend(), allocator(), expected)).kind, Errc::stale);
  expect_nothing_left();
}

TEST_F(decrypted, binaries_in_one_file_are_loaded_by_its_descriptor) {
  const std::string path = folder.file("all.bin");
  std::ofstream all(path, std::ios::binary);
  std::vector<std::uint64_t> offsets;
  for (std::size_t i = 0; i < encrypted.size(); ++i) {
    offsets.push_back(static_cast<std::uint64_t>(all.tellp()) + 7);
    const auto bytes = plain(i);
    all << "gap....";
    all.write(reinterpret_cast<const char*>(bytes.data()),
              static_cast<std::streamsize>(bytes.size()));
  }
  all.close();
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  for (std::size_t i = 0; i < encrypted.size(); ++i)
    sources[i] = BinarySource::descriptor(fd, offsets[i], encrypted[i].size(), networks[i].name);
  EXPECT_EQ(must(sources[3].size_bytes()), encrypted[3].size());
  EXPECT_FALSE(sources[3].is_file());
  for (const auto sharing :
       {SpillFillSharing::automatic, SpillFillSharing::context_group, SpillFillSharing::none})
    expect_to_work(must(load_model({.sharing = sharing})));
  auto residency =
      must(model::Residency<>::create(backend(), allocator(), sources, {.max_contexts = 1}));
  for (std::size_t i = 0; i < 6; ++i) (void)must(residency.acquire(i));
  ::close(fd);
  const Error error = error_of(residency.acquire(0));
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.object, "n0");
  EXPECT_EQ(
      error_of(model::load(backend(), allocator(), {BinarySource::descriptor(-1, 0, 8, "none")}))
          .kind,
      Errc::file_unreadable);
}

}}  // namespace support
