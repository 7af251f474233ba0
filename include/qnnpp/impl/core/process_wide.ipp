// Definitions of process_wide.hpp.
#pragma once

#include "qnnpp/core/detail/process_wide.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <new>
#include <string_view>

#include <climits>

#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/memory_file.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// The list of the process's mappings, locked: only copies of qnnpp lock it.
class Mappings {
 public:
  Mappings() noexcept : fd_(::open("/proc/self/maps", O_RDONLY | O_CLOEXEC)) {
    while (fd_ >= 0 && ::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  Mappings(const Mappings&) = delete;
  Mappings& operator=(const Mappings&) = delete;
  ~Mappings() {
    if (fd_ < 0) return;
    // A child that was forked meanwhile has the file open too, and would keep the lock.
    (void)::flock(fd_, LOCK_UN);
    ::close(fd_);
  }
  [[nodiscard]] explicit operator bool() const noexcept { return fd_ >= 0; }

  /// Returns the start of the mapping whose line ends with `name`; null if there is none.
  [[nodiscard]] void* find(std::string_view name) noexcept {
    char text[2 * PATH_MAX];
    std::size_t begun = 0;  // bytes of a line whose end is not read yet
    while (begun < sizeof(text)) {
      const ssize_t added = ::read(fd_, text + begun, sizeof(text) - begun);
      if (added <= 0) break;
      std::string_view lines(text, begun + static_cast<std::size_t>(added));
      if (const auto at = lines.find(name); at != lines.npos)
        return reinterpret_cast<void*>(
            std::strtoull(text + (lines.rfind('\n', at) + 1), nullptr, 16));
      lines.remove_prefix(lines.rfind('\n') + 1);
      begun = lines.size();
      std::memmove(text, lines.data(), begun);
    }
    return nullptr;
  }

 private:
  int fd_;
};

/// Publishes a new registry. Returns null without memory, with errno.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE ProcessRegistry*
publish_registry() noexcept {
  auto* const made = new (std::nothrow) ProcessRegistry;
  const int fd = made == nullptr ? -1 : memory_file(ProcessRegistry::name);
  constexpr std::size_t bytes = sizeof(ProcessRegistry::Page);
  void* mapped = MAP_FAILED;
  if (fd >= 0 && ::ftruncate(fd, bytes) == 0)
    // Private, so that a forked child has its own.
    mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  const int reason = errno;
  if (fd >= 0) ::close(fd);
  if (mapped == MAP_FAILED) {
    delete made;
    errno = reason;
    return nullptr;
  }
  auto* const page = new (mapped) ProcessRegistry::Page;
  page->registry.store(made, std::memory_order_release);
  (void)::mprotect(mapped, bytes, PROT_READ);
  return made;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Result<void> ProcessRegistry::find(const char* step) {
  constexpr const char* object = "/proc/self/maps";
  const auto failed = [&](Errc kind, const char* why) {
    Error error = Error::make(kind, step, object, why);
    error.code = static_cast<std::uint16_t>(errno);
    return fail(std::move(error));
  };
  Mappings mappings;
  if (!mappings)
    return failed(
        errno == ENOENT || errno == EACCES ? Errc::file_unreadable : Errc::allocation_failed,
        "it shows other copies of qnnpp in the process; mount /proc");
  if (void* const at = mappings.find("/memfd:qnnpp-registry (deleted)\n")) {
    const Page& page = *static_cast<const Page*>(at);
    ProcessRegistry* const found = page.registry.load(std::memory_order_acquire);
    if (page.layout != layout_number)
      return fail(Errc::version_unsupported, step, "qnnpp",
                  {"the process has a copy of it whose shared objects have layout ", page.layout,
                   ", and this copy knows layout ", layout_number,
                   "; build both with one version of qnnpp"});
    process_registry.store(found, std::memory_order_release);
    return {};
  }
  ProcessRegistry* const made = publish_registry();
  if (made == nullptr)
    return failed(Errc::allocation_failed, "no page for what the copies of qnnpp share");
  process_registry.store(made, std::memory_order_release);
  return {};
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE ProcessRegistry& ProcessRegistry::get() noexcept {
  qnnpp::detail::expects(
      open("sharing objects of the process"),
      "/proc/self/maps cannot be read, which shows other copies of qnnpp in the process; "
      "close file descriptors, or mount /proc");
  return *process_registry.load(std::memory_order_acquire);
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
