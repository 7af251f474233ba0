#include "failing_new.hpp"

#include <cstddef>
#include <cstdlib>

namespace {

constinit thread_local std::int64_t left = -1;

void* allocate(std::size_t bytes) {
  if (left >= 0 && left-- == 0) throw std::bad_alloc();
  void* const memory = std::malloc(bytes == 0 ? 1 : bytes);
  if (memory == nullptr) std::abort();
  return memory;
}

}  // namespace

namespace memory_test {

FailingNew::FailingNew(std::int64_t k) noexcept { left = k; }
FailingNew::~FailingNew() { left = -1; }

}  // namespace memory_test

void* operator new(std::size_t bytes) { return allocate(bytes); }
void* operator new[](std::size_t bytes) { return allocate(bytes); }
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete[](void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete[](void* memory, std::size_t) noexcept { std::free(memory); }
