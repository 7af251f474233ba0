// Results and times of executions, for the questions that only a DSP or the simulated HTP answers.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>

#include "host.hpp"

namespace conformance {

/// What an execution returned and wrote.
struct Result {
  ErrorHandle code = 0;
  std::vector<char> outputs;
};

/// Writes the same values before each execution: small ones in every data type, none of them NaN.
inline void write_input(char* start, std::uint64_t size) {
  for (std::uint64_t i = 0; i < size; ++i) start[i] = static_cast<char>(i * 7 % 61);
}
inline constexpr char unwritten = static_cast<char>(0xA5);

/// Executes with these tensors, whose memory begins at `starts`: inputs first, then outputs.
inline Result result_of(Host& host, GraphHandle graph, GraphTensors& all,
                        const std::vector<char*>& starts) {
  std::size_t next = 0;
  for (const Tensor& input : all.inputs) write_input(starts[next++], bytes_of(input));
  for (const Tensor& output : all.outputs) std::memset(starts[next++], unwritten, bytes_of(output));
  Result result;
  result.code = host.qnn.graph_execute(
      graph, all.inputs.data(), static_cast<std::uint32_t>(all.inputs.size()), all.outputs.data(),
      static_cast<std::uint32_t>(all.outputs.size()), nullptr, nullptr);
  next = all.inputs.size();
  for (const Tensor& output : all.outputs) {
    result.outputs.insert(result.outputs.end(), starts[next], starts[next] + bytes_of(output));
    ++next;
  }
  return result;
}
/// Executes with ordinary memory.
inline Result result_of(Host& host, GraphHandle graph) {
  GraphTensors all = host.raw_tensors();
  std::vector<char*> starts;
  for (const auto* const side : {&all.inputs, &all.outputs})
    for (const Tensor& tensor : *side)
      starts.push_back(static_cast<char*>(tensor.v1.client_buf.data));
  return result_of(host, graph, all, starts);
}
/// Executes with memory handles.
inline Result result_of(Host& host, GraphHandle graph, const std::vector<MemHandle>& handles,
                        const std::vector<char*>& starts) {
  GraphTensors all = host.tensors(handles);
  return result_of(host, graph, all, starts);
}

/// Reports the code of an execution, and whether it wrote the expected output.
inline void say_result(const Result& result, const Result& expected) {
  if (say_code("execute", result.code) != 0) return;
  const bool written = std::any_of(result.outputs.begin(), result.outputs.end(),
                                   [](char byte) { return byte != unwritten; });
  say("%s", !written                             ? "nothing written"
            : result.outputs == expected.outputs ? "the same output"
                                                 : "another output");
}

/// Returns the time of a call in microseconds.
template <class Call>
double time_of(Call call) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  call();
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

/// Executes up to 30 times, for at most a second. Notes the median of the times and the first one,
/// and returns the code of the last execution.
inline ErrorHandle time_executions(Host& host, GraphHandle graph, const char* what,
                                   ProfileHandle profile = nullptr) {
  GraphTensors all = host.raw_tensors();
  if (host.logger != nullptr) host.qnn.log_set_log_level(host.logger, LogLevel::error);
  ErrorHandle code = 0;
  std::vector<double> times;
  double total = 0;
  while (times.size() < 30 && total < 1e6 && code == 0) {
    times.push_back(time_of([&] {
      code = host.qnn.graph_execute(
          graph, all.inputs.data(), static_cast<std::uint32_t>(all.inputs.size()),
          all.outputs.data(), static_cast<std::uint32_t>(all.outputs.size()), profile, nullptr);
    }));
    total += times.back();
  }
  const double first = times.front();
  std::sort(times.begin(), times.end());
  note("%s: median of %zu executions %.0f us, the first %.0f us", what, times.size(),
       times[times.size() / 2], first);
  return code;
}

}  // namespace conformance
