// One registered memory handle: a part of a client's buffer in the device's own mapping of it.
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

/// What registered memory is for. An fd is to serve one of them only (BUF-07).
enum class MemoryUse : std::uint8_t { tensor, weights, spill_fill };

/// Which bytes of which file: what two registrations share, if they share anything.
struct RegionKey {
  FileKey file;
  std::uint64_t offset_bytes = 0;
  friend auto operator<=>(const RegionKey&, const RegionKey&) = default;
};

/// How many executions run over one spill-fill memory. Its users share it.
class SpillFillUse {
 public:
  /// An execution of this context begins. True if one of another context runs: those of one context
  /// wait for each other.
  bool enter(std::uint64_t context) {
    const auto own = find(context);
    const bool is_shared = inside_.size() > (own == inside_.end() ? 0u : 1u);
    if (own == inside_.end())
      inside_.push_back({context, 1});
    else
      ++own->executions;
    return is_shared;
  }
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

  std::vector<Inside> inside_;  ///< keeps its memory, so that later executions allocate nothing
};

/// What must differ between two tensor registrations of one context: the library knows a descriptor
/// by its numbers, whatever memory the fd stands for by now.
struct TensorIdentity {
  std::uint64_t context = 0;
  int fd = -1;
  c_api::MemType type = c_api::MemType::undefined;
  std::uint64_t offset_bytes = 0;
  c_api::DataType data_type = c_api::DataType::undefined;
  std::vector<std::uint32_t> dimensions;
  friend auto operator<=>(const TensorIdentity&, const TensorIdentity&) = default;
};

struct Registration {
  std::uint64_t context = 0;
  MemoryUse use = MemoryUse::tensor;
  RegionKey region;
  std::uint64_t size_bytes = 0;
  std::uint64_t told_bytes = 0;  ///< weights and spill-fill: the descriptor's size
  bool is_cut_off = false;       ///< weights: the file ends before the bytes that the CPU copies
  /// The device's mapping of the file, which all registrations of the file share. NULL for an
  /// external buffer that FastRPC will not map: contextFinalize notices.
  std::shared_ptr<const DeviceMemory> mapping;
  std::byte* data = nullptr;                     ///< in the mapping, at the region's offset
  std::shared_ptr<SpillFillUse> spill_fill_use;  ///< spill-fill only
  TensorIdentity tensor;                         ///< tensors only
};

[[nodiscard]] constexpr const char* name_of(MemoryUse use) noexcept {
  switch (use) {
    case MemoryUse::tensor: return "tensor memory";
    case MemoryUse::weights: return "weights buffer";
    case MemoryUse::spill_fill: return "spill-fill buffer";
  }
  return "?";
}

}  // namespace qnnpp::sim
