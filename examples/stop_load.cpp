// stop_load BACKEND RPCMEM BINARY...: ends a load from another thread in every one of its C calls
// in turn. The simulated HTP counts the calls, and what is left.
#include <dlfcn.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "qnnpp/qnnpp.hpp"
#include "qnnpp/sim/control.hpp"
#include "qnnpp/throw.hpp"

int main(int argc, char** argv) try {
  using namespace qnnpp;
  if (argc < 4) throw std::runtime_error("usage: stop_load BACKEND RPCMEM BINARY...");
  const auto backend = value_or_throw(Backend<Htp>::load({.library = argv[1]}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(argv[2]));
  const std::vector<std::string> binaries(argv + 3, argv + argc);
  const auto htp = sim::Control::from(::dlopen(argv[1], RTLD_NOW));
  const auto memory = sim::RpcmemControl::from(::dlopen(argv[2], RTLD_NOW));
  if (!htp || !memory) throw std::runtime_error("only the simulated HTP counts its calls");

  htp.reset_counters();
  (void)value_or_throw(model::load(backend, rpcmem, binaries));
  const std::uint64_t calls = htp.counters().calls;  // Those that free the model too.
  std::uint64_t stopped = 0, left = 0;
  for (std::uint64_t call = 1; call <= calls; ++call) {
    htp.reset_counters();
    Stop stop;
    std::atomic<bool> is_over = false;
    std::thread user([&] {  // Leaves while the load makes this call.
      while (!is_over && htp.counters().calls < call) std::this_thread::yield();
      stop.pull();
    });
    {
      const auto loaded = model::load(backend, rpcmem, binaries, {.stop = stop});
      is_over = true;
      user.join();
      if (!loaded && loaded.error().kind != Errc::cancelled) throw Exception(loaded.error());
      if (!loaded) ++stopped;
    }  // A load that ended before the stop frees its model here.
    const sim::Counters now = htp.counters();
    left += now.live_contexts + now.live_signals + now.mapped_fds + now.internal_bytes +
            memory.counters().live_allocations;
  }
  std::printf("%llu C calls: %llu loads stopped, %llu things left\n", (unsigned long long)calls,
              (unsigned long long)stopped, (unsigned long long)left);
  return left == 0 && stopped != 0 && std::fflush(stdout) == 0 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "stop_load: %s\n", error.what());
  return 1;
}
