// Exhausted limits of the system: threads, file descriptors, mappings. The linker redirects the
// program's calls of pthread_create and mmap (--wrap), because root has no limit of threads.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "residency_fixture.hpp"
#include "temporary_folder.hpp"

namespace support { namespace {

/// Number of the next calls that fail.
std::atomic<int> failing_threads{0};
std::atomic<int> failing_mappings{0};
/// Reports whether this call fails, and counts it.
bool is_to_fail(std::atomic<int>& calls) {
  int left = calls.load();
  while (left > 0)
    if (calls.compare_exchange_weak(left, left - 1)) return true;
  return false;
}

}}  // namespace support

extern "C" {
int __real_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                          void* argument);
int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                          void* argument);
void* __real_mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset);
void* __wrap_mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset);

int __wrap_pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                          void* argument) {
  if (support::is_to_fail(support::failing_threads)) return EAGAIN;
  return __real_pthread_create(thread, attributes, body, argument);
}
/// Fails only for mappings of binaries, which are private mappings of a file.
void* __wrap_mmap(void* address, size_t length, int protection, int flags, int fd, off_t offset) {
  if (fd >= 0 && (flags & MAP_PRIVATE) != 0 && support::is_to_fail(support::failing_mappings)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  return __real_mmap(address, length, protection, flags, fd, offset);
}
}

namespace support { namespace {

using namespace qnnpp;

/// Leaves no descriptor free while this object lives, except those that are closed afterwards.
class NoDescriptors {
 public:
  NoDescriptors() {
    (void)::getrlimit(RLIMIT_NOFILE, &before_);
    rlimit limit = before_;
    limit.rlim_cur = 0;
    for (rlim_t fd = 0; fd < before_.rlim_cur; ++fd)
      if (::fcntl(static_cast<int>(fd), F_GETFD) >= 0) limit.rlim_cur = fd + 1;
    (void)::setrlimit(RLIMIT_NOFILE, &limit);
    for (int fd; (fd = ::open("/dev/null", O_RDONLY | O_CLOEXEC)) >= 0;) taken_.push_back(fd);
  }
  NoDescriptors(const NoDescriptors&) = delete;
  NoDescriptors& operator=(const NoDescriptors&) = delete;
  ~NoDescriptors() {
    (void)::setrlimit(RLIMIT_NOFILE, &before_);
    for (const int fd : taken_) (void)::close(fd);
  }

 private:
  rlimit before_{};
  std::vector<int> taken_;
};

/// Contexts whose binaries are files.
class a_residency_out_of : public ResidencyTest {
 protected:
  void SetUp() override {
    ResidencyTest::SetUp();
    for (model::BinarySource& source : sources) {
      const std::string path = folder_.file(source.name);
      std::ofstream(path, std::ios::binary)
          .write(reinterpret_cast<const char*>(source.bytes.data()),
                 static_cast<std::streamsize>(source.bytes.size()));
      source = BinarySource::file(path);
    }
  }
  void TearDown() override {
    failing_threads = 0;
    failing_mappings = 0;
    ResidencyTest::TearDown();
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(a_residency_out_of, threads_does_not_concern_a_load_which_then_prepares_nothing) {
  for (const auto sharing :
       {model::SpillFillSharing::external_buffer, model::SpillFillSharing::none}) {
    failing_threads = 1;
    const auto loaded =
        must(model::load(backend(), allocator(), sources, {.sharing = sharing, .ahead = 2}));
    EXPECT_EQ(failing_threads, 0) << "it has tried once";
    expect_to_work(loaded);
  }
}

TEST_F(a_residency_out_of, threads_is_no_residency_and_says_so) {
  Options made = cyclic(3);
  made.prefetch = Prefetch::spare_room;
  failing_threads = 1;
  const Error error = error_of(create(made));
  EXPECT_EQ(error.kind, Errc::allocation_failed);
  EXPECT_STREQ(error.step, "pthread_create");
  EXPECT_EQ(error.code, EAGAIN);
  EXPECT_EQ(control().counters().live_contexts, 0u);
  EXPECT_EQ(rpcmem_control().counters().live_allocations, 0u);
  auto residency = must(create(std::move(made)));
  serve(residency, requests_of(6, 1));
}

TEST_F(a_residency_out_of, RES_01_descriptors_evicts_and_tries_again) {
  auto residency = must(create(options()));
  serve(residency, {0, 1, 2});
  {
    const NoDescriptors limit;
    serve(residency, {3, 4});
    EXPECT_GE(residency.stats().evictions, 2u);
  }
  residency.forget_learnt();
  serve(residency, requests_of(6, 1));
  EXPECT_EQ(residency.stats().resident_contexts, 6u);
}

/// Duplicates the descriptor of each allocation. The first `*failing` duplications find no free
/// descriptor.
struct Duplicating {
  [[nodiscard]] Result<DmaBuffer> allocate(std::uint64_t bytes) const {
    auto memory = rpcmem->allocate(bytes);
    if (!memory) return memory;
    std::optional<NoDescriptors> limit;
    if ((*failing)-- > 0) limit.emplace();
    const auto duplicate = DmaBuffer::from_native(memory->fd(), bytes);
    if (!duplicate) return fail(duplicate.error());
    return memory;
  }
  const RpcmemAllocator* rpcmem;
  int* failing;
};

TEST_F(a_residency_out_of, RES_01_descriptors_to_duplicate_evicts_and_tries_again) {
  int failing = 0;
  auto residency = must(model::Residency<Payload>::create(
      backend(), Duplicating{&allocator(), &failing}, sources, options()));
  for (const std::size_t i : {0u, 1u, 2u}) ASSERT_TRUE(succeeds(residency.acquire(i)));
  failing = 1;
  EXPECT_TRUE(succeeds(residency.acquire(3)));
  EXPECT_EQ(residency.stats().capacity_retries, 1u);
  EXPECT_EQ(residency.stats().evictions, 1u);
}

TEST_F(a_residency_out_of, RES_01_room_for_a_payload_evicts_and_tries_again) {
  int failing = 0;
  Options made = options();
  made.payload = [make = made.payload, &failing](
                     std::size_t i, const Context<Finalized>& context) -> Result<Payload> {
    if (failing-- > 0) return fail(Error::make(Errc::allocation_failed, "mmap", "a tensor"));
    return make(i, context);
  };
  auto residency = must(create(std::move(made)));
  serve(residency, {0, 1, 2});
  failing = 3;
  serve(residency, {3});
  EXPECT_EQ(residency.stats().evictions, 2u);
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{2, 3}));
  failing = 100;
  EXPECT_EQ(error_of(residency.acquire(4)).kind, Errc::allocation_failed);
  EXPECT_EQ(residency.stats().resident_contexts, 0u);
}

TEST_F(a_residency_out_of, RES_01_descriptors_with_nothing_to_evict_says_so) {
  auto residency = must(create(options()));
  const NoDescriptors limit;
  const Error error = error_of(residency.acquire(0));
  EXPECT_EQ(error.kind, Errc::file_unreadable);
  EXPECT_EQ(error.code, EMFILE);
  EXPECT_EQ(error.object, sources[0].name);
}

TEST_F(a_residency_out_of, RES_01_mappings_evicts_and_tries_again) {
  auto residency = must(create(options()));
  serve(residency, {0, 1, 2});
  failing_mappings = 2;
  serve(residency, {3});
  EXPECT_EQ(failing_mappings.load(), 0);
  EXPECT_EQ(residency.stats().capacity_retries, 2u);
  EXPECT_EQ(resident(residency), (std::set<std::size_t>{2, 3}));
}

TEST_F(a_residency_out_of, RES_01_mappings_ahead_keeps_it_to_itself) {
  Options made = cyclic(6);
  made.prefetch = Prefetch::spare_room;
  auto residency = must(create(std::move(made)));
  must(residency.settle());
  // The first failure is that of reading context 2 while context 1 is loaded, which its own load
  // repeats.
  failing_mappings = 2;
  serve(residency, {0});
  must(residency.settle());
  EXPECT_EQ(failing_mappings.load(), 1);
  EXPECT_TRUE(residency.is_resident(1));
  serve(residency, {1});
  must(residency.settle());
  EXPECT_EQ(failing_mappings.load(), 0);
  EXPECT_FALSE(residency.is_resident(2));
  serve(residency, {2});
}

}}  // namespace support
