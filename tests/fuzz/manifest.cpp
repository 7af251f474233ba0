// Fuzzes manifests. Each text is refused with a reason, or it is read, written and read again with
// the same contents.
#include "qnnpp/report/manifest.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "qnnpp/report/domain_plan.hpp"
#include "qnnpp/report/format.hpp"
#include "qnnpp/report/json.hpp"

#include "checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace qnnpp;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto read = model::manifest_from_json(text, "m.json");
  if (!read) {
    fuzz::expect(read.error().kind == Errc::malformed, "a refusal is malformed");
    fuzz::expect(read.error().detail.starts_with("line ") || !text.empty(), "it names a line");
    fuzz::expect_sound(read.error());
    return 0;
  }
  const std::string written = model::to_json(*read);
  const auto again = model::manifest_from_json(written, "m.json");
  fuzz::expect(again.has_value(), "what was written is read");
  fuzz::expect(model::to_json(*again) == written, "and is the same");
  std::vector<model::BinarySource> sources;
  for (const model::Survey& entry : read->entries) {
    fuzz::expect(entry.memory.file_bytes <= INT64_MAX, "numbers are below 2^63");
    sources.push_back({entry.memory.name, std::as_bytes(std::span(data, 1)), {}});
  }
  const auto expected = model::expected_by(*read, std::move(sources), model::digest_of);
  fuzz::expect(expected.has_value(), "each name is found");
  for (std::size_t i = 0; i < expected->size(); ++i)
    fuzz::expect((*expected)[i].expected->memory == read->entries[i].memory, "by its record");
  const auto report = read->report(model::SpillFillSharing::external_buffer, "fuzzed");
  const auto plan = model::plan_domains(report);
  fuzz::expect(!model::to_json(report, plan).empty(), "it has a report");
  fuzz::expect_printable(model::to_text(report) + model::to_text(plan, report));
  return 0;
}
