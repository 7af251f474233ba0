// Damaged context binaries and manifests: reading returns an error or a correct answer, and never
// needs unreasonable memory. Manifests of very many binaries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "qnnpp/model/survey.hpp"
#include "qnnpp/report/json.hpp"

#include "fixture.hpp"
#include "heap.hpp"
#include "sealed_binary.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;
using model::Manifest;

constexpr std::uint64_t most_bytes = 64u << 20;

/// Calls `function` while a HeapWatch counts.
template <class Function>
auto watched(const Function& function) {
  const HeapWatch watch;
  return function();
}

class Random {
 public:
  explicit Random(std::uint32_t seed) : state_(seed) {}
  std::uint32_t operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::uint32_t>(state_ >> 33);
  }
  std::size_t below(std::size_t end) { return (*this)() % end; }

 private:
  std::uint64_t state_;
};

/// Makes one to four changes: bits, bytes, words with typical wrong values, and pieces that are
/// doubled, dropped or copied from elsewhere.
template <class Content>
void mutate(Content& content, Random& random) {
  constexpr std::uint32_t telling[] = {0,        1,          2,          7,          8,
                                       255,      256,        65535,      65536,      1u << 20,
                                       1u << 28, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFE, 0xFFFFFFFF};
  for (std::size_t changes = 1 + random.below(4); changes > 0; --changes) {
    if (content.size() < 16) return;
    const std::size_t at = random.below(content.size() - 8);
    auto* bytes = reinterpret_cast<unsigned char*>(content.data());
    switch (random.below(7)) {
      case 0: bytes[at] ^= static_cast<unsigned char>(1u << random.below(8)); break;
      case 1: bytes[at] = static_cast<unsigned char>(random()); break;
      case 2: std::memcpy(bytes + at, &telling[random.below(15)], 4); break;
      case 3: std::memcpy(bytes + at, &telling[random.below(15)], 2); break;
      case 4: {
        const std::size_t from = random.below(content.size() - 8);
        std::memmove(bytes + at, bytes + from, 1 + random.below(8));
        break;
      }
      case 5: {
        const std::size_t count = std::min(1 + random.below(64), content.size() - at);
        const auto begin = content.begin() + static_cast<std::ptrdiff_t>(at);
        content.erase(begin, begin + static_cast<std::ptrdiff_t>(count));
        break;
      }
      default: {
        const std::size_t count = std::min(1 + random.below(64), content.size() - at);
        const auto begin = content.begin() + static_cast<std::ptrdiff_t>(at);
        const Content piece(begin, begin + static_cast<std::ptrdiff_t>(count));
        const auto place = static_cast<std::ptrdiff_t>(random.below(content.size()));
        content.insert(content.begin() + place, piece.begin(), piece.end());
      }
    }
  }
}

/// Replaces words of a text: numbers, names, punctuation.
void mutate_words(std::string& text, Random& random) {
  constexpr const char* words[] = {"0",
                                   "1",
                                   "-1",
                                   "18446744073709551615",
                                   "9223372036854775807",
                                   "null",
                                   "true",
                                   "[",
                                   "]",
                                   "{",
                                   "}",
                                   ",",
                                   ":",
                                   "\"",
                                   "1e9",
                                   "\\u0041",
                                   "\\",
                                   "[[[[[",
                                   "{{{",
                                   "\"schema\"",
                                   "0.5",
                                   "\"bytes\""};
  const std::size_t at = random.below(text.size());
  const bool is_digit = text[at] >= '0' && text[at] <= '9';
  std::size_t end = at;
  while (end < text.size() && ((text[end] >= '0' && text[end] <= '9') == is_digit) &&
         (is_digit || end < at + 3))
    ++end;
  text.replace(at, end - at, words[random.below(std::size(words))]);
}

// ---- manifests ----------------------------------------------------------------------------------

Manifest sample() {
  Manifest manifest;
  for (const char* name : {"one.bin", "two.bin"}) {
    model::Survey entry;
    entry.memory = {.name = name,
                    .file_bytes = 123456,
                    .weights = {1000, model::SizeSource::query},
                    .spill_fill = {2000, model::SizeSource::query},
                    .start_alignment = {4096, model::SizeSource::query},
                    .io = {},
                    .op_data = {7, model::SizeSource::metadata},
                    .graphs = 1};
    entry.digest = model::Digest{model::DigestKind::sampled, 77};
    entry.graphs = {{.name = "graph",
                     .inputs = {{.name = "x", .dimensions = {1, 2, 3}}},
                     .outputs = {{.name = "y", .dimensions = {4}}}}};
    manifest.entries.push_back(std::move(entry));
  }
  return manifest;
}

std::string unsealed() {
  auto json = nlohmann::ordered_json::parse(model::to_json(sample()), nullptr, false);
  json.erase("seal");
  return json.dump(2);
}

/// Reads a copy that ends at the end of its heap block, so that a sanitizer detects every read past
/// it.
Result<Manifest> read(std::string_view text, const model::ManifestLimits& limits = {}) {
  const std::vector<char> copy(text.begin(), text.end());
  const HeapWatch watch;
  auto manifest = model::manifest_from_json({copy.data(), copy.size()}, "m.json", limits);
  EXPECT_LE(HeapWatch::bytes(), most_bytes);
  return manifest;
}

TEST(a_manifest, of_10000_binaries_is_written_and_read_in_a_linear_number_of_allocations) {
  TemporaryFolder folder;
  const std::string path = folder.file("m.json");
  const auto allocations = [&](std::size_t binaries) {
    Manifest manifest;
    for (std::size_t i = 0; i < binaries; ++i) {
      manifest.entries.push_back(sample().entries[0]);
      manifest.entries.back().memory.name = "folder/context_" + std::to_string(i) + ".bin";
    }
    const HeapWatch watch;
    EXPECT_TRUE(succeeds(model::write_manifest(manifest, path)));
    const auto manifest_read = model::read_manifest(path);
    EXPECT_TRUE(succeeds(manifest_read));
    EXPECT_EQ(manifest_read ? manifest_read->entries.size() : 0, binaries);
    return HeapWatch::allocations();
  };
  const auto few = allocations(1000);
  EXPECT_LE(allocations(10000), 11 * few);
}

TEST(a_damaged_manifest, cut_anywhere_is_malformed) {
  const std::string text = model::to_json(sample());
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    ASSERT_EQ(error_of(read(std::string_view(text).substr(0, length))).kind, Errc::malformed)
        << length;
  EXPECT_TRUE(succeeds(read(std::string_view(text).substr(0, text.size() - 1))))
      << "its last line feed";
}

TEST(a_damaged_manifest, mutated_40000_times_is_malformed_or_what_was_written) {
  const std::string original = model::to_json(sample());
  Random random(1);
  std::size_t accepted = 0, changed = 0;
  for (int round = 0; round < 40000; ++round) {
    std::string text = original;
    if (round % 2 == 0)
      mutate(text, random);
    else
      for (std::size_t changes = 1 + random.below(3); changes > 0; --changes)
        mutate_words(text, random);
    changed += text != original;
    const auto manifest = read(text);
    if (!manifest) {
      ASSERT_EQ(manifest.error().kind, Errc::malformed);
      ASSERT_FALSE(manifest.error().detail.empty());
      continue;
    }
    ++accepted;
    // A change of white space, of escapes or of the seal itself may be accepted; a change of the
    // contents is not.
    ASSERT_EQ(model::to_json(*manifest), original) << text;
  }
  EXPECT_GT(changed, 39000u);
  EXPECT_GT(accepted, 100u);
  EXPECT_LT(accepted, 4000u);
}

TEST(a_damaged_manifest, without_a_seal_is_malformed_or_says_what_stands_there) {
  // Without a seal, a changed number is valid. An accepted text equals its manifest after writing.
  const std::string original = unsealed();
  Random random(2);
  std::size_t accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = original;
    mutate_words(text, random);
    const auto manifest = read(text);
    if (!manifest) {
      ASSERT_EQ(manifest.error().kind, Errc::malformed);
      continue;
    }
    ++accepted;
    for (const model::Survey& entry : manifest->entries) {
      ASSERT_LE(entry.memory.file_bytes, static_cast<std::uint64_t>(INT64_MAX));
      ASSERT_LE(entry.memory.weights.or_zero(), static_cast<std::uint64_t>(INT64_MAX));
    }
    const auto again = read(model::to_json(*manifest));
    ASSERT_TRUE(succeeds(again));
    ASSERT_EQ(model::to_json(*again), model::to_json(*manifest));
  }
  EXPECT_GT(accepted, 200u);
}

TEST(a_damaged_manifest, as_dense_as_can_be_takes_memory_within_bounds) {
  const model::ManifestLimits limits{
      .file_bytes = 8u << 20, .binaries = 1024, .graphs = 16384, .tensors = 65536};
  const std::string head = "{\"schema\":\"qnnpp-manifest-2\",\"binaries\":[{\"graphs\":[";
  const auto refused = [&](const std::string& before, const std::string& element) {
    std::string text = before;
    while (text.size() + element.size() < limits.file_bytes) text += element;
    const auto manifest = read(text, limits);
    ASSERT_FALSE(manifest.has_value());
    EXPECT_EQ(manifest.error().kind, Errc::malformed);
  };
  refused(head, "{\"name\":\"\"},");
  refused(head + "{\"inputs\":[",
          "{\"name\":\"\",\"data_type\":\"INT_8\",\"dimensions\":[],\"dynamic\":true,\"memory\":"
          "\"raw\"},");
  refused(head + "{\"inputs\":[{\"dimensions\":[", "1,");
  refused("{\"schema\":\"qnnpp-manifest-2\",\"binaries\":[", "{},");
  refused("{\"schema\":\"", "x");
  refused(head, "[");
  refused("", " ");
  EXPECT_EQ(error_of(read(std::string(limits.file_bytes + 1, ' '), limits)).kind, Errc::too_large);
}

// ---- context binaries ---------------------------------------------------------------------------

class a_damaged_binary : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    system_.push_back(must(System::load(system_library)));
    original = binary_of(backend(), {{.name = "one", .width = 8, .hidden = 16, .seed = 3},
                                     {.name = "two", .width = 4, .hidden = 8, .seed = 4}});
  }
  void TearDown() override {
    system_.clear();
    LoadedTest::TearDown();
  }
  const System& system() const { return system_.front(); }

  std::vector<std::byte> original;

 private:
  std::vector<System> system_;
};

void expect_same(const ContextSpec& a, const ContextSpec& b) {
  ASSERT_EQ(a.graphs.size(), b.graphs.size());
  ASSERT_EQ(a.spill_fill_bytes(), b.spill_fill_bytes());
  for (std::size_t i = 0; i < a.graphs.size(); ++i) {
    ASSERT_EQ(a.graphs[i].name, b.graphs[i].name);
    ASSERT_EQ(a.graphs[i].inputs.size(), b.graphs[i].inputs.size());
    ASSERT_EQ(a.graphs[i].inputs.at(0).dimensions, b.graphs[i].inputs.at(0).dimensions);
    ASSERT_EQ(a.graphs[i].outputs.at(0).name, b.graphs[i].outputs.at(0).name);
  }
}

TEST_F(a_damaged_binary, cut_anywhere_tells_nothing) {
  for (std::size_t length = 1; length < original.size(); ++length) {
    const std::vector<std::byte> cut(original.begin(),
                                     original.begin() + static_cast<std::ptrdiff_t>(length));
    const auto spec = watched([&] { return system().metadata(cut, "cut.bin"); });
    ASSERT_LE(HeapWatch::bytes(), most_bytes);
    ASSERT_FALSE(spec.has_value()) << length;
    ASSERT_EQ(spec.error().kind, Errc::qnn);
    ASSERT_EQ(spec.error().object, "cut.bin");
    const auto surveyed = model::survey(backend(), {"cut.bin", cut, {}});
    ASSERT_FALSE(surveyed.has_value()) << length;
    ASSERT_EQ(surveyed.error().object, "cut.bin");
  }
}

TEST_F(a_damaged_binary, mutated_30000_times_tells_what_it_was_made_with_or_an_error) {
  const ContextSpec right = must(system().metadata(original, "right.bin"));
  Random random(3);
  std::size_t accepted = 0, sealed = 0;
  for (int round = 0; round < 30000; ++round) {
    std::vector<std::byte> binary = original;
    mutate(binary, random);
    const bool is_sealed = round % 3 != 0;
    if (is_sealed) seal(binary);
    const auto spec = watched([&] { return system().metadata(binary, "m.bin"); });
    ASSERT_LE(HeapWatch::bytes(), most_bytes) << round;
    if (!spec) {
      ASSERT_EQ(spec.error().object, "m.bin");
      continue;
    }
    ++accepted;
    sealed += is_sealed;
    if (!is_sealed) expect_same(*spec, right);
    model::ContextMemory memory;
    model::detail::add_told(spec->graphs, detail::needs_of(spec->graphs), memory);
    ASSERT_EQ(memory.graphs, spec->graphs.size());
    ASSERT_EQ(memory.spill_fill.value, spec->spill_fill_bytes());
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(sealed, 500u) << "the mutations are too coarse to get past the checks";
}

TEST_F(a_damaged_binary, surveyed_10000_times_is_refused_or_takes_nothing) {
  const auto right = must(model::survey(backend(), {"right.bin", original, {}})).memory;
  Random random(4);
  std::size_t accepted = 0;
  for (int round = 0; round < 10000; ++round) {
    std::vector<std::byte> binary = original;
    mutate(binary, random);
    const bool is_sealed = round % 3 != 0;
    if (is_sealed) seal(binary);
    const auto found = watched([&] { return model::survey(backend(), {"m.bin", binary, {}}); });
    ASSERT_LE(HeapWatch::bytes(), most_bytes) << round;
    if (!found) continue;
    ++accepted;
    const model::ContextMemory& memory = found->memory;
    ASSERT_TRUE(memory.weights.value && memory.spill_fill.value);
    if (!is_sealed) {
      ASSERT_EQ(memory.spill_fill, right.spill_fill);
      ASSERT_EQ(memory.weights, right.weights);
    }
  }
  EXPECT_GT(accepted, 300u);
  EXPECT_EQ(control().counters().live_contexts, 0u);
}

}}  // namespace support
