// State of the simulated libcdsprpc.so that the client has loaded, under any name: reports whether
// fastrpc_mmap has mapped a file, and when the client frees memory.
#pragma once

#include "qnnpp/platform.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "qnnpp/sim/control.hpp"

#include "sim/objects/device_memory.hpp"

namespace qnnpp::sim {

/// Controls of all simulated libcdsprpc.so in this process. Thread-safe; calls neither QNN
/// nor the device.
class ClientRpcmem {
 public:
  /// Finds libraries that were loaded since the last call, and registers `freed` for frees of their
  /// memory. Calls the dynamic loader without holding its lock.
  void look(void (*freed)(std::uint64_t device, std::uint64_t inode)) {
    Loaded loaded;
    {
      const std::lock_guard lock{mutex_};
      loaded.seen = seen_;
    }
    ::dl_iterate_phdr(list, &loaded);
    if (loaded.count == loaded.seen) return;
    std::vector<RpcmemControl> found;
    for (const std::string& name : loaded.names) {
      void* const library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
      if (library == nullptr) continue;
      found.push_back(RpcmemControl::from(library));
      ::dlclose(library);
    }
    const std::lock_guard lock{mutex_};
    seen_ = std::max(seen_, loaded.count);
    for (const RpcmemControl& control : found) keep(control, freed);
  }

  /// True if fastrpc_mmap of one of the libraries has mapped the file.
  [[nodiscard]] bool is_mapped(const FileKey& file) const {
    const std::lock_guard lock{mutex_};
    return std::any_of(controls_.begin(), controls_.end(), [&](const RpcmemControl& control) {
      return control.is_fastrpc_mapped(file.device, file.inode);
    });
  }

 private:
  struct Loaded {
    unsigned long long seen = 0;
    unsigned long long count = 0;
    std::vector<std::string> names;
  };
  static int list(dl_phdr_info* info, std::size_t, void* data) {
    auto& loaded = *static_cast<Loaded*>(data);
    loaded.count = info->dlpi_adds;
    if (loaded.count == loaded.seen) return 1;
    if (info->dlpi_name != nullptr && *info->dlpi_name != '\0')
      loaded.names.emplace_back(info->dlpi_name);
    return 0;
  }
  void keep(const RpcmemControl& control, void (*freed)(std::uint64_t, std::uint64_t)) {
    const auto is_same = [&](const RpcmemControl& kept) {
      return kept.watch_frees == control.watch_frees;
    };
    if (!control || std::any_of(controls_.begin(), controls_.end(), is_same)) return;
    controls_.push_back(control);
    control.watch_frees(freed);
  }

  mutable std::mutex mutex_;
  unsigned long long seen_ = 0;
  std::vector<RpcmemControl> controls_;
};

}  // namespace qnnpp::sim
