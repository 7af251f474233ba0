// Reads client memory that may be unmapped. The kernel reports an error where a plain read crashes.
#pragma once

#include "qnnpp/platform.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>

namespace qnnpp::sim {

namespace detail {

/// Reads every remote piece into the one local piece; returns false if a piece cannot be read.
/// Reads directly if the system forbids the call. Sanitizers do not check the system call, so it
/// reads freed client memory without a report.
inline bool read_pieces(const iovec& local, const iovec* remote, std::size_t count) noexcept {
  const long got = ::syscall(SYS_process_vm_readv, static_cast<long>(::getpid()), &local, 1UL,
                             remote, count, 0UL);
  if (got >= 0) return static_cast<std::size_t>(got) == local.iov_len;
  if (errno != ENOSYS && errno != EPERM) return false;
  auto* to = static_cast<std::byte*>(local.iov_base);
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(to, remote[i].iov_base, remote[i].iov_len);
    to += remote[i].iov_len;
  }
  return true;
}

}  // namespace detail

/// True if all bytes from `address` on can be read now. Reads one byte of each page.
[[nodiscard]] inline bool is_readable(const void* address, std::uint64_t bytes) noexcept {
  if (bytes == 0) return true;
  constexpr std::uintptr_t page = 4096;
  constexpr std::size_t most = 256;
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (first == 0 || bytes > UINTPTR_MAX - first) return false;
  const std::uintptr_t last = first + static_cast<std::uintptr_t>(bytes) - 1;
  std::array<char, most> scratch;
  std::array<iovec, most> pieces;
  std::uintptr_t next = first;
  for (bool done = false; !done;) {
    std::size_t count = 0;
    while (count < most && !done) {
      pieces[count++] = {reinterpret_cast<void*>(next), 1};
      done = last - next < page - next % page;
      next += page - next % page;
    }
    if (!detail::read_pieces({scratch.data(), count}, pieces.data(), count)) return false;
  }
  return true;
}

/// True if all pages from `address` on are mapped, and a sample of them, with the first and the
/// last, can be read: cheaper than is_readable() for binaries and the data of tensors, and touches
/// no other page.
[[nodiscard]] inline bool is_mapped(const void* address, std::uint64_t bytes) noexcept {
  constexpr std::size_t samples = 16;
  const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
  if (bytes <= samples * page) return is_readable(address, bytes);
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (first == 0 || bytes > UINTPTR_MAX - first) return false;
  std::array<unsigned char, 4096> resident;
  const std::uintptr_t most = resident.size() * page;
  const std::uintptr_t end = first + static_cast<std::uintptr_t>(bytes);
  for (std::uintptr_t next = first - first % page; next < end; next += most)
    if (::mincore(reinterpret_cast<void*>(next), std::min(end - next, most), resident.data()) !=
            0 &&
        errno == ENOMEM)
      return false;
  std::array<char, samples> scratch;
  std::array<iovec, samples> pieces;
  for (std::size_t i = 0; i < samples; ++i)
    pieces[i] = {reinterpret_cast<void*>(i + 1 == samples ? end - 1 : first + bytes / samples * i),
                 1};
  return detail::read_pieces({scratch.data(), samples}, pieces.data(), samples);
}

/// Copies the struct at `address`; returns nullopt if that memory cannot be read.
template <class Struct>
  requires std::is_trivially_copyable_v<Struct>
[[nodiscard]] std::optional<Struct> read_client(const Struct* address) noexcept {
  Struct copy{};
  const iovec remote{const_cast<Struct*>(address), sizeof copy};
  if (!detail::read_pieces({&copy, sizeof copy}, &remote, 1)) return std::nullopt;
  return copy;
}

/// Copies the text at `address`; returns nullopt if it cannot be read.
[[nodiscard]] inline std::optional<std::string> read_client_text(const char* address) {
  constexpr std::uintptr_t most = 64;
  std::string text;
  std::array<char, most> piece;
  for (auto next = reinterpret_cast<std::uintptr_t>(address);;) {
    // No piece crosses the end of a page.
    const std::uintptr_t bytes = most - next % most;
    const iovec remote{reinterpret_cast<void*>(next), bytes};
    if (!detail::read_pieces({piece.data(), bytes}, &remote, 1)) return std::nullopt;
    const std::size_t length = ::strnlen(piece.data(), bytes);
    text.append(piece.data(), length);
    if (length != bytes) return text;
    next += bytes;
  }
}

}  // namespace qnnpp::sim
