// Error::message(): one line for each failure, without {fmt}.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/core/detail/error_names.hpp"
#include "qnnpp/core/error.hpp"

namespace {

using qnnpp::Errc;
using qnnpp::Error;

// The last enumerator. After adding a kind, name it here; otherwise the tests below miss it.
constexpr Errc last_kind = Errc::invalid_argument;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Reports whether the part after the last semicolon, or the whole text, begins with an
/// instruction.
bool says_what_to_do(std::string_view text) {
  constexpr std::string_view verbs[] = {
      "add",    "allocate", "allow", "ask",    "bind",     "check", "compare", "compose", "correct",
      "create", "destroy",  "do",    "enable", "finalize", "fork",  "free",    "give",    "lay",
      "load",   "make",     "open",  "pass",   "prepare",  "put",   "raise",   "read",    "release",
      "remove", "restart",  "see",   "start",  "try",      "use"};
  if (const auto semicolon = text.rfind("; "); semicolon != std::string_view::npos)
    text.remove_prefix(semicolon + 2);
  const std::string_view first = text.substr(0, text.find(' '));
  return std::find(std::begin(verbs), std::end(verbs), first) != std::end(verbs);
}

Error error_of(Errc kind) {
  Error error = Error::make(kind, "QnnSome_step", "some/object.bin", "some detail");
  error.needed = 815;
  error.found = 4711;
  if (kind == Errc::qnn) error.code = 5008;
  return error;
}

TEST(error_message, of_every_kind_has_no_control_character_of_a_name_in_it) {
  // An escape sequence, a bell, DEL, a line feed, U+009B as UTF-8 and as a byte, and an incomplete
  // character.
  const std::string evil = "a\x1b[31m\a\x7f\n\xc2\x9b\x9b\xe2\x82";
  for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind) {
    Error error = error_of(static_cast<Errc>(kind));
    error.object += evil;
    error.detail += evil;
    const std::string text = error.message();
    EXPECT_EQ(qnnpp::escaped(text), text) << kind;
    EXPECT_TRUE(contains(text, R"(a\x1b[31m\x07\x7f\x0a\xc2\x9b\x9b\xe2\x82)")) << kind << text;
  }
}

TEST(escaped_text, keeps_what_prints_in_any_script) {
  for (const std::string text :
       {"", "plain \\ \"quoted\" 'text'", "\u00e4\u00f6 \u20ac \u6f22\u5b57 \U0001F600", "\u00a0",
        "\U0010FFFF", "\u0800", "\U00010000", "\ud7ff"})
    EXPECT_EQ(qnnpp::escaped(text), text);
}

TEST(escaped_text, has_no_byte_that_is_no_utf_8) {
  EXPECT_EQ(qnnpp::escaped("\x80"), "\\x80");
  EXPECT_EQ(qnnpp::escaped("\xc0\xaf"), "\\xc0\\xaf") << "longer than it need be";
  EXPECT_EQ(qnnpp::escaped("\xe0\x80\xaf"), "\\xe0\\x80\\xaf");
  EXPECT_EQ(qnnpp::escaped("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "half of a pair";
  EXPECT_EQ(qnnpp::escaped("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond the last";
  EXPECT_EQ(qnnpp::escaped("\xe2\x82"), "\\xe2\\x82") << "cut off";
  EXPECT_EQ(qnnpp::escaped(std::string_view("\0", 1)), "\\x00");
}

TEST(escaped_text, has_no_invisible_character_that_changes_how_text_is_shown) {
  // One code point of each range. The neighbours of each range are printable.
  for (const char* const text : {"\u061c", "\u200b", "\u200e", "\u200f", "\u2028", "\u202a",
                                 "\u202e", "\u2060", "\u2066", "\u2069", "\ufeff", "\U000e0041"}) {
    const std::string safe = qnnpp::escaped(text);
    EXPECT_EQ(safe.size(), 4 * std::string_view(text).size()) << safe;
    EXPECT_EQ(safe.find_first_not_of("\\x0123456789abcdef"), std::string::npos) << safe;
  }
  EXPECT_EQ(qnnpp::escaped("gpj.\u202eexe"), R"(gpj.\xe2\x80\xaeexe)");
  for (const std::string text : {"\u061b", "\u061d", "\u200c", "\u200d", "\u2010", "\u2027",
                                 "\u202f", "\u205f", "\u2070", "\U000e0100"})
    EXPECT_EQ(qnnpp::escaped(text), text);
}

TEST(error_message, of_every_kind_is_one_line_that_names_the_object_and_the_step) {
  for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind) {
    const std::string text = error_of(static_cast<Errc>(kind)).message();
    EXPECT_TRUE(contains(text, "some/object.bin")) << kind << ": " << text;
    EXPECT_TRUE(contains(text, "QnnSome_step")) << kind << ": " << text;
    EXPECT_FALSE(contains(text, "\n")) << kind << ": " << text;
    EXPECT_FALSE(contains(text, "failed (some detail)"))
        << kind << " has no text of its own: " << text;
  }
}

TEST(error_message, of_every_kind_differs_from_that_of_all_others) {
  std::set<std::string> texts;
  for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind)
    texts.insert(error_of(static_cast<Errc>(kind)).message());
  EXPECT_EQ(static_cast<int>(texts.size()), static_cast<int>(last_kind) + 1);
}

TEST(error_message, of_every_kind_tells_its_detail_or_its_numbers) {
  for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind) {
    const std::string text = error_of(static_cast<Errc>(kind)).message();
    EXPECT_TRUE(contains(text, "some detail") || contains(text, "4711") || contains(text, "3896"))
        << kind << ": " << text;
  }
}

TEST(error_message, of_every_kind_ends_with_what_to_do) {
  for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind) {
    Error error = error_of(static_cast<Errc>(kind));
    EXPECT_TRUE(says_what_to_do(error.message())) << kind << ": " << error.message();
    error.needed = 0;
    error.found = 0;
    EXPECT_TRUE(says_what_to_do(error.message())) << kind << ": " << error.message();
    error.detail.clear();
    EXPECT_TRUE(says_what_to_do(error.message())) << kind << ": " << error.message();
  }
}

TEST(error_message, has_at_most_600_bytes_and_keeps_the_step_and_what_to_do) {
  const std::string rows(700, 'd'), path(900, 'p');
  for (int kind = 0; kind <= static_cast<int>(last_kind); ++kind) {
    for (const bool long_object : {false, true})
      for (const bool long_detail : {false, true}) {
        Error error = error_of(static_cast<Errc>(kind));
        if (long_object) error.object = path;
        if (long_detail) error.detail = rows;
        const std::string text = error.message();
        EXPECT_LE(text.size(), 600u) << kind << ": " << text;
        EXPECT_TRUE(contains(text, "QnnSome_step")) << kind << ": " << text;
        EXPECT_TRUE(says_what_to_do(text)) << kind << ": " << text;
        if (long_object) {
          EXPECT_EQ(text.find("pppp"), 0u) << kind << ": " << text;
          EXPECT_TRUE(contains(text, "p...: ")) << kind << ": " << text;
        }
      }
  }
  Error invisible = Error::make(Errc::empty, "open", "it", std::string(400, '\a'));
  EXPECT_LE(invisible.message().size(), 600u) << "each is 4 bytes";
}

TEST(shortened_text, splits_no_character) {
  using qnnpp::detail::shortened;
  EXPECT_EQ(shortened("12345678", 8), "12345678");
  EXPECT_EQ(shortened("123456789", 8), "12345...");
  EXPECT_EQ(shortened("1234\u20ac789", 8), "1234...");
  EXPECT_EQ(shortened("12\u20ac6789", 8), "12\u20ac...");
}

TEST(error_message, of_every_code_of_qnn_has_its_name_and_ends_with_what_to_do) {
  for (const qnnpp::detail::ErrorName& each : qnnpp::detail::error_names) {
    const Error error = Error::from_qnn(each.code, "QnnSome_step", "it");
    const std::string text = error.message();
    // QNN_COMMON_ERROR_UNDEFINED has no 16-bit number.
    const std::string number = each.code == 0xFFFF ? "" : std::to_string(each.code) + " ";
    const std::string advice = qnnpp::detail::advice_on(error);
    EXPECT_EQ(text, "it: QnnSome_step returned " + number + each.name + ": " + advice);
    EXPECT_TRUE(says_what_to_do(advice)) << text;
  }
}

TEST(error_message, of_a_load_speaks_of_room_where_the_code_means_that) {
  for (const unsigned code : {4000u, 14001u}) {
    for (const char* step : {"QnnContext_createFromBinary", "QnnContext_createFromBinaryListAsync",
                             "QnnContext_finalize"}) {
      const std::string text = Error::from_qnn(code, step, "it").message();
      EXPECT_TRUE(contains(text, code == 4000 ? "rpcmem has no memory" : "no process domain"))
          << text;
      EXPECT_TRUE(contains(text, "; free other contexts")) << text;
      EXPECT_FALSE(contains(text, "did not start")) << text;
      EXPECT_TRUE(says_what_to_do(text)) << text;
    }
    const std::string start = Error::from_qnn(code, "QnnDevice_create", "it").message();
    EXPECT_TRUE(contains(start, "did not start")) << start;
    EXPECT_FALSE(contains(start, "free other contexts")) << start;
  }
}

TEST(error_message, of_an_error_of_qnn_names_function_code_and_enumerator) {
  const std::string text =
      Error::from_qnn(0xABCD'0000'1392, "QnnContext_finalize", "a.bin").message();
  EXPECT_TRUE(contains(text, "a.bin")) << text;
  EXPECT_TRUE(contains(text, "QnnContext_finalize returned 5010")) << text;
  EXPECT_TRUE(contains(text, "CONTEXT_INVALID_CONFIG")) << text;
}

TEST(error_message, of_1002_names_its_three_meanings) {
  const std::string text = Error::from_qnn(1002, "QnnContext_finalize", "a.bin").message();
  EXPECT_TRUE(contains(text, "process domain")) << text;
  EXPECT_TRUE(contains(text, "SMMU mapping")) << text;
  EXPECT_TRUE(contains(text, "external weights")) << text;
}

TEST(error_message, of_codes_seen_on_the_real_library_names_the_cause_and_what_to_do) {
  struct Words {
    int code;
    std::initializer_list<const char*> parts;
  };
  for (const auto& [code, parts] : {
           Words{14001, {"stub", "skel", "ADSP_LIBRARY_PATH", "FastRPC", "SoC"}},
           Words{11002, {"SoC", "use the libraries of an SDK"}},
           Words{4000, {"SoC", "use the libraries of an SDK"}},
           Words{1008, {"skel", "different SDKs", "of one SDK"}},
           Words{5005, {"no process domain has room", "another architecture", "damaged"}},
           Words{30001, {"damaged", "no context binary"}},
           Words{30010, {"damaged", "newer than the system library", "libQnnSystem.so"}},
           Words{1009, {"composing", "libQnnHtpPrepare.so", "beside the backend library"}},
           Words{2000, {"older than this capability", "newer SDK"}},
       }) {
    const std::string text =
        Error::from_qnn(static_cast<std::uint64_t>(code), "QnnSome_step", "it").message();
    for (const char* const part : parts) EXPECT_TRUE(contains(text, part)) << part << ": " << text;
  }
}

TEST(error_message, of_an_unknown_code_has_the_number_and_no_gap_for_a_name) {
  const std::string text = Error::from_qnn(4321, "QnnGraph_execute", "net").message();
  EXPECT_TRUE(contains(text, "returned 4321: ")) << text;
}

TEST(error_message, of_an_operating_system_error_names_errno) {
  Error error = Error::make(Errc::file_unreadable, "open", "/no/such/file");
  error.code = 2;
  EXPECT_TRUE(contains(error.message(), "errno 2: No such file or directory")) << error.message();
}

TEST(error_message, of_a_shortage_names_what_the_system_ran_out_of) {
  struct Words {
    const char* step;
    int reason;
    const char* part;
  };
  for (const auto& [step, reason, part] :
       {Words{"mmap", ENOMEM, "mappings, or raise the limit vm.max_map_count"},
        Words{"memfd_create", ENOMEM, "free other buffers"},
        Words{"memfd_create", EMFILE, "RLIMIT_NOFILE"},
        Words{"memfd_create", ENFILE, "fs.file-max"},
        Words{"pthread_create", EAGAIN, "RLIMIT_NPROC"},
        Words{"mmap", EBADF, "give a descriptor that stays open"},
        Words{"mmap", EACCES, "give a descriptor that may be read"},
        Words{"mmap", ENODEV, "give a descriptor of memory"},
        Words{"DMA_HEAP_IOCTL_ALLOC", ENOTTY, "a DMA-BUF heap"},
        Words{"memfd_create", EFBIG, "give a size"}}) {
    Error error = Error::make(Errc::allocation_failed, step, "it");
    error.code = static_cast<std::uint16_t>(reason);
    const std::string text = error.message();
    EXPECT_TRUE(contains(text, std::string(step) + " failed; ")) << text;
    EXPECT_TRUE(contains(text, part)) << text;
    EXPECT_TRUE(contains(text, "errno " + std::to_string(reason))) << text;
    EXPECT_TRUE(says_what_to_do(text)) << text;
    error.kind = Errc::file_unreadable;
    EXPECT_TRUE(says_what_to_do(error.message())) << error.message();
  }
  Error unread = Error::make(Errc::file_unreadable, "mmap", "a.bin");
  unread.code = ENOMEM;
  EXPECT_TRUE(contains(unread.message(), "vm.max_map_count")) << unread.message();
}

TEST(error_message, of_a_misaligned_start_speaks_of_no_offset) {
  Error error = Error::mismatch(Errc::misaligned, "sharing a buffer", "a.bin", 65536, 4096);
  EXPECT_TRUE(contains(error.message(), "offset 4096 is not aligned to 65536 bytes"));
  error.detail = "its start is known to be a multiple of 4096 only";
  EXPECT_EQ(
      error.message(),
      "a.bin: sharing a buffer: needs a start that is a multiple of 65536 bytes (its start is "
      "known to be a multiple of 4096 only); use memory with this alignment, and state its "
      "start alignment");
}

TEST(error_message, of_a_missing_slot_names_function_and_both_versions) {
  const std::string text =
      Error::mismatch(Errc::slot_missing, "QnnContext_finalize", "HTP_QTI_AISW", 27, 18).message();
  EXPECT_TRUE(contains(text, "QnnContext_finalize")) << text;
  EXPECT_TRUE(contains(text, "2.27")) << text;
  EXPECT_TRUE(contains(text, "2.18")) << text;
}

TEST(error_message, of_something_too_large_names_its_size_and_the_limit) {
  const std::string text =
      Error::mismatch(Errc::too_large, "loading a context", "b.bin", 8192, 4096).message();
  EXPECT_TRUE(contains(text, "b.bin: loading a context: too large: 8192 bytes, at most 4096"))
      << text;
}

TEST(error_message, of_a_size_beyond_a_fixed_limit_advises_to_raise_nothing) {
  const Error size = qnnpp::detail::beyond_limit("registering tensors", "logits", 1u << 31, 4095);
  EXPECT_EQ(size.message(),
            "logits: registering tensors: too large: 2147483648 bytes, at most 4095 whatever the "
            "options; make it smaller or split it");
  const Error sum = qnnpp::detail::beyond_limit("laying out tensors", "x", 0, 0, "a sum overflows");
  EXPECT_EQ(sum.message(), "x: laying out tensors: too large; make it smaller (a sum overflows)");
}

TEST(error_message, of_a_small_buffer_names_both_sizes) {
  const std::string text =
      Error::mismatch(Errc::too_small, "sharing a spill-fill buffer", "b.bin", 8192, 4096)
          .message();
  EXPECT_TRUE(contains(text, "8192 bytes")) << text;
  EXPECT_TRUE(contains(text, "has 4096")) << text;
}

TEST(error_message, of_tensor_memory_names_the_tensor_the_reason_and_what_to_do) {
  const std::string overlapping = Error::make(Errc::overlapping, "making tensor memory", "logits",
                                              "it begins at byte 9, x ends at 10")
                                      .message();
  EXPECT_TRUE(
      contains(overlapping, "logits: making tensor memory: it begins at byte 9, x ends at 10"))
      << overlapping;
  EXPECT_TRUE(contains(overlapping, "lifetimes")) << overlapping;
  const std::string twice = Error::make(Errc::already_registered, "registering tensors", "logits",
                                        "its memory is already registered with net.bin")
                                .message();
  EXPECT_TRUE(
      contains(twice, "logits: registering tensors: its memory is already registered with net.bin"))
      << twice;
  EXPECT_TRUE(contains(twice, "use the registration")) << twice;
  const std::string other = Error::make(Errc::memory_type_mismatch, "retrieving a graph", "logits",
                                        "it was prepared for raw memory")
                                .message();
  EXPECT_TRUE(contains(other, "logits: retrieving a graph: it was prepared for raw memory"))
      << other;
  EXPECT_TRUE(contains(other, "AnyIo")) << other;
  EXPECT_EQ(Error::make(Errc::raw_memory, "finding a tensor", "logits", "graph net").message(),
            "logits: finding a tensor: it is bound to raw memory (graph net); use the memory that "
            "bind() received");
}

TEST(error_message, of_a_refused_sync_names_the_call_and_errno) {
  Error error = Error::make(Errc::sync_failed, "DMA_BUF_IOCTL_SYNC", "file descriptor 7");
  error.code = 5;
  const std::string text = error.message();
  EXPECT_TRUE(contains(text, "file descriptor 7: DMA_BUF_IOCTL_SYNC failed")) << text;
  EXPECT_TRUE(contains(text, "errno 5")) << text;
}

TEST(error_message, of_something_in_use_says_by_whom_where_that_is_known) {
  const std::string text = Error::make(Errc::in_use, "making room for a context", "n3.bin",
                                       "no context can be evicted: n1.bin is leased")
                               .message();
  EXPECT_EQ(text,
            "n3.bin: making room for a context: no context can be evicted: n1.bin is leased; "
            "try again when this use has ended");
}

TEST(error_message, of_a_handle_in_use_counts_the_others) {
  const std::string text =
      Error::mismatch(Errc::in_use, "closing a backend", "lib", 1, 3).message();
  EXPECT_TRUE(contains(text, "2 other objects still use it, and the last of them")) << text;
  Error one = Error::mismatch(Errc::in_use, "closing a backend", "lib", 1, 2);
  one.detail = "1 live context: a.bin (held by graph a)";
  EXPECT_EQ(one.message(),
            "lib: closing a backend: 1 other object still uses it, and the last of them closes it; "
            "destroy them first (1 live context: a.bin (held by graph a))");
}

}  // namespace
