// Uses qnnpp::json: a manifest is unchanged after writing and reading, before main().
#include <cstdlib>

#include "qnnpp/report/json.hpp"

namespace {

const bool checked = [] {
  qnnpp::model::Manifest manifest;
  manifest.entries.push_back({.memory = {.name = "a.bin"}, .digest = {}, .graphs = {}});
  const auto read = qnnpp::model::manifest_from_json(qnnpp::model::to_json(manifest), "a manifest");
  if (!read || read->entries.at(0).memory != manifest.entries[0].memory) std::abort();
  return true;
}();

}  // namespace
