// Manifests: their contents, the manifests that are refused, and loading with them. Digests.
#include "qnnpp/report/manifest.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <clocale>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "qnnpp/context/restore_list.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/json.hpp"

#include "../backend/fakes/system.hpp"
#include "failing_sync.hpp"
#include "fixture.hpp"
#include "heap.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

/// Mode of the last file whose owner the program set, before that call.
std::atomic<mode_t> mode_before_its_owner{0};

}}  // namespace support

extern "C" {
int __real_fsync(int fd);
int __wrap_fsync(int fd);
int __real_fchown(int fd, uid_t owner, gid_t group);
int __wrap_fchown(int fd, uid_t owner, gid_t group);

int __wrap_fsync(int fd) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return -1;
  std::atomic<int>& failing =
      S_ISDIR(status.st_mode) ? support::unsynchronised_folders : support::unsynchronised_files;
  if (failing > 0) {
    --failing;
    errno = EIO;
    return -1;
  }
  return __real_fsync(fd);
}

int __wrap_fchown(int fd, uid_t owner, gid_t group) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return -1;
  support::mode_before_its_owner = status.st_mode & 07777;
  return __real_fchown(fd, owner, group);
}
}

namespace support { namespace {

using namespace qnnpp;
using model::BinarySource;
using model::Bytes;
using model::ContextMemory;
using model::Digest;
using model::DigestKind;
using model::Manifest;
using model::SizeSource;
using model::Survey;
using sim::Slot;
using enum model::SpillFillSharing;

/// Returns two binaries with every field of a manifest.
Manifest sample() {
  Manifest manifest;
  Survey one;
  one.memory = {.name = "folder/\u00e4 \"one\".bin",
                .file_bytes = 1000,
                .weights = {600, SizeSource::query},
                .shared_weights = {16, SizeSource::metadata},
                .spill_fill = {0, SizeSource::query},
                .start_alignment = {4096, SizeSource::query},
                .io = {64, SizeSource::metadata},
                .op_data = {},
                .vtcm = {8, SizeSource::metadata},
                .domain_spill_fill = {32, SizeSource::metadata},
                .graphs = 2};
  one.digest = Digest{DigestKind::whole, 0x0123456789ABCDEFu};
  GraphSpec graph{.name = "prefill", .inputs = {}, .outputs = {}};
  graph.preparation.dlbc = true;
  graph.inputs.push_back({.name = "x",
                          .kind = c_api::TensorType::app_write,
                          .data_type = c_api::DataType::ufixed_point_8,
                          .dimensions = {1, 4294967295u, 0},
                          .dynamic_dimensions = {0, 1, 0},
                          .mem_type = c_api::TensorMemType::memhandle});
  graph.outputs.push_back({.name = "y", .kind = c_api::TensorType::app_read, .dimensions = {}});
  one.graphs = {graph, {.name = "decode", .inputs = {}, .outputs = {}}};
  manifest.entries.push_back(std::move(one));
  Survey two;
  two.memory = {.name = "two.bin",
                .file_bytes = INT64_MAX,
                .weights = {},
                .spill_fill = {INT64_MAX, SizeSource::metadata}};
  manifest.entries.push_back(std::move(two));
  return manifest;
}

Error refused(const std::string& text, const model::ManifestLimits& limits = {}) {
  return error_of(model::manifest_from_json(text, "m.json", limits));
}

/// Returns the names of all files in a folder.
std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

mode_t mode_of(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(::stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 07777;
}

/// Returns a manifest of `binaries` binaries, with a graph and two tensors each.
Manifest manifest_of(std::size_t binaries) {
  Manifest manifest;
  for (std::size_t i = 0; i < binaries; ++i) {
    Survey entry = sample().entries[1];
    // So long that no C++ library keeps any of them inside a std::string.
    entry.memory.name = "a_folder_of_binaries/context_" + std::to_string(i) + ".bin";
    entry.memory.graphs = 1;
    entry.graphs = {{.name = "graph",
                     .inputs = {{.name = "x", .dimensions = {1, 2, 3}}},
                     .outputs = {{.name = "y", .dimensions = {4}}}}};
    manifest.entries.push_back(std::move(entry));
  }
  return manifest;
}

/// Returns the number of allocations of `job(manifest_of(binaries))`.
template <class Job>
std::uint64_t allocations_of(std::size_t binaries, const Job& job) {
  const Manifest manifest = manifest_of(binaries);
  const HeapWatch watch;
  job(manifest);
  return HeapWatch::allocations();
}
/// Expects that ten times the binaries need at most eleven times the allocations.
template <class Job>
void expect_linear(const Job& job) {
  const auto few = allocations_of(1000, job), many = allocations_of(10000, job);
  EXPECT_GT(few, 1000u);
  EXPECT_LE(many, 11 * few);
}

/// Returns the sample without its seal, so that a changed value is not refused because of the seal.
std::string unsealed() {
  auto json = nlohmann::ordered_json::parse(model::to_json(sample()), nullptr, false);
  json.erase("seal");
  return json.dump(2);
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = unsealed();
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

/// Returns the sample with another list of dimensions.
std::string with_dimensions(const std::string& list) {
  std::string text = unsealed();
  const std::size_t at = text.find('[', text.find("\"dimensions\""));
  return text.replace(at, text.find(']', at) + 1 - at, list);
}

TEST(a_manifest, is_the_same_after_it_was_written_and_read) {
  const std::string text = model::to_json(sample());
  const Manifest read = must(model::manifest_from_json(text, "m.json"));
  EXPECT_EQ(model::to_json(read), text);
  ASSERT_EQ(read.entries.size(), 2u);
  EXPECT_EQ(read.entries[0].memory, sample().entries[0].memory);
  EXPECT_EQ(read.entries[1].memory, sample().entries[1].memory);
  EXPECT_EQ(read.entries[0].digest, sample().entries[0].digest);
  EXPECT_EQ(read.entries[1].digest, std::nullopt);
  const TensorSpec& x = read.entries[0].graphs.at(0).inputs.at(0);
  EXPECT_EQ(x.kind, c_api::TensorType::app_write);
  EXPECT_EQ(x.data_type, c_api::DataType::ufixed_point_8);
  EXPECT_EQ(x.dimensions, (std::vector<std::uint32_t>{1, 4294967295u, 0}));
  EXPECT_EQ(x.dynamic_dimensions, (std::vector<std::uint8_t>{0, 1, 0}));
  EXPECT_EQ(x.mem_type, c_api::TensorMemType::memhandle);
}

TEST(a_manifest, whose_dynamic_is_one_value_for_all_dimensions_is_read) {
  const std::string text = unsealed();
  const std::size_t at = text.find("\"dynamic\": [");
  ASSERT_NE(at, std::string::npos);
  const std::size_t end = text.find(']', at) + 1;
  for (const bool all : {false, true}) {
    const std::string value = all ? "\"dynamic\": true" : "\"dynamic\": false";
    const std::string earlier = std::string(text).replace(at, end - at, value);
    const Manifest read = must(model::manifest_from_json(earlier, "m.json"));
    EXPECT_EQ(read.entries[0].graphs.at(0).inputs.at(0).dynamic_dimensions,
              all ? (std::vector<std::uint8_t>{1, 1, 1}) : std::vector<std::uint8_t>());
    EXPECT_TRUE(read.entries[0].graphs.at(0).outputs.at(0).dynamic_dimensions.empty());
  }
}

/// Returns the sample with this as quantisation of its first tensor, of type UFIXED_POINT_8 and
/// dimensions [2, 3].
std::string with_quantisation(const std::string& json) {
  std::string text = with_dimensions("[2, 3]");
  const std::size_t dynamic = text.find("\"dynamic\": [");
  return text.replace(dynamic, text.find(']', dynamic) + 1 - dynamic,
                      "\"quantisation\": " + json + ", \"dynamic\": false");
}

TEST(a_manifest, has_the_scales_of_each_tensor_as_the_shortest_text_that_reads_back_the_same) {
  const std::pair<Quantisation, const char*> cases[] = {
      {{0.1f, -128}, R"({"scale":0.1,"offset":-128})"},
      {{1e-30f, 0}, R"({"scale":1e-30,"offset":0})"},
      {{3.4028235e38f, 2147483647}, R"({"scale":3.4028235e+38,"offset":2147483647})"},
      {{2.0f, -2147483647 - 1}, R"({"scale":2,"offset":-2147483648})"},
      {Quantisation::per_tensor({0.25f, -8}, 4), R"({"scale":0.25,"offset":-8,"bits":4})"},
      {Quantisation::per_axis(1, {{0.1f, 0}, {0.30000001f, -1}, {1e-45f, 2}}),
       R"({"scale":[0.1,0.3,1e-45],"offset":[0,-1,2],"axis":1})"},
      {Quantisation::per_axis(0, {{0.5f, 0}, {0.25f, -1}}, 4),
       R"({"scale":[0.5,0.25],"offset":[0,-1],"axis":0,"bits":4})"}};
  for (const auto& [quantisation, text] : cases) {
    Manifest manifest = sample();
    TensorSpec& tensor = manifest.entries[0].graphs[0].inputs[0];
    tensor.dimensions = {2, 3};
    tensor.dynamic_dimensions = {};
    tensor.quantisation = quantisation;
    const std::string written = model::to_json(manifest);
    EXPECT_NE(nlohmann::ordered_json::parse(written).dump().find(text), std::string::npos)
        << text << written;
    const Manifest read = must(model::manifest_from_json(written, "m.json"));
    EXPECT_EQ(read.entries[0].graphs[0].inputs[0].quantisation, quantisation) << text;
  }
}

TEST(a_manifest, has_the_same_scales_in_a_locale_with_a_decimal_comma) {
  const std::string text =
      with_quantisation(R"({"scale": [0.1, 2.5e-3], "offset": [0, 0], "axis": 0})");
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  const bool has_comma = std::setlocale(LC_NUMERIC, "de_DE.UTF-8") != nullptr ||
                         std::setlocale(LC_NUMERIC, "fr_FR.UTF-8") != nullptr;
  if (!has_comma) GTEST_SKIP() << "neither de_DE.UTF-8 nor fr_FR.UTF-8 is installed";
  const auto read = model::manifest_from_json(text, "m.json");
  const std::string written = read ? model::to_json(*read) : "";
  std::setlocale(LC_NUMERIC, before.c_str());
  const Quantisation wanted = Quantisation::per_axis(0, {{0.1f, 0}, {2.5e-3f, 0}});
  EXPECT_EQ(must(read).entries[0].graphs[0].inputs[0].quantisation, wanted);
  EXPECT_NE(written.find("0.1"), std::string::npos) << written;
}

TEST(a_manifest, has_no_scales_that_do_not_fit_their_tensor) {
  Manifest manifest = sample();
  for (const Quantisation& quantisation :
       {Quantisation::per_axis(7, {{0.5f, 0}}), Quantisation(-1.0f, 0),
        Quantisation::per_block({1, 1, 1}, {{0.5f, 0}})}) {
    manifest.entries[0].graphs[0].inputs[0].quantisation = quantisation;
    const std::string written = model::to_json(manifest);
    EXPECT_EQ(written.find("quantisation"), std::string::npos) << written;
    EXPECT_TRUE(model::manifest_from_json(written, "m.json"));
  }
}

TEST(a_manifest, of_wrong_scales_is_refused_and_says_why) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"scale": 0.5})", "'offset' is missing"},
      {R"({"scale": "0.5", "offset": 0})", "expected a whole number"},
      {R"({"scale": 1e39, "offset": 0})", "a scale beyond the range of float"},
      {R"({"scale": 0, "offset": 0})", "a scale is 0"},
      {R"({"scale": -0.5, "offset": 0})", "a scale is -0.5; give a positive one"},
      {R"({"scale": -1, "offset": 0})", "expected a whole number"},
      {R"({"scale": 0.5, "offset": 0.5})", "expected a whole number"},
      {R"({"scale": 0.5, "offset": 2147483648})", "above 2147483647"},
      {R"({"scale": 0.5, "offset": -2147483649})", "expected a whole number"},
      {R"({"scale": 0.5, "offset": [0]})", "as many elements"},
      {R"({"scale": [], "offset": [], "axis": 0})", "its scales are missing"},
      {R"({"scale": [0.5], "offset": [0]})", "'axis' belongs to a list"},
      {R"({"scale": 0.5, "offset": 0, "axis": 0})", "'axis' belongs to a list"},
      {R"({"scale": [0.5], "offset": [0], "axis": 0})",
       "it has 1 scales, the dimensions need 2; give one for each"},
      {R"({"scale": [0.5, 1], "offset": [0, 0], "axis": 2})", "its axis is 2"},
      {R"({"scale": 0.5, "offset": 0, "bits": 9})", "its codes have 9 bits"},
      {R"({"scale": [[0.5]], "offset": 0})", "expected a whole number"},
      {R"({"scale": 0.5, "offset": 0, "more": 0})", "unknown member 'more'"}};
  for (const auto& [json, why] : cases) {
    const Error error = refused(with_quantisation(json));
    EXPECT_NE(error.detail.find(why), std::string::npos) << json << error.detail;
  }
  EXPECT_TRUE(model::manifest_from_json(with_quantisation(R"({"scale": 0.5, "offset": -1})"), "m"));
}

TEST(a_manifest, says_which_graphs_were_prepared_with_dlbc) {
  Manifest manifest = sample();
  manifest.entries[0].graphs[1].preparation.dlbc = false;
  const Manifest read = must(model::manifest_from_json(model::to_json(manifest), "m.json"));
  EXPECT_EQ(read.entries[0].graphs.at(0).preparation.dlbc, true);
  EXPECT_EQ(read.entries[0].graphs.at(1).preparation.dlbc, false);
  for (GraphSpec& graph : manifest.entries[0].graphs) graph.preparation = {};
  const std::string earlier = model::to_json(manifest);
  EXPECT_EQ(earlier.find("dlbc"), std::string::npos);
  const Manifest silent = must(model::manifest_from_json(earlier, "m.json"));
  for (const GraphSpec& graph : silent.entries[0].graphs)
    EXPECT_EQ(graph.preparation.dlbc, std::nullopt) << graph.name;
}

TEST(a_manifest, EXT_08_says_what_a_backend_has_shown_of_external_weights) {
  for (const auto shown :
       {ExternalWeights::untried, ExternalWeights::confirmed, ExternalWeights::refused}) {
    Manifest manifest = sample();
    manifest.external_weights = shown;
    const std::string text = model::to_json(manifest);
    EXPECT_EQ(text.find("external_weights") == std::string::npos,
              shown == ExternalWeights::untried);
    EXPECT_EQ(must(model::manifest_from_json(text, "m.json")).external_weights, shown);
    EXPECT_EQ(manifest.report(external_buffer, "").external_weights, shown);
  }
  EXPECT_NE(refused(with("\"qnnpp-manifest-2\",", "\"qnnpp-manifest-2\", \"external_weights\": 1,"))
                .detail,
            "");
  const std::string other =
      refused(
          with("\"qnnpp-manifest-2\",", "\"qnnpp-manifest-2\", \"external_weights\": \"untried\","))
          .detail;
  EXPECT_NE(other.find("neither 'confirmed' nor 'refused'"), std::string::npos) << other;
}

TEST(a_manifest, is_read_by_other_readers_of_json) {
  const auto json = nlohmann::json::parse(model::to_json(sample()), nullptr, false);
  ASSERT_FALSE(json.is_discarded());
  EXPECT_EQ(json["schema"], "qnnpp-manifest-2");
  EXPECT_EQ(json["binaries"][0]["file"], "folder/\u00e4 \"one\".bin");
  EXPECT_EQ(json["binaries"][1]["spill_fill"]["bytes"], INT64_MAX);
  EXPECT_TRUE(json["binaries"][1]["weights"].is_null());
}

TEST(a_manifest, is_read_however_it_is_laid_out) {
  auto json = nlohmann::ordered_json::parse(model::to_json(sample()), nullptr, false);
  EXPECT_EQ(model::to_json(must(model::manifest_from_json(json.dump(), "m"))),
            model::to_json(sample()));
  EXPECT_EQ(model::to_json(must(model::manifest_from_json(json.dump(7, '\t', true), "m"))),
            model::to_json(sample()))
      << "with escapes for what is not ASCII";
}

TEST(a_manifest, whose_text_changed_has_a_broken_seal) {
  std::string text = model::to_json(sample());
  text.replace(text.find("600"), 3, "601");
  const Error error = refused(text);
  EXPECT_EQ(error.kind, Errc::malformed);
  EXPECT_NE(error.detail.find("seal does not match"), std::string::npos) << error.detail;
}

TEST(a_manifest, without_a_seal_is_taken_as_it_stands) {
  const Manifest read = must(model::manifest_from_json(with("600", "601"), "m.json"));
  EXPECT_EQ(read.entries[0].memory.weights.value, 601u);
}

TEST(a_manifest, of_an_unknown_schema_is_refused_by_its_name) {
  // Version 1 used other digests.
  for (const std::string schema : {"qnnpp-manifest-1", "qnnpp-manifest-3"}) {
    const Error error = refused(with("qnnpp-manifest-2", schema));
    EXPECT_EQ(error.kind, Errc::malformed);
    EXPECT_EQ(error.object, "m.json");
    EXPECT_EQ(error.detail,
              "line 2: its schema '" + schema +
                  "' is unknown, only 'qnnpp-manifest-2' is known; write it again with qnnpp-plan");
  }
  EXPECT_NE(refused("{\"binaries\": [], \"schema\": \"qnnpp-manifest-2\"}").detail.find("first"),
            std::string::npos);
}

TEST(a_manifest, refuses_what_its_schema_does_not_allow_and_says_why) {
  const std::pair<std::string, const char*> cases[] = {
      {with("\"bytes\": 1000", "\"bytes\": -1"), "expected a whole number"},
      {with("\"bytes\": 1000", "\"bytes\": -0"), "expected a whole number"},
      {with("\"bytes\": 1000", "\"bytes\": 1e3"), "expected a whole number"},
      {with("\"bytes\": 1000", "\"bytes\": 1.0"), "expected a whole number"},
      {with("\"bytes\": 1000", "\"bytes\": \"1000\""), "expected a whole number"},
      {with("\"bytes\": 1000", "\"bytes\": null"), "expected a whole number"},
      {with("\"bytes\": 1000", "\"bytes\": true"), "expected a whole number"},
      {with("\"bytes\": 1000", "\"bytes\": 9223372036854775808"), "above 9223372036854775807"},
      {with("\"bytes\": 1000", "\"bytes\": 18446744073709551615"), "above 9223372036854775807"},
      {with("\"bytes\": 1000", "\"bytes\": 18446744073709551616"), "above 9223372036854775807"},
      {with("\"bytes\": 1000", "\"bytes\": 99999999999999999999999"), "above"},
      {with("\"bytes\": 1000", "\"bytes\": -99999999999999999999999"), "expected a whole number"},
      {with("\"bytes\": 1000", "\"bytes\": 1e9999"), "number overflow"},
      {with("\"bytes\": 1000", "\"bytes\": 01"), "unexpected number literal"},
      {with("\"bytes\": 1000", "\"bytes\": 1000, \"bytes\": 1000"), "'bytes' is given twice"},
      {with("\"bytes\": 1000,", ""), "'bytes' is missing"},
      {with("\"op_data\": null", "\"op_data\": null, \"more\": 1"), "unknown member 'more'"},
      {with("\"op_data\": null", "\"op_data\": []"), "expected an object"},
      {with("\"op_data\": null", "\"op_data\": 7"), "expected an object"},
      {with("\"file\"", "\"fi\\nle\""), "unknown member 'fi\\nle'"},
      {with("\"file\"", "\"fi\u202ele\""), R"(unknown member 'fi\xe2\x80\xaele')"},
      {with("\"file\"", '"' + std::string(65, 'x') + '"'), "more than 64 bytes"},
      {with("4294967295", "4294967296"), "above 4294967295"},
      {with("\"inputs\"", "\"inputs?\""), "unknown member 'inputs?'"},
      {with("\"inputs\": [", "\"inputs\": [[],"), "expected an object"},
      {with("\"query\"", "\"guess\""), "source is not 'query', 'metadata' or 'manifest'"},
      {with("\"query\"", "\"unknown\""), "source is not 'query', 'metadata' or 'manifest'"},
      {with("UFIXED_POINT_8", "UFIXED_POINT_9"), "unknown data type 'UFIXED_POINT_9'"},
      {with("memhandle", "shared"), "memory is"},
      {with("whole:0123", "whole:0123X"), "expected a digest"},
      {with("whole:", "sha1:"), "expected a digest"},
      {with("0123456789abcdef", "0123456789ABCDEF"), "expected a digest"},
      {with("two.bin", "folder/\u00e4 \\\"one\\\".bin"), "is listed twice"},
      {with("two.bin", "/two.bin"), "empty or absolute"},
      {with("two.bin", ""), "empty or absolute"},
      {with("two.bin", "two\\u0000.bin"), "contains a NUL"},
      {with("two.bin", "two\\ud800.bin"), "surrogate"},
      {with("two.bin", "two\xff.bin"), "ill-formed UTF-8"},
      {with("two.bin", "two\xc0\xaf.bin"), "ill-formed UTF-8"},
      {with("two.bin", "two\xe0\x80\xaf.bin"), "ill-formed UTF-8"},
      {with("two.bin", "two\xf0\x80\x80\xaf.bin"), "ill-formed UTF-8"},
      {with("two.bin", "two\xed\xa0\x80.bin"), "ill-formed UTF-8"},
      {with("two.bin", "two\xf4\x90\x80\x80.bin"), "ill-formed UTF-8"},
      {with("two.bin", "two\n.bin"), "control character"},
      {with("two.bin", "two\\x.bin"), "forbidden character after backslash"},
      {with("two.bin", std::string(4097, 'x')), "more than 4096 bytes"},
      {with("decode", "prefill"), "two graphs have the same name"},
      {with("\"dlbc\": true", "\"dlbc\": 1"), "expected true or false"},
      {with("\"dlbc\": true", "\"dlbc\": null"), "expected true or false"},
      {with("\"dlbc\": true", "\"dlbc\": [true]"), "expected true or false"},
      {with("\"dynamic\": false", "\"dynamic\": 1"), "expected true or false"},
      {with("\"dynamic\": false", "\"dynamic\": [1]"), "expected true or false"},
      {with("\"dynamic\": false", "\"dynamic\": [[true]]"), "expected true or false"},
      {with("\"dynamic\": false", "\"dynamic\": [true]"),
       "'dynamic' needs one element per dimension"},
      {with("\"dynamic\": false",
            "\"dynamic\": [true,true,true,true,true,true,true,true,true,true,true,true,true,true,"
            "true,true,true]"),
       "more than 16 dimensions"},
      {with("\"name\": \"x\"", "\"name\": 1"), "expected a string"},
      {with("\"graphs\": [", "\"graphs\": {},"), "expected an array"},
      {with_dimensions("[1, 2, ]"), "unexpected ']'"},
      {with_dimensions("[1 2]"), "unexpected number literal; expected ']'"},
      {with_dimensions("[[[[[[[1]]]]]]]"), "expected a whole number"},
      {with_dimensions("[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]"), "more than 16"},
      {unsealed() + "{}", "expected end of input"},
      {unsealed() + std::string(1, '\0') + "}{", "text after its end"},
      {unsealed() + std::string(200000, ' ') + "}{", "text after its end"},
      {"\xef\xbb\xbf" + unsealed(), "a byte order mark"},
      {with("\"bytes\": 1000", "\"bytes\": 1e999"), "number overflow parsing '1e999'"},
      {"", "unexpected end of input"},
      {with("two.bin", std::string(100000, 'x')), "more than 90112 bytes between two values"},
      {std::string(100000, ' ') + "{}", "more than 90112 bytes between two values"},
      {"[]", "expected an object"},
      {"{}", "'schema' is missing"},
      {"{/**/}", "invalid literal"},
      {std::string(100000, '['), "expected an object"},
      {std::string(100000, '{'), "expected string literal"},
  };
  for (const auto& [text, why] : cases) {
    const Error error = refused(text);
    EXPECT_EQ(error.kind, Errc::malformed) << text;
    EXPECT_NE(error.detail.find(why), std::string::npos) << error.detail << " for " << why;
    EXPECT_EQ(error.detail.rfind("line ", 0), 0u) << error.detail;
    EXPECT_EQ(qnnpp::escaped(error.detail), error.detail);
    EXPECT_LT(error.detail.size(), 200u) << "no text of unbounded length";
  }
}

TEST(a_manifest, that_is_refused_says_in_which_line) {
  const auto line_of = [](const std::string& text, const std::string& words) {
    return std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find(words)),
                      '\n') +
           1;
  };
  // Values at the end of a line, so that the reader has already passed the line feed.
  for (const char* wrong :
       {"\"op_data\": 7", "\"bytes\": -1", "\"bytes\": 1e3", "\"bytes\": 01", "\"bytes\": tru",
        "\"bytes\": \"1\"", "\"bytes\": {", "more", "\"bytes\": 99999999999999999999999"}) {
    const std::string text = with("\"op_data\": null,\n", wrong + std::string("\n"));
    const std::string wanted = "line " + std::to_string(line_of(text, wrong)) + ": ";
    EXPECT_EQ(refused(text).detail.substr(0, wanted.size()), wanted)
        << wrong << ": " << refused(text).detail;
  }
}

TEST(a_manifest, has_limits_for_all_it_holds) {
  const std::string text = unsealed();
  EXPECT_TRUE(succeeds(model::manifest_from_json(text, "m", {.file_bytes = text.size()})));
  const Error large = refused(text, {.file_bytes = text.size() - 1});
  EXPECT_EQ(large.kind, Errc::too_large);
  EXPECT_EQ(large.needed, text.size());
  EXPECT_EQ(large.found, text.size() - 1);
  EXPECT_EQ(refused(text, {.binaries = 1}).kind, Errc::malformed);
  EXPECT_TRUE(
      succeeds(model::manifest_from_json(text, "m", {.binaries = 2, .graphs = 2, .tensors = 2})));
  EXPECT_EQ(refused(text, {.graphs = 1}).kind, Errc::malformed);
  EXPECT_EQ(refused(text, {.tensors = 1}).kind, Errc::malformed);
}

TEST(a_manifest, of_every_shorter_length_is_refused) {
  const std::string text = model::to_json(sample());
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    ASSERT_EQ(refused(text.substr(0, length)).kind, Errc::malformed) << length;
}

TEST(a_manifest, is_written_whole_or_not_at_all) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  EXPECT_TRUE(succeeds(model::write_manifest(sample(), path)));
  const Manifest read = must(model::read_manifest(path));
  EXPECT_EQ(read.folder, folder.path());
  EXPECT_EQ(model::to_json(read), model::to_json(sample()));
  EXPECT_EQ(files_in(folder.path()), (std::vector<std::string>{"m.json"}));

  Manifest twice = sample();
  twice.entries[1].memory.name = twice.entries[0].memory.name;
  const Error error = error_of(model::write_manifest(twice, path));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_NE(error.detail.find("listed twice"), std::string::npos) << error.detail;
  Manifest no_text = sample();
  no_text.entries[0].memory.name = "\xff.bin";
  EXPECT_EQ(error_of(model::write_manifest(no_text, path)).kind, Errc::invalid_argument);
  Manifest large = sample();
  large.entries[0].memory.file_bytes = UINT64_MAX;
  EXPECT_EQ(error_of(model::write_manifest(large, path)).kind, Errc::invalid_argument);
  EXPECT_EQ(model::to_json(must(model::read_manifest(path))), model::to_json(sample()));

  EXPECT_TRUE(succeeds(model::write_manifest(sample(), path, model::ManifestTensors::none)));
  const Manifest without = must(model::read_manifest(path));
  EXPECT_TRUE(without.entries[0].graphs[0].inputs.empty());
  EXPECT_EQ(without.entries[0].memory.graphs, 2u);
}

TEST(a_manifest, of_10000_binaries_is_looked_up_in_without_a_search_for_each) {
  expect_linear([](const Manifest& manifest) {
    std::vector<BinarySource> sources;
    for (const Survey& entry : manifest.entries)
      sources.push_back(BinarySource::file(entry.memory.name));
    const auto expected = must(model::expected_by(manifest, std::move(sources), model::digest_of));
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(expected[i].expected->memory.name, manifest.entries[i].memory.name);
  });
}

TEST(a_manifest, of_2000_binaries_is_written_and_read) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(
      succeeds(model::write_manifest(manifest_of(2000), path, model::ManifestTensors::none)));
  EXPECT_EQ(must(model::read_manifest(path)).entries.size(), 2000u);
}

TEST(a_manifest, is_written_within_the_limits_of_its_reader_only) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  const model::ManifestLimits limits{.binaries = 9};
  EXPECT_TRUE(
      succeeds(model::write_manifest(manifest_of(9), path, model::ManifestTensors::all, limits)));
  const Error error =
      error_of(model::write_manifest(manifest_of(10), path, model::ManifestTensors::all, limits));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_NE(error.detail.find("more than 9 binaries; raise ManifestLimits::binaries"),
            std::string::npos)
      << error.detail;
  EXPECT_EQ(must(model::read_manifest(path, limits)).entries.size(), 9u);
}

TEST(a_manifest, beyond_a_limit_names_the_limit_to_raise) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  const std::pair<model::ManifestLimits, std::string> cases[] = {
      {{.binaries = 1}, "more than 1 binaries; raise ManifestLimits::binaries"},
      {{.graphs = 1}, "more than 1 graphs; raise ManifestLimits::graphs"},
      {{.tensors = 1}, "more than 1 tensors; raise ManifestLimits::tensors"},
      {{.rank = 1}, "more than 1 dimensions; raise ManifestLimits::rank"},
      {{.name_bytes = 20}, "of more than 20 bytes; raise ManifestLimits::name_bytes"},
      {{.file_bytes = 100}, "raise ManifestLimits::file_bytes"},
  };
  for (const auto& [limits, what] : cases) {
    for (const Error& error :
         {error_of(model::read_manifest(path, limits)),
          error_of(model::manifest_from_json(text_of(path), "m", limits)),
          error_of(model::write_manifest(sample(), path, model::ManifestTensors::all, limits))})
      EXPECT_NE(error.detail.find(what), std::string::npos) << error.message();
  }
}

TEST(a_manifest, keeps_its_permissions_when_it_is_written_again) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  const mode_t mask = ::umask(022);
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  EXPECT_EQ(mode_of(path), 0644u);
  for (const mode_t mode : {0600u, 0640u, 0666u, 0444u}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    ASSERT_TRUE(succeeds(model::write_manifest(manifest_of(mode % 7), path)));
    EXPECT_EQ(mode_of(path), mode);
    EXPECT_EQ(must(model::read_manifest(path)).entries.size(), mode % 7);
  }
  ::umask(mask);
}

TEST(a_manifest, that_is_private_can_be_opened_by_nobody_else_while_it_is_written_again) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
  const mode_t mask = ::umask(0);
  mode_before_its_owner = 0;
  const auto written = model::write_manifest(manifest_of(1), path);
  ::umask(mask);
  ASSERT_TRUE(succeeds(written));
  EXPECT_EQ(mode_before_its_owner, 0600u);
  EXPECT_EQ(mode_of(path), 0600u);
}

TEST(a_manifest, keeps_its_owner_and_group_when_it_is_written_again_by_root) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may give files away";
  constexpr uid_t someone = 12345;
  constexpr gid_t some_group = 54321;
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  ASSERT_EQ(::chown(path.c_str(), someone, some_group), 0);
  ASSERT_EQ(::chmod(path.c_str(), 02640), 0);
  ASSERT_TRUE(succeeds(model::write_manifest(manifest_of(1), path)));
  struct stat status{};
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_uid, someone);
  EXPECT_EQ(status.st_gid, some_group);
  EXPECT_EQ(mode_of(path), 02640u);
}

/// Runs `job` as the user nobody, who does not have root's rights.
template <class Job>
void as_nobody(const Job& job) {
  constexpr uid_t nobody = 65534;
  const uid_t before = ::geteuid();
  ASSERT_EQ(::seteuid(before == 0 ? nobody : before), 0);
  job();
  ASSERT_EQ(::seteuid(before), 0);
}

TEST(a_manifest, of_another_user_is_written_where_its_folder_allows_it_and_nowhere_else) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  ASSERT_EQ(::chmod(path.c_str(), 0640), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  as_nobody([&] {
    for (const std::string& there : {path, folder.path() + "/new.json"}) {
      const Error error = error_of(model::write_manifest(sample(), there));
      EXPECT_EQ(error.kind, Errc::file_unwritable);
      EXPECT_EQ(error.code, EACCES);
    }
  });
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  as_nobody([&] { EXPECT_TRUE(succeeds(model::write_manifest(manifest_of(1), path))); });
  EXPECT_EQ(mode_of(path), 0640u);
  EXPECT_EQ(must(model::read_manifest(path)).entries.size(), 1u);
  EXPECT_EQ(files_in(folder.path()), (std::vector<std::string>{"m.json"}));
  const std::string slash = path + "/";
  EXPECT_EQ(error_of(model::write_manifest(sample(), slash)).code, ENOTDIR);
  EXPECT_EQ(error_of(model::write_manifest(sample(), folder.path() + "/")).kind,
            Errc::file_unwritable);
}

TEST(a_manifest, behind_symbolic_links_is_replaced_where_they_lead_to) {
  TemporaryFolder folder;
  const std::string there = folder.file("there"), here = folder.file("here");
  ASSERT_TRUE(std::filesystem::create_directory(there));
  ASSERT_TRUE(std::filesystem::create_directory(here));
  std::filesystem::create_symlink(there + "/m.json", here + "/absolute.json");
  std::filesystem::create_symlink("absolute.json", here + "/relative.json");
  // The first round writes the target of the link, though that file does not exist yet.
  for (const std::size_t binaries : {1u, 2u}) {
    ASSERT_TRUE(succeeds(model::write_manifest(manifest_of(binaries), here + "/relative.json")));
    EXPECT_TRUE(std::filesystem::is_symlink(here + "/relative.json"));
    EXPECT_TRUE(std::filesystem::is_symlink(here + "/absolute.json"));
    EXPECT_FALSE(std::filesystem::is_symlink(there + "/m.json"));
    EXPECT_EQ(must(model::read_manifest(there + "/m.json")).entries.size(), binaries);
  }
  EXPECT_EQ(files_in(there), (std::vector<std::string>{"m.json"}));
  EXPECT_EQ(files_in(here), (std::vector<std::string>{"absolute.json", "relative.json"}));
  std::filesystem::create_symlink("loop", folder.file("loop"));
  EXPECT_EQ(error_of(model::write_manifest(sample(), folder.file("loop"))).code, ELOOP);
}

TEST(a_manifest, is_written_through_no_link_beside_it) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  std::ofstream(folder.file("precious")) << "precious";
  std::filesystem::create_symlink("precious", path + ".new");
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  EXPECT_EQ(text_of(folder.file("precious")), "precious");
  EXPECT_TRUE(std::filesystem::is_symlink(path + ".new"));
}

TEST(a_manifest, of_which_a_part_cannot_be_written_leaves_the_one_before_and_nothing_else) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  const std::string before = text_of(path);
  // Acts like a full disk: some bytes are written, then writing fails.
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &limit), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{.rlim_cur = 1000, .rlim_max = limit.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto written = model::write_manifest(manifest_of(100), path);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  std::signal(SIGXFSZ, handler);
  const Error error = error_of(written);
  EXPECT_EQ(error.kind, Errc::file_unwritable);
  EXPECT_EQ(error.code, EFBIG);
  EXPECT_EQ(error.object, path);
  EXPECT_EQ(text_of(path), before);
  EXPECT_EQ(files_in(folder.path()), (std::vector<std::string>{"m.json"}));
}

TEST(a_manifest, whose_text_cannot_be_synchronised_leaves_the_one_before_and_nothing_else) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  const std::string before = text_of(path);
  unsynchronised_files = 1;
  const auto written = model::write_manifest(manifest_of(7), path);
  EXPECT_EQ(unsynchronised_files.exchange(0), 0);
  const Error error = error_of(written);
  EXPECT_EQ(error.kind, Errc::file_unwritable);
  EXPECT_EQ(error.code, EIO);
  EXPECT_EQ(text_of(path), before);
  EXPECT_EQ(files_in(folder.path()), (std::vector<std::string>{"m.json"}));
}

TEST(a_manifest, whose_folder_cannot_be_synchronised_is_in_place_and_says_that_it_may_be_lost) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  unsynchronised_folders = 1;
  const Error error = error_of(model::write_manifest(manifest_of(7), path));
  EXPECT_EQ(unsynchronised_folders, 0);
  EXPECT_EQ(error.kind, Errc::file_unwritable);
  EXPECT_EQ(error.code, EIO);
  EXPECT_EQ(error.detail, "the new text is in place, but may not be on the disk");
  EXPECT_EQ(must(model::read_manifest(path)).entries.size(), 7u);
  EXPECT_EQ(files_in(folder.path()), (std::vector<std::string>{"m.json"}));
}

TEST(a_manifest, is_not_written_to_a_folder_that_may_not_be_read_and_says_why) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(succeeds(model::write_manifest(sample(), path)));
  const std::string before = text_of(path);
  // Files can be created in the folder, but the folder cannot be opened.
  ASSERT_EQ(::chmod(folder.path().c_str(), 0333), 0);
  as_nobody([&] {
    const Error error = error_of(model::write_manifest(manifest_of(1), path));
    EXPECT_EQ(error.kind, Errc::file_unwritable);
    EXPECT_EQ(error.code, EACCES);
    EXPECT_EQ(error.detail, "its folder must be readable, to be synchronised");
  });
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(text_of(path), before);
  EXPECT_EQ(files_in(folder.path()), (std::vector<std::string>{"m.json"}));
}

TEST(a_manifest, leaves_the_old_text_to_other_hard_links_of_its_file) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  ASSERT_TRUE(succeeds(model::write_manifest(manifest_of(1), path)));
  std::filesystem::create_hard_link(path, folder.file("other.json"));
  ASSERT_TRUE(succeeds(model::write_manifest(manifest_of(2), path)));
  EXPECT_EQ(must(model::read_manifest(path)).entries.size(), 2u);
  EXPECT_EQ(must(model::read_manifest(folder.file("other.json"))).entries.size(), 1u);
}

TEST(a_manifest, is_written_in_the_place_of_a_regular_file_only) {
  TemporaryFolder folder;
  const std::string& pipe = folder.file("pipe.json");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  // Uses only paths in the folder: a faulty writer would replace the file, and as root even a
  // device.
  const std::string& inner = folder.file("inner");
  ASSERT_TRUE(std::filesystem::create_directory(inner));
  for (const std::string& path : {pipe, inner}) {
    const Error error = error_of(model::write_manifest(sample(), path));
    EXPECT_EQ(error.kind, Errc::file_unwritable) << path;
    EXPECT_EQ(error.detail, "not a regular file");
  }
  EXPECT_EQ(error_of(model::read_manifest(pipe)).detail, "not a regular file");
  EXPECT_EQ(files_in(folder.path()), (std::vector<std::string>{"inner", "pipe.json"}));
  const std::string with_nul = folder.path() + std::string("/m.json\0x", 9);
  EXPECT_EQ(error_of(model::write_manifest(sample(), with_nul)).kind, Errc::invalid_argument);
  EXPECT_EQ(error_of(model::read_manifest(with_nul)).kind, Errc::invalid_argument);
}

TEST(a_manifest, is_never_seen_torn_with_two_writers_and_two_readers) {
  TemporaryFolder folder;
  const std::string& path = folder.file("m.json");
  // The lengths differ, so that one text written over the other is visible.
  const std::string texts[] = {model::to_json(manifest_of(1)), model::to_json(manifest_of(40))};
  ASSERT_TRUE(succeeds(model::detail::replace_file(path, texts[0])));
  constexpr std::size_t reads = 2000;
  std::atomic<std::size_t> readers = 2, torn = 0, unreadable = 0, unwritten = 0, writes = 0;
  std::vector<std::thread> threads;
  for (const std::string& text : texts)
    threads.emplace_back([&] {
      while (readers > 0) {
        unwritten += !model::detail::replace_file(path, text).has_value();
        ++writes;
      }
    });
  for (int reader = 0; reader < 2; ++reader)
    threads.emplace_back([&] {
      for (std::size_t i = 0; i < reads; ++i) {
        const auto bytes = qnnpp::detail::read_file(path, UINT64_MAX);
        if (!bytes) {
          ++unreadable;
          continue;
        }
        const std::string text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
        torn += text != texts[0] && text != texts[1];
      }
      --readers;
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(unreadable, 0u);
  EXPECT_EQ(unwritten, 0u);
  EXPECT_GT(writes, 1u);
  EXPECT_EQ(files_in(folder.path()), (std::vector<std::string>{"m.json"}));
}

TEST(a_manifest, that_cannot_be_read_or_written_says_why) {
  TemporaryFolder folder;
  const Error missing = error_of(model::read_manifest(folder.path() + "/none.json"));
  EXPECT_EQ(missing.kind, Errc::file_unreadable);
  EXPECT_EQ(missing.code, ENOENT);
  EXPECT_EQ(error_of(model::read_manifest(folder.path())).kind, Errc::file_unreadable);
  const Error unwritable = error_of(model::write_manifest(sample(), folder.path() + "/no/m.json"));
  EXPECT_EQ(unwritable.kind, Errc::file_unwritable);
  EXPECT_EQ(unwritable.code, ENOENT);
  const std::string& path = folder.file("large.json");
  std::ofstream(path) << std::string(101, ' ');
  EXPECT_EQ(error_of(model::read_manifest(path, {.file_bytes = 100})).kind, Errc::too_large);
}

// ---- digests ------------------------------------------------------------------------------------

std::vector<std::byte> some_bytes(std::size_t count) {
  std::vector<std::byte> bytes(count);
  std::uint32_t state = 5;
  for (std::byte& byte : bytes)
    byte = static_cast<std::byte>((state = state * 1664525u + 7u) >> 24);
  return bytes;
}

TEST(a_digest, of_a_small_file_notices_every_changed_byte_and_every_size) {
  for (const std::size_t size : {1u, 7u, 8u, 9u, 255u, 4096u}) {
    auto bytes = some_bytes(size);
    const Digest digest = model::digest_of(bytes);
    for (std::byte& byte : bytes) {
      byte ^= std::byte{1};
      ASSERT_NE(model::digest_of(bytes), digest);
      byte ^= std::byte{1};
    }
    bytes.push_back(std::byte{0});
    EXPECT_NE(model::digest_of(bytes), digest) << "one zero more";
  }
  EXPECT_EQ(model::digest_of(some_bytes(100)), model::digest_of(some_bytes(100)));
}

TEST(a_digest, of_a_large_file_looks_at_both_ends_and_64_pages_between) {
  auto bytes = some_bytes(8u << 20);
  const Digest digest = model::digest_of(bytes);
  const auto is_noticed = [&](std::size_t at, DigestKind kind = DigestKind::sampled) {
    const Digest before = kind == DigestKind::sampled ? digest : model::digest_of(bytes, kind);
    bytes[at] ^= std::byte{0x80};
    const bool differs = model::digest_of(bytes, kind) != before;
    bytes[at] ^= std::byte{0x80};
    return differs;
  };
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{65535}, bytes.size() - 65536, bytes.size() - 1})
    EXPECT_TRUE(is_noticed(at)) << at;
  std::size_t pages = 0;
  for (std::size_t at = 65536; at < bytes.size() - 65536; at += 4096) pages += is_noticed(at + 77);
  EXPECT_EQ(pages, 64u);
  EXPECT_FALSE(is_noticed(65536 + 4096)) << "between the pages nobody looks";
  EXPECT_TRUE(is_noticed(65536 + 4096, DigestKind::whole));
  bytes.push_back(std::byte{0});
  EXPECT_NE(model::digest_of(bytes), digest);
}

TEST(a_digest, reads_all_of_a_file_up_to_384_kib) {
  auto bytes = some_bytes(384 << 10);
  const Digest digest = model::digest_of(bytes);
  EXPECT_EQ(digest.value, model::digest_of(bytes, DigestKind::whole).value);
  // The next size is sampled, and its pages still touch each other.
  bytes.push_back(std::byte{9});
  const Digest larger = model::digest_of(bytes);
  EXPECT_NE(larger.value, model::digest_of(bytes, DigestKind::whole).value);
}

TEST(a_digest, notices_what_would_cancel_in_a_simple_one) {
  const auto original = some_bytes(4096);
  const Digest digest = model::digest_of(original, DigestKind::whole);
  // Flips the sign of one word, and the bits of the next word that cancel this change in a plain
  // multiplication.
  for (std::size_t word = 0; word < 500; ++word) {
    auto bytes = original;
    bytes[8 * word + 7] ^= std::byte{0x80};
    bytes[8 * word + 15] ^= std::byte{0x80};
    bytes[8 * word + 11] ^= std::byte{0x80};
    EXPECT_NE(model::digest_of(bytes, DigestKind::whole), digest);
  }
  // Changes the signs of three floats in a row.
  for (std::size_t first = 0; first < 1000; ++first) {
    auto bytes = original;
    for (std::size_t i = 0; i < 3; ++i) bytes[4 * (first + i) + 3] ^= std::byte{0x80};
    EXPECT_NE(model::digest_of(bytes, DigestKind::whole), digest);
  }
}

TEST(a_digest, is_text_and_back) {
  const Digest digest{DigestKind::sampled, 0x00FEDCBA98765432u};
  EXPECT_EQ(model::to_string(digest), "sampled:00fedcba98765432");
  EXPECT_EQ(model::digest_from("sampled:00fedcba98765432"), digest);
  EXPECT_EQ(model::digest_from("whole:00fedcba98765432")->kind, DigestKind::whole);
  for (const char* wrong : {"", "whole", "whole:", "sampled:00fedcba9876543", "x:00fedcba98765432",
                            "whole:00fedcba9876543g", "whole:00fedcba987654321"})
    EXPECT_EQ(model::digest_from(wrong), std::nullopt) << wrong;
}

// Files contain digests, so a digest never changes and is the same on every machine. `printf abc |
// xxhsum -H3` prints the first one.
TEST(a_digest, is_the_same_on_every_machine) {
  const std::string abc = "abc";
  EXPECT_EQ(model::to_string(model::digest_of(std::as_bytes(std::span(abc)), DigestKind::whole)),
            "whole:78af5f94892f3950");
  EXPECT_EQ(model::to_string(model::digest_of(some_bytes(1000))), "sampled:9caba64b1126d5c6");
  EXPECT_EQ(model::to_string(model::digest_of(some_bytes(1u << 20))), "sampled:ddd7c2cf92554591");
}

TEST(a_digest, of_a_whole_file_is_what_xxhsum_prints) {
  if (std::system("command -v xxhsum >/dev/null") != 0) GTEST_SKIP() << "no xxhsum";
  TemporaryFolder folder;
  for (const std::size_t size : {0u, 1u, 16u, 200u, 1000u, 500000u}) {
    const auto bytes = some_bytes(size);
    const std::string& path = folder.file("bytes");
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(size));
    ASSERT_EQ(
        std::system(("xxhsum -H3 " + path + " > " + folder.file("sum") + " 2>/dev/null").c_str()),
        0);
    std::ifstream sum(folder.file("sum"));
    const std::string printed(std::istreambuf_iterator<char>(sum), {});
    const std::string digits =
        model::to_string(model::digest_of(bytes, DigestKind::whole)).substr(6);
    EXPECT_NE(printed.find(digits), std::string::npos) << printed << digits;
  }
}

// ---- loading ------------------------------------------------------------------------------------

class a_model_with_a_manifest : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    for (const Network& network : networks) {
      bytes.push_back(binary_of(backend(), {network}));
      sources.push_back({network.name + ".bin", bytes.back(), {}});
      manifest.entries.push_back(
          must(model::manifest_entry(backend(), sources.back(), sources.back().name)));
    }
    control().reset_counters();
  }
  Result<model::Model> load_as(model::SpillFillSharing sharing, bool in_one_call = false) const {
    auto expected = model::expected_by(manifest, sources, model::digest_of);
    if (!expected) return fail(std::move(expected).error());
    model::LoadOptions options{.sharing = sharing};
    if (in_one_call) options.in_one_call = restore_list;
    return model::load(backend(), allocator(), *expected, options);
  }
  void expect_stale(model::SpillFillSharing sharing, const std::string& file,
                    const std::string& words, std::uint64_t now, std::uint64_t recorded) const {
    const Error error = error_of(load_as(sharing));
    EXPECT_EQ(error.needed, now);
    EXPECT_EQ(error.found, recorded);
    EXPECT_EQ(error.kind, Errc::stale) << error.message();
    EXPECT_EQ(error.object, file);
    EXPECT_NE(error.message().find(words), std::string::npos) << error.message();
    EXPECT_EQ(control().counters().live_contexts, 0u);
  }

  const std::vector<Network> networks = four_networks();
  std::vector<std::vector<std::byte>> bytes;
  std::vector<BinarySource> sources;
  Manifest manifest;
};

TEST_F(a_model_with_a_manifest, GRP_01_takes_the_maximum_of_a_group_from_it) {
  // Larger than the need of any binary, so the value can come only from the manifest.
  const auto largest = *manifest.entries[2].memory.spill_fill.value + 4096;
  manifest.entries[2].memory.spill_fill.value = largest;
  const auto loaded = must(load_as(context_group));
  EXPECT_EQ(control().counters().internal_spill_fill_bytes, largest);
  EXPECT_EQ(loaded.report().contexts[2].spill_fill, (Bytes{largest, SizeSource::manifest}));
  EXPECT_EQ(loaded.report().contexts[1].weights,
            (Bytes{networks[1].weights_bytes(), SizeSource::manifest}));
  EXPECT_TRUE(loaded.report().complete());
}

TEST_F(a_model_with_a_manifest, GRP_01_is_no_group_where_the_manifest_does_not_tell_a_need) {
  manifest.entries[1].memory.spill_fill = {};
  const Error error = error_of(load_as(context_group));
  EXPECT_EQ(error.kind, Errc::no_metadata);
  EXPECT_EQ(error.object, "two.bin");
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
}

TEST_F(a_model_with_a_manifest, GRP_01_that_says_less_than_a_binary_needs_makes_no_group) {
  const auto need = *must(model::read_metadata(backend(), sources[0])).memory.spill_fill.value;
  for (Survey& entry : manifest.entries) entry.memory.spill_fill.value = 256;
  expect_stale(context_group, "one.bin", "the manifest says 256", need, 256);
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
}

TEST_F(a_model_with_a_manifest, may_enable_some_graphs_and_then_needs_what_it_says_of_all) {
  const auto both = binary_of(backend(), {networks[0], networks[2]});
  sources = {{"both.bin", both, {}}};
  manifest.entries = {must(model::manifest_entry(backend(), sources[0], "both.bin"))};
  sources[0].enabled_graphs = {"one"};
  for (const auto sharing : {external_buffer, context_group, none, automatic}) {
    const auto loaded = must(load_as(sharing));
    EXPECT_LT(difference(loaded.context(0), networks[0]), tolerance);
  }
  const auto need = *manifest.entries[0].memory.spill_fill.value;
  manifest.entries[0].memory.spill_fill.value = need + (std::uint64_t{2} << 20);
  expect_stale(external_buffer, "both.bin", "spill-fill: the backend asks for", need,
               need + (std::uint64_t{2} << 20));
}

TEST_F(a_model_with_a_manifest, loads_in_each_way_where_it_is_true) {
  for (const auto sharing : {external_buffer, context_group, none, automatic}) {
    const auto loaded = must(load_as(sharing));
    for (std::size_t i = 0; i < networks.size(); ++i)
      EXPECT_LT(difference(loaded.context(i), networks[i]), tolerance) << networks[i].name;
    EXPECT_EQ(loaded.report().contexts[0].name, "one.bin");
  }
  EXPECT_TRUE(succeeds(load_as(none, true)));
  const auto loaded = must(load_as(external_buffer));
  EXPECT_EQ(loaded.report().contexts[0].weights.source, SizeSource::query)
      << "the backend's own answer is the truth";
}

TEST_F(a_model_with_a_manifest,
       shares_no_spill_fill_with_an_enabled_graph_of_which_it_states_dlbc) {
  bytes[1] = [&] {
    auto context = must(Context<Composing>::create(backend()));
    auto graph = must(Graph<Composing>::create(context, "with_dlbc", {.dlbc = true}));
    const Network& net = networks[1];
    const std::vector<std::vector<float>> matrices{net.matrix(0), net.matrix(1), net.matrix(2)};
    add_all(graph, net, matrices);
    (void)must(std::move(graph).finalize());
    (void)compose(context, networks[0]);
    return must(must(std::move(context).finalize()).serialize());
  }();
  sources[1].bytes = bytes[1];
  manifest.entries[1] = must(model::manifest_entry(backend(), sources[1], sources[1].name));
  manifest = must(model::manifest_from_json(model::to_json(manifest), "m.json"));
  // Without a system library, only the manifest states DLBC.
  const auto without_metadata = must(Backend<Htp>::load({.library = QNNPP_RECORDER}));
  const auto load_without_metadata = [&](model::SpillFillSharing sharing) {
    return model::load(without_metadata, allocator(),
                       must(model::expected_by(manifest, sources, model::digest_of)),
                       {.sharing = sharing});
  };
  const std::pair<model::SpillFillSharing, const char*> refusals[] = {
      {external_buffer, "sharing spill-fill"}, {context_group, "joining a context group"}};
  for (const auto& [sharing, step] : refusals) {
    const Error error = error_of(load_without_metadata(sharing));
    EXPECT_EQ(error.kind, Errc::capability_missing) << error.message();
    EXPECT_STREQ(error.step, step);
    EXPECT_EQ(error.object, "two.bin");
    EXPECT_EQ(error.detail.find("graph 'with_dlbc' was prepared with DLBC"), 0u) << error.detail;
    EXPECT_EQ(error_of(load_as(sharing)).kind, Errc::capability_missing);
  }
  {
    const auto loaded = must(load_without_metadata(automatic));
    EXPECT_EQ(loaded.report().sharing, external_buffer);
    EXPECT_NE(loaded.report().reason.find("two.bin: sharing spill-fill (graph 'with_dlbc'"),
              std::string::npos)
        << loaded.report().reason;
    for (std::size_t i = 0; i < networks.size(); ++i)
      EXPECT_EQ(loaded.report().contexts[i].shares_spill_fill, i != 1);
  }
  sources[1].enabled_graphs = {"one"};
  for (const auto sharing : {external_buffer, context_group})
    EXPECT_TRUE(succeeds(load_without_metadata(sharing))) << "that graph is not enabled";
  sources[1].enabled_graphs = {};
  for (GraphSpec& graph : manifest.entries[1].graphs) graph.preparation.dlbc.reset();
  for (const auto sharing : {external_buffer, context_group})
    EXPECT_TRUE(succeeds(load_without_metadata(sharing))) << "an earlier manifest is not checked";
}

TEST_F(a_model_with_a_manifest, BIN_02_is_loaded_by_its_tensors_if_the_metadata_cannot_be_read) {
  constexpr const char* reader = FAKES_DIR "fake_system.so";
  void* const library = ::dlopen(reader, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << ::dlerror();
  const auto fake =
      reinterpret_cast<fakes::SystemControlFn>(::dlsym(library, "fake_system_control"))();
  *fake = fakes::SystemControl();
  fake->behaviour.metadata_result = 30010;
  {
    const auto blind = must(Backend<Htp>::load({.library = htp_library, .system_library = reader}));
    const auto load_as = [&](model::SpillFillSharing sharing) {
      return model::load(blind, allocator(),
                         must(model::expected_by(manifest, sources, model::digest_of)),
                         {.sharing = sharing});
    };
    for (const auto sharing : {external_buffer, context_group, none}) {
      const auto loaded = must(load_as(sharing));
      for (std::size_t i = 0; i < networks.size(); ++i)
        EXPECT_LT(difference(loaded.context(i), networks[i]), tolerance);
    }
    for (Survey& entry : manifest.entries)
      for (GraphSpec& graph : entry.graphs) graph.inputs.clear();
    for (const auto sharing : {external_buffer, context_group, none})
      EXPECT_EQ(error_of(load_as(sharing)).code, 30010);
  }
  ::dlclose(library);
}

TEST_F(a_model_with_a_manifest, of_numbers_of_the_metadata_is_compared_as_the_backend_rounds_them) {
  model::BinarySource source{"a.bin", {}, {}};
  const auto is_stale = [&](SizeSource of, std::uint64_t stated, std::uint64_t asked) {
    source.expected.emplace().memory.spill_fill = {stated, of};
    const auto checked = model::detail::check_needs(source, {0, asked, 1});
    return !checked && checked.error().kind == Errc::stale;
  };
  EXPECT_FALSE(is_stale(SizeSource::metadata, 2'818'048, 4'194'304));
  EXPECT_FALSE(is_stale(SizeSource::metadata, 4'194'304, 4'194'304));
  EXPECT_FALSE(is_stale(SizeSource::metadata, 0, 0));
  EXPECT_TRUE(is_stale(SizeSource::metadata, 2'818'048, 6'291'456));
  EXPECT_TRUE(is_stale(SizeSource::metadata, 4'194'305, 4'194'304));
  EXPECT_TRUE(is_stale(SizeSource::query, 2'818'048, 4'194'304));
}

TEST(needs_for_a_residency, of_metadata_are_rounded_up_as_the_backend_does) {
  model::ContextMemory memory{.name = "a.bin", .graphs = 2};
  EXPECT_EQ(error_of(model::requirements_of(memory)).kind, Errc::no_metadata);
  memory.weights = {2'097'153, SizeSource::metadata};
  memory.spill_fill = {2'818'048, SizeSource::metadata};
  EXPECT_EQ(must(model::requirements_of(memory)), (BufferRequirements{4'194'304, 4'194'304, 4096}));
  memory.weights = {5, SizeSource::query};
  memory.spill_fill = {7, SizeSource::query};
  memory.start_alignment = {256, SizeSource::query};
  EXPECT_EQ(must(model::requirements_of(memory)), (BufferRequirements{5, 7, 256}));
  memory.weights = memory.spill_fill = {UINT64_MAX - 1, SizeSource::metadata};
  memory.graphs = 3;
  EXPECT_EQ(must(model::requirements_of(memory)),
            (BufferRequirements{UINT64_MAX, UINT64_MAX, 256}));
}

TEST_F(a_model_with_a_manifest, of_another_size_is_refused_before_anything_is_opened) {
  sources[2].bytes = std::span(bytes[2]).first(bytes[2].size() - 8);
  for (const auto sharing : {external_buffer, context_group, none, automatic})
    expect_stale(sharing, "three.bin",
                 "has " + std::to_string(bytes[2].size() - 8) + " bytes, the manifest says " +
                     std::to_string(bytes[2].size()),
                 bytes[2].size() - 8, bytes[2].size());
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
}

TEST_F(a_model_with_a_manifest, of_another_digest_is_refused_in_every_way) {
  const model::Digest recorded = *manifest.entries[1].digest;
  bytes[1][bytes[1].size() - 5] ^= std::byte{1};
  const model::Digest now = model::digest_of(bytes[1]);
  for (const auto sharing : {external_buffer, context_group, none, automatic})
    expect_stale(sharing, "two.bin",
                 "the file has the digest " + model::to_string(now) + ", the manifest says " +
                     model::to_string(recorded),
                 now.value, recorded.value);
  EXPECT_EQ(error_of(load_as(none, true)).kind, Errc::stale);
}

TEST_F(a_model_with_a_manifest,
       without_a_function_for_digests_is_refused_before_anything_is_opened) {
  const Error error = error_of(model::expected_by(manifest, sources, nullptr));
  EXPECT_EQ(error.kind, Errc::invalid_argument);
  EXPECT_NE(error.message().find("write model::digest_of"), std::string::npos) << error.message();
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
}

TEST_F(a_model_with_a_manifest, without_a_digest_is_refused) {
  manifest.entries[3].digest.reset();
  expect_stale(external_buffer, "four.bin", "the manifest has no digest of it", 0, 0);
}

TEST_F(a_model_with_a_manifest, reads_no_metadata_of_a_damaged_binary) {
  const auto expected = must(model::expected_by(manifest, sources, model::digest_of));
  EXPECT_TRUE(succeeds(model::survey(backend(), expected[0])));
  EXPECT_TRUE(succeeds(model::read_metadata(backend(), expected[0])));
  const std::size_t half = bytes[0].size() / 2;
  bytes[0][half] ^= std::byte{1};
  control().reset_counters();
  for (const Error& error : {error_of(model::survey(backend(), expected[0])),
                             error_of(model::read_metadata(backend(), expected[0]))}) {
    EXPECT_EQ(error.kind, Errc::stale) << error.message();
    EXPECT_EQ(error.object, "one.bin");
  }
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
}

TEST_F(a_model_with_a_manifest, has_a_digest_that_a_binary_is_compared_with_by_itself) {
  const Digest& digest = *manifest.entries[0].digest;
  const auto binary = must(ContextBinary::borrow(bytes[0], "one.bin"));
  EXPECT_TRUE(succeeds(model::check_digest(binary, digest, model::digest_of)));
  bytes[0].back() ^= std::byte{1};
  const Error error = error_of(model::check_digest(binary, digest, model::digest_of));
  EXPECT_EQ(error.kind, Errc::stale);
  EXPECT_EQ(error.object, "one.bin");
  EXPECT_EQ(error.found, digest.value);
  EXPECT_NE(error.message().find("the manifest says " + model::to_string(digest)),
            std::string::npos)
      << error.message();
  EXPECT_EQ(error_of(model::check_digest(binary, digest, nullptr)).kind, Errc::invalid_argument);
}

TEST_F(a_model_with_a_manifest, that_asks_for_another_need_is_refused_with_both_numbers) {
  const auto need = *manifest.entries[1].memory.spill_fill.value;
  manifest.entries[1].memory.spill_fill.value = need + 4096;
  expect_stale(external_buffer, "two.bin",
               "spill-fill: the backend asks for " + std::to_string(need) +
                   " bytes, the manifest says " + std::to_string(need + 4096),
               need, need + 4096);
  manifest.entries[1].memory.spill_fill.value = need;
  const auto weights = *manifest.entries[0].memory.weights.value;
  manifest.entries[0].memory.weights.value = weights - 1;
  expect_stale(external_buffer, "one.bin",
               "weights: the backend asks for " + std::to_string(weights) +
                   " bytes, the manifest says " + std::to_string(weights - 1),
               weights, weights - 1);
  manifest.entries[0].memory.weights.source = SizeSource::metadata;
  EXPECT_TRUE(succeeds(load_as(external_buffer))) << "constants need not be weights";
  const auto alignment = *manifest.entries[0].memory.start_alignment.value;
  manifest.entries[0].memory.start_alignment.value = 2 * alignment;
  expect_stale(external_buffer, "one.bin",
               "alignment: the backend asks for " + std::to_string(alignment), alignment,
               2 * alignment);
}

TEST_F(a_model_with_a_manifest, that_does_not_list_a_binary_names_it) {
  manifest.entries.erase(manifest.entries.begin() + 1);
  const Error error = error_of(load_as(automatic));
  EXPECT_EQ(error.kind, Errc::unknown_name);
  EXPECT_EQ(error.object, "two.bin");
  EXPECT_EQ(error.detail, "the manifest does not list it; it has one.bin, three.bin, four.bin");
  EXPECT_EQ(calls(Slot::context_create_from_binary), 0u);
}

TEST_F(a_model_with_a_manifest, of_many_binaries_is_indexed_once_for_a_load) {
  // The manifest lists every source but the last.
  TemporaryFolder folder;
  const std::string& path = folder.file("one.bin");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes[0].data()),
             static_cast<std::streamsize>(bytes[0].size()));
  const auto allocations = [&](std::size_t count) {
    Manifest many = manifest_of(count);
    many.folder = folder.path();
    many.entries.push_back(manifest.entries[0]);
    std::vector<BinarySource> all(count, BinarySource::file(path));
    all.push_back(BinarySource::file(folder.file("none.bin")));
    const HeapWatch watch;
    const auto expected = model::expected_by(many, std::move(all), model::digest_of);
    EXPECT_EQ(error_of(expected).object, folder.file("none.bin"));
    return HeapWatch::allocations();
  };
  const auto few = allocations(100);
  EXPECT_LE(allocations(1000), 11 * few);
}

TEST_F(a_model_with_a_manifest, finds_the_same_file_by_another_path) {
  TemporaryFolder folder;
  const std::string& path = folder.file("one.bin");
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes[0].data()),
             static_cast<std::streamsize>(bytes[0].size()));
  const std::string name = folder.path().substr(folder.path().rfind('/') + 1);
  const std::string roundabout = folder.path() + "/../" + name + "/./one.bin";
  manifest.folder = folder.path();
  manifest.entries.insert(manifest.entries.begin(), manifest.entries[1]);
  manifest.entries[0].memory.name = ".";  // a different path that exists
  sources = {BinarySource::file(roundabout)};
  const auto expected = must(model::expected_by(manifest, sources, model::digest_of));
  EXPECT_EQ(expected[0].expected->memory, manifest.entries[1].memory);
  const auto loaded = must(load_as(context_group));
  EXPECT_EQ(loaded.report().contexts[0].name, roundabout);
  sources = {BinarySource::file(folder.path() + "/gone.bin")};
  EXPECT_EQ(error_of(model::expected_by(manifest, sources, model::digest_of)).kind,
            Errc::unknown_name);
}

}}  // namespace support
