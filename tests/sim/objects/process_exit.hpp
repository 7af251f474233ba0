// The end of the process: QNNPP_SIM_REPORT writes the report; QNNPP_SIM_STRICT sets the exit code
// if the report contains complaints.
#pragma once

#include "qnnpp/platform.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "qnnpp/sim/control.hpp"

#include "sim/objects/device.hpp"
#include "sim/objects/report.hpp"
#include "sim/objects/tally_update.hpp"
#include "sim/tables/environment.hpp"

namespace qnnpp::sim {

/// Requests from the environment, read when the library is loaded.
struct ExitWishes {
  std::string report;         ///< "stderr", a file name, or empty
  int strict_code = 0;        ///< exit code if the program succeeds but the report complains
  int strict_calls_code = 0;  ///< the same if a call failed that no fault made fail (STRICT_CALLS)
  ::pid_t process = 0;        ///< the loading process; its forked children report nothing
  int client_code = -1;       ///< the client's exit code; -1 if the platform does not report it
};

[[nodiscard]] inline ExitWishes exit_wishes_from_environment() {
  ExitWishes wishes;
  const std::string_view report = variable("QNNPP_SIM_REPORT");
  if (report != "0") wishes.report = report == "1" ? "stderr" : report;
  wishes.strict_code = static_cast<int>(read_variable("QNNPP_SIM_STRICT", 255).value_or(0));
  wishes.strict_calls_code =
      static_cast<int>(read_variable("QNNPP_SIM_STRICT_CALLS", 255).value_or(0));
  wishes.process = ::getpid();
  return wishes;
}

namespace detail {

/// Returns the counters of libcdsprpc.so; zeros if the process has not loaded the simulated one.
inline RpcmemCounters rpcmem_counters() {
  RpcmemCounters counters{};
  void* const library = ::dlopen("libcdsprpc.so", RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return counters;
  if (const auto control = RpcmemControl::from(library)) counters = control.counters();
  ::dlclose(library);
  return counters;
}

/// Locks the mutex, unless another thread holds it for too long: a thread may have ended inside a
/// call.
inline std::unique_lock<std::mutex> lock_within(std::mutex& mutex, std::chrono::seconds patience) {
  std::unique_lock lock{mutex, std::defer_lock};
  const auto end = std::chrono::steady_clock::now() + patience;
  while (!lock.try_lock() && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds{1});
  return lock;
}

inline void write_report(const std::string& target, const std::string& text) {
  if (target == "stderr") {
    std::fwrite(text.data(), 1, text.size(), stderr);
    return;
  }
  const std::string name = file_of_process(target);
  std::FILE* const file = std::fopen(name.c_str(), "w");
  const bool written =
      file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  if (file == nullptr || std::fclose(file) != 0 || !written)
    std::fprintf(stderr, "simulated HTP: QNNPP_SIM_REPORT: %s: %s\n", name.c_str(),
                 std::strerror(errno));
}

/// Calls the callback of the first logger once, as the host library does: at level verbose, even if
/// the logger is freed. A callback must therefore be valid until the process has ended. Does
/// nothing while another thread is in a call.
inline void log_exit() {
  Device& d = device();
  Logger logger;
  if (const std::unique_lock lock{d.mutex, std::try_to_lock};
      lock.owns_lock() && d.first_logger != nullptr)
    logger = *d.first_logger;
  if (logger.callback != nullptr && logger.level >= c_api::LogLevel::verbose)
    call_logger(logger.callback, c_api::LogLevel::verbose, now_us(), "%s", "the library ends");
}

}  // namespace detail

/// Runs at process exit, after atexit handlers and static destructors. The device stays alive:
/// later calls work, but no report contains them.
inline void end_process(const ExitWishes& wishes) {
  if (::getpid() == wishes.process) detail::log_exit();
  const bool judges = wishes.strict_code != 0 || wishes.strict_calls_code != 0;
  if ((wishes.report.empty() && !judges) || ::getpid() != wishes.process) return;
  const RpcmemCounters rpcmem = detail::rpcmem_counters();
  Device& d = device();
  Report report;
  if (const auto lock = detail::lock_within(d.mutex, std::chrono::seconds{2}); lock.owns_lock()) {
    d.tally->rpcmem = rpcmem;
    update_tally(d);
    report = report_of(*d.tally);
  } else {
    report.unknown = true;
    report.text = "simulated HTP: no report: a thread of the process is still in a call\n";
  }
  if (!wishes.report.empty()) {
    detail::write_report(wishes.report, report.text);
  }
  const int code = report.complains() && wishes.strict_code != 0 ? wishes.strict_code
                   : report.unexpected != 0 || report.unknown    ? wishes.strict_calls_code
                                                                 : 0;
  // Prints to stderr if no report was requested. A file without a report may never be read, so
  // stderr gets that text, too. The command qnnpp-sim writes the report from the mapped file.
  if ((code != 0 && wishes.report.empty() && !d.has_mapped_tally) ||
      (report.unknown && wishes.report != "stderr"))
    detail::write_report("stderr", report.text);
  if (code != 0 && wishes.client_code <= 0) {
    std::fflush(nullptr);
    ::_exit(code);
  }
}

}  // namespace qnnpp::sim
