// Time to load and free a model of 2 GiB in 4 contexts, and one of 10,000 contexts, against plain C
// that makes the same calls on one thread.
#include <sys/resource.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

#include "qnnpp/model/load.hpp"

#include "baseline/qnn_c.h"
#include "support/device.hpp"
#include "support/report.hpp"
#include "support/small_binary.hpp"
#include "support/statistics.hpp"
#include "support/timing.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace qnnpp;

struct Size {
  std::string name;
  std::size_t contexts;
  std::uint64_t weights_bytes;  ///< Of each context.
  double bound;                 ///< Goal of the ratio.
  std::size_t rounds;
};

class Program {
 public:
  Program(int argc, char** argv) : report_("large", argc, argv) {
    // Each context has a descriptor of its weights.
    rlimit files{};
    (void)::getrlimit(RLIMIT_NOFILE, &files);
    files.rlim_cur = files.rlim_max;
    (void)::setrlimit(RLIMIT_NOFILE, &files);
    device_.set(&sim::Config::pd_budget_bytes, std::uint64_t{1} << 40);
    if (c_device_open(&c_, bench::htp_library, bench::system_library, bench::rpcmem_library) != 0)
      throw std::runtime_error("no device in C");
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { c_device_close(&c_); }

  int run() {
    measure({"2 GiB of weights in 4 contexts", 4, 512 << 20, 1.02, 7});
    measure({"10,000 contexts of 4 KiB", 10'000, 4 << 10, 1.25, 7});
    return report_.finish();
  }

 private:
  void measure(const Size& size) {
    const support::TemporaryFolder folder;
    std::vector<std::string> paths;
    {
      const auto binary = bench::binary_of(backend_, {"graph", size.weights_bytes, 4 << 10});
      for (std::size_t i = 0; i < size.contexts; ++i) {
        paths.push_back(folder.file(std::to_string(i)));
        bench::write_file(paths.back(), binary);
      }
    }
    std::vector<const char*> c_paths;
    for (const std::string& path : paths) c_paths.push_back(path.c_str());
    const auto ours = [&] {
      const auto model = value_or_throw(
          model::load(backend_, rpcmem_, paths,
                      {.sharing = model::SpillFillSharing::external_buffer, .ahead = 0}));
      if (device_.htp.counters().live_contexts != size.contexts)
        throw std::runtime_error("contexts are missing");
    };
    const auto theirs = [&] {
      c_model model;
      if (c_model_load(&model, &c_, c_paths.data(), c_paths.size()) != 0)
        throw std::runtime_error("not loaded in C");
      c_model_free(&model);
    };
    const auto samples = bench::time_pairs({{ours, theirs}}, size.rounds).front();
    const bench::Ratio ratio = bench::ratio(samples.ours, samples.theirs);
    report_.at_most(size.bound, size.name + ": qnnpp / C", ratio.value, "ratio of times",
                    ratio.interval);
    report_.show(size.name, bench::median(samples.ours) / 1e6, "ms",
                 "C " + bench::number(bench::median(samples.theirs) / 1e6));
  }

  bench::Report report_;
  bench::Device device_ = bench::Device::load();
  Backend<Htp> backend_ = value_or_throw(Backend<Htp>::load({.library = bench::htp_library}));
  RpcmemAllocator rpcmem_ = value_or_throw(RpcmemAllocator::load(bench::rpcmem_library));
  c_device c_{};
};

}  // namespace

int main(int argc, char** argv) {
  try {
    return Program(argc, argv).run();
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "large: %s\n", exception.what());
    return 1;
  }
}
