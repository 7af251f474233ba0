// libcdsprpc.so of the simulated HTP: rpcmem and FastRPC registration. A second build lacks
// rpcmem_alloc2, like older vendor libraries.
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <string>

#include <climits>

#include "qnnpp/sim/control.hpp"

#include "sim/objects/fault_text.hpp"
#include "sim/objects/logger.hpp"
#include "sim/objects/rpcmem.hpp"
#include "sim/objects/rpcmem_misuses.hpp"
#include "sim/objects/tally.hpp"

namespace {

using qnnpp::sim::Rpcmem;
using qnnpp::sim::RpcmemCall;
using qnnpp::sim::RpcmemControl;
using qnnpp::sim::RpcmemCounters;
using qnnpp::sim::RpcmemFailure;

/// Adds the faults of QNNPP_SIM_FAULT that name a function of this library.
Rpcmem* with_faults_from_environment(Rpcmem* rpcmem) {
  using namespace qnnpp::sim;
  read_faults(std::getenv("QNNPP_SIM_FAULT"), FaultForm::ignored,
              [rpcmem](const FaultText& text) -> const char* {
                const auto call = rpcmem_call_of(text.name);
                if (!call) return nullptr;  // libQnnHtp.so reads it
                const auto failure = rpcmem_failure_of(text.answer, *call);
                if (!failure) return "rpcmem answers NULL or MAP_FAILED, rpcmem_to_fd answers -1";
                rpcmem->add_fault(static_cast<std::uint32_t>(*call), text.at_call, text.always,
                                  *failure, /*tells=*/true);
                return nullptr;
              });
  return rpcmem;
}

// Never destroyed, because clients can free memory until the process ends.
Rpcmem& rpcmem() {
  static Rpcmem* const the_rpcmem = with_faults_from_environment(new Rpcmem);
  return *the_rpcmem;
}

constexpr RpcmemControl control{
    .version = qnnpp::sim::control_version,
    .read_counters =
        [](RpcmemCounters* counters, std::uint64_t size) {
          const RpcmemCounters now = rpcmem().counters();
          if (counters != nullptr)
            std::memcpy(counters, &now, size < sizeof now ? size : sizeof now);
        },
    .add_fault =
        [](std::uint32_t call, std::uint64_t at_call, bool persistent, RpcmemFailure failure) {
          rpcmem().add_fault(call, at_call, persistent, failure);
        },
    .clear_faults = [] { rpcmem().clear_faults(); },
    .reset_counters = [] { rpcmem().reset_counters(); },
    .is_fastrpc_mapped = [](std::uint64_t device,
                            std::uint64_t inode) { return rpcmem().is_mapped(device, inode); },
    .watch_frees = [](void (*freed)(std::uint64_t, std::uint64_t)) { rpcmem().watch_frees(freed); },
};

void* const failed = reinterpret_cast<void*>(-1);

/// Numbers of calls of the functions that can fail, by RpcmemCall.
std::atomic<std::uint64_t> calls[3];
void count(RpcmemCall call) { ++calls[static_cast<std::size_t>(call)]; }

/// Writes the counters into the file of QNNPP_SIM_COUNTS. Does nothing without the variable, and in
/// a forked child, which has none of its own.
void update_tally() {
  static qnnpp::sim::Tally* const tally = qnnpp::sim::map_tally();
  static const ::pid_t process = ::getpid();
  static std::mutex mutex;
  if (tally == nullptr || ::getpid() != process) return;
  const std::lock_guard lock{mutex};
  tally->rpcmem = rpcmem().counters();
  for (std::size_t i = 0; i < std::size(calls); ++i) tally->rpcmem_calls[i] = calls[i];
}

/// Ends a call: prints the first misuse of each kind to stderr, unless QNNPP_SIM_LOG is "none".
/// `address` is the client's argument.
void end_call(const void* address = nullptr) {
  using namespace qnnpp::sim;
  update_tally();
  static std::atomic<bool> announced[std::size(rpcmem_misuses)];
  const RpcmemCounters now = rpcmem().counters();
  for (std::size_t i = 0; i < std::size(rpcmem_misuses); ++i) {
    const RpcmemMisuse& misuse = rpcmem_misuses[i];
    if (now.*misuse.count != 0 && !announced[i].exchange(true))
      notice(std::string(misuse.function) + ": " + misuse.rule + ": " +
             (address == nullptr && misuse.of_null != nullptr ? misuse.of_null : misuse.what));
  }
}

}  // namespace

#define QNNPP_SIM_EXPORT extern "C" __attribute__((visibility("default")))

QNNPP_SIM_EXPORT void rpcmem_init() {}
QNNPP_SIM_EXPORT void rpcmem_deinit() {}

QNNPP_SIM_EXPORT void* rpcmem_alloc(int, std::uint32_t, int size) {
  count(RpcmemCall::alloc);
  void* address = nullptr;
  if (size > 0)
    address = rpcmem().allocate(RpcmemCall::alloc, static_cast<std::uint64_t>(size));
  else
    rpcmem().refuse_size(size);
  end_call();
  return address;
}
#ifndef QNNPP_SIM_NO_ALLOC2
QNNPP_SIM_EXPORT void* rpcmem_alloc2(int, std::uint32_t, std::size_t size) {
  count(RpcmemCall::alloc2);
  void* const address = rpcmem().allocate(RpcmemCall::alloc2, size);
  end_call();
  return address;
}
#endif
QNNPP_SIM_EXPORT void rpcmem_free(void* address) {
  rpcmem().free(address);
  end_call(address);
}
QNNPP_SIM_EXPORT int rpcmem_to_fd(void* address) {
  count(RpcmemCall::to_fd);
  const int fd = rpcmem().to_fd(address);
  end_call(address);
  return fd;
}

QNNPP_SIM_EXPORT void remote_register_buf(void* address, int size, int fd) {
  rpcmem().register_buffer(address, size > 0 ? static_cast<std::uint64_t>(size) : 0, fd);
  end_call();
}
QNNPP_SIM_EXPORT void remote_register_buf_attr(void* address, int size, int fd, int) {
  rpcmem().register_buffer(address, size > 0 ? static_cast<std::uint64_t>(size) : 0, fd);
  end_call();
}
QNNPP_SIM_EXPORT void remote_register_buf_attr2(void* address, std::size_t size, int fd, int) {
  rpcmem().register_buffer(address, size, fd);
  end_call();
}
// A length of 0 deregisters the fd.
QNNPP_SIM_EXPORT int remote_register_dma_handle_attr(int fd, std::uint32_t length, std::uint32_t) {
  const int result = length == 0 ? rpcmem().unmap(fd) : rpcmem().map(fd, length);
  end_call();
  return result;
}
QNNPP_SIM_EXPORT int remote_register_dma_handle(int fd, std::uint32_t length) {
  return remote_register_dma_handle_attr(fd, length, 0);
}
QNNPP_SIM_EXPORT void* remote_register_fd2(int fd, std::size_t size) {
  if (size == 0) return failed;
  void* const address = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return address == MAP_FAILED ? failed : address;
}
QNNPP_SIM_EXPORT void* remote_register_fd(int fd, int size) {
  return size <= 0 ? failed : remote_register_fd2(fd, static_cast<std::size_t>(size));
}
QNNPP_SIM_EXPORT int fastrpc_mmap(int, int fd, void*, int offset, std::size_t length,
                                  std::uint32_t) {
  const int result = offset != 0 ? -1 : rpcmem().map(fd, length);
  end_call();
  return result;
}
QNNPP_SIM_EXPORT int fastrpc_munmap(int, int fd, void*, std::size_t length) {
  const int result = rpcmem().unmap(fd, length);
  end_call();
  return result;
}

QNNPP_SIM_EXPORT const RpcmemControl* qnnpp_sim_rpcmem_control() { return &control; }
