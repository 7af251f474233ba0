// Whether client memory can be read: unmapped pages and pages without rights are found.
#include "sim/objects/client_memory.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

namespace {

constexpr std::size_t page = 4096;

/// Anonymous pages, which a test unmaps or makes unreadable.
class Memory {
 public:
  explicit Memory(std::size_t pages)
      : bytes_(pages * page),
        data_(static_cast<std::byte*>(
            ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {}
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() {
    // Not the page that is gone: another mapping may be there now.
    ::munmap(data_, std::min(gone_ * page, bytes_));
    if (const std::size_t next = (gone_ + 1) * page; next < bytes_)
      ::munmap(data_ + next, bytes_ - next);
  }

  void unmap(std::size_t at) {
    EXPECT_EQ(::munmap(data_ + at * page, page), 0);
    gone_ = at;
  }
  void forbid(std::size_t at) const {
    EXPECT_EQ(::mprotect(data_ + at * page, page, PROT_NONE), 0);
  }
  [[nodiscard]] const std::byte* data() const { return data_; }

 private:
  std::size_t bytes_;
  std::byte* data_;
  std::size_t gone_ = bytes_ / page;
};

TEST(client_memory, is_mapped_from_its_first_byte_to_its_last) {
  for (const std::size_t pages : {1u, 15u, 17u, 100u, 5000u}) {
    const Memory memory(pages + 2);
    memory.forbid(0);
    memory.forbid(pages + 1);
    const std::byte* const first = memory.data() + page;
    EXPECT_TRUE(qnnpp::sim::is_mapped(first, pages * page));
    EXPECT_TRUE(qnnpp::sim::is_mapped(first + 1, pages * page - 1));
    EXPECT_FALSE(qnnpp::sim::is_mapped(first, pages * page + 1));
    EXPECT_FALSE(qnnpp::sim::is_mapped(first - 1, pages * page));
  }
  EXPECT_TRUE(qnnpp::sim::is_mapped(nullptr, 0));
  EXPECT_FALSE(qnnpp::sim::is_mapped(nullptr, 1000 * page));
}

TEST(client_memory, with_an_unmapped_page_is_not_mapped) {
  for (const std::size_t pages : {3u, 17u, 100u, 5000u})
    for (const std::size_t gone : {std::size_t{0}, pages / 2, pages - 2, pages - 1}) {
      Memory memory(pages);
      memory.unmap(gone);
      EXPECT_FALSE(qnnpp::sim::is_mapped(memory.data(), pages * page)) << gone << " of " << pages;
    }
}

}  // namespace
