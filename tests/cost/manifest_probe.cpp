// Looks up every binary of a manifest:
//   manifest_probe COUNT
// callgrind counts the function measured_lookups, which looks up each binary.
#include <cstddef>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/report/manifest.hpp"

using namespace qnnpp;

extern "C" {

[[gnu::noinline]] int measured_lookups(const void* given) {
  const auto& manifest = *static_cast<const model::Manifest*>(given);
  std::vector<model::BinarySource> binaries;
  for (const model::Survey& entry : manifest.entries)
    binaries.push_back(model::BinarySource::file(entry.memory.name));
  const auto expected =
      model::expected_by(manifest, std::move(binaries),
                         [](std::span<const std::byte>, model::DigestKind) -> model::Digest {
                           return {};  // No file is opened.
                         });
  return expected && expected->size() == manifest.entries.size() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // extern "C"

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  model::Manifest manifest;
  for (int i = 0; i < std::atoi(argv[1]); ++i)
    manifest.entries.emplace_back().memory.name = "folder/context_" + std::to_string(i) + ".bin";
  return measured_lookups(&manifest);
}
