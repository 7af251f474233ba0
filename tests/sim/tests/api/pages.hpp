// Client memory that a test can unmap.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <new>

namespace sim_test {

/// Client memory in separate pages, which take_away() makes unreadable.
class Pages {
 public:
  explicit Pages(std::size_t bytes) : bytes_(bytes) {
    data_ = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(data_, MAP_FAILED);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { ::munmap(data_, bytes_); }
  void take_away() const { EXPECT_EQ(::mprotect(data_, bytes_, PROT_NONE), 0); }
  template <class Object>
  Object* make() const {
    return ::new (data_) Object{};
  }
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  void* data_;
  std::size_t bytes_;
};

}  // namespace sim_test
