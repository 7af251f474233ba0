// The code about models of many contexts in docs/models.md, docs/memory-report.md and
// docs/residency.md.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/report/digest.hpp"
#include "qnnpp/report/format.hpp"
#include "qnnpp/report/json.hpp"
#include "qnnpp/throw.hpp"

#include "fixture.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

using namespace qnnpp;

class the_documents_on_models : public LoadedTest {
 protected:
  void SetUp() override {
    LoadedTest::SetUp();
    ASSERT_EQ(::chdir(folder_.path().c_str()), 0);
  }
  void TearDown() override {
    ASSERT_EQ(::chdir("/"), 0);
    LoadedTest::TearDown();
  }
  /// A file in the current folder.
  void write(const Network& network) {
    const auto bytes = binary_of(backend(), {network});
    std::ofstream(folder_.file(network.name + ".bin"), std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }

  TemporaryFolder folder_;
};

TEST_F(the_documents_on_models, show_one_call_for_many_contexts) {
  const RpcmemAllocator& rpcmem = allocator();
  const auto& backend = this->backend();
  for (const char* name : {"stem", "features", "gate"}) write({.name = name});

  auto loaded =
      value_or_throw(model::load(backend, rpcmem, {"stem.bin", "features.bin", "gate.bin"}));
  auto graph = value_or_throw(loaded.graph("features"));  // from the context that has it
  fmt::print("{}", loaded.report());  // weights, spill-fill, their sources, what sharing saves

  EXPECT_EQ(graph.name(), "features");
  EXPECT_EQ(loaded.report().sharing, model::SpillFillSharing::external_buffer);
}

TEST_F(the_documents_on_models, show_the_io_limit) {
  const RpcmemAllocator& rpcmem = allocator();
  const auto& backend = this->backend();
  const auto wide = [](const char* name) {
    return Network{.name = name, .rows = 1024, .width = 256, .io = c_api::TensorMemType::memhandle};
  };
  const auto bytes = binary_of(backend, {wide("prefill"), wide("decode")});
  std::ofstream(folder_.file("assistant.bin"), std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));

  auto model = value_or_throw(
      model::load(backend, rpcmem, {"assistant.bin"}, {.contexts = {.one_graph_at_a_time = true}}));
  fmt::print("{}\n", model.report().reason);  // says so if there is no gain

  EXPECT_EQ(model.report().contexts[0].io_limit.value, 2u << 20);
}

TEST_F(the_documents_on_models, show_a_manifest) {
  const RpcmemAllocator& rpcmem = allocator();
  const auto& backend = this->backend();
  const std::vector<std::string> paths{"a.bin", "b.bin"};
  model::Manifest written;
  for (const char* name : {"a", "b"}) {
    write({.name = name});
    const std::string file = std::string(name) + ".bin";
    written.entries.push_back(
        value_or_throw(model::manifest_entry(backend, model::BinarySource::file(file), file)));
  }
  value_or_throw(model::write_manifest(written, folder_.file("manifest.json")));

  const auto manifest = value_or_throw(model::read_manifest("manifest.json"));
  const auto binaries = value_or_throw(
      model::expected_by(manifest, model::BinarySource::files(paths), model::digest_of));
  auto loaded = value_or_throw(model::load(backend, rpcmem, binaries));

  EXPECT_EQ(loaded.size(), 2u);
}

TEST_F(the_documents_on_models, show_contexts_that_take_turns) {
  const RpcmemAllocator& rpcmem = allocator();
  const auto& backend = this->backend();
  std::vector<std::string> names;
  std::vector<std::vector<std::byte>> bytes;
  std::vector<model::BinarySource> binaries;
  for (int i = 0; i < 20; ++i) {
    names.push_back("n" + std::to_string(i));
    bytes.push_back(binary_of(backend, {Network{.name = names.back()}}));
    binaries.push_back({names.back() + ".bin", bytes.back()});
  }
  const std::vector<float> x = Network{}.input();
  std::vector<float> y(x.size());
  {
    auto residency = value_or_throw(model::Residency<>::create(backend, rpcmem, binaries));
    // Loads the context if it is not on the device. Evicts others if there is no room.
    auto pinned = value_or_throw(residency.acquire(17));
    EXPECT_EQ(pinned.context().name(), "n17.bin");
  }

  using Residency = model::Residency<Graph<Bound>>;
  Residency::Options options;
  options.order = model::UseOrder::cyclic();  // 0, 1, ..., 65, 0, 1, ...
  options.payload = [&](std::size_t i, const Context<Finalized>& context) {
    return Graph<Retrieved>::retrieve(context, names[i]).and_then([&](Graph<Retrieved> graph) {
      return std::move(graph).bind({raw("x", x), raw("y", y)});
    });
  };
  auto residency = value_or_throw(Residency::create(backend, rpcmem, binaries, options));
  for (std::size_t i = 0; i < residency.size(); ++i) {
    auto pinned = value_or_throw(residency.acquire(i));  // loads context i if it is not resident
    value_or_throw(pinned.payload().execute());
  }  // context i can be evicted from here on

  EXPECT_EQ(residency.stats().loads, 20u);
  EXPECT_LT(largest_difference(y, Network{}.reference(x)), tolerance);
}

}}  // namespace support
