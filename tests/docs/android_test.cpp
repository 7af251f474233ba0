// The code of docs/android.md, on stand-ins for the assets of an APK.
#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/throw.hpp"

#include "fixture.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;

/// An APK that holds one asset, from byte 44 on.
struct AAssetManager {
  std::string path;
  std::size_t bytes = 0;
};
using AAsset = AAssetManager;
using off64_t = std::int64_t;
constexpr int AASSET_MODE_UNKNOWN = 0;
constexpr off64_t asset_start = 44;

AAsset* AAssetManager_open(AAssetManager* manager, const char* name, int /*mode*/) {
  return name == std::string("classifier.bin") ? manager : nullptr;
}
int AAsset_openFileDescriptor64(AAsset* asset, off64_t* start, off64_t* length) {
  *start = asset_start;
  *length = static_cast<off64_t>(asset->bytes);
  return ::open(asset->path.c_str(), O_RDONLY | O_CLOEXEC);
}
void AAsset_close(AAsset* /*asset*/) {}

/// Restores a variable of the environment at the end.
class KeptVariable {
 public:
  explicit KeptVariable(const char* name) : name_(name) {
    if (const char* const now = std::getenv(name); now != nullptr) before_ = now;
  }
  KeptVariable(const KeptVariable&) = delete;
  KeptVariable& operator=(const KeptVariable&) = delete;
  ~KeptVariable() { before_.empty() ? ::unsetenv(name_) : ::setenv(name_, before_.c_str(), 1); }

 private:
  const char* name_;
  std::string before_;
};

class the_document_on_android : public SimTest {};

TEST_F(the_document_on_android, runs_a_binary_inside_an_apk) {
  const KeptVariable kept("ADSP_LIBRARY_PATH");
  const std::string native_library_dir = "/data/app/lib/arm64";
  const std::string path = htp_library;
  const TemporaryFolder folder;
  const Network network{.name = "classifier"};
  AAssetManager apk{.path = folder.file("base.apk")};
  {
    const std::vector<std::byte> content = binary_of(must(load()), {network});
    apk.bytes = content.size();
    std::ofstream file(apk.path, std::ios::binary);
    file << std::string(asset_start, 'P');
    file.write(reinterpret_cast<const char*>(content.data()),
               static_cast<std::streamsize>(content.size()));
  }
  AAssetManager* const assets = &apk;
  const auto rpcmem = must(load_rpcmem());
  const std::vector<float> input = network.input();

  const std::string folders = native_library_dir + ";/vendor/dsp/cdsp;/vendor/lib/rfsa/adsp;/dsp";
  ::setenv("ADSP_LIBRARY_PATH", folders.c_str(), 1);
  const auto backend = value_or_throw(Backend<Htp>::load({.library = path}));
  EXPECT_NE(backend.native_device(), nullptr);

  AAsset* const asset = AAssetManager_open(assets, "classifier.bin", AASSET_MODE_UNKNOWN);
  if (asset == nullptr) throw std::runtime_error("classifier.bin: no such asset");
  off64_t start = 0;
  off64_t length = 0;
  const int fd = AAsset_openFileDescriptor64(asset, &start, &length);  // -1 if it is compressed
  auto mapped = ContextBinary::map(fd, static_cast<std::uint64_t>(start),
                                   static_cast<std::uint64_t>(length), "classifier.bin");
  ::close(fd);
  AAsset_close(asset);
  const auto context =
      value_or_throw(Context<Finalized>::restore(backend, value_or_throw(std::move(mapped))));

  auto graph = value_or_throw(Graph<Retrieved>::retrieve(context, "classifier"));
  const auto memory =
      value_or_throw(SharedBuffer<PerTensor>::allocate(rpcmem, graph.inputs(), graph.outputs()));
  const auto tensors = value_or_throw(RegisteredTensors::create(context, memory));
  auto bound = value_or_throw(std::move(graph).bind(tensors));

  value_or_throw(write_elements(memory.access<float>("x", CpuUse::write), input));
  value_or_throw(bound.execute());
  const auto output = value_or_throw(memory.access<const float>("y", CpuUse::read));
  EXPECT_LT(largest_difference(output, network.reference(input)), tolerance);
}

}}  // namespace support
