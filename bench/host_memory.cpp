// Peak memory of the process while 66 binaries of 16 MiB are loaded: mapped, read ahead and dropped
// by qnnpp, against C programs that map or read them. Each way runs in its own process, on a device
// that reads the whole binary at creation, or only its description until the context is finalized.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/load.hpp"

#include "baseline/qnn_c.h"
#include "baseline/read_binaries.h"
#include "recorder.hpp"
#include "support/device.hpp"
#include "support/report.hpp"
#include "support/resident_set.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace qnnpp;
using enum model::SpillFillSharing;

constexpr std::size_t count = 66;
constexpr std::uint64_t mib = 1 << 20;
const bench::ContextSize size{"graph", 16 * mib, 64 << 10};

/// Memory that one way of loading added to the memory of the process.
struct Memory {
  std::uint64_t peak_bytes = 0;    ///< Of the resident set.
  std::uint64_t beyond_bytes = 0;  ///< Peak of the resident set without the weights loaded so far.
};

/// Measures the peak between any two events (the begin or end of a call of QNN), and subtracts the
/// weights that the device has loaded by then. The peak of the whole run would hide binaries that
/// stay in memory until their weights are loaded: each is released while the weights grow.
class Watch {
 public:
  Watch(const bench::Device& device, bool reads_all)
      : device_(device), reads_all_(reads_all), before_(bench::status_bytes("VmRSS")) {
    forget_peak();
    watch = this;
  }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;
  ~Watch() { watch = nullptr; }

  void take() {
    const std::uint64_t grown = std::max(bench::status_bytes("VmHWM"), before_) - before_;
    memory_.peak_bytes = std::max(memory_.peak_bytes, grown);
    // Spill-fill memory is not resident yet: nothing has written to it.
    const std::uint64_t loaded = device_.htp.counters().weights_loaded_bytes;
    if (grown > loaded) memory_.beyond_bytes = std::max(memory_.beyond_bytes, grown - loaded);
    forget_peak();
  }
  [[nodiscard]] const Memory& memory() const { return memory_; }

  static void on_call(std::size_t slot, bool entering, const void* const* arguments) {
    if (watch == nullptr) return;
    if (!entering && watch->reads_all_ &&
        slot == static_cast<std::size_t>(sim::Slot::context_create_from_binary))
      read_all(static_cast<const std::byte*>(support::argument<const void*>(arguments, 3)),
               support::argument<std::uint64_t>(arguments, 4));
    watch->take();
  }

 private:
  static void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

  /// Reads the pages that the simulated device does not read before a context is finalized.
  static void read_all(const volatile std::byte* bytes, std::uint64_t bytes_count) {
    constexpr std::uint64_t page = 4096;
    for (std::uint64_t i = 0; i < bytes_count; i += page) (void)bytes[i];
  }

  static inline Watch* watch = nullptr;
  const bench::Device& device_;
  bool reads_all_;
  std::uint64_t before_;
  Memory memory_;
};

/// Measures while `load` runs. Throws if not all contexts and weights are loaded afterwards.
Memory measure(bool reads_all, const std::function<void()>& load) {
  const auto device = bench::Device::load();
  const support::Recording recording(Watch::on_call);
  Watch watch(device, reads_all);
  load();
  watch.take();
  const sim::Counters counters = device.htp.counters();
  if (counters.live_contexts != count) throw std::runtime_error("contexts are missing");
  if (counters.weights_loaded_bytes != count * size.weights_bytes ||
      counters.external_weights_bytes + counters.internal_weights_bytes !=
          counters.weights_loaded_bytes)
    throw std::runtime_error("weights are missing");
  return watch.memory();
}

Memory with_qnnpp(bool reads_all, const std::vector<std::string>& paths,
                  model::SpillFillSharing sharing, std::size_t ahead) {
  const auto backend = value_or_throw(
      Backend<Htp>::load({.library = QNNPP_RECORDER, .system_library = bench::system_library}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(bench::rpcmem_library));
  std::vector<model::Model> loaded;
  return measure(reads_all, [&] {
    loaded.push_back(
        value_or_throw(model::load(backend, rpcmem, paths, {.sharing = sharing, .ahead = ahead})));
  });
}

Memory in_c(bool reads_all, const std::vector<std::string>& paths,
            int (*load)(c_device*, const char* const*, std::size_t)) {
  c_device device;
  if (c_device_open(&device, QNNPP_RECORDER, bench::system_library, bench::rpcmem_library) != 0)
    throw std::runtime_error("no device");
  std::vector<const char*> names;
  for (const std::string& path : paths) names.push_back(path.c_str());
  return measure(reads_all, [&] {
    if (load(&device, names.data(), names.size()) != 0) throw std::runtime_error("not loaded");
  });
}

int map_all(c_device* device, const char* const* paths, std::size_t paths_count) {
  static c_model model;
  return c_model_load(&model, device, paths, paths_count);
}

struct Way {
  std::string name;
  std::function<Memory(bool, const std::vector<std::string>&)> run;
  /// Binaries that may be in memory, or 0 for a way of C.
  std::size_t allowed = 0;
  /// Whether the device reads the whole binary when its context is created. Always true for ways
  /// that defer nothing or hold all binaries in memory.
  bool reads_all = true;
  std::string comparison;
};

const std::vector<Way>& ways() {
  const auto ours = [](model::SpillFillSharing sharing, std::size_t ahead) {
    return [=](bool all, const auto& paths) { return with_qnnpp(all, paths, sharing, ahead); };
  };
  const auto mapped = [](bool all, const auto& paths) { return in_c(all, paths, map_all); };
  static const std::vector<Way> every{
      {"qnnpp, one external buffer", ours(external_buffer, 1), 2, true,
       "mapped; dropped after query and finalize; the next one is read ahead"},
      {"qnnpp, one external buffer, little read at creation", ours(external_buffer, 1), 2, false,
       "the same"},
      {"qnnpp, one external buffer, ahead 0", ours(external_buffer, 0), 1, true,
       "mapped; dropped after query and finalize"},
      {"qnnpp, context group", ours(context_group, 1), 2, true,
       "mapped; dropped after creation; the next one is read ahead"},
      {"qnnpp, separate", ours(none, 1), 2, true, "the same"},
      {"qnnpp, separate, ahead 0", ours(none, 0), 1, true, "mapped; dropped after creation"},
      {"C, mapped and dropped",
       [](bool all, const auto& paths) { return in_c(all, paths, c_map_drop_each); }, 0, true,
       "dropped after query, unmapped after finalize"},
      {"C, mapped", mapped, 0, true, "unmapped after finalize"},
      {"C, mapped, little read at creation", mapped, 0, false, "unmapped after finalize"},
      {"C, read and kept",
       [](bool all, const auto& paths) { return in_c(all, paths, c_read_all_keep); }, 0, true,
       "freed after the last finalize"},
      {"C, read twice",
       [](bool all, const auto& paths) { return in_c(all, paths, c_read_free_each); }, 0, true,
       "one at a time; every file is read twice"}};
  return every;
}

/// In the child process: measures one way and writes the result to a file.
int run_child(std::size_t number, const std::filesystem::path& folder) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < count; ++i) paths.push_back(folder / std::to_string(i));
  const Way& way = ways()[number];
  const Memory memory = way.run(way.reads_all, paths);
  std::ofstream result(folder / "result");
  result << memory.peak_bytes << ' ' << memory.beyond_bytes << '\n';
  return result.flush() ? 0 : 1;
}

/// Runs this program in a child process for one way.
Memory in_child(const char* program, std::size_t way, const support::TemporaryFolder& folder) {
  std::filesystem::remove(folder.file("result"));
  const std::string number = std::to_string(way);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/proc/self/exe", program, "--child", number.c_str(), folder.path().c_str(),
            static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0)
    throw std::runtime_error(ways()[way].name + ": did not run to its end");
  Memory memory;
  std::ifstream(folder.file("result")) >> memory.peak_bytes >> memory.beyond_bytes;
  return memory;
}

int run(int argc, char** argv) {
  bench::Report report("host-memory", argc, argv);
  const support::TemporaryFolder folder;
  {
    (void)bench::Device::load();
    const auto backend = value_or_throw(Backend<Htp>::load({.library = bench::htp_library}));
    const auto binary = bench::binary_of(backend, size);
    for (std::size_t i = 0; i < count; ++i) {
      std::ofstream file(folder.file(std::to_string(i)), std::ios::binary);
      file.write(reinterpret_cast<const char*>(binary.data()),
                 static_cast<std::streamsize>(binary.size()));
      if (!file.flush()) throw std::runtime_error("a binary cannot be written");
    }
  }
  const auto file_bytes = static_cast<double>(std::filesystem::file_size(folder.file("0")));
  report.show("binary", file_bytes, "bytes", "of which there are 66");
  const std::string weights =
      "weights " + bench::number(static_cast<double>(count * size.weights_bytes / mib));
  for (std::size_t way = 0; way < ways().size(); ++way) {
    const Memory memory = in_child(argv[0], way, folder);
    const double beyond = static_cast<double>(memory.beyond_bytes) / file_bytes;
    const Way& is = ways()[way];
    const std::string name = is.name + ": peak - weights loaded by then";
    if (is.allowed != 0)
      report.at_most(static_cast<double>(is.allowed) + 0.1, name, beyond, "binaries",
                     is.comparison);
    else
      report.show(name, beyond, "binaries", is.comparison);
    report.show(is.name + ": peak", static_cast<double>(memory.peak_bytes) / mib, "MiB", weights);
  }
  return report.finish();
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc == 4 && std::strcmp(argv[1], "--child") == 0)
      return run_child(std::stoul(argv[2]), argv[3]);
    return run(argc, argv);
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "host-memory: %s\n", exception.what());
    return 1;
  }
}
