// Usage: planted leak | race. Makes the leak or the race on purpose, so that a test can check the
// report of the sanitizer.
#include <cstring>
#include <new>
#include <thread>

namespace {

void leak() {
  // Volatile, so that the compiler keeps the pointer and really loses it.
  void* volatile lost = ::operator new(64);
  lost = nullptr;
  (void)lost;
}

void race() {
  int shared = 0;
  std::thread other([&shared] { ++shared; });
  ++shared;
  other.join();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  std::strcmp(argv[1], "leak") == 0 ? leak() : race();
  return 0;
}
