// A camera: fills a ring of buffers on its own thread, as a camera service does. It stands for code
// that knows nothing of QNN and shares its buffers by file descriptors.
#pragma once

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "files.hpp"
#include "network.hpp"

namespace digits {

/// Delivers some batches of the images, in order. A frame has the pixels of one batch, a byte each.
class Camera {
 public:
  static constexpr std::uint64_t frame_bytes = batch * image_pixels;
  /// Whether the CPU must synchronise its caches before it reads a frame. A camera's dma-bufs need
  /// it; the memfds here are coherent.
  static constexpr bool needs_sync = false;

  struct Frame {
    std::size_t buffer = 0;       ///< Index of the buffer with the pixels.
    std::size_t first_image = 0;  ///< Index of the first image.
  };

  /// Starts a camera with this number of buffers, for this number of frames at most. Throws
  /// std::runtime_error without memory.
  Camera(const Images& images, std::size_t buffers, std::size_t frames)
      : images_(images), end_(std::min(frames, images.count() / batch) * batch) {
    for (std::size_t i = 0; i < buffers; ++i) {
      Buffer& buffer = buffers_.emplace_back();
      buffer.fd = static_cast<int>(::syscall(SYS_memfd_create, "dmabuf", MFD_CLOEXEC));
      if (buffer.fd >= 0 && ::ftruncate(buffer.fd, frame_bytes) == 0)
        buffer.pixels =
            ::mmap(nullptr, frame_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, buffer.fd, 0);
      if (buffer.pixels == MAP_FAILED) {
        const std::string reason = std::strerror(errno);
        free_buffers();
        throw std::runtime_error("the camera has no memory: " + reason);
      }
      empty_.push(i);
    }
    thread_ = std::thread(&Camera::record, this);
  }
  Camera(const Camera&) = delete;
  Camera& operator=(const Camera&) = delete;
  ~Camera() {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    changed_.notify_all();
    thread_.join();
    free_buffers();
  }

  [[nodiscard]] std::size_t buffers() const noexcept { return buffers_.size(); }
  /// The descriptor of a buffer. The camera owns it.
  [[nodiscard]] int fd(std::size_t buffer) const { return buffers_[buffer].fd; }

  /// Waits for the next frame. Its pixels do not change until release(). Returns nothing after the
  /// last frame.
  [[nodiscard]] std::optional<Frame> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !full_.empty() || ended_; });
    if (full_.empty()) return std::nullopt;
    const Frame frame = full_.front();
    full_.pop();
    return frame;
  }
  /// Gives the frame's buffer back to the camera.
  void release(const Frame& frame) {
    {
      const std::lock_guard lock(mutex_);
      empty_.push(frame.buffer);
    }
    changed_.notify_all();
  }

 private:
  struct Buffer {
    int fd = -1;
    void* pixels = MAP_FAILED;
  };

  void record() {
    for (std::size_t first = 0; first < end_; first += batch) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return !empty_.empty() || stopped_; });
      if (stopped_) return;
      const std::size_t buffer = empty_.front();
      empty_.pop();
      lock.unlock();
      std::memcpy(buffers_[buffer].pixels, images_.pixels.data() + first * image_pixels,
                  frame_bytes);
      lock.lock();
      full_.push({buffer, first});
      lock.unlock();
      changed_.notify_all();
    }
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }

  void free_buffers() noexcept {
    for (const Buffer& buffer : buffers_) {
      if (buffer.pixels != MAP_FAILED) ::munmap(buffer.pixels, frame_bytes);
      if (buffer.fd >= 0) ::close(buffer.fd);
    }
  }

  const Images& images_;
  std::size_t end_;  // Index after the last image.
  std::vector<Buffer> buffers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::queue<std::size_t> empty_;  // Buffers that the camera may fill.
  std::queue<Frame> full_;
  bool ended_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace digits
