// encrypted_binaries BACKEND RPCMEM BINARY...: loads and evicts encrypted binaries by turns. Their
// decrypted bytes are in memory only while a context is created.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/residency.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

using Bytes = std::vector<std::byte>;

/// Encrypts and decrypts. A toy: use a real cipher, with its key in the system's key store.
Bytes cipher(Bytes bytes) {
  std::uint32_t key = 2026;
  for (std::byte& byte : bytes) byte ^= std::byte((key = key * 1664525 + 1013904223) >> 24);
  return bytes;
}

Bytes read(const std::string& path) {
  Bytes bytes(std::filesystem::file_size(path));
  std::ifstream(path, std::ios::binary)
      .read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return bytes;
}

int main(int argc, char** argv) try {
  using namespace qnnpp;
  if (argc < 4) throw std::runtime_error("usage: encrypted_binaries BACKEND RPCMEM BINARY...");
  const auto backend = value_or_throw(Backend<Htp>::load({.library = argv[1]}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(argv[2]));
  std::vector<model::BinarySource> sources;
  std::size_t decrypted = 0;
  for (int i = 3; i < argc; ++i) {
    const auto decrypt = [&, name = argv[i], bytes = cipher(read(argv[i]))] {
      ++decrypted;
      return ContextBinary::own(cipher(bytes), name);
    };
    sources.push_back(model::BinarySource::function(argv[i], decrypt, /*wipe=*/true));
  }

  auto residency = value_or_throw(
      model::Residency<>::create(backend, rpcmem, std::move(sources), {.max_contexts = 2}));
  for (std::size_t use = 0; use < 2 * residency.size(); ++use) {
    const auto pinned = value_or_throw(residency.acquire(use % residency.size()));
    std::printf("graph %s\n", pinned.context().graphs().front().name.c_str());
  }
  std::printf("%llu loads, decrypted %zu times\n",
              static_cast<unsigned long long>(residency.stats().loads), decrypted);
  return std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "encrypted_binaries: %s\n", error.what());
  return 1;
}
