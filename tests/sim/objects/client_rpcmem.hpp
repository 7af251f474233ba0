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

/// Control tables of all simulated libcdsprpc.so in this process. Thread-safe; calls neither QNN
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
    std::vector<const RpcmemControlTable*> found;
    for (const std::string& name : loaded.names) {
      void* const library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
      if (library == nullptr) continue;
      const auto entry =
          reinterpret_cast<RpcmemControlFn>(::dlsym(library, "qnnpp_sim_rpcmem_control"));
      if (entry != nullptr) found.push_back(entry());
      ::dlclose(library);
    }
    const std::lock_guard lock{mutex_};
    seen_ = std::max(seen_, loaded.count);
    for (const RpcmemControlTable* const table : found) keep(table, freed);
  }

  /// True if fastrpc_mmap of one of the libraries has mapped the file.
  [[nodiscard]] bool is_mapped(const FileKey& file) const {
    const std::lock_guard lock{mutex_};
    return std::any_of(tables_.begin(), tables_.end(), [&](const RpcmemControlTable* table) {
      return table->is_fastrpc_mapped(file.device, file.inode) != 0;
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
  void keep(const RpcmemControlTable* table, void (*freed)(std::uint64_t, std::uint64_t)) {
    if (table->version != control_version || table->size < sizeof(RpcmemControlTable) ||
        std::find(tables_.begin(), tables_.end(), table) != tables_.end())
      return;
    tables_.push_back(table);
    table->watch_frees(freed);
  }

  mutable std::mutex mutex_;
  unsigned long long seen_ = 0;
  std::vector<const RpcmemControlTable*> tables_;
};

}  // namespace qnnpp::sim
