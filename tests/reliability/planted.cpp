// planted leak | race: does what the sanitizers look for, so that a test sees them report it.
#include <cstring>
#include <new>
#include <thread>

namespace {

void leak() {
  // Volatile: the only pointer to the memory is lost for sure.
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
