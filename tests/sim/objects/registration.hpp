// One registered memory handle: a part of a client's buffer, in the device's own mapping.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/memory.hpp"

#include "sim/objects/device_memory.hpp"

namespace qnnpp::sim {

/// Purpose of registered memory. A file must serve only one of them (BUF-07).
enum class MemoryUse : std::uint8_t { tensor, weights, spill_fill, vtcm_backup };

/// File and offset of a region. Registrations with the same key share memory.
struct RegionKey {
  FileKey file;
  std::uint64_t offset_bytes = 0;
  friend auto operator<=>(const RegionKey&, const RegionKey&) = default;
};

/// Counts the executions that use one spill-fill or VTCM backup memory. All its users share the
/// object.
class SpillFillUse {
 public:
  /// Starts an execution of this context. Returns true if an execution of another context is
  /// running; executions of one context wait for each other.
  bool enter(std::uint64_t context) {
    const auto own = find(context);
    const bool is_shared = inside_.size() > (own == inside_.end() ? 0u : 1u);
    parallel_ += is_shared ? 1 : 0;
    if (own == inside_.end())
      inside_.push_back({context, 1});
    else
      ++own->executions;
    return is_shared;
  }
  /// Returns how many executions have started while one of another context was running.
  [[nodiscard]] std::uint64_t parallel() const noexcept { return parallel_; }
  void leave(std::uint64_t context) {
    const auto own = find(context);
    if (own != inside_.end() && --own->executions == 0) inside_.erase(own);
  }

 private:
  struct Inside {
    std::uint64_t context;
    std::uint32_t executions;
  };
  std::vector<Inside>::iterator find(std::uint64_t context) {
    return std::find_if(inside_.begin(), inside_.end(),
                        [context](const Inside& one) { return one.context == context; });
  }

  std::uint64_t parallel_ = 0;
  std::vector<Inside> inside_;  ///< keeps its capacity, so that later executions allocate nothing
};

/// Identity of a tensor registration in one context. The host library compares the descriptor's
/// numbers, even if the fd now names other memory.
struct TensorIdentity {
  std::uint64_t context = 0;
  int fd = -1;
  c_api::MemType type = c_api::MemType::undefined;
  std::uint64_t offset_bytes = 0;
  c_api::DataType data_type = c_api::DataType::undefined;
  std::vector<std::uint32_t> dimensions;
  friend auto operator<=>(const TensorIdentity&, const TensorIdentity&) = default;
};

/// One registered memory handle.
struct Registration {
  std::uint64_t context = 0;
  MemoryUse use = MemoryUse::tensor;
  RegionKey region;
  std::uint64_t size_bytes = 0;
  std::uint64_t told_bytes = 0;  ///< the descriptor's size; without one the tensor's
  bool is_cut_off = false;       ///< weights: the file ends before the end of the weights
  bool is_freed = false;         ///< external buffer: the client has freed its memory
  /// The device's mapping of the file, which all registrations of the file share. NULL for an
  /// external buffer that FastRPC cannot map: contextFinalize fails then.
  std::shared_ptr<const DeviceMemory> mapping;
  std::byte* data = nullptr;                 ///< in the mapping, at the region's offset
  std::shared_ptr<SpillFillUse> shared_use;  ///< spill-fill and VTCM backup only
  TensorIdentity tensor;                     ///< tensors only
};

[[nodiscard]] constexpr const char* name_of(MemoryUse use) noexcept {
  switch (use) {
    case MemoryUse::tensor: return "tensor memory";
    case MemoryUse::weights: return "weights buffer";
    case MemoryUse::spill_fill: return "spill-fill buffer";
    case MemoryUse::vtcm_backup: return "VTCM backup buffer";
  }
  return "?";
}

}  // namespace qnnpp::sim
