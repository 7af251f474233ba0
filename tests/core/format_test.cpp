// Text of errors and of values: one line each.
#include "qnnpp/format.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace {

using qnnpp::describe;
using qnnpp::Errc;
using qnnpp::Error;
namespace model = qnnpp::model;

// The last kind of all. A kind added after it is missed by the tests below: name it here.
constexpr Errc last_kind = Errc::invalid_argument;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Error error_of(Errc kind) {
  Error error = Error::make(kind, "QnnSome_step", "some/object.bin", "some detail");
  error.needed = 815;
  error.found = 4711;
  if (kind == Errc::qnn) error.code = 5008;
  return error;
}

TEST(error_text, of_every_kind_is_one_line_that_names_the_object) {
  for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind) {
    const std::string text = describe(error_of(static_cast<Errc>(kind)));
    EXPECT_TRUE(contains(text, "some/object.bin")) << kind << ": " << text;
    EXPECT_FALSE(contains(text, "\n")) << kind << ": " << text;
    EXPECT_FALSE(contains(text, "failed (some detail)")) << kind << " has no text of its own: " << text;
  }
}

TEST(error_text, of_every_kind_differs_from_that_of_all_others) {
  std::set<std::string> texts;
  for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind)
    texts.insert(describe(error_of(static_cast<Errc>(kind))));
  // missing_tensor and foreign_object say what their detail says.
  EXPECT_GE(static_cast<int>(texts.size()), static_cast<int>(last_kind));
}

TEST(error_text, of_every_kind_tells_its_detail_or_its_numbers) {
  for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind) {
    const std::string text = describe(error_of(static_cast<Errc>(kind)));
    EXPECT_TRUE(contains(text, "some detail") || contains(text, "4711") || contains(text, "3896"))
        << kind << ": " << text;
  }
}

TEST(error_text, of_an_error_of_qnn_names_function_code_and_enumerator) {
  const std::string text = describe(Error::from_qnn(0xABCD'0000'1392, "QnnContext_finalize", "a.bin"));
  EXPECT_TRUE(contains(text, "a.bin")) << text;
  EXPECT_TRUE(contains(text, "QnnContext_finalize returned 5010")) << text;
  EXPECT_TRUE(contains(text, "CONTEXT_INVALID_CONFIG")) << text;
}

TEST(error_text, of_1002_names_its_three_meanings) {
  const std::string text = describe(Error::from_qnn(1002, "QnnContext_finalize", "a.bin"));
  EXPECT_TRUE(contains(text, "process domain")) << text;
  EXPECT_TRUE(contains(text, "SMMU mapping")) << text;
  EXPECT_TRUE(contains(text, "skel library")) << text;
}

TEST(error_text, of_an_unknown_code_has_the_number_and_no_gap_for_a_name) {
  const std::string text = describe(Error::from_qnn(4999, "QnnGraph_execute", "net"));
  EXPECT_TRUE(contains(text, "returned 4999: ")) << text;
}

TEST(error_text, of_an_operating_system_error_names_errno) {
  Error error = Error::make(Errc::file_unreadable, "open", "/no/such/file");
  error.code = 2;
  EXPECT_TRUE(contains(describe(error), "errno 2: No such file or directory")) << describe(error);
}

TEST(error_text, of_a_missing_slot_names_function_and_both_versions) {
  const std::string text =
      describe(Error::mismatch(Errc::slot_missing, "QnnContext_finalize", "HTP_QTI_AISW", 27, 18));
  EXPECT_TRUE(contains(text, "QnnContext_finalize")) << text;
  EXPECT_TRUE(contains(text, "2.27")) << text;
  EXPECT_TRUE(contains(text, "2.18")) << text;
}

TEST(error_text, of_a_small_buffer_names_both_sizes) {
  const std::string text =
      describe(Error::mismatch(Errc::too_small, "sharing a spill-fill buffer", "b.bin", 8192, 4096));
  EXPECT_TRUE(contains(text, "8192 bytes")) << text;
  EXPECT_TRUE(contains(text, "has 4096")) << text;
}

TEST(error_text, of_tensor_memory_names_the_tensor_the_reason_and_what_to_do) {
  const std::string overlapping = describe(Error::make(
      Errc::overlapping, "making tensor memory", "logits", "it begins at byte 9, x ends at 10"));
  EXPECT_TRUE(contains(overlapping, "logits: it begins at byte 9, x ends at 10")) << overlapping;
  EXPECT_TRUE(contains(overlapping, "lifetimes")) << overlapping;
  const std::string twice = describe(Error::make(Errc::already_registered, "registering tensors",
                                                 "logits", "net.bin knows its memory already"));
  EXPECT_TRUE(contains(twice, "logits: net.bin knows its memory already")) << twice;
  EXPECT_TRUE(contains(twice, "use the registration")) << twice;
  const std::string other = describe(Error::make(Errc::memory_type_mismatch, "retrieving a graph",
                                                 "logits", "it was prepared for raw memory"));
  EXPECT_TRUE(contains(other, "logits: it was prepared for raw memory")) << other;
  EXPECT_TRUE(contains(other, "AnyIo")) << other;
}

TEST(error_text, of_a_refused_sync_names_the_call_and_errno) {
  Error error = Error::make(Errc::sync_failed, "DMA_BUF_IOCTL_SYNC", "file descriptor 7");
  error.code = 5;
  const std::string text = describe(error);
  EXPECT_TRUE(contains(text, "file descriptor 7: DMA_BUF_IOCTL_SYNC failed")) << text;
  EXPECT_TRUE(contains(text, "errno 5")) << text;
}

TEST(error_text, of_something_in_use_says_by_whom_where_that_is_known) {
  const std::string text =
      describe(Error::make(Errc::in_use, "making room for a context", "n3.bin",
                           "no context may go: n1.bin is leased"));
  EXPECT_EQ(text, "n3.bin: making room for a context: no context may go: n1.bin is leased");
}

TEST(report_text, is_what_fmt_prints) {
  const model::MemoryReport report{.sharing = model::SpillFillSharing::context_group,
                                   .reason = "asked for",
                                   .contexts = {{.name = "a.bin", .file_bytes = 100}}};
  EXPECT_EQ(fmt::format("{}", report), model::to_text(report));
  EXPECT_EQ(fmt::format("{} {}", report.sharing, model::SizeSource::query), "context_group query");
}

TEST(error_text, of_a_handle_in_use_counts_the_others) {
  const std::string text = describe(Error::mismatch(Errc::in_use, "closing a backend", "lib", 1, 3));
  EXPECT_TRUE(contains(text, "2 others")) << text;
}

TEST(format, writes_an_error_as_its_description_and_honours_a_width) {
  const Error error = Error::make(Errc::unknown_name, "retrieve", "net");
  EXPECT_EQ(fmt::format("{}", error), describe(error));
  EXPECT_EQ(fmt::format("{:>80}", error).size(), 80u);
}

TEST(format, writes_types_versions_levels_and_needs) {
  EXPECT_EQ(fmt::format("{}", qnnpp::abi::DataType::bfloat_16), "BFLOAT_16");
  EXPECT_EQ(fmt::format("{}", qnnpp::abi::Version{2, 18, 3}), "2.18.3");
  EXPECT_EQ(fmt::format("{}", qnnpp::abi::LogLevel::error), "error");
  EXPECT_EQ(fmt::format("{}", qnnpp::abi::LogLevel::warn), "warning");
  EXPECT_EQ(fmt::format("{}", qnnpp::abi::LogLevel::debug), "debug");
  EXPECT_EQ(fmt::format("{}", qnnpp::abi::LogLevel::max), "max");
  EXPECT_EQ(fmt::format("{}", qnnpp::BufferRequirements{3, 2, 1}),
            "weights 3 B, spill-fill 2 B, alignment 1 B");
}

TEST(format, writes_a_tensor_with_type_and_dimensions) {
  qnnpp::TensorSpec spec;
  spec.name = "image";
  spec.dimensions = {1, 28};
  EXPECT_EQ(fmt::format("{}", spec), "image FLOAT_32 [1, 28]");
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
