// Looks up every binary of a manifest:
//   manifest_probe COUNT
// callgrind counts the function measured_lookups, which makes the index and looks up each binary.
#include <cstddef>
#include <cstdlib>
#include <string>

#include "qnnpp/report/manifest.hpp"

using namespace qnnpp;

extern "C" {

[[gnu::noinline]] int measured_lookups(const void* given) {
  const auto& manifest = *static_cast<const model::Manifest*>(given);
  const model::ManifestIndex index(manifest);
  std::size_t found = 0;
  for (const model::ManifestEntry& entry : manifest.entries)
    found += index.find(model::BinarySource::file(entry.memory.name)) == &entry;
  return found == manifest.entries.size() ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // extern "C"

int main(int argc, char** argv) {
  if (argc != 2) return EXIT_FAILURE;
  model::Manifest manifest;
  for (int i = 0; i < std::atoi(argv[1]); ++i)
    manifest.entries.emplace_back().memory.name = "folder/context_" + std::to_string(i) + ".bin";
  return measured_lookups(&manifest);
}
