// All registered memory handles, found by handle, by context and by file, with running totals.
// Registration and deregistration need O(log n) steps.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "sim/objects/device_memory.hpp"
#include "sim/objects/handle_table.hpp"
#include "sim/objects/registration.hpp"

namespace qnnpp::sim {

/// Totals of all registrations.
struct RegistrationTotals {
  std::uint64_t tensors = 0;
  std::uint64_t weights = 0;
  std::uint64_t spill_fills = 0;
  std::uint64_t vtcm_backups = 0;
  std::uint64_t mapped_bytes = 0;       ///< of all registrations
  std::uint64_t weights_bytes = 0;      ///< of weights registrations
  std::uint64_t spill_fill_bytes = 0;   ///< of distinct spill-fill regions
  std::uint64_t vtcm_backup_bytes = 0;  ///< of distinct VTCM backup regions
  std::uint64_t files = 0;              ///< files that the device maps
};

/// Registrations of the device. Not thread-safe: the device's mutex guards them.
class RegistrationTable {
 public:
  /// Borrows the flag `recycles`, like HandleTable.
  explicit RegistrationTable(const std::uint32_t* recycles = nullptr) noexcept : all_(recycles) {}

  /// Adds a registration and returns its handle, or 0 if the file cannot be mapped. Requires
  /// region, use and context. Query the table before, because it then contains this registration.
  /// `file_bytes` is the size of the file behind `fd`. `is_mapped` false skips the mapping.
  [[nodiscard]] std::uint64_t insert(std::shared_ptr<Registration> made, int fd,
                                     std::uint64_t file_bytes, bool is_mapped = true) {
    File& file = files_[made->region.file];
    if (is_mapped && !map(file, *made, fd, file_bytes)) {
      if (file.count() == 0) files_.erase(made->region.file);
      return 0;
    }
    const bool external = made->use != MemoryUse::tensor;
    if (file.count_like(external) == 0) file.told_bytes[external] = made->told_bytes;
    ++file.uses[static_cast<std::size_t>(made->use)];
    if (is_shared(made->use)) join(*made);
    const Registration& kept = *made;
    const std::uint64_t id = all_.insert(std::move(made));
    if (kept.use == MemoryUse::weights)
      file.weights.emplace(id, Span{kept.region.offset_bytes, kept.size_bytes});
    if (!external) tensors_.insert(kept.tensor);
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
    file->second.weights.erase(id);
    --file->second.uses[static_cast<std::size_t>(gone->use)];
    if (file->second.count() == 0) files_.erase(file);
    if (is_shared(gone->use)) leave(*gone);
    if (gone->use == MemoryUse::tensor) tensors_.erase(gone->tensor);
    count(*gone, static_cast<std::uint64_t>(-1));
    return true;
  }

  /// Removes all registrations of a context. Returns how many of them were tensors.
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

  [[nodiscard]] std::vector<std::uint64_t> handles_of(std::uint64_t context) const {
    std::vector<std::uint64_t> handles;
    for (auto at = by_context_.lower_bound({context, 0});
         at != by_context_.end() && at->first == context; ++at)
      handles.push_back(at->second);
    return handles;
  }
  /// Starts the handles after this serial, unless a handle exists.
  void begin_after(std::uint64_t serial) noexcept { all_.begin_after(serial); }

  /// Finds a registration; NULL for an unknown, stale or foreign handle.
  template <class Handle>
  [[nodiscard]] std::shared_ptr<Registration> find(Handle handle) const {
    return all_.find(handle);
  }
  [[nodiscard]] bool is_stale(std::uint64_t id) const { return all_.is_stale(id); }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

  /// True if any part of this file is registered.
  [[nodiscard]] bool knows(const FileKey& key) const { return files_.contains(key); }
  /// Returns another use that the file is registered for, or `use` if there is none.
  [[nodiscard]] MemoryUse other_use_of(const FileKey& key, MemoryUse use) const {
    const auto found = files_.find(key);
    if (found == files_.end()) return use;
    for (const MemoryUse other :
         {MemoryUse::weights, MemoryUse::spill_fill, MemoryUse::vtcm_backup, MemoryUse::tensor})
      if (other != use && found->second.uses[static_cast<std::size_t>(other)] != 0) return other;
    return use;
  }
  /// True if the file is registered with another size, as an external buffer or for a tensor like
  /// this registration.
  [[nodiscard]] bool has_other_size(const Registration& made) const {
    const bool external = made.use != MemoryUse::tensor;
    const auto found = files_.find(made.region.file);
    return found != files_.end() && found->second.count_like(external) != 0 &&
           found->second.told_bytes[external] != made.told_bytes;
  }
  /// True if the context has registered the same tensor before (SHB-05).
  [[nodiscard]] bool has(const TensorIdentity& tensor) const { return tensors_.contains(tensor); }
  /// True if weights are registered anywhere in these bytes (BUF-08).
  [[nodiscard]] bool has_weights_in(const RegionKey& region, std::uint64_t size_bytes) const {
    const auto found = files_.find(region.file);
    if (found == files_.end()) return false;
    const std::uint64_t begin = region.offset_bytes;
    for (const auto& [id, span] : found->second.weights)
      if (span.offset_bytes < begin ? begin - span.offset_bytes < span.size_bytes
                                    : span.offset_bytes - begin < size_bytes)
        return true;
    return false;
  }

  [[nodiscard]] RegistrationTotals totals() const noexcept {
    RegistrationTotals now = totals_;
    now.files = files_.size();
    return now;
  }

 private:
  struct Span {
    std::uint64_t offset_bytes;
    std::uint64_t size_bytes;
  };
  struct File {
    std::array<std::size_t, 4> uses{};  ///< registrations, by MemoryUse
    /// Size of the first tensor's registration, and of the first external buffer.
    std::array<std::uint64_t, 2> told_bytes{};
    std::shared_ptr<const DeviceMemory> mapping;
    std::map<std::uint64_t, Span> weights;  ///< by handle
    [[nodiscard]] std::size_t externals() const noexcept {
      return uses[static_cast<std::size_t>(MemoryUse::weights)] +
             uses[static_cast<std::size_t>(MemoryUse::spill_fill)] +
             uses[static_cast<std::size_t>(MemoryUse::vtcm_backup)];
    }
    [[nodiscard]] std::size_t count_like(bool external) const noexcept {
      return external ? externals() : uses[static_cast<std::size_t>(MemoryUse::tensor)];
    }
    [[nodiscard]] std::size_t count() const noexcept {
      return externals() + count_like(/*external=*/false);
    }
  };
  /// Registrations of the same spill-fill or VTCM backup region. It counts once, with its largest
  /// size.
  struct SharedRegion {
    std::multiset<std::uint64_t> sizes;
    std::shared_ptr<SpillFillUse> use = std::make_shared<SpillFillUse>();
    [[nodiscard]] std::uint64_t bytes() const { return sizes.empty() ? 0 : *sizes.rbegin(); }
  };

  /// Maps the whole file once for all its registrations, and again only if it has grown.
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

  [[nodiscard]] static bool is_shared(MemoryUse use) noexcept {
    return use == MemoryUse::spill_fill || use == MemoryUse::vtcm_backup;
  }
  [[nodiscard]] std::uint64_t& shared_bytes(MemoryUse use) noexcept {
    return use == MemoryUse::spill_fill ? totals_.spill_fill_bytes : totals_.vtcm_backup_bytes;
  }
  void join(Registration& made) {
    SharedRegion& region = shared_[{made.use, made.region}];
    std::uint64_t& bytes = shared_bytes(made.use);
    bytes -= region.bytes();
    region.sizes.insert(made.size_bytes);
    bytes += region.bytes();
    made.shared_use = region.use;
  }
  void leave(const Registration& gone) {
    const auto found = shared_.find({gone.use, gone.region});
    SharedRegion& region = found->second;
    std::uint64_t& bytes = shared_bytes(gone.use);
    bytes -= region.bytes();
    region.sizes.erase(region.sizes.find(gone.size_bytes));
    bytes += region.bytes();
    if (region.sizes.empty()) shared_.erase(found);
  }

  /// Adds `times` (1, or -1 modulo 2^64) registrations to the totals.
  void count(const Registration& one, std::uint64_t times) noexcept {
    totals_.mapped_bytes += times * one.size_bytes;
    switch (one.use) {
      case MemoryUse::tensor: totals_.tensors += times; break;
      case MemoryUse::weights:
        totals_.weights += times;
        totals_.weights_bytes += times * one.size_bytes;
        break;
      case MemoryUse::spill_fill: totals_.spill_fills += times; break;
      case MemoryUse::vtcm_backup: totals_.vtcm_backups += times; break;
    }
  }

  HandleTable<Registration, HandleKind::memory> all_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> by_context_;  ///< context, handle
  std::map<FileKey, File> files_;
  std::set<TensorIdentity> tensors_;
  std::map<std::pair<MemoryUse, RegionKey>, SharedRegion> shared_;
  RegistrationTotals totals_;
};

}  // namespace qnnpp::sim
