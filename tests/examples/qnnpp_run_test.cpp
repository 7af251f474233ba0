// qnnpp-run: its reader of .npy files, its statistics and comparisons, and the program itself.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "fixture.hpp"
#include "run/compare.hpp"
#include "run/names.hpp"
#include "run/npy.hpp"
#include "run/options.hpp"
#include "run/report.hpp"
#include "run/same_file.hpp"
#include "run/statistics.hpp"
#include "run/tensor_data.hpp"
#include "temporary_folder.hpp"
#include "tool/output_to_stderr.hpp"

namespace support { namespace {

using qnnpp::Errc;
using qnnpp::TensorSpec;
using qnnpp::c_api::DataType;
using ::run::Data;

template <class T>
std::span<const std::byte> bytes_of(const std::vector<T>& values) {
  return std::as_bytes(std::span(values));
}

/// A .npy file with this text as its header.
Data npy_with(std::string header, std::size_t data_bytes, char major = '\1') {
  header += '\n';
  std::string start("\x93NUMPY");
  start += {major, '\0', static_cast<char>(header.size() & 0xFFu),
            static_cast<char>(header.size() >> 8)};
  if (major != '\1') start += std::string(2, '\0');
  start += header + std::string(data_bytes, '\0');
  Data file(start.size());
  std::memcpy(file.data(), start.data(), start.size());
  return file;
}

// -------------------------------------------------------------------------------------- .npy

TEST(an_npy_file, that_is_written_is_read_again) {
  const std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  for (const std::vector<std::uint32_t>& shape :
       std::vector<std::vector<std::uint32_t>>{{6}, {2, 3}, {1, 3, 2}}) {
    const Data file = ::run::npy_file("<f4", shape, bytes_of(numbers));
    const auto header = ::run::parse_npy(file, "a.npy");
    ASSERT_TRUE(header) << header.error().message();
    EXPECT_EQ(header->descr, "<f4");
    EXPECT_EQ(header->shape, std::vector<std::uint64_t>(shape.begin(), shape.end()));
    EXPECT_EQ(header->data_offset % 64, 0u);
    EXPECT_EQ(std::memcmp(file.data() + header->data_offset, numbers.data(), 24), 0);
  }
}

TEST(an_npy_file, of_every_version_and_spelling_is_read) {
  const char* const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  for (const char version : {'\1', '\2', '\3'})
    EXPECT_TRUE(::run::parse_npy(npy_with(header, 24, version), "a.npy")) << int{version};
  for (const char* const spelling :
       {"{\"descr\": \"<f4\", \"fortran_order\": False, \"shape\": (2, 3)}",
        "{'shape':(2,3,),'fortran_order':False,'descr':'<f4'}",
        "  { 'shape' : ( 2 , 3 ) , 'fortran_order' : False , 'descr' : '<f4' }  "})
    EXPECT_TRUE(::run::parse_npy(npy_with(spelling, 24), "a.npy")) << spelling;
  const auto scalar = ::run::parse_npy(
      npy_with("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", 8), "a.npy");
  ASSERT_TRUE(scalar);
  EXPECT_TRUE(scalar->shape.empty());
  EXPECT_TRUE(::run::parse_npy(
      npy_with("{'descr': '<f4', 'fortran_order': True, 'shape': (6,), }", 24), "a.npy"));
}

TEST(an_npy_file, with_a_wrong_header_is_an_error_that_says_why) {
  const auto expect = [](const char* header, std::size_t bytes, Errc kind, const char* words) {
    const auto read = ::run::parse_npy(npy_with(header, bytes), "bad.npy");
    ASSERT_FALSE(read) << header;
    EXPECT_EQ(read.error().kind, kind) << header;
    EXPECT_EQ(read.error().object, "bad.npy");
    EXPECT_NE(read.error().message().find(words), std::string::npos) << header << "\n"
                                                                     << read.error().message();
  };
  expect("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }", 24, Errc::malformed,
         "Fortran order");
  expect("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", 8, Errc::malformed,
         "no plain numbers");
  expect("{'descr': '|O', 'fortran_order': False, 'shape': (2,), }", 8, Errc::type_mismatch,
         "'|O'");
  expect("{'descr': '<U4', 'fortran_order': False, 'shape': (2,), }", 8, Errc::type_mismatch,
         "'<U4'");
  expect("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 20, Errc::size_mismatch,
         "needs exactly 24 bytes, got 20");
  expect("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", 25, Errc::size_mismatch,
         "needs exactly 24 bytes, got 25");
  expect("{'descr': '<f4', 'fortran_order': False, }", 4, Errc::malformed, "lacks");
  expect("{'descr': '<f4', 'fortran_order': False, 'shape': (2), }", 8, Errc::malformed, "tuple");
  expect("{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", 8, Errc::malformed,
         "whole number");
  expect("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775808,), }", 8,
         Errc::malformed, "whole number");
  expect("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296), }", 8,
         Errc::malformed, "2^63 - 1 elements");
  expect("{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775807,), }", 8,
         Errc::size_mismatch, "needs exactly");
  expect("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", 8,
         Errc::malformed, "once each");
  expect("{'descr': '<f4', 'fortran_order': 0, 'shape': (2,), }", 8, Errc::malformed, "True");
  expect("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'x': 1}", 8, Errc::malformed,
         "another key");
  expect("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } 7", 8, Errc::malformed,
         "text follows");
}

TEST(an_npy_file, that_is_cut_or_damaged_anywhere_is_read_or_an_error) {
  const std::vector<float> numbers(6);
  const std::vector<std::uint32_t> shape{2, 3};
  const Data whole = ::run::npy_file("<f4", shape, bytes_of(numbers));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(::run::parse_npy(std::span(whole).first(length), "cut.npy")) << length;
  // Each byte of the header, with each value: at an address of its own, for the sanitizers.
  for (std::size_t at = 0; at < 128; ++at)
    for (unsigned value = 0; value < 256; ++value) {
      Data damaged = whole;
      damaged[at] = static_cast<std::byte>(value);
      const auto read = ::run::parse_npy(damaged, "damaged.npy");
      if (read) {
        EXPECT_LE(read->data_offset, damaged.size());
        EXPECT_EQ(read->count() * ::run::detail::npy_element_bytes(read->descr),
                  damaged.size() - read->data_offset);
      } else {
        EXPECT_EQ(read.error().object, "damaged.npy");
      }
    }
}

TEST(an_npy_file, of_random_bytes_is_an_error) {
  ::run::Random random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string header;
    const char* const parts[] = {"{",     "}", "'descr'", "'shape'", "'fortran_order'", ":", ",",
                                 "'<f4'", "(", ")",       "True",    "False",           "7", "'"};
    for (int i = 0; i < 12; ++i) header += parts[random.next() % std::size(parts)];
    EXPECT_FALSE(::run::parse_npy(npy_with(header, 7), "random.npy")) << header;
  }
}

// -------------------------------------------------------------------------------- statistics

TEST(statistics, of_known_numbers_are_those_of_numpy) {
  const auto one = ::run::statistics_of({7});
  EXPECT_EQ(one.count, 1u);
  EXPECT_EQ(one.median, 7);
  EXPECT_FALSE(one.spread());
  std::vector<double> numbers;
  for (int i = 100; i >= 0; --i) numbers.push_back(i);
  const auto hundred = ::run::statistics_of(numbers);
  EXPECT_EQ(hundred.min, 0);
  EXPECT_EQ(hundred.p10, 10);
  EXPECT_EQ(hundred.median, 50);
  EXPECT_EQ(hundred.p90, 90);
  EXPECT_EQ(hundred.p99, 99);
  EXPECT_EQ(hundred.max, 100);
  EXPECT_DOUBLE_EQ(hundred.spread().value_or(0), 1.6);
  // numpy.percentile([1, 2, 3, 10], [10, 50, 90, 99])
  const std::vector<double> four{1, 2, 3, 10};
  EXPECT_DOUBLE_EQ(::run::quantile(four, 0.10), 1.3);
  EXPECT_DOUBLE_EQ(::run::quantile(four, 0.50), 2.5);
  EXPECT_DOUBLE_EQ(::run::quantile(four, 0.90), 7.9);
  EXPECT_DOUBLE_EQ(::run::quantile(four, 0.99), 9.79);
  EXPECT_EQ(::run::statistics_of({}).count, 0u);
}

TEST(statistics, of_few_values_have_no_outer_percentiles_and_no_spread) {
  const auto known = [](std::size_t count) {
    const auto us = ::run::statistics_of(std::vector<double>(count, 7));
    EXPECT_EQ(us.p10.has_value(), us.p90.has_value());
    EXPECT_EQ(us.spread().has_value(), us.p90.has_value());
    return std::pair(us.p90.has_value(), us.p99.has_value());
  };
  EXPECT_EQ(known(1), std::pair(false, false));
  EXPECT_EQ(known(9), std::pair(false, false));
  EXPECT_EQ(known(10), std::pair(true, false));
  EXPECT_EQ(known(99), std::pair(true, false));
  EXPECT_EQ(known(100), std::pair(true, true));
}

// ---------------------------------------------------------------------------- names and files

TEST(a_name_on_the_command_line, may_be_an_index_that_is_no_name) {
  const std::vector<qnnpp::GraphSpec> graphs{{.name = "net"}, {.name = "0"}};
  EXPECT_FALSE(::run::names_graph("0", ::run::graph_ref("a.bin", graphs, 0)));
  EXPECT_TRUE(::run::names_graph("0", ::run::graph_ref("a.bin", graphs, 1)));
  for (const char* const text : {"1", "a.bin:1", "0"})
    EXPECT_TRUE(::run::names_graph(text, ::run::graph_ref("a.bin", graphs, 1))) << text;
  EXPECT_FALSE(::run::names_graph("01", ::run::graph_ref("a.bin", graphs, 1)));
  EXPECT_TRUE(::run::names_tensor("a.bin:1/x", ::run::graph_ref("a.bin", graphs, 1), "x"));
}

TEST(the_output_of_a_library, goes_to_stderr_while_an_object_lives) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::fputs("before\n", stdout);
  {
    const tool::OutputToStderr guard;
    std::fputs("buffered\n", stdout);
    EXPECT_EQ(::write(1, "direct\n", 7), 7);
  }
  std::fputs("after\n", stdout);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before\nafter\n");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "direct\nbuffered\n");
}

TEST(a_label_of_a_graph, is_shortened_after_its_index_if_its_name_is_long) {
  ::run::Measured measured;
  const auto label = [&](const std::string& name, const std::string& index) {
    measured.executed = {{.name = name, .context = "x/a.bin", .index = index}};
    return ::run::label_of(measured, measured.executed[0]);
  };
  EXPECT_EQ(label("net", "0"), "net");
  EXPECT_EQ(label(std::string(24, 'x'), "0"), std::string(24, 'x'));
  EXPECT_EQ(label("QNN_QNN_4534053821767735619_0_0", "0"), "#0 QNN_QN\u20261767735619_0_0");
  EXPECT_EQ(label("QNN_QNN_4534053821767735619_0_0", "").size(), 26u) << "24 columns";
  EXPECT_EQ(label("a\n", "0"), "a\\x0a");
  measured.executed.push_back(measured.executed[0]);
  EXPECT_EQ(::run::label_of(measured, measured.executed[0]), "a.bin:a\\x0a");
}

TEST(a_name_on_the_command_line, may_state_the_binary_and_the_graph) {
  const ::run::GraphRef net{"x/a.bin", "net"};
  for (const char* const text : {"net", "a.bin:net", "x/a.bin:net"})
    EXPECT_TRUE(::run::names_graph(text, net)) << text;
  for (const char* const text : {"", "a.bin", "b.bin:net", ":net", "x/a.bin:"})
    EXPECT_FALSE(::run::names_graph(text, net)) << text;
  for (const char* const text : {"y", "net/y", "a.bin:net/y", "x/a.bin:net/y"})
    EXPECT_TRUE(::run::names_tensor(text, net, "y")) << text;
  for (const char* const text : {"", "/y", "a.bin/y", "other/y", "net/z"})
    EXPECT_FALSE(::run::names_tensor(text, net, "y")) << text;
  // Names with the same characters.
  EXPECT_TRUE(::run::names_tensor("a.bin:b/c:d/e", {"a.bin", "b/c:d"}, "e"));
  EXPECT_TRUE(::run::names_tensor("d/e", {"a.bin", "b"}, "d/e"));
}

TEST(two_paths, are_one_file_in_every_spelling) {
  const TemporaryFolder folder;
  const std::string file = folder.file("x");
  std::filesystem::create_symlink("x", folder.file("link"));
  std::filesystem::create_symlink(folder.path(), folder.file("folder"));
  // Before and after the file exists.
  for (int round = 0; round < 2; ++round) {
    for (const std::string& other :
         {file, folder.file("./x"), folder.file("none/../x"), folder.file("link"),
          folder.file("folder/x"), std::filesystem::relative(file).string()}) {
      EXPECT_TRUE(::run::is_same_file(file, other)) << other;
      EXPECT_TRUE(::run::is_same_file(other, file)) << other;
    }
    EXPECT_FALSE(::run::is_same_file(file, folder.file("y")));
    std::ofstream(folder.file("x")) << "x";
  }
  std::filesystem::create_hard_link(file, folder.file("hard"));
  EXPECT_TRUE(::run::is_same_file(file, folder.file("hard")));
  EXPECT_TRUE(::run::is_same_file("/dev/stdout", "/dev/stdout"));
  EXPECT_FALSE(::run::is_same_file("/dev/null", "/dev/null"));
  std::filesystem::create_symlink("loop", folder.file("loop"));
  EXPECT_FALSE(::run::is_same_file(folder.file("loop"), file));
}

// -------------------------------------------------------------------------------- comparison

using ::run::compare;
using ::run::Criterion;

TEST(a_comparison, finds_the_largest_difference_and_its_place) {
  const std::vector<double> expected{1, 2, 3, 4, 5, 6};
  std::vector<double> found = expected;
  found[4] = 5.5;
  found[1] = 2.25;
  const auto result = compare(found, expected, {2, 3}, {.tolerance = {{0.3, 0}}});
  EXPECT_FALSE(result.matches);
  EXPECT_EQ(result.differing, 1u);
  EXPECT_DOUBLE_EQ(result.largest_difference, 0.5);
  EXPECT_EQ(result.index, (std::vector<std::uint32_t>{1, 1}));
  EXPECT_EQ(result.found, 5.5);
  EXPECT_EQ(result.expected, 5);
  // 10 log10(91 / 0.3125)
  EXPECT_NEAR(*result.sqnr_db, 24.642, 1e-3);
  EXPECT_NEAR(*result.cosine, 0.99890, 1e-5);
  EXPECT_TRUE(compare(found, expected, {2, 3}, {.tolerance = {{0, 0.125}}}).matches);
  EXPECT_FALSE(compare(found, expected, {2, 3}, {.tolerance = {{0, 0.0999}}}).matches);
  EXPECT_TRUE(compare(expected, expected, {6}, {.tolerance = {{0, 0}}}).matches);
  EXPECT_FALSE(compare(expected, expected, {6}, {}).sqnr_db);
}

TEST(a_comparison, of_nan_and_infinity_never_matches_a_number) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const Criterion wide{.tolerance = {{1e300, 1}}};
  EXPECT_FALSE(compare(std::vector{nan}, std::vector{1.0}, {1}, wide).matches);
  EXPECT_FALSE(compare(std::vector{1.0}, std::vector{nan}, {1}, wide).matches);
  EXPECT_FALSE(compare(std::vector{nan}, std::vector{nan}, {1}, wide).matches);
  EXPECT_FALSE(compare(std::vector{1.0}, std::vector{inf}, {1}, wide).matches);
  EXPECT_FALSE(compare(std::vector{-inf}, std::vector{inf}, {1}, wide).matches);
  EXPECT_TRUE(compare(std::vector{inf}, std::vector{inf}, {1}, wide).matches);
  const auto second = compare(std::vector{9.0, nan, 7.0}, std::vector{1.0, 2.0, 3.0}, {3}, wide);
  EXPECT_EQ(second.index, std::vector<std::uint32_t>{1});
  EXPECT_TRUE(std::isnan(second.largest_difference));
  EXPECT_FALSE(second.cosine);
}

TEST(a_comparison, by_top_1_compares_the_place_of_each_rows_largest_number) {
  const Criterion top{.tolerance = {}, .top_1 = true};
  const std::vector<double> expected{1, 9, 2, 8, 1, 1};
  EXPECT_TRUE(compare(std::vector<double>{3, 4, 3, 2, 1, 0}, expected, {2, 3}, top).matches);
  const auto other = compare(std::vector<double>{3, 4, 3, 0, 1, 0}, expected, {2, 3}, top);
  EXPECT_FALSE(other.matches);
  EXPECT_EQ(other.rows, 2u);
  EXPECT_EQ(other.rows_with_other_top, 1u);
  EXPECT_EQ(other.differing, 0u);
}

TEST(a_comparison, by_top_1_never_matches_a_row_with_a_nan_on_either_side) {
  const Criterion top{.tolerance = {}, .top_1 = true};
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> numbers{9, 1, 2};
  // The place of the largest number is 0 in each row.
  for (const std::vector<double>& row :
       std::vector<std::vector<double>>{{nan, nan, nan}, {nan, 1, 2}, {9, nan, 2}, {9, 1, nan}}) {
    EXPECT_EQ(compare(row, numbers, {1, 3}, top).rows_with_other_top, 1u);
    EXPECT_FALSE(compare(numbers, row, {1, 3}, top).matches);
    EXPECT_FALSE(compare(row, row, {1, 3}, top).matches);
  }
  EXPECT_TRUE(compare(numbers, numbers, {1, 3}, top).matches);
}

// ------------------------------------------------------------------------------- tensor data

TensorSpec tensor(DataType type, std::vector<std::uint32_t> dimensions,
                  qnnpp::Quantisation quantisation = {}) {
  return {.name = "x",
          .data_type = type,
          .dimensions = std::move(dimensions),
          .quantisation = std::move(quantisation)};
}
template <class T>
::run::TensorFile npy(std::string_view descr, std::vector<std::uint32_t> shape,
                      const std::vector<T>& values) {
  const Data whole = ::run::npy_file(descr, shape, bytes_of(values));
  const auto header = must(::run::parse_npy(whole, "x.npy"));
  const auto elements = std::span(whole).subspan(header.data_offset);
  return {.tensor = "x",
          .path = "x.npy",
          .elements_size = elements.size(),
          .npy = header,
          .elements = Data(elements.begin(), elements.end())};
}

TEST(tensor_data, of_float32_is_quantised_for_a_quantised_tensor) {
  const TensorSpec codes = tensor(DataType::ufixed_point_8, {3}, {0.5f, -10});
  const auto bytes = must(::run::input_bytes(codes, npy<float>("<f4", {3}, {0, 1, 1000})));
  EXPECT_EQ(bytes, (Data{std::byte{10}, std::byte{12}, std::byte{255}}));
  EXPECT_EQ(must(::run::numbers_of(codes, bytes)), (std::vector<double>{0, 1, 122.5}));
  const TensorSpec half = tensor(DataType::float_16, {1});
  EXPECT_EQ(must(::run::input_bytes(half, npy<float>("<f4", {1}, {1}))),
            (Data{std::byte{0}, std::byte{0x3C}}));
}

TEST(tensor_data, that_does_not_fit_is_an_error_that_names_file_expected_and_found) {
  const auto expect = [](const auto& result, Errc kind, std::vector<std::string> words) {
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().kind, kind);
    words.push_back("x.npy");
    for (const std::string& word : words)
      EXPECT_NE(result.error().message().find(word), std::string::npos) << word << "\n"
                                                                        << result.error().message();
  };
  const TensorSpec floats = tensor(DataType::float_32, {2, 3});
  const std::vector<float> six(6);
  expect(::run::input_bytes(floats, npy<float>("<f4", {3, 2}, six)), Errc::shape_mismatch,
         {"[2, 3]", "[3, 2]"});
  expect(::run::input_bytes(floats, npy<float>("<f4", {6}, six)), Errc::shape_mismatch, {"[6]"});
  expect(::run::input_bytes(floats, npy<double>("<f8", {2, 3}, std::vector<double>(6))),
         Errc::type_mismatch, {"FLOAT_32", "'<f4'", "'<f8'"});
  expect(::run::input_bytes(floats, npy<float>(">f4", {2, 3}, six)), Errc::type_mismatch,
         {"'>f4'"});
  expect(::run::input_bytes(tensor(DataType::int_32, {6}), npy<float>("<f4", {6}, six)),
         Errc::type_mismatch, {"INT_32", "'<i4'", "'<f4'"});
  std::vector<float> nan = six;
  nan[4] = std::nanf("");
  expect(::run::input_bytes(tensor(DataType::ufixed_point_8, {6}, {1, 0}),
                            npy<float>("<f4", {6}, nan)),
         Errc::invalid_argument, {"element 4 is NaN"});
  EXPECT_TRUE(::run::input_bytes(tensor(DataType::float_32, {6}), npy<float>("<f4", {6}, nan)));
  ::run::TensorFile raw{.tensor = "x", .path = "x.npy", .elements_size = 23, .npy = {}};
  expect(::run::input_bytes(floats, raw), Errc::size_mismatch, {"24 bytes, got 23", "tensor x"});
}

TEST(the_json_of_a_tensor, has_the_shortest_scales_that_read_back_the_same) {
  using qnnpp::Quantisation;
  const std::pair<Quantisation, const char*> cases[] = {
      {{}, "null"},
      {{0.1f, -128}, R"({"scale":0.1,"offset":-128})"},
      {Quantisation::per_tensor({0.25f, 0}, 4), R"({"scale":0.25,"offset":0,"bits":4})"},
      {Quantisation::per_axis(1, {{0.3f, 0}, {1e-7f, -1}}),
       R"({"scale":[0.3,1e-07],"offset":[0,-1],"axis":1})"},
      {Quantisation::per_block({1, 1}, {{0.5f, 0}}), "null"}};
  for (const auto& [quantisation, text] : cases) {
    TensorSpec spec = tensor(DataType::ufixed_point_8, {2, 3}, quantisation);
    EXPECT_EQ(::run::detail::to_json(std::vector{spec})[0]["quantisation"].dump(), text);
  }
}

TEST(tensor_data, of_int64_is_converted_if_every_number_fits) {
  const auto read = [](DataType type, std::vector<std::int64_t> numbers) {
    const auto extent = static_cast<std::uint32_t>(numbers.size());
    const TensorSpec to = tensor(type, {extent});
    return ::run::input_bytes(to, npy<std::int64_t>("<i8", {extent}, numbers))
        .and_then([&](const Data& bytes) { return ::run::numbers_of(to, bytes); });
  };
  struct Case {
    DataType type;
    std::vector<std::int64_t> fit;
    std::int64_t wrong;
  };
  for (const auto& [type, fit, wrong] :
       {Case{DataType::int_8, {-128, 0, 127}, 128}, Case{DataType::int_16, {-32768, 32767}, -32769},
        Case{DataType::int_32, {-2147483648, 2147483647}, 2147483648},
        Case{DataType::uint_8, {0, 255}, -1}, Case{DataType::uint_16, {0, 65535}, 65536},
        Case{DataType::uint_32, {0, 4294967295}, 4294967296}, Case{DataType::uint_64, {0, 5}, -1},
        Case{DataType::bool_8, {0, 1}, 2}, Case{DataType::float_32, {-3, 16777216}, 16777217},
        Case{DataType::float_64, {9007199254740992}, INT64_MAX}}) {
    EXPECT_EQ(must(read(type, fit)), std::vector<double>(fit.begin(), fit.end()));
    const auto error = error_of(read(type, {0, wrong, wrong}));
    EXPECT_EQ(error.kind, Errc::invalid_argument);
    EXPECT_NE(
        error.detail.find("element 1 is " + std::to_string(wrong) + ", which tensor x of type"),
        std::string::npos)
        << error.detail;
  }
  // Codes and numbers of a quantised tensor are not told apart.
  EXPECT_EQ(error_of(::run::input_bytes(tensor(DataType::ufixed_point_8, {1}, {0.5f, 0}),
                                        npy<std::int64_t>("<i8", {1}, {1})))
                .kind,
            Errc::type_mismatch);
  EXPECT_EQ(must(::run::expected_numbers(tensor(DataType::int_32, {2}),
                                         npy<std::int64_t>("<i8", {2}, {7, 1LL << 40}))),
            (std::vector<double>{7, 1099511627776.0}));
}

TEST(tensor_data, of_float16_is_converted) {
  const auto halves = npy<std::uint16_t>("<f2", {3}, {0x3C00, 0xC000, 0x0001});
  const std::vector<double> numbers{1, -2, 0x1p-24};
  for (const DataType type : {DataType::float_32, DataType::float_64, DataType::bfloat_16}) {
    const TensorSpec floats = tensor(type, {3});
    EXPECT_EQ(must(::run::numbers_of(floats, must(::run::input_bytes(floats, halves)))), numbers);
    EXPECT_EQ(must(::run::expected_numbers(floats, halves)), numbers);
  }
  const TensorSpec codes = tensor(DataType::ufixed_point_8, {3}, {0.5f, -10});
  EXPECT_EQ(must(::run::input_bytes(codes, halves)),
            (Data{std::byte{12}, std::byte{6}, std::byte{10}}));
  EXPECT_EQ(error_of(::run::input_bytes(tensor(DataType::int_32, {3}), halves)).kind,
            Errc::type_mismatch);
}

TEST(tensor_data, of_another_shape_is_taken_if_only_ones_differ) {
  const std::vector<float> six{1, 2, 3, 4, 5, 6};
  const TensorSpec floats = tensor(DataType::float_32, {1, 2, 3, 1});
  for (const std::vector<std::uint32_t>& shape :
       std::vector<std::vector<std::uint32_t>>{{2, 3}, {2, 1, 3}, {1, 1, 2, 3}}) {
    const auto bytes = must(::run::input_bytes(floats, npy<float>("<f4", shape, six)));
    EXPECT_EQ(std::memcmp(bytes.data(), six.data(), 24), 0);
    EXPECT_TRUE(::run::check_expected(floats, npy<float>("<f4", shape, six)));
  }
  for (const std::vector<std::uint32_t>& shape :
       std::vector<std::vector<std::uint32_t>>{{3, 2}, {6}, {1, 6}})
    EXPECT_EQ(error_of(::run::input_bytes(floats, npy<float>("<f4", shape, six))).kind,
              Errc::shape_mismatch);
  EXPECT_TRUE(::run::input_bytes(tensor(DataType::float_32, {}), npy<float>("<f4", {1}, {1})));
}

TEST(tensor_data, is_read_from_its_file_after_the_size_and_the_header) {
  const TemporaryFolder folder;
  const auto write = [&](const std::string& name, const Data& bytes) {
    std::ofstream(folder.file(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
    return must(::run::open_tensor_file("net/x=" + folder.file(name)));
  };
  const std::vector<float> numbers{1, 2, 3};
  const auto elements = bytes_of(numbers);
  for (::run::TensorFile file :
       {write("x.npy", ::run::npy_file("<f4", std::vector<std::uint32_t>{3}, elements)),
        write("x.raw", Data(elements.begin(), elements.end()))}) {
    EXPECT_EQ(file.tensor, "net/x");
    EXPECT_EQ(file.elements_size, 12u);
    EXPECT_TRUE(file.elements.empty());
    EXPECT_TRUE(::run::check_input(tensor(DataType::float_32, {3}), file));
    EXPECT_FALSE(::run::check_input(tensor(DataType::float_32, {4}), file));
    must(::run::read_elements(file));
    EXPECT_EQ(file.elements, Data(elements.begin(), elements.end()));
  }
  // A file that becomes shorter in between, and one that vanishes.
  ::run::TensorFile file = write("y.raw", Data(12));
  std::filesystem::resize_file(folder.file("y.raw"), 5);
  EXPECT_EQ(::run::read_elements(file).error().kind, Errc::size_mismatch);
  std::filesystem::remove(folder.file("y.raw"));
  EXPECT_EQ(::run::read_elements(file).error().kind, Errc::file_unreadable);
}

TEST(tensor_data, that_is_expected_may_have_another_type_and_an_error_names_each_type_once) {
  const auto words_of = [](DataType type) {
    return ::run::expected_numbers(tensor(type, {1}), npy<std::int16_t>("<i2", {1}, {1}))
        .error()
        .detail;
  };
  EXPECT_NE(words_of(DataType::float_32)
                .find("which is '<f4' or '<f8' or '<f2' or '<i8', the file has '<i2'"),
            std::string::npos);
  EXPECT_NE(words_of(DataType::float_64)
                .find("which is '<f8' or '<f4' or '<f2' or '<i8', the file has '<i2'"),
            std::string::npos);
  EXPECT_NE(words_of(DataType::uint_8)
                .find("which is '|u1' or '<f4' or '<f8' or '<f2' or '<i8', the file"),
            std::string::npos);
}

TEST(tensor_data, with_an_extent_beyond_32_bits_is_an_error_that_shows_it) {
  TensorSpec dynamic = tensor(DataType::float_32, {4, 3});
  dynamic.dynamic_dimensions = {1, 0};
  ::run::TensorFile file = npy<float>("<f4", {2, 3}, std::vector<float>(6));
  EXPECT_EQ(must(::run::extents_of(dynamic, file)), (std::vector<std::uint32_t>{2, 3}));
  file.npy->shape = {std::uint64_t{1} << 33, 3};
  const auto wrong = ::run::extents_of(dynamic, file);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().kind, Errc::shape_mismatch);
  EXPECT_EQ(wrong.error().object, "x.npy");
  EXPECT_EQ(wrong.error().detail, "tensor x has [1 to 4, 3], the file has [8589934592, 3]");
}

TEST(tensor_data, of_four_bits_has_a_byte_for_each_code_in_npy) {
  const TensorSpec codes = tensor(DataType::sfixed_point_4, {3}, {0.5f, 0});
  const auto file = npy<std::int8_t>("|i1", {3}, {-8, 7, -1});
  const auto bytes = must(::run::input_bytes(codes, file));
  EXPECT_EQ(bytes, (Data{std::byte{0x78}, std::byte{0x0F}}));
  EXPECT_EQ(::run::unpacked(codes, bytes), (Data{std::byte{0xF8}, std::byte{7}, std::byte{0xFF}}));
  EXPECT_EQ(must(::run::numbers_of(codes, bytes)), (std::vector<double>{-4, 3.5, -0.5}));
  EXPECT_FALSE(::run::input_bytes(codes, npy<std::int8_t>("|i1", {3}, {-9, 0, 0})));
  EXPECT_FALSE(::run::input_bytes(codes, npy<std::int8_t>("|i1", {3}, {8, 0, 0})));
}

TEST(tensor_data, is_the_number_of_each_element_for_every_type) {
  for (const auto& [type, size] :
       std::vector<std::pair<DataType, std::size_t>>{{DataType::int_8, 1},
                                                     {DataType::uint_8, 1},
                                                     {DataType::bool_8, 1},
                                                     {DataType::int_16, 2},
                                                     {DataType::uint_16, 2},
                                                     {DataType::sfixed_point_16, 2},
                                                     {DataType::int_32, 4},
                                                     {DataType::uint_32, 4},
                                                     {DataType::int_64, 8},
                                                     {DataType::uint_64, 8},
                                                     {DataType::ufixed_point_8, 1}}) {
    Data one(size);
    one[0] = std::byte{1};
    EXPECT_EQ(must(::run::numbers_of(tensor(type, {1}), one)), std::vector<double>{1})
        << qnnpp::name_of(type);
    EXPECT_EQ(must(::run::noise(tensor(type, {100}), 0)).size(), 100 * size);
  }
  EXPECT_FALSE(::run::noise(tensor(DataType::undefined, {1}), 0));
}

TEST(noise, depends_on_the_seed_and_the_tensors_name_and_nothing_else) {
  TensorSpec floats = tensor(DataType::float_32, {1000});
  const Data first = must(::run::noise(floats, 1));
  EXPECT_EQ(must(::run::noise(floats, 1)), first);
  EXPECT_NE(must(::run::noise(floats, 2)), first);
  for (const double number : must(::run::numbers_of(floats, first))) {
    EXPECT_GE(number, -1);
    EXPECT_LT(number, 1);
  }
  floats.name = "y";
  EXPECT_NE(must(::run::noise(floats, 1)), first);
  // Codes with fewer bits than the elements are those of numbers from -1 to 1.
  const TensorSpec codes =
      tensor(DataType::sfixed_point_8, {1000}, qnnpp::Quantisation::per_tensor({0.25f, 0}, 4));
  for (const double number : must(::run::numbers_of(codes, must(::run::noise(codes, 1)))))
    EXPECT_TRUE(number >= -1 && number <= 1) << number;
  // Indices stay small.
  for (const double number :
       must(::run::numbers_of(tensor(DataType::int_32, {1000}),
                              must(::run::noise(tensor(DataType::int_32, {1000}), 1)))))
    EXPECT_TRUE(number == 0 || number == 1) << number;
}

}}  // namespace support
