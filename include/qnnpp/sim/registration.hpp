// One registered memory handle: the device's own mapping of a client's buffer, or of a part of it.
#pragma once

#include <cstdint>
#include <vector>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/sim/device_memory.hpp"

namespace qnnpp::sim {

/// What registered memory is for. An fd serves one of them only (BUF-07).
enum class MemoryUse : std::uint8_t { tensor, weights, spill_fill };

/// Which bytes of which file: what two registrations share, if they share anything.
struct RegionKey {
  FileKey file;
  std::uint64_t offset_bytes = 0;
  friend auto operator<=>(const RegionKey&, const RegionKey&) = default;
};

struct Registration {
  std::uint64_t context = 0;
  MemoryUse use = MemoryUse::tensor;
  RegionKey region;
  std::uint64_t size_bytes = 0;
  DeviceMemory memory;
  // tensors only
  abi::DataType data_type = abi::DataType::undefined;
  std::vector<std::uint32_t> dimensions;
};

[[nodiscard]] constexpr const char* name_of(MemoryUse use) noexcept {
  switch (use) {
    case MemoryUse::tensor:
      return "tensor memory";
    case MemoryUse::weights:
      return "weights buffer";
    case MemoryUse::spill_fill:
      return "spill-fill buffer";
  }
  return "?";
}

}  // namespace qnnpp::sim
