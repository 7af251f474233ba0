// Executions with raw and with registered inputs and outputs, 4 KiB to 64 MiB each: bytes that the
// device copies, and the extra time of a raw execution in units of a memcpy of the same bytes.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "support/device.hpp"
#include "support/report.hpp"
#include "support/statistics.hpp"
#include "support/timing.hpp"

namespace {

using namespace qnnpp;

constexpr std::size_t least_bytes = std::size_t{4} << 10;
constexpr std::size_t rounds = 51;
constexpr std::size_t most_bytes = std::size_t{64} << 20;

/// Returns text such as "4 KiB".
std::string size_text(std::size_t bytes) {
  return bytes >= std::size_t{1} << 20 ? std::to_string(bytes >> 20) + " MiB"
                                       : std::to_string(bytes >> 10) + " KiB";
}

/// Smallest size whose ratio has a goal: for smaller ones, the calls by which the simulated HTP
/// asks the kernel whether raw memory can be read last as long as the copy.
constexpr std::size_t medium_bytes = std::size_t{1} << 20;
/// Smallest size whose difference has a goal: memcpy lasts more than half as long as the rest, and
/// the tensors together exceed the caches.
constexpr std::size_t large_bytes = std::size_t{16} << 20;

/// A median with its interval.
struct Middle {
  double value = 0.0;
  bench::Interval interval;
};

struct Times {
  Middle raw, registered, memcpy;
  Middle ratio;  ///< raw / registered
  /// (raw - registered) / memcpy of each round.
  std::vector<double> copies;
};

class Program {
 public:
  Program(int argc, char** argv) : report_("zero-copy", argc, argv) {}

  int run() {
    std::ofstream data(report_.file("zero-copy.dat"));
    data << "# bytes of the input and of the output; ns: raw, registered, memcpy of both; raw / "
            "registered; each with the ends of its interval\n";
    std::vector<double> agreement;
    std::vector<double> large;
    for (std::size_t bytes = least_bytes; bytes <= most_bytes; bytes *= 2) {
      const Times times = measure(bytes);
      data << bytes;
      for (const Middle& each : {times.raw, times.registered, times.memcpy, times.ratio})
        data << ' ' << each.value << ' ' << each.interval.low << ' ' << each.interval.high;
      data << '\n';
      const double predicted =
          (times.registered.value + times.memcpy.value) / times.registered.value;
      const std::string name = "input and output of " + size_text(bytes) + " each: ";
      report_.show(name + "raw / registered", times.ratio.value, "ratio",
                   "predicted by memcpy: " + bench::number(predicted));
      const bench::Interval interval = bench::interval_of_median(times.copies);
      report_.show(name + "raw - registered", bench::median(times.copies), "memcpy",
                   bench::text(interval) + (interval.holds(0.0) ? "; within noise" : ""));
      if (bytes >= medium_bytes) agreement.push_back(times.ratio.value / predicted);
      if (bytes >= large_bytes) large.insert(large.end(), times.copies.begin(), times.copies.end());
    }
    report_.exactly(0.0, "bytes copied by registered executions",
                    static_cast<double>(registered_copied_), "bytes", "of 10 of each size");
    report_.exactly(1.0, "bytes copied by raw executions / bytes of their tensors",
                    static_cast<double>(raw_copied_) / static_cast<double>(raw_bytes_), "ratio",
                    "of 10 of each size: input in, output out");
    report_.exactly(0.0, "bytes copied while timed, beside those of raw tensors",
                    static_cast<double>(else_copied_), "bytes", "");
    const double middle = bench::median(agreement);
    report_.judged(
        "0.95 to 1.05", 0.95 <= middle && middle <= 1.05,
        "raw / (registered + memcpy): median of " + size_text(medium_bytes) + " and more", middle,
        "ratio", "1: as memcpy predicts");
    const auto [least, most] = std::ranges::minmax(agreement);
    report_.show("raw / (registered + memcpy): least", least, "ratio", "");
    report_.show("raw / (registered + memcpy): most", most, "ratio", "");
    const double copies = bench::median(large);
    report_.judged("0.75 to 1.25", 0.75 <= copies && copies <= 1.25,
                   "raw - registered, of " + size_text(large_bytes) + " and more", copies, "memcpy",
                   bench::text(bench::interval_of_median(large)));
    return report_.finish();
  }

 private:
  template <class Io>
  [[nodiscard]] Context<Composed> compose(std::size_t bytes) const {
    const auto elements = static_cast<std::uint32_t>(bytes / sizeof(float));
    auto context = value_or_throw(Context<Composing>::create(backend_));
    auto graph = value_or_throw(Graph<Composing, Io>::create(context, "relu"));
    const auto tensor = [&](const char* name, c_api::TensorType kind) {
      return value_or_throw(
          graph.add_tensor({.name = name, .kind = kind, .dimensions = {1, elements}}));
    };
    value_or_throw(graph.add_node({.name = "relu",
                                   .type = "Relu",
                                   .inputs = {tensor("x", c_api::TensorType::app_write)},
                                   .outputs = {tensor("y", c_api::TensorType::app_read)}}));
    value_or_throw(std::move(graph).finalize());
    return value_or_throw(std::move(context).finalize());
  }

  [[nodiscard]] std::uint64_t copied_bytes() const {
    const sim::Counters counters = device_.htp.counters();
    return counters.copied_in_bytes + counters.copied_out_bytes;
  }

  Times measure(std::size_t bytes) {
    const std::size_t elements = bytes / sizeof(float);
    std::vector<float> x(elements, 1.0f);
    std::vector<float> y(elements);
    const auto raw_context = compose<RawIo>(bytes);
    auto raw_graph =
        value_or_throw(value_or_throw(Graph<Retrieved, RawIo>::retrieve(raw_context, "relu"))
                           .bind({raw("x", x), raw("y", y)}));

    const auto shared_context = compose<RegisteredIo>(bytes);
    auto retrieved =
        value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(shared_context, "relu"));
    const auto memory = value_or_throw(
        SharedBuffer<PerTensor>::allocate(rpcmem_, retrieved.inputs(), retrieved.outputs()));
    const auto tensors = value_or_throw(RegisteredTensors::create(shared_context, memory));
    auto shared_graph = value_or_throw(std::move(retrieved).bind(tensors));
    value_or_throw(write_elements(memory.access<float>("x", CpuUse::write), x));

    // Copies as the device does: from and to separate memory.
    std::vector<float> x_copy(elements);
    std::vector<float> y_copy(elements);

    const std::uint64_t before = copied_bytes();
    for (int i = 0; i < 10; ++i) value_or_throw(shared_graph.execute());
    const std::uint64_t between = copied_bytes();
    for (int i = 0; i < 10; ++i) value_or_throw(raw_graph.execute());
    const std::uint64_t after = copied_bytes();
    registered_copied_ += between - before;
    raw_copied_ += after - between;
    raw_bytes_ += std::uint64_t{10} * 2 * bytes;

    // Runs often enough that the cost of reading the clock is negligible.
    const std::size_t times = std::max(std::size_t{1}, (std::size_t{2} << 20) / bytes);
    const auto repeated = [times](auto run) {
      return [times, run] {
        for (std::size_t i = 0; i < times; ++i) run();
      };
    };
    std::uint64_t raw_executions = 0;
    const auto samples =
        bench::time_pairs({{repeated([&] {
                              value_or_throw(raw_graph.execute());
                              ++raw_executions;
                            }),
                            repeated([&] { value_or_throw(shared_graph.execute()); })},
                           {repeated([&] {
                              std::memcpy(x_copy.data(), x.data(), bytes);
                              benchmark::ClobberMemory();
                              std::memcpy(y.data(), y_copy.data(), bytes);
                              benchmark::ClobberMemory();
                            }),
                            [] {}}},
                          rounds);
    else_copied_ += copied_bytes() - after - raw_executions * 2 * bytes;
    const auto& [raws, registereds] = samples[0];
    const auto& memcpys = samples[1].ours;
    const auto each = static_cast<double>(times);
    const auto middle = [&](const std::vector<double>& of_one) {
      const bench::Interval interval = bench::interval_of_median(of_one);
      return Middle{bench::median(of_one) / each, {interval.low / each, interval.high / each}};
    };
    const bench::Ratio ratio = bench::ratio(raws, registereds);
    Times result{.raw = middle(raws),
                 .registered = middle(registereds),
                 .memcpy = middle(memcpys),
                 .ratio = {ratio.value, ratio.interval},
                 .copies = {}};
    for (std::size_t i = 0; i < rounds; ++i)
      result.copies.push_back((raws[i] - registereds[i]) / memcpys[i]);
    return result;
  }

  bench::Report report_;
  bench::Device device_ = bench::Device::load();
  Backend<Htp> backend_ = value_or_throw(Backend<Htp>::load({.library = bench::htp_library}));
  RpcmemAllocator rpcmem_ = value_or_throw(RpcmemAllocator::load(bench::rpcmem_library));
  std::uint64_t raw_copied_ = 0;
  std::uint64_t raw_bytes_ = 0;
  std::uint64_t registered_copied_ = 0;
  std::uint64_t else_copied_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  try {
    return Program(argc, argv).run();
  } catch (const std::exception& exception) {
    std::fprintf(stderr, "zero-copy: %s\n", exception.what());
    return 1;
  }
}
