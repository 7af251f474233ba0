// memory_file(): makes an anonymous file in memory.
#pragma once

#include "qnnpp/config.hpp"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Makes an anonymous file in memory, which exec() closes. Returns its descriptor, or -1 with
/// errno. Calls the system, because Android's C library has memfd_create() from API 30 on only.
[[nodiscard]] inline int memory_file(const char* name) noexcept {
  return static_cast<int>(::syscall(SYS_memfd_create, name, MFD_CLOEXEC));
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
