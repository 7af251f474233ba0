// From files to the first inference, resident memory of a program that runs, tokens of a decoder,
// and two threads whose graphs share one spill-fill buffer: against plain C on the same simulated
// HTP.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <functional>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "qnnpp/model/load.hpp"

#include "baseline/qnn_c.h"
#include "support/callgrind.hpp"
#include "support/device.hpp"
#include "support/report.hpp"
#include "support/resident_set.hpp"
#include "support/slow_htp.hpp"
#include "support/small_binary.hpp"
#include "support/statistics.hpp"
#include "temporary_folder.hpp"

namespace {

using namespace qnnpp;
using Clock = std::chrono::steady_clock;

constexpr std::size_t contexts = 8;
constexpr std::size_t rounds = 15;
constexpr std::size_t first_rounds = 61;
constexpr std::size_t executions = 100;
constexpr std::uint32_t execution_us = 200;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

void require(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

/// Removes the file's pages from the kernel's cache.
void forget(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  require(fd >= 0 && ::fdatasync(fd) == 0 && ::posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) == 0 &&
              ::close(fd) == 0,
          "a binary cannot be removed from the cache");
}

/// Contexts over one spill-fill buffer, each with a graph bound to registered memory, in C.
class InC {
 public:
  InC(c_device& device, const std::vector<std::string>& paths) : device_(&device) {
    std::vector<const char*> files;
    for (const std::string& path : paths) files.push_back(path.c_str());
    require(c_model_load(&model_, device_, files.data(), files.size()) == 0, "not loaded in C");
    graphs_.resize(paths.size());
    tensors_.resize(2 * paths.size(), qnn_tensor{});
    handles_.resize(2 * paths.size());
    for (std::size_t i = 0; i < paths.size(); ++i) {
      require(c_graph_retrieve(&graphs_[i], &model_, i, "small") == 0, "no graph in C");
      bind(i, 0, model_.contexts[i].graphs[0].inputs[0], QNN_APP_WRITE);
      bind(i, 1, model_.contexts[i].graphs[0].outputs[0], QNN_APP_READ);
      graphs_[i].inputs = &tensors_[2 * i];
      graphs_[i].outputs = &tensors_[2 * i + 1];
      graphs_[i].num_inputs = graphs_[i].num_outputs = 1;
    }
  }
  InC(const InC&) = delete;
  InC& operator=(const InC&) = delete;
  ~InC() {
    (void)c_deregister(&model_, handles_.data(), static_cast<std::uint32_t>(handles_.size()));
    c_model_free(&model_);
    for (void* each : memory_) device_->rpcmem_free(each);
  }
  void execute(std::size_t i) const {
    require(c_graph_execute(&graphs_[i]) == 0, "not executed in C");
  }

 private:
  void bind(std::size_t i, std::size_t side, const c_tensor& described, std::uint32_t type) {
    const std::size_t at = 2 * i + side;
    memory_.push_back(device_->rpcmem_alloc2(25, 1, 32));
    require(c_register_tensor(&model_, i, device_->rpcmem_to_fd(memory_.back()), &described,
                              &handles_[at]) == 0,
            "no memory in C");
    tensors_[at].version = 1;
    qnn_tensor_body& body = tensors_[at].v1;
    body.id = described.id;
    body.name = described.name;
    body.type = type;
    body.data_type = described.data_type;
    body.quantization.definition = QNN_UNDEFINED;
    body.quantization.encoding = QNN_UNDEFINED;
    body.rank = described.rank;
    body.dimensions = const_cast<std::uint32_t*>(described.dimensions);
    body.mem_type = QNN_MEMHANDLE;
    body.memory.mem_handle = handles_[at];
  }

  c_device* device_;
  c_model model_{};
  std::vector<c_graph> graphs_;
  std::vector<qnn_tensor> tensors_;
  std::vector<qnn_handle> handles_;
  std::vector<void*> memory_;
};

/// The same by qnnpp.
class InQnnpp {
 public:
  InQnnpp(const Backend<Htp>& backend, const RpcmemAllocator& rpcmem,
          const std::vector<std::string>& paths)
      : model_(value_or_throw(model::load(backend, rpcmem, paths,
                                          {.sharing = model::SpillFillSharing::external_buffer}))) {
    for (std::size_t i = 0; i < paths.size(); ++i)
      graphs_.push_back(value_or_throw(
          value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(model_.context(i), "small"))
              .bind(rpcmem)));
    for (const auto& graph : graphs_) (void)value_or_throw(graph.input<float>("x"));
  }
  void execute(std::size_t i) { value_or_throw(graphs_[i].execute()); }

 private:
  model::Model model_;
  std::vector<Graph<Bound, RegisteredIo>> graphs_;
};

/// Of two threads that execute in turn: the duration of all executions, and the longest of one.
struct Turns {
  double all_ms = 0.0;
  double longest_ms = 0.0;
};

Turns two_threads(const std::function<void(std::size_t)>& execute) {
  std::array<double, 2> longest{};
  const auto body = [&](std::size_t which) {
    for (std::size_t i = 0; i < executions; ++i) {
      const auto begin = Clock::now();
      execute(which);
      longest[which] = std::max(longest[which], milliseconds_since(begin));
    }
  };
  const auto begin = Clock::now();
  std::thread other(body, 1);
  body(0);
  other.join();
  return {milliseconds_since(begin), std::max(longest[0], longest[1])};
}

class Program {
 public:
  Program(int argc, char** argv) : report_("inference", argc, argv) {
    require(c_device_open(&c_, bench::slow_htp, bench::system_library, bench::rpcmem_library) == 0,
            "no device in C");
    const auto binary = bench::small_binary(backend_, 1 << 16);
    for (std::size_t i = 0; i < contexts; ++i) {
      paths_.push_back(folder_.file(std::to_string(i)));
      bench::write_file(paths_.back(), binary);
    }
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  ~Program() { c_device_close(&c_); }

  /// In a child process: prints what the resident set grew by, while all contexts can run.
  int run_child(const std::string& way) {
    const std::uint64_t before = bench::status_bytes("VmRSS");
    const auto grown = [&](auto&& model) {
      for (std::size_t i = 0; i < contexts; ++i) model.execute(i);
      std::printf("%llu\n", static_cast<unsigned long long>(bench::status_bytes("VmRSS") - before));
      return EXIT_SUCCESS;
    };
    return way == "qnnpp" ? grown(InQnnpp(backend_, rpcmem_, paths_)) : grown(InC(c_, paths_));
  }

  int run() {
    first_inference("warm", [] {});
    first_inference("cold", [&] { std::ranges::for_each(paths_, forget); });
    resident();
    tokens();
    share();
    return report_.finish();
  }

 private:
  void first_inference(const std::string& start, const std::function<void()>& prepare) {
    const auto by_qnnpp = [&] { InQnnpp(backend_, rpcmem_, paths_).execute(contexts - 1); };
    const auto by_c = [&] { InC(c_, paths_).execute(contexts - 1); };
    const auto time = [&](const auto& run) {
      prepare();
      const auto begin = Clock::now();
      run();
      return milliseconds_since(begin);
    };
    by_qnnpp();
    by_c();
    std::vector<double> ours, theirs;
    for (std::size_t round = 0; round < first_rounds; ++round) {
      if (round % 2 == 0) ours.push_back(time(by_qnnpp));
      theirs.push_back(time(by_c));
      if (round % 2 != 0) ours.push_back(time(by_qnnpp));
    }
    const bench::Ratio ratio = bench::ratio(ours, theirs);
    report_.at_most(1.05, "8 files of 4 MiB to the first inference, " + start + ": qnnpp / C",
                    ratio.value, "ratio", ratio.interval);
    report_.show("8 files of 4 MiB to the first inference, " + start, bench::median(ours), "ms",
                 "C " + bench::number(bench::median(theirs)));
  }

  void resident() {
    const auto mebibytes = [](const std::string& way) {
      const std::string command =
          "'" + std::filesystem::canonical("/proc/self/exe").string() + "' --child " + way;
      std::FILE* const output = ::popen(command.c_str(), "r");
      unsigned long long bytes = 0;
      require(
          output != nullptr && std::fscanf(output, "%llu", &bytes) == 1 && ::pclose(output) == 0,
          "no figure of a child process");
      return static_cast<double>(bytes) / (1 << 20);
    };
    const double ours = mebibytes("qnnpp"), theirs = mebibytes("c");
    report_.at_most(1, "resident memory while 8 contexts run: qnnpp - C", ours - theirs, "MiB",
                    "after each has executed");
    report_.show("resident memory while 8 contexts run", ours, "MiB", "C " + bench::number(theirs));
  }

  /// Counts the instructions of a token: the difference of runs with 40 and with 20.
  void tokens() {
    const auto of_twenty = [&](const std::string& way) {
      const auto count = [&](const char* tokens) {
        return bench::count_instructions("measured_" + way,
                                         BENCH_TOKEN_PROBE " " + way + " 32 " + tokens,
                                         folder_.file("profile"));
      };
      const bench::Instructions few = count("20"), many = count("40");
      return std::pair(static_cast<double>(many.own() - few.own()),
                       static_cast<double>(many.total - few.total));
    };
    const auto [ours, our_total] = of_twenty("qnnpp");
    const auto [theirs, their_total] = of_twenty("c");
    report_.at_most(6000, "a token of a decoder with 32 caches of 4 heads, beyond C",
                    (ours - theirs) / 20, "instructions", "an execution and 128 copies");
    report_.at_most(1.02, "a token with the work of the simulated HTP: qnnpp / C",
                    our_total / their_total, "ratio of instructions", "");
  }

  void share() {
    const std::vector<std::string> two(paths_.begin(), paths_.begin() + 2);
    InQnnpp qnnpp(backend_, rpcmem_, two);
    const InC c(c_, two);
    bench::set_waits(0, execution_us);
    std::mutex turn;
    std::vector<double> ours, theirs, our_longest, their_longest;
    for (std::size_t round = 0; round < rounds; ++round) {
      const Turns by_qnnpp = two_threads([&](std::size_t i) { qnnpp.execute(i); });
      const Turns by_c = two_threads([&](std::size_t i) {
        const std::scoped_lock lock(turn);
        c.execute(i);
      });
      ours.push_back(by_qnnpp.all_ms);
      theirs.push_back(by_c.all_ms);
      our_longest.push_back(by_qnnpp.longest_ms);
      their_longest.push_back(by_c.longest_ms);
    }
    bench::set_waits(0, 0);
    const std::string of = "two threads, one spill-fill, 200 us an execution: ";
    const bench::Ratio ratio = bench::ratio(ours, theirs);
    report_.at_most(1.1, of + "duration, qnnpp / C with a mutex", ratio.value, "ratio",
                    bench::text(ratio.interval));
    report_.show(of + "executions a second", 2000.0 * executions / bench::median(ours), "1/s",
                 "C " + bench::number(2000.0 * executions / bench::median(theirs)));
    report_.show(of + "longest execution with its wait", bench::median(our_longest), "ms",
                 "C " + bench::number(bench::median(their_longest)));
  }

  bench::Report report_;
  bench::Device device_ = bench::Device::load();
  Backend<Htp> backend_ = value_or_throw(
      Backend<Htp>::load({.library = bench::slow_htp, .system_library = bench::system_library}));
  RpcmemAllocator rpcmem_ = value_or_throw(RpcmemAllocator::load(bench::rpcmem_library));
  c_device c_{};
  support::TemporaryFolder folder_;
  std::vector<std::string> paths_;
};

}  // namespace

int main(int argc, char** argv) try {
  if (argc == 3 && std::string(argv[1]) == "--child") return Program(argc, argv).run_child(argv[2]);
  return Program(argc, argv).run();
} catch (const std::exception& error) {
  std::fprintf(stderr, "inference: %s\n", error.what());
  return 1;
}
