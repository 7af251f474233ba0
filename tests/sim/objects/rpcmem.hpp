// rpcmem and the FastRPC registration calls of libcdsprpc.so. DMA memory is a memfd of whole pages,
// so another mapping of the fd has the same bytes at another address. The source of the library
// owns the only Rpcmem.
#pragma once

#include "qnnpp/platform.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <climits>

#include "qnnpp/sim/control.hpp"

#include "sim/objects/device_memory.hpp"
#include "sim/objects/logger.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim {

/// All allocations and mappings of one libcdsprpc.so. Thread-safe.
class Rpcmem {
 public:
  /// Allocates DMA memory. Returns NULL for 0 bytes or without free memory. An injected fault
  /// returns NULL, or MAP_FAILED like some Linux builds.
  [[nodiscard]] void* allocate(RpcmemCall call, std::uint64_t bytes) {
    const std::lock_guard lock{mutex_};
    if (const Fault* const fault = next(call)) {
      ++counters_.failed_allocations;
      return fault->failure == RpcmemFailure::map_failed ? MAP_FAILED : nullptr;
    }
    void* const address = bytes == 0 ? nullptr : make(bytes);
    if (address == nullptr) {
      ++counters_.failed_allocations;
      return nullptr;
    }
    ++counters_.allocations;
    ++counters_.live_allocations;
    ++counters_.live_fds;
    counters_.live_bytes += bytes;
    if (counters_.live_bytes > counters_.peak_bytes) counters_.peak_bytes = counters_.live_bytes;
    return address;
  }

  /// Frees an allocation; ignores any address that is not its start. First overwrites the first
  /// 64 KiB with not-a-numbers and the others with zeros, by releasing their pages. A later read
  /// through another mapping therefore gives wrong values. Counts frees of memory that is still
  /// mapped elsewhere.
  void free(void* address) {
    std::unique_lock lock{mutex_};
    const auto found = allocations_.find(address);
    if (found == allocations_.end()) {
      if (address != nullptr) ++counters_.ignored_frees;
      return;
    }
    const auto [fd, bytes] = found->second;
    const std::uint64_t file_bytes = in_pages(bytes);
    struct stat status{};
    static_cast<void>(::fstat(fd, &status));
    const std::uint64_t spoiled = std::min(file_bytes, spoiled_bytes);
    std::memset(address, 0xFF, static_cast<std::size_t>(spoiled));
    if (file_bytes > spoiled)
      static_cast<void>(::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                    static_cast<off_t>(spoiled),
                                    static_cast<off_t>(file_bytes - spoiled)));
    ::munmap(address, static_cast<std::size_t>(file_bytes));
    if (is_mapped_writable(fd)) ++counters_.freed_while_mapped;
    ::close(fd);
    allocations_.erase(found);
    --counters_.live_allocations;
    --counters_.live_fds;
    counters_.live_bytes -= bytes;
    const auto freed = freed_;
    lock.unlock();
    if (freed != nullptr)
      freed(static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino));
  }

  /// Counts an allocation whose size is 0 or negative.
  void refuse_size(int size) {
    const std::lock_guard lock{mutex_};
    ++counters_.failed_allocations;
    ++(size == 0 ? counters_.refused_zero_sizes : counters_.refused_sizes);
  }

  /// Returns the fd of the allocation that starts at this address; -1 for any other address.
  [[nodiscard]] int to_fd(void* address) {
    const std::lock_guard lock{mutex_};
    if (next(RpcmemCall::to_fd) != nullptr) return -1;
    const auto found = allocations_.find(address);
    if (found == allocations_.end()) {
      ++counters_.refused_to_fd;
      return -1;
    }
    return found->second.fd;
  }

  /// Maps the fd for FastRPC. Returns 0, or -1 if it cannot be mapped or is mapped already.
  [[nodiscard]] int map(int fd, std::uint64_t bytes) {
    const std::lock_guard lock{mutex_};
    struct stat status{};
    if (fd < 0 || bytes == 0 || ::fstat(fd, &status) != 0) return -1;
    const Map made{bytes, static_cast<std::uint64_t>(status.st_dev),
                   static_cast<std::uint64_t>(status.st_ino)};
    if (!maps_.emplace(fd, made).second) return -1;
    ++counters_.live_fastrpc_maps;
    return 0;
  }
  /// Unmaps the fd, of any size if `bytes` is empty. Returns -1 if it is not mapped with that size.
  [[nodiscard]] int unmap(int fd, std::optional<std::uint64_t> bytes = std::nullopt) {
    const std::lock_guard lock{mutex_};
    const auto found = maps_.find(fd);
    if (found == maps_.end() || (bytes && found->second.bytes != *bytes)) return -1;
    maps_.erase(found);
    --counters_.live_fastrpc_maps;
    return 0;
  }

  [[nodiscard]] bool is_mapped(std::uint64_t device, std::uint64_t inode) const {
    const std::lock_guard lock{mutex_};
    for (const auto& [fd, made] : maps_)
      if (made.device == device && made.inode == inode) return true;
    return false;
  }
  void watch_frees(void (*freed)(std::uint64_t device, std::uint64_t inode)) {
    const std::lock_guard lock{mutex_};
    freed_ = freed;
  }

  /// Registers a buffer with FastRPC; fd -1 withdraws it.
  void register_buffer(void* address, std::uint64_t bytes, int fd) {
    const std::lock_guard lock{mutex_};
    if (fd >= 0) {
      buffers_[address] = bytes;
    } else {
      buffers_.erase(address);
    }
    counters_.live_registered_buffers = buffers_.size();
  }

  [[nodiscard]] RpcmemCounters counters() const {
    const std::lock_guard lock{mutex_};
    return counters_;
  }
  /// Adds a fault; with `tells` stderr gets a line when it fires for the first time.
  void add_fault(std::uint32_t call, std::uint64_t at_call, bool persistent, RpcmemFailure failure,
                 bool tells = false) {
    const std::lock_guard lock{mutex_};
    faults_.push_back({call, at_call, 0, persistent, failure, tells});
  }
  void clear_faults() {
    const std::lock_guard lock{mutex_};
    faults_.clear();
  }
  void reset_counters() {
    const std::lock_guard lock{mutex_};
    counters_.peak_bytes = counters_.live_bytes;
    counters_.allocations = 0;
    counters_.failed_allocations = 0;
    counters_.ignored_frees = 0;
    counters_.refused_to_fd = 0;
    counters_.freed_while_mapped = 0;
    counters_.refused_sizes = 0;
    counters_.refused_zero_sizes = 0;
    faults_.clear();
  }

 private:
  /// Whether a writable mapping of the file is left: then F_SEAL_WRITE fails at once, each time. It
  /// also fails, after some time, while the kernel itself keeps a page of the file.
  static bool is_mapped_writable(int fd) noexcept {
    for (int tries = 0; tries < 5; ++tries)
      if (::fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE) == 0 || errno != EBUSY) return false;
    return true;
  }

  struct Allocation {
    int fd;
    std::uint64_t bytes;
  };
  struct Map {
    std::uint64_t bytes;
    std::uint64_t device;
    std::uint64_t inode;
  };
  struct Fault {
    std::uint32_t call;
    std::uint64_t at_call;
    std::uint64_t seen;
    bool persistent;
    RpcmemFailure failure;
    bool tells;  ///< stderr gets a line when it fires
  };
  static constexpr std::uint64_t spoiled_bytes = std::uint64_t{64} << 10;

  /// Creates an allocation of whole pages.
  [[nodiscard]] void* make(std::uint64_t bytes) {
    const int fd =
        static_cast<int>(::syscall(SYS_memfd_create, "rpcmem", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd < 0) return nullptr;
    if (bytes > static_cast<std::uint64_t>(INT64_MAX) - page_bytes() ||
        ::ftruncate(fd, static_cast<off_t>(in_pages(bytes))) != 0) {
      ::close(fd);
      return nullptr;
    }
    void* const address = ::mmap(nullptr, static_cast<std::size_t>(in_pages(bytes)),
                                 PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (address == MAP_FAILED) {
      ::close(fd);
      return nullptr;
    }
    allocations_.emplace(address, Allocation{fd, bytes});
    return address;
  }

  /// Prints a fault that fires: the client may crash after it.
  static void tell(const Fault& fault, RpcmemCall call) {
    constexpr const char* names[] = {"rpcmem_alloc", "rpcmem_alloc2", "rpcmem_to_fd"};
    const char* const answer = call == RpcmemCall::to_fd                    ? "-1"
                               : fault.failure == RpcmemFailure::map_failed ? "MAP_FAILED"
                                                                            : "NULL";
    notice(text("QNNPP_SIM_FAULT: %s %llu returns %s%s", names[static_cast<std::size_t>(call)],
                static_cast<unsigned long long>(fault.seen), answer,
                fault.persistent ? ", as each later one" : ""));
  }

  [[nodiscard]] const Fault* next(RpcmemCall call) {
    Fault* fires = nullptr;
    for (Fault& fault : faults_) {
      if (fault.call != any_slot && fault.call != static_cast<std::uint32_t>(call)) continue;
      ++fault.seen;
      if (fault.persistent ? fault.seen >= fault.at_call : fault.seen == fault.at_call)
        if (fires == nullptr) fires = &fault;
    }
    if (fires != nullptr && std::exchange(fires->tells, false)) tell(*fires, call);
    return fires;
  }

  mutable std::mutex mutex_;
  std::map<void*, Allocation> allocations_;
  std::map<int, Map> maps_;
  std::map<void*, std::uint64_t> buffers_;
  std::vector<Fault> faults_;
  void (*freed_)(std::uint64_t device, std::uint64_t inode) = nullptr;
  RpcmemCounters counters_{};
};

}  // namespace qnnpp::sim
