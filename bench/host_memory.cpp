// Peak memory of the process while 66 binaries of 16 MiB are loaded: mapped and dropped by qnnpp,
// against C programs that map or read them. Each way runs in a process of its own.
#include <sys/wait.h>
#include <unistd.h>

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

#include "baseline/qnn_c.h"
#include "baseline/read_binaries.h"
#include "qnnpp/model/load.hpp"
#include "support/device.hpp"
#include "support/report.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace qnnpp;
using enum model::SpillFillSharing;

constexpr std::size_t count = 66;
constexpr std::uint64_t mib = 1 << 20;
constexpr bench::ContextSize size{"graph", 16 * mib, 64 << 10};

/// A line of /proc/self/status, in bytes.
std::uint64_t status_bytes(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key + ":")) return std::stoull(line.substr(key.size() + 1)) * 1024;
  throw std::runtime_error("/proc/self/status lacks " + key);
}

/// What one way of loading took.
struct Memory {
  std::uint64_t growth_bytes = 0;   ///< Peak of the resident set, minus what it was before.
  std::uint64_t payload_bytes = 0;  ///< Of that, the weights that the device keeps.
};

/// Peak while `load` runs; what it loaded is there when it returns.
Memory measure(const std::function<void()>& load) {
  const auto device = bench::Device::load();
  std::ofstream("/proc/self/clear_refs") << "5";  // The peak so far is that of start-up.
  const std::uint64_t before = status_bytes("VmRSS");
  load();
  const std::uint64_t peak = status_bytes("VmHWM");
  const sim::Counters counters = device.htp.counters();
  if (counters.live_contexts != count) throw std::runtime_error("contexts are missing");
  // Nobody has touched spill-fill memory yet: it is not resident.
  return {peak - before, counters.external_weights_bytes + counters.internal_weights_bytes};
}

Memory with_qnnpp(const std::vector<std::string>& paths, model::SpillFillSharing sharing) {
  const auto backend = value_or_throw(Backend<Htp>::load({.library = bench::htp_library}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(bench::rpcmem_library));
  std::vector<model::Model> loaded;
  return measure([&] {
    loaded.push_back(value_or_throw(model::load(backend, rpcmem, paths, {.sharing = sharing})));
  });
}

Memory in_c(const std::vector<std::string>& paths,
            int (*load)(c_device*, const char* const*, std::size_t)) {
  c_device device;
  if (c_device_open(&device, bench::htp_library, bench::system_library, bench::rpcmem_library) != 0)
    throw std::runtime_error("no device");
  std::vector<const char*> names;
  for (const std::string& path : paths) names.push_back(path.c_str());
  return measure([&] {
    if (load(&device, names.data(), names.size()) != 0) throw std::runtime_error("not loaded");
  });
}

int map_all(c_device* device, const char* const* paths, std::size_t paths_count) {
  static c_model model;
  return c_model_load(&model, device, paths, paths_count);
}

struct Way {
  std::string name;
  std::function<Memory(const std::vector<std::string>&)> run;
  bool ours = false;
  std::string comparison;
};

const std::vector<Way>& ways() {
  static const std::vector<Way> all{
      {"qnnpp, one external buffer",
       [](const auto& paths) { return with_qnnpp(paths, external_buffer); }, true,
       "mapped; dropped after query and finalize"},
      {"qnnpp, context group", [](const auto& paths) { return with_qnnpp(paths, context_group); },
       true, "mapped; dropped after creation"},
      {"qnnpp, separate", [](const auto& paths) { return with_qnnpp(paths, none); }, true,
       "mapped; dropped after creation"},
      {"C, mapped", [](const auto& paths) { return in_c(paths, map_all); }, false,
       "unmapped after finalize"},
      {"C, read and kept", [](const auto& paths) { return in_c(paths, c_read_all_keep); }, false,
       "freed after the last finalize"},
      {"C, read twice", [](const auto& paths) { return in_c(paths, c_read_free_each); }, false,
       "one at a time; every file is read twice"}};
  return all;
}

/// In the child: measures one way, and writes what it took to a file.
int run_child(std::size_t way, const std::filesystem::path& folder) {
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < count; ++i) paths.push_back(folder / std::to_string(i));
  const Memory memory = ways()[way].run(paths);
  std::ofstream result(folder / "result");
  result << memory.growth_bytes << ' ' << memory.payload_bytes << '\n';
  return result.flush() ? 0 : 1;
}

/// Runs this program again for one way.
Memory in_child(const char* program, std::size_t way, const bench::TemporaryFolder& folder) {
  std::filesystem::remove(folder.path() / "result");
  const std::string number = std::to_string(way);
  const std::string path = folder.path();
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/proc/self/exe", program, "--child", number.c_str(), path.c_str(),
            static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child || status != 0)
    throw std::runtime_error(ways()[way].name + ": did not run to its end");
  Memory memory;
  std::ifstream(folder.path() / "result") >> memory.growth_bytes >> memory.payload_bytes;
  return memory;
}

int run(int argc, char** argv) {
  bench::Report report("host-memory", argc, argv);
  const bench::TemporaryFolder folder;
  {
    (void)bench::Device::load();
    const auto backend = value_or_throw(Backend<Htp>::load({.library = bench::htp_library}));
    const auto binary = bench::binary_of(backend, size);
    for (std::size_t i = 0; i < count; ++i) {
      std::ofstream file(folder.path() / std::to_string(i), std::ios::binary);
      file.write(reinterpret_cast<const char*>(binary.data()),
                 static_cast<std::streamsize>(binary.size()));
      if (!file.flush()) throw std::runtime_error("a binary cannot be written");
    }
  }
  const auto file_bytes = static_cast<double>(std::filesystem::file_size(folder.path() / "0"));
  report.show("binary", file_bytes, "bytes", "of which there are 66");
  for (std::size_t way = 0; way < ways().size(); ++way) {
    const Memory memory = in_child(argv[0], way, folder);
    const double beyond =
        static_cast<double>(memory.growth_bytes) - static_cast<double>(memory.payload_bytes);
    const Way& is = ways()[way];
    const std::string name = is.name + ": peak - weights on the device";
    if (is.ours) report.at_most(1.1, name, beyond / file_bytes, "binaries", is.comparison);
    else report.show(name, beyond / file_bytes, "binaries", is.comparison);
    report.show(is.name + ": peak", static_cast<double>(memory.growth_bytes) / mib, "MiB",
                "weights " + bench::number(static_cast<double>(memory.payload_bytes) / mib));
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
