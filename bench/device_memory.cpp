// DMA memory of N contexts by the way of sharing spill-fill: separate buffers, a context group, or
// one external buffer. The lower bound is all weights and the largest spill-fill need. Measures the
// memory after all contexts are loaded, and the peak while they load.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/load.hpp"

#include "support/device.hpp"
#include "support/report.hpp"

namespace {

using namespace qnnpp;
using enum model::SpillFillSharing;

constexpr std::uint64_t mib = 1 << 20;

/// Contexts of a published model, in MiB.
struct Profile {
  std::string name;
  struct Size {
    std::uint64_t weights_mib;
    std::uint64_t spill_fill_mib;
  };
  std::vector<Size> contexts;
};

/// Published measurements of devices. The context with the largest need is last, so that no way of
/// sharing is right by chance.
const std::vector<Profile> profiles{
    {"image model of 4 contexts", {{1327, 258}, {1273, 273}, {1325, 266}, {2159, 289}}},
    {"a context of 2852 MiB", {{2604, 248}}},
};

/// Returns `count` contexts: the contexts of a profile, `scale` times smaller and rounded up to
/// whole pieces, repeated. Each piece has a graph with few weights, so that loads are fast and need
/// little memory of this machine.
std::vector<bench::ContextSize> scaled(const Profile& profile, std::uint64_t scale,
                                       std::size_t count) {
  const auto pieces = [&](std::uint64_t size_mib) {
    const std::uint64_t piece = scale * bench::piece_bytes;
    return (size_mib * mib + piece - 1) / piece;
  };
  std::vector<bench::ContextSize> sizes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [weights_mib, spill_fill_mib] = profile.contexts[i % profile.contexts.size()];
    sizes.push_back({.name = "context_" + std::to_string(i),
                     .weights_bytes = 512,
                     .spill_fill_bytes = pieces(spill_fill_mib) * bench::piece_bytes,
                     .graphs = pieces(weights_mib)});
  }
  return sizes;
}

/// Bytes of the weights buffers: a piece for each graph.
std::uint64_t weights_bytes(const std::vector<bench::ContextSize>& sizes) {
  std::uint64_t sum = 0;
  for (const bench::ContextSize& size : sizes) sum += size.graphs * bench::piece_bytes;
  return sum;
}

/// All weights and the largest need of spill-fill.
std::uint64_t bound_bytes(const std::vector<bench::ContextSize>& sizes) {
  std::uint64_t largest = 0;
  for (const bench::ContextSize& size : sizes) largest = std::max(largest, size.spill_fill_bytes);
  return weights_bytes(sizes) + largest;
}

class Program {
 public:
  Program(int argc, char** argv) : report_("device-memory", argc, argv) {
    // Measures buffers, not the room in process domains.
    device_.set(&sim::Config::pd_budget_bytes, std::uint64_t{1} << 40);
  }

  int run() {
    for (const Profile& profile : profiles) {
      four_contexts(profile);
      every_count(profile);
    }
    return report_.finish();
  }

 private:
  struct Taken {
    std::uint64_t loaded_bytes = 0;  ///< After all contexts are loaded.
    std::uint64_t peak_bytes = 0;    ///< While they load.
  };

  /// Loads the contexts and counts their memory.
  Taken measure(const std::vector<bench::ContextSize>& sizes, model::SpillFillSharing sharing) {
    std::vector<model::BinarySource> sources;
    for (const bench::ContextSize& size : sizes) sources.push_back({size.name, binary(size), {}});
    device_.forget_peaks();
    const auto loaded =
        value_or_throw(model::load(backend_, rpcmem_, sources, {.sharing = sharing}));
    if (device_.htp.counters().live_contexts != sizes.size())
      throw std::runtime_error("contexts are missing");
    return {device_.dma_bytes(), device_.peak_dma_bytes()};
  }

  /// Contexts of one size have one binary.
  const std::vector<std::byte>& binary(const bench::ContextSize& size) {
    auto& made = binaries_[{size.graphs, size.spill_fill_bytes}];
    if (made.empty()) made = bench::binary_of(backend_, size);
    return made;
  }

  void four_contexts(const Profile& profile) {
    const auto sizes = scaled(profile, 1, 4);
    const auto bound = bound_bytes(sizes);
    const std::string name = profile.name + ", 4 loaded: ";
    const auto separate = measure(sizes, none);
    const auto group = measure(sizes, context_group);
    const auto shared = measure(sizes, external_buffer);
    binaries_.clear();
    report_.show(name + "separate", static_cast<double>(separate.loaded_bytes), "bytes", "");
    report_.show(name + "context group", static_cast<double>(group.loaded_bytes), "bytes", "");
    report_.show(name + "shared", static_cast<double>(shared.loaded_bytes), "bytes", "");
    report_.show(name + "shared saves",
                 static_cast<double>((separate.loaded_bytes - shared.loaded_bytes) / mib), "MiB",
                 "separate");
    report_.exactly(1.0, name + "shared / bound",
                    static_cast<double>(shared.loaded_bytes) / static_cast<double>(bound), "ratio",
                    "weights + largest spill-fill");
    const auto peak = [&](const char* way, const Taken& taken) {
      report_.show(name + way, static_cast<double>(taken.peak_bytes), "bytes", "");
    };
    peak("separate, peak while loading", separate);
    peak("context group, peak while loading", group);
    report_.exactly(1.0, name + "shared, peak while loading / bound",
                    static_cast<double>(shared.peak_bytes) / static_cast<double>(bound), "ratio",
                    "weights + largest spill-fill");
  }

  void every_count(const Profile& profile) {
    // The simulated rpcmem overwrites freed buffers of up to 64 MiB, which lasts longer than a
    // load. At this scale the weights are larger.
    constexpr std::uint64_t scale = 16;
    constexpr std::size_t most = 128;
    std::ofstream data;
    if (&profile == &profiles.front()) data.open(report_.file("device-memory.dat"));
    data << "# contexts, then bytes: separate, context group, shared, bound, weights; sizes 1:"
         << scale << '\n';
    double least = 2.0;
    double largest = 0.0;
    double separate_ratio = 0.0;
    double group_ratio = 0.0;
    for (std::size_t count = 1; count <= most; ++count) {
      const auto sizes = scaled(profile, scale, count);
      const auto bound = static_cast<double>(bound_bytes(sizes));
      const auto shared = measure(sizes, external_buffer);
      least = std::min(least, static_cast<double>(shared.loaded_bytes) / bound);
      largest = std::max(largest, static_cast<double>(shared.peak_bytes) / bound);
      // Measures the other ways of sharing at some counts only: their growth is known.
      if (count != 1 && count % 8 != 0) continue;
      const auto separate = measure(sizes, none);
      const auto group = measure(sizes, context_group);
      separate_ratio = static_cast<double>(separate.loaded_bytes) / bound;
      group_ratio = static_cast<double>(group.loaded_bytes) / bound;
      data << count << ' ' << separate.loaded_bytes << ' ' << group.loaded_bytes << ' '
           << shared.loaded_bytes << ' ' << bound_bytes(sizes) << ' ' << weights_bytes(sizes)
           << '\n';
    }
    binaries_.clear();
    const std::string name = profile.name + ", 1:16, ";
    const char* against = "weights + largest spill-fill";
    report_.exactly(1.0, name + "N = 1..128: least shared / bound", least, "ratio", against);
    report_.exactly(1.0, name + "N = 1..128: largest shared, peak while loading / bound", largest,
                    "ratio", against);
    report_.show(name + "N = 128: context group / bound", group_ratio, "ratio", against);
    report_.show(name + "N = 128: separate / bound", separate_ratio, "ratio", against);
  }

  bench::Report report_;
  bench::Device device_ = bench::Device::load();
  Backend<Htp> backend_ = value_or_throw(Backend<Htp>::load({.library = bench::htp_library}));
  RpcmemAllocator rpcmem_ = value_or_throw(RpcmemAllocator::load(bench::rpcmem_library));
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::vector<std::byte>> binaries_;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    return Program(argc, argv).run();
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "device-memory: %s\n", exception.what());
    return 1;
  }
}
