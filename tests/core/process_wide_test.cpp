// Tests of what all copies of qnnpp in a process share. Each test starts a process of its own, as a
// process finds its registry once.
#include "qnnpp/core/detail/process_wide.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <string>

#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/context/detail/context_block.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"

namespace {

using qnnpp::Errc;
using qnnpp::detail::ProcessRegistry;
using qnnpp::detail::ProcessWide;
using qnnpp::detail::SharedObject;

struct Number {
  int value = 0;
};
using Shared = ProcessWide<Number, SharedObject::weights_in_use>;

/// Ends the process with success if `is_right`.
[[noreturn]] void end(bool is_right, const std::string& text = "") {
  std::fprintf(stderr, "%s", text.c_str());
  std::exit(is_right ? 0 : 1);
}
const testing::ExitedWithCode succeeds(0);

/// Publishes a registry as a copy of qnnpp with another layout would.
void publish(std::uint32_t layout) {
  const int fd = ::memfd_create(ProcessRegistry::name, MFD_CLOEXEC);
  ASSERT_EQ(::ftruncate(fd, sizeof(ProcessRegistry::Page)), 0);
  void* const at =
      ::mmap(nullptr, sizeof(ProcessRegistry::Page), PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  ::close(fd);
  auto* const page = new (at) ProcessRegistry::Page;
  page->layout = layout;
  // A leak checker does not read the page.
  static ProcessRegistry registry;
  page->registry = &registry;
}

/// Lets the process open no file more, until it ends.
class NoMoreFiles {
 public:
  NoMoreFiles() {
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit none{0, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &none);
  }
  NoMoreFiles(const NoMoreFiles&) = delete;
  NoMoreFiles& operator=(const NoMoreFiles&) = delete;
  ~NoMoreFiles() { ::setrlimit(RLIMIT_NOFILE, &before_); }

 private:
  rlimit before_{};
};

#if defined(__x86_64__) && defined(__GLIBC__)
// Whoever changes one of these sizes gives ProcessRegistry::layout_number another number.
static_assert(ProcessRegistry::layout_number == 1);
static_assert(sizeof(qnnpp::detail::ErrorLines) == 3128);
static_assert(sizeof(qnnpp::detail::LostContext) == 88);
static_assert(sizeof(qnnpp::detail::ExecutionLock) == 80);
static_assert(sizeof(qnnpp::detail::SpillFillMemory) == 32);
static_assert(sizeof(qnnpp::detail::WeightsUse) == 40);
#endif

TEST(process_wide, is_one_object_for_all_accesses_to_a_place) {
  const auto run = [] {
    Shared one;
    Shared other;
    ProcessWide<Number, SharedObject::lost_contexts> else_where;
    one->value = 7;
    else_where->value = 8;
    end(&*one == &*other && other->value == 7);
  };
  EXPECT_EXIT(run(), succeeds, "");
}

TEST(process_wide, is_found_by_a_copy_that_has_not_found_it_yet) {
  const auto run = [] {
    Shared()->value = 7;
    // As in the static variables of another copy.
    ProcessRegistry* const before = qnnpp::detail::process_registry.exchange(nullptr);
    end(Shared()->value == 7 && qnnpp::detail::process_registry == before);
  };
  EXPECT_EXIT(run(), succeeds, "");
}

TEST(process_wide, is_the_childs_own_after_a_fork) {
  const auto run = [] {
    Shared shared;
    shared->value = 7;
    const pid_t child = ::fork();
    if (child == 0) {
      qnnpp::detail::process_registry = nullptr;
      const bool is_copied = Shared()->value == 7;
      shared->value = 8;
      ::_exit(is_copied ? 0 : 1);
    }
    int status = 1;
    ::waitpid(child, &status, 0);
    end(status == 0 && shared->value == 7);
  };
  EXPECT_EXIT(run(), succeeds, "");
}

TEST(process_wide, of_another_layout_is_refused) {
  const auto run = [] {
    publish(ProcessRegistry::layout_number + 1);
    auto buffer = qnnpp::MemfdAllocator().allocate(4096);
    const auto region = qnnpp::MemRegion<qnnpp::SpillFill>::from_buffer(std::move(*buffer));
    const bool is_refused = !region && region.error().kind == Errc::version_unsupported;
    end(is_refused, region ? "" : region.error().message());
  };
  EXPECT_EXIT(run(), succeeds,
              "layout 2, and this copy knows layout 1; build both with one version of qnnpp");
}

TEST(process_wide, without_a_file_descriptor_is_an_error_until_there_is_one) {
  const auto run = [] {
    auto buffer = qnnpp::MemfdAllocator().allocate(4096);
    auto failed = [&] {
      const NoMoreFiles none;
      return ProcessRegistry::open("some step");
    }();
    const bool is_refused = !failed && failed.error().kind == Errc::allocation_failed;
    end(is_refused && ProcessRegistry::open("some step"), failed ? "" : failed.error().message());
  };
  EXPECT_EXIT(run(), succeeds, "/proc/self/maps");
}

TEST(process_wide, that_cannot_be_found_breaks_a_contract) {
  const auto run = [] {
    const NoMoreFiles none;
    (void)&*Shared();
  };
  EXPECT_EXIT(run(), testing::KilledBySignal(SIGABRT), "qnnpp: /proc/self/maps cannot be read");
}

}  // namespace
