// Time to load 66 binaries of 16 MiB while a thread prepares the next one, against C programs with
// and without such a thread. Finalizing a context lasts at least 30 ms, for which the caller waits,
// and allocated memory is zeroed at once. Hot: the files are in the kernel's cache. Cold: they are
// not. The ways take turns, in another order in each round.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/model/load.hpp"
#include "qnnpp/model/residency.hpp"
#include "qnnpp/model/survey.hpp"

#include "baseline/qnn_c.h"
#include "support/device.hpp"
#include "support/report.hpp"
#include "support/slow_htp.hpp"
#include "support/statistics.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace qnnpp;

constexpr std::size_t count = 66;
constexpr std::uint64_t weights_bytes = 16 << 20;
constexpr std::uint32_t load_us = 30'000;
constexpr int rounds = 7;

/// The binaries as files on a disk.
class Files {
 public:
  explicit Files(const Backend<Htp>& backend) {
    const auto binary = bench::binary_of(backend, {"graph", weights_bytes, 64 << 10});
    for (std::size_t i = 0; i < count; ++i) {
      paths.push_back(folder_.file(std::to_string(i)));
      std::ofstream file(paths.back(), std::ios::binary);
      file.write(reinterpret_cast<const char*>(binary.data()),
                 static_cast<std::streamsize>(binary.size()));
      if (!file.flush()) throw std::runtime_error("a binary cannot be written");
    }
    for (const std::string& path : paths) c_paths.push_back(path.c_str());
    for (const std::string& path : paths) advise(path, [](int fd) { return ::fsync(fd); });
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  /// Removes the files from the kernel's cache.
  void cool() const {
    for (const std::string& path : paths)
      advise(path, [](int fd) { return ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED); });
  }
  /// Reads the files into the kernel's cache.
  void heat() const {
    std::vector<char> bytes(1 << 20);
    for (const std::string& path : paths)
      for (std::ifstream file(path, std::ios::binary);
           file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));) {
      }
  }

  std::vector<std::string> paths;
  std::vector<const char*> c_paths;

 private:
  static void advise(const std::string& path, int (*how)(int)) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 || how(fd) != 0) throw std::runtime_error("a binary cannot be opened");
    ::close(fd);
  }

  support::TemporaryFolder folder_;
};

/// A way to load all files. Its function returns one that frees the model, which is not timed.
struct Way {
  std::string name;
  std::function<std::function<void()>()> load;
};

class Program {
 public:
  Program(int argc, char** argv) : report_("load-ahead", argc, argv) {
    if (c_device_open(&c_, bench::slow_htp, bench::system_library, BENCH_ZEROED_RPCMEM) != 0)
      throw std::runtime_error("no device in C");
    bench::set_waits(load_us, 0);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { c_device_close(&c_); }

  int run() {
    for (model::BinarySource& source : sources_)
      source.expected = value_or_throw(model::survey(backend_, source));
    const std::vector<Way> ways{{"C", [&] { return in_c(false); }},
                                {"C with a helper thread", [&] { return in_c(true); }},
                                {"qnnpp", [&] { return ours(); }},
                                {"residency", [&] { return prefetched(); }}};
    for (const bool is_cold : {false, true}) {
      const auto times = measure(ways, is_cold);
      const std::string at = is_cold ? "cold: " : "hot: ";
      for (const Way& way : ways)
        report_.show(at + way.name, bench::median(times.at(way.name)), "ms", "");
      const auto against = [&](const char* name, const char* other) {
        return bench::ratio(times.at(name), times.at(other));
      };
      const bench::Ratio helper = against("C with a helper thread", "C");
      report_.show(at + "C with a helper thread / C", helper.value, "ratio",
                   bench::text(helper.interval));
      for (const char* way : {"qnnpp", "residency"}) {
        const bench::Ratio found = against(way, "C with a helper thread");
        report_.at_most(1.1, at + way + " / C with a helper thread", found.value, "ratio",
                        found.interval);
      }
    }
    return report_.finish();
  }

 private:
  /// Milliseconds of each way, one sample a round.
  std::map<std::string, std::vector<double>> measure(const std::vector<Way>& ways, bool is_cold) {
    std::map<std::string, std::vector<double>> times;
    std::mt19937 random;  // The same order in every run.
    std::vector<const Way*> order;
    for (const Way& way : ways) order.push_back(&way);
    for (int round = 0; round < rounds; ++round) {
      std::shuffle(order.begin(), order.end(), random);
      for (const Way* way : order) {
        is_cold ? files_.cool() : files_.heat();
        const auto begin = std::chrono::steady_clock::now();
        const auto free = way->load();
        const std::chrono::duration<double, std::milli> taken =
            std::chrono::steady_clock::now() - begin;
        times[way->name].push_back(taken.count());
        free();
      }
    }
    return times;
  }

  std::function<void()> in_c(bool with_helper) {
    const auto model = std::make_shared<c_model>();
    const int result = with_helper
                           ? c_model_load_ahead(model.get(), &c_, files_.c_paths.data(), count, 2)
                           : c_model_load(model.get(), &c_, files_.c_paths.data(), count);
    if (result != 0) throw std::runtime_error("not loaded in C");
    return [model] { c_model_free(model.get()); };
  }
  std::function<void()> ours() {
    const auto model = std::make_shared<model::Model>(value_or_throw(model::load(
        backend_, rpcmem_, files_.paths, {.sharing = model::SpillFillSharing::external_buffer})));
    return [model] {};
  }
  /// A residency that loads all contexts ahead of their first requests. Their needs are known, as
  /// from a manifest.
  std::function<void()> prefetched() {
    auto sources = sources_;
    const auto residency = std::make_shared<model::Residency<>>(
        value_or_throw(model::Residency<>::create(backend_, rpcmem_, std::move(sources),
                                                  {.order = model::UseOrder::cyclic(),
                                                   .prefetch = model::Prefetch::spare_room,
                                                   .prefetch_depth = count})));
    value_or_throw(residency->settle());
    if (residency->stats().resident_contexts != count) throw std::runtime_error("not all loaded");
    return [residency] {};
  }

  bench::Report report_;
  bench::Device device_ = bench::Device::load();
  Backend<Htp> backend_ = value_or_throw(
      Backend<Htp>::load({.library = bench::slow_htp, .system_library = bench::system_library}));
  RpcmemAllocator rpcmem_ = value_or_throw(RpcmemAllocator::load(BENCH_ZEROED_RPCMEM));
  Files files_{backend_};
  std::vector<model::BinarySource> sources_ = model::BinarySource::files(files_.paths);
  c_device c_{};
};

}  // namespace

int main(int argc, char** argv) {
  try {
    return Program(argc, argv).run();
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "load-ahead: %s\n", exception.what());
    return 1;
  }
}
