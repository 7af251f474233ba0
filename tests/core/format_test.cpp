// Errors and values as fmt prints them.
#include "qnnpp/format.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "qnnpp/report/format.hpp"

namespace {

using qnnpp::Errc;
using qnnpp::Error;
namespace model = qnnpp::model;

TEST(format, of_a_tensor_escapes_its_name) {
  const qnnpp::TensorSpec spec{.name = "a\x1b[31m", .dimensions = {1, 2}};
  EXPECT_EQ(fmt::format("{}", spec), "a\\x1b[31m FLOAT_32 [1, 2]");
}

TEST(format, writes_a_profile_record_as_a_line_for_each_event) {
  qnnpp::ProfileRecord record{
      .call = "QnnGraph_execute",
      .object = "decoder",
      .start_ns = 1'000'000,
      .end_ns = 1'812'045,
      .events = {{.type = 3001, .unit = 1, .value = 790, .node = "a\x1b step"},
                 {.type = 3003, .unit = 3, .value = 12345},
                 {.type = 404, .unit = 3, .value = 1234, .node = "conv1", .depth = 1, .parent = 1},
                 {.type = 8001, .unit = 4, .value = 4},
                 {.type = 600, .unit = 5, .object = std::vector<std::byte>(3)},
                 {.type = 4711, .unit = 9, .value = 1}}};
  EXPECT_EQ(fmt::format("{}", record),
            "QnnGraph_execute decoder: 812.045 us\n"
            "  RPC time (host)           790 us  a\\x1b step\n"
            "  accelerator cycles  12345 cycles\n"
            "    node               1234 cycles  conv1\n"
            "  HVX threads                    4\n"
            "  op trace                 3 bytes\n"
            "  unknown event 4711             1\n");
  record.events.clear();
  record.succeeded = false;
  record.error = Error::make(Errc::malformed, "QnnProfile_getEvents", "decoder");
  EXPECT_EQ(qnnpp::to_text(record),
            "QnnGraph_execute decoder: 812.045 us, failed\n"
            "  events are missing: " +
                record.error->message() + "\n");
  record.end_ns = record.start_ns - 1;
  EXPECT_EQ(qnnpp::to_text(record).find("QnnGraph_execute decoder: 0.000 us, failed\n"), 0u);
}

TEST(report_text, is_what_fmt_prints) {
  const model::MemoryReport report{.sharing = model::SpillFillSharing::context_group,
                                   .reason = "asked for",
                                   .contexts = {{.name = "a.bin", .file_bytes = 100}}};
  EXPECT_EQ(fmt::format("{}", report), model::to_text(report));
  EXPECT_EQ(fmt::format("{} {}", report.sharing, model::SizeSource::query), "context_group query");
}

TEST(format, writes_an_error_as_its_message_and_honours_a_width) {
  const Error error = Error::make(Errc::unknown_name, "retrieve", "net");
  EXPECT_EQ(fmt::format("{}", error), error.message());
  EXPECT_EQ(fmt::format("{:>80}", error).size(), 80u);
}

TEST(format, honours_a_width_for_enumerators_versions_and_elements_of_a_list) {
  EXPECT_EQ(fmt::format("[{:>6}]", model::SizeSource::query), "[ query]");
  EXPECT_EQ(fmt::format("[{:8}]", qnnpp::c_api::Version{2, 18, 3}), "[2.18.3  ]");
  const std::vector<model::SizeSource> sources{model::SizeSource::query,
                                               model::SizeSource::unknown};
  EXPECT_EQ(fmt::format("{:7}", fmt::join(sources, "|")), "query  |unknown");
}

TEST(format, writes_types_versions_levels_and_needs) {
  EXPECT_EQ(fmt::format("{}", qnnpp::c_api::DataType::bfloat_16), "BFLOAT_16");
  EXPECT_EQ(fmt::format("{}", qnnpp::c_api::Version{2, 18, 3}), "2.18.3");
  EXPECT_EQ(fmt::format("{}", qnnpp::c_api::LogLevel::error), "error");
  EXPECT_EQ(fmt::format("{}", qnnpp::c_api::LogLevel::warn), "warn");
  EXPECT_EQ(fmt::format("{}", qnnpp::c_api::LogLevel::debug), "debug");
  EXPECT_EQ(fmt::format("{}", qnnpp::c_api::LogLevel{0}), "level 0");
  EXPECT_EQ(fmt::format("{}", qnnpp::c_api::LogLevel{9}), "level 9");
  EXPECT_EQ(fmt::format("{}", qnnpp::BufferRequirements{3, 2, 1}),
            "weights 3 B, spill-fill 2 B, alignment 1 B");
}

TEST(format, writes_a_tensor_with_type_and_dimensions) {
  qnnpp::TensorSpec spec;
  spec.name = "image";
  spec.dimensions = {1, 28};
  EXPECT_EQ(fmt::format("{}", spec), "image FLOAT_32 [1, 28]");
}

TEST(format, writes_of_a_preparation_what_the_binary_reports) {
  EXPECT_EQ(
      fmt::format("{}",
                  qnnpp::GraphOptions{
                      .vtcm_mb = 8, .optimization_level = 3, .hvx_threads = 4, .dlbc = false}),
      "8 MB VTCM, optimization level 3, 4 vector threads, no DLBC");
  EXPECT_EQ(fmt::format("{}", qnnpp::GraphOptions{.hvx_threads = 1, .dlbc = true}),
            "1 vector thread, DLBC");
  EXPECT_EQ(fmt::format("{:>24}", qnnpp::GraphOptions{.hvx_threads = 0}),
            "  default vector threads");
  EXPECT_EQ(fmt::format("{}", qnnpp::GraphOptions{}), "not reported");
}

TEST(format, human_bytes_are_exact_below_1_kib_and_rounded_above) {
  EXPECT_EQ(qnnpp::human_bytes(0), "0 B");
  EXPECT_EQ(qnnpp::human_bytes(1023), "1023 B");
  EXPECT_EQ(qnnpp::human_bytes(1024), "1.0 KiB");
  EXPECT_EQ(qnnpp::human_bytes(1536), "1.5 KiB");
  EXPECT_EQ(qnnpp::human_bytes(964689920), "920.0 MiB");
  EXPECT_EQ(qnnpp::human_bytes(std::uint64_t{3} << 40), "3.0 TiB");
  EXPECT_EQ(qnnpp::human_bytes(UINT64_MAX), "16777216.0 TiB");
}

}  // namespace
