// All registered memory handles, found by handle, by context and by file, with running totals: to
// register or deregister one among n takes log n steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "sim/objects/device_memory.hpp"
#include "sim/objects/handle_table.hpp"
#include "sim/objects/registration.hpp"

namespace qnnpp::sim {

/// What is registered, in sums.
struct RegistrationTotals {
  std::uint64_t tensors = 0;
  std::uint64_t weights = 0;
  std::uint64_t spill_fills = 0;
  std::uint64_t mapped_bytes = 0;      ///< of all of them
  std::uint64_t weights_bytes = 0;     ///< of the weights regions
  std::uint64_t spill_fill_bytes = 0;  ///< of the distinct spill-fill regions
  std::uint64_t files = 0;             ///< files that the device maps
};

/// The registrations of the device. Not locked: the device's mutex guards it.
class RegistrationTable {
 public:
  /// Adds one whose region, use and context are set and for which the questions below were asked;
  /// it is given its place in the mapping of its file. Returns its handle; 0 if the file cannot be
  /// mapped. `file_bytes` is the size of the file behind `fd`.
  [[nodiscard]] std::uint64_t insert(std::shared_ptr<Registration> made, int fd,
                                     std::uint64_t file_bytes) {
    File& file = files_[made->region.file];
    if (!map(file, *made, fd, file_bytes)) {
      if (file.regions.empty()) files_.erase(made->region.file);
      return 0;
    }
    if (file.regions.empty()) file.told_bytes = made->told_bytes;
    file.use = made->use;
    if (made->use == MemoryUse::spill_fill) join(*made);
    const Registration& kept = *made;
    const std::uint64_t id = all_.insert(std::move(made));
    file.regions.emplace(Place{kept.region.offset_bytes, kept.context}, kept.size_bytes);
    by_context_.emplace(kept.context, id);
    count(kept, 1);
    return id;
  }

  bool erase(std::uint64_t id) {
    const std::shared_ptr<Registration> gone = all_.find(id);
    if (gone == nullptr) return false;
    all_.erase(id);
    by_context_.erase({gone->context, id});
    const auto file = files_.find(gone->region.file);
    file->second.regions.erase({gone->region.offset_bytes, gone->context});
    if (file->second.regions.empty()) files_.erase(file);
    if (gone->use == MemoryUse::spill_fill) leave(*gone);
    count(*gone, static_cast<std::uint64_t>(-1));
    return true;
  }

  /// Takes all of a context's away; how many of them were tensors'.
  std::uint64_t erase_context(std::uint64_t context) {
    const std::uint64_t before = totals_.tensors;
    for (auto at = by_context_.lower_bound({context, 0});
         at != by_context_.end() && at->first == context;) {
      const std::uint64_t id = at->second;
      ++at;
      erase(id);
    }
    return before - totals_.tensors;
  }

  /// Handles begin after this serial, if none was given out yet.
  void begin_after(std::uint64_t serial) noexcept { all_.begin_after(serial); }

  /// NULL for an unknown, stale or foreign handle.
  template <class Handle>
  [[nodiscard]] std::shared_ptr<Registration> find(Handle handle) const {
    return all_.find(handle);
  }
  [[nodiscard]] bool is_stale(std::uint64_t id) const { return all_.is_stale(id); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

  /// What the file is registered for already; `otherwise` if it is not registered.
  [[nodiscard]] MemoryUse use_of(const FileKey& key, MemoryUse otherwise) const {
    const auto found = files_.find(key);
    return found == files_.end() ? otherwise : found->second.use;
  }
  /// With which size the file was registered first; `otherwise` if it is not registered.
  [[nodiscard]] std::uint64_t told_bytes(const FileKey& key, std::uint64_t otherwise) const {
    const auto found = files_.find(key);
    return found == files_.end() ? otherwise : found->second.told_bytes;
  }
  /// True if the context has registered what begins at this byte (SHB-05).
  [[nodiscard]] bool has(const RegionKey& region, std::uint64_t context) const {
    const auto found = files_.find(region.file);
    return found != files_.end() && found->second.regions.contains({region.offset_bytes, context});
  }
  /// True if the file is registered somewhere in these bytes. Its regions must not overlap, as
  /// those of weights do not (BUF-08).
  [[nodiscard]] bool overlaps(const RegionKey& region, std::uint64_t size_bytes) const {
    const auto found = files_.find(region.file);
    if (found == files_.end()) return false;
    const auto& regions = found->second.regions;
    const auto next = regions.lower_bound({region.offset_bytes, 0});
    if (next != regions.end() && next->first.offset_bytes - region.offset_bytes < size_bytes)
      return true;
    if (next == regions.begin()) return false;
    const auto& [place, bytes] = *std::prev(next);
    return region.offset_bytes - place.offset_bytes < bytes;
  }

  [[nodiscard]] RegistrationTotals totals() const noexcept {
    RegistrationTotals now = totals_;
    now.files = files_.size();
    return now;
  }

 private:
  struct Place {
    std::uint64_t offset_bytes;
    std::uint64_t context;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  struct File {
    MemoryUse use = MemoryUse::tensor;
    std::uint64_t told_bytes = 0;  ///< of the first registration
    std::shared_ptr<const DeviceMemory> mapping;
    std::map<Place, std::uint64_t> regions;  ///< sizes in bytes
  };
  /// Registrations of the same spill-fill region: it counts once, with its largest size.
  struct SpillFillRegion {
    std::multiset<std::uint64_t> sizes;
    std::shared_ptr<SpillFillUse> use = std::make_shared<SpillFillUse>();
    [[nodiscard]] std::uint64_t bytes() const { return sizes.empty() ? 0 : *sizes.rbegin(); }
  };

  /// The whole file is mapped once for all its registrations, and again only if it has grown.
  static bool map(File& file, Registration& made, int fd, std::uint64_t file_bytes) {
    const std::uint64_t end = made.region.offset_bytes + made.size_bytes;
    if (file.mapping == nullptr || file.mapping->size_bytes() < end) {
      DeviceMemory mapping = DeviceMemory::map(fd, 0, file_bytes);
      if (!mapping) return false;
      file.mapping = std::make_shared<const DeviceMemory>(std::move(mapping));
    }
    made.mapping = file.mapping;
    made.data = file.mapping->data() + made.region.offset_bytes;
    return true;
  }

  void join(Registration& made) {
    SpillFillRegion& region = spill_fills_[made.region];
    totals_.spill_fill_bytes -= region.bytes();
    region.sizes.insert(made.size_bytes);
    totals_.spill_fill_bytes += region.bytes();
    made.spill_fill_use = region.use;
  }
  void leave(const Registration& gone) {
    const auto found = spill_fills_.find(gone.region);
    SpillFillRegion& region = found->second;
    totals_.spill_fill_bytes -= region.bytes();
    region.sizes.erase(region.sizes.find(gone.size_bytes));
    totals_.spill_fill_bytes += region.bytes();
    if (region.sizes.empty()) spill_fills_.erase(found);
  }

  /// `times` is 1 or -1, modulo 2^64.
  void count(const Registration& one, std::uint64_t times) noexcept {
    totals_.mapped_bytes += times * one.size_bytes;
    switch (one.use) {
      case MemoryUse::tensor: totals_.tensors += times; break;
      case MemoryUse::weights:
        totals_.weights += times;
        totals_.weights_bytes += times * one.size_bytes;
        break;
      case MemoryUse::spill_fill: totals_.spill_fills += times; break;
    }
  }

  HandleTable<Registration, HandleKind::memory> all_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_context_;  ///< context, handle
  std::map<FileKey, File> files_;
  std::map<RegionKey, SpillFillRegion> spill_fills_;
  RegistrationTotals totals_;
};

}  // namespace qnnpp::sim
