// Waiting for another thread of the process to wait.
#pragma once

#include <atomic>
#include <fstream>
#include <string>
#include <thread>

namespace support {

/// Waits until the thread with this system id, 0 until it is known, sleeps or has ended.
inline void wait_until_it_sleeps(const std::atomic<int>& thread) {
  while (thread.load() == 0) std::this_thread::yield();
  for (;;) {
    std::ifstream file("/proc/self/task/" + std::to_string(thread.load()) + "/stat");
    std::string text;
    if (!std::getline(file, text)) return;
    const std::size_t name_end = text.rfind(')');
    if (name_end != std::string::npos && text.compare(name_end, 3, ") S") == 0) return;
    std::this_thread::yield();
  }
}

}  // namespace support
