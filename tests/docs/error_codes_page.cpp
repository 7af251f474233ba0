// error_codes_page > docs/error-codes.md: writes the page of QNN's error codes from the table of
// advice, core/detail/error_advice.hpp.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "qnnpp/core/detail/error_advice.hpp"
#include "qnnpp/core/detail/error_meaning.hpp"
#include "qnnpp/core/detail/error_names.hpp"
#include "qnnpp/core/error.hpp"

namespace {

using qnnpp::Error;
using qnnpp::detail::ErrorAdvice;
using qnnpp::detail::ErrorName;
namespace fact = qnnpp::detail::fact;
namespace step = qnnpp::detail::step;

/// Words for a bit, on the page.
struct Words {
  std::uint32_t bit;
  std::string_view is;      ///< The fact holds.
  std::string_view is_not;  ///< The fact does not hold, or qnnpp does not know it.
};
constexpr Words fact_words[] = {
    {fact::alone, "no other context is alive", "other contexts may be alive"},
    {fact::one_graph, "the context has one graph", "the context may have several graphs"},
    {fact::spill_fill_shared, "spill-fill memory is shared", "spill-fill memory is not shared"},
    {fact::own_weights, "QNN has the weights", "the weights may be external"},
    {fact::weights_worked, "external weights worked before", "external weights never worked here"},
    {fact::rpcmem, "the memory is from rpcmem", "the memory is not known to be from rpcmem"},
    {fact::dma_heap, "the memory is from a DMA heap", "nor from a DMA heap"},
    {fact::raw_tensors, "tensors are raw", "no tensor is known to be raw"},
    {fact::registered, "all tensors are registered", "a tensor may be raw"},
    {fact::arch_fits, "the architecture fits", "the architecture was not compared"},
    {fact::not_newer, "the library is new enough", "the versions are not known"},
    {fact::digest_matches, "the digest matches the manifest's", "no whole digest was compared"},
    {fact::emulation, "the library is the one for x86-64", "the library is not the one for x86-64"},
    {fact::library_named, "the library's file is named", "the library's file is not named"},
    {fact::no_room, "room is used up", "room is not used up"},
    {fact::log_no_stub, "the log names the stub", "the log does not name the stub"},
    {fact::log_no_skel, "the log names the skel", "the log does not name the skel"},
    {fact::log_unknown_soc, "the log has \"config socModel\"",
     "the log does not have \"config socModel\""},
    {fact::log_no_soc, "the log has \"No Snapdragon SOC detected\"",
     "the log does not have \"No Snapdragon SOC detected\""},
};
constexpr Words step_words[] = {
    {step::loads, "a load", ""},
    {step::reads, "a creation from a binary", ""},
    {step::start, "a start", ""},
    {step::create, "QnnContext_createFromBinary", ""},
    {step::list, "QnnContext_createFromBinaryListAsync", ""},
    {step::new_context, "QnnContext_create", ""},
    {step::finalize, "QnnContext_finalize", ""},
    {step::register_mem, "QnnMem_register", ""},
    {step::compose, "composing", ""},
    {step::prepare, "QnnGraph_finalize", ""},
    {step::execute, "QnnGraph_execute", ""},
    {step::system, "QnnSystem...", ""},
    {step::other, "other steps", ""},
};

/// Returns the entry of a bit. Ends the program if there is none: add one above.
const Words& words_of(const Words* begin, const Words* end, std::uint32_t bit) {
  const Words* found =
      std::find_if(begin, end, [bit](const Words& words) { return words.bit == bit; });
  if (found != end) return *found;
  std::fprintf(stderr, "error_codes_page.cpp has no words for bit %u\n",
               static_cast<unsigned>(std::countr_zero(bit)));
  std::exit(1);
}

void add(std::string& list, std::string_view words) {
  if (!list.empty()) list += ", ";
  list += words;
}

/// Words for steps.
std::string list_of(std::uint32_t steps) {
  std::string list;
  for (const Words& each : step_words)
    if ((steps & each.bit) == each.bit) {
      add(list, each.is);
      steps &= ~each.bit;
    }
  return list;
}

/// The steps of a row, or all but few of them.
std::string steps_of(std::uint16_t steps) {
  const std::string out = list_of(step::all & ~std::uint32_t{steps});
  if (out.empty()) return "every step";
  return std::popcount(steps) > 6 ? "every step except " + out : list_of(steps);
}

std::string facts_of(const ErrorAdvice& row) {
  std::string text;
  for (std::uint32_t bit = 1; bit != 0; bit <<= 1) {
    const bool is = (row.needs & bit) != 0;
    if (!is && (row.excluded & bit) == 0) continue;
    const Words& words = words_of(std::begin(fact_words), std::end(fact_words), bit);
    add(text, is ? words.is : words.is_not);
  }
  return text;
}

std::vector<const ErrorAdvice*> rows_of(std::uint16_t code) {
  std::vector<const ErrorAdvice*> rows;
  for (const ErrorAdvice& row : qnnpp::detail::error_advice)
    if (row.code == code) rows.push_back(&row);
  return rows;
}

/// Steps at which a code means that room is used up.
std::uint16_t steps_without_room(std::uint16_t code) {
  std::uint16_t steps = 0;
  // A step of each kind that has functions; their words on the page are such names.
  for (const qnnpp::detail::StepKind& each : qnnpp::detail::step_kinds)
    if (qnnpp::detail::is_exhausted(Error::from_qnn(code, name_of(each.slot), "")))
      steps |= each.kind;
  if (qnnpp::detail::is_exhausted(Error::from_qnn(code, "QnnSystemContext_create", "")))
    steps |= step::system;
  if (qnnpp::detail::is_exhausted(Error::from_qnn(code, "", ""))) steps |= step::other;
  return steps;
}

bool is_plain(const std::vector<const ErrorAdvice*>& rows) {
  return rows.size() == 1 && rows[0]->steps == step::all && facts_of(*rows[0]).empty();
}

std::string number_of(const ErrorName& name) {
  // QNN_COMMON_ERROR_UNDEFINED has no 16-bit number.
  return name.code == 0xFFFF ? "0x7fffffff" : std::to_string(name.code);
}

void print_rows(const std::vector<const ErrorAdvice*>& rows) {
  std::printf("| at | if | cause | what to do |\n|---|---|---|---|\n");
  for (const ErrorAdvice* row : rows) {
    std::string facts = facts_of(*row);
    const bool has_cure = *row->cure != '\0';
    std::printf("| %s | %s | %s | %s |\n", steps_of(row->steps).c_str(), facts.c_str(),
                *row->cause != '\0' ? row->cause : "the same",
                has_cure ? row->cure : "[make room](#no-room)");
  }
}

constexpr char opening[] =
    R"(# Error codes of QNN

What each code of QNN means, at which step, and what to do. `Error::message()` names the causes of this page that the facts leave:
qnnpp knows, for example, whether other contexts are alive, where memory is from, and what QNN's log says. So a message has fewer
causes than this page, and advises nothing that is done already. `Error::code` is the code, `Error::step` the step, `Error::log`
the log.

"A start" is the creation of the logger, the backend and the device; "a creation from a binary" also one of a list; "a load" each
call that creates or finalizes a context; "composing" the creation of graphs, tensors and nodes, and their validation. A row holds
if everything in its column "if" does.

The page is made from [core/detail/error_advice.hpp](../include/qnnpp/core/detail/error_advice.hpp); a test compares both:

```sh
cmake --build build/gcc --target error_codes_page && build/gcc/tests/docs/error_codes_page > docs/error-codes.md
```

)";

}  // namespace

int main() {
  std::vector<ErrorName> names(std::begin(qnnpp::detail::error_names),
                               std::end(qnnpp::detail::error_names));
  std::sort(names.begin(), names.end(),
            [](const ErrorName& a, const ErrorName& b) { return a.code < b.code; });
  std::fputs(opening, stdout);

  std::printf(
      "## No room\n\nThese codes mean that room is used up, by the test that a "
      "[residency](residency.md) evicts after:\n\n| code | at |\n|---|---|\n");
  for (const ErrorName& name : names)
    if (const std::uint16_t steps = steps_without_room(name.code); steps != 0)
      std::printf("| [%s %s](#%s) | %s |\n", number_of(name).c_str(), name.name,
                  number_of(name).c_str(), steps_of(steps).c_str());
  std::printf(
      "\nExcept 14001 if the log names the stub or the skel. What to do about all of "
      "them:\n\n| at | if | what to do |\n|---|---|---|\n");
  for (const ErrorAdvice* row : rows_of(0)) {
    ErrorAdvice shown = *row;
    shown.needs &= ~fact::no_room;
    std::printf("| %s | %s | %s |\n", steps_of(row->steps).c_str(), facts_of(shown).c_str(),
                row->cure);
  }

  std::printf("\n## Codes with several causes\n");
  for (const ErrorName& name : names) {
    const auto rows = rows_of(name.code);
    if (is_plain(rows)) continue;
    std::printf("\n<a id=\"%s\"></a>\n### %s %s\n\n", number_of(name).c_str(),
                number_of(name).c_str(), name.name);
    print_rows(rows);
  }

  std::printf(
      "\n## Codes with one cause at every step\n\n| code | cause | what to do |\n"
      "|---|---|---|\n");
  for (const ErrorName& name : names)
    if (const auto rows = rows_of(name.code); is_plain(rows))
      std::printf("| %s %s | %s | %s |\n", number_of(name).c_str(), name.name, rows[0]->cause,
                  rows[0]->cure);
}
