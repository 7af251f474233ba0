// stop_execution BACKEND RPCMEM BINARY: limits an execution to 50 ms, then executes until Ctrl-C.
#include <pthread.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <thread>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

/// Pulls a stop at Ctrl-C. Made before every other thread: threads inherit that the signal is
/// blocked, and only the thread that waits for it gets it.
class CtrlC {
 public:
  CtrlC() {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGINT);
    ::pthread_sigmask(SIG_BLOCK, &signals_, nullptr);
    thread_ = std::thread([this] {
      int signal = 0;
      ::sigwait(&signals_, &signal);
      stop.pull();
    });
  }
  ~CtrlC() {
    ::pthread_kill(thread_.native_handle(), SIGINT);  // Ends the thread if no Ctrl-C came.
    thread_.join();
  }
  qnnpp::Stop stop;

 private:
  sigset_t signals_{};
  std::thread thread_;
};

int main(int argc, char** argv) try {
  using namespace qnnpp;
  if (argc < 4) throw std::runtime_error("usage: stop_execution BACKEND RPCMEM BINARY");
  CtrlC ctrl_c;
  const auto backend = value_or_throw(Backend<Htp>::load({.library = argv[1]}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(argv[2]));
  const auto network = value_or_throw(model::load(backend, rpcmem, {argv[3]}));
  auto graph = value_or_throw(value_or_throw(network.graph()).bind(rpcmem));
  for (const TensorSpec& input : network.context(0).graphs()[0].inputs)
    (void)value_or_throw(graph.input<std::byte>(input.name));  // Zeros, which the memory has.

  const auto limited = graph.execute({.at_most = std::chrono::milliseconds(50)});
  std::printf("%s\n", limited ? "executed in 50 ms" : limited.error().message().c_str());
  while (const auto executed = graph.execute({.stop = ctrl_c.stop}))
    std::printf("executed once more; Ctrl-C ends it\n");
  std::printf("%s\n", ctrl_c.stop.is_pulled() ? "ended by Ctrl-C" : "the execution has failed");
  return ctrl_c.stop.is_pulled() && std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "stop_execution: %s\n", error.what());
  return 1;
}
