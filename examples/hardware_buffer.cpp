// Zero copy from Android's AHardwareBuffer, in which cameras, video decoders and GPUs hand over
// their results: the HTP reads the input where the producer wrote it.
//
//   make_binaries --output BINARIES --input_output_tensor_mem_type memhandle
//   hardware_buffer --backend libQnnHtp.so --rpcmem libcdsprpc.so --folder BINARIES
//
// libnativewindow.so has AHardwareBuffer from API 26 on. The NDK declares all of its functions but
// AHardwareBuffer_getNativeHandle, so the program finds them by their names and runs elsewhere with
// a library that has them (--native-window).
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "qnnpp/format.hpp"
#include "qnnpp/qnnpp.hpp"
#include "qnnpp/throw.hpp"

#include "digits/program.hpp"
#include "digits/task.hpp"
#include "tool/tolerance.hpp"

namespace {

using namespace qnnpp;

struct AHardwareBuffer;

/// AHardwareBuffer_Desc of <android/hardware_buffer.h>.
struct Description {
  std::uint32_t width = 0;  ///< Bytes, for the format BLOB.
  std::uint32_t height = 1;
  std::uint32_t layers = 1;
  std::uint32_t format = 0x21;                ///< AHARDWAREBUFFER_FORMAT_BLOB
  std::uint64_t usage = 3 << 4 | 1ULL << 24;  ///< CPU_WRITE_OFTEN | GPU_DATA_BUFFER
  std::uint32_t stride = 0;
  std::uint32_t reserved = 0;
  std::uint64_t reserved_too = 0;
};

/// native_handle_t of <cutils/native_handle.h>.
struct NativeHandle {
  int version;
  int descriptors;  ///< Number of descriptors, which begin `data`.
  int numbers;
  int data[1];
};

/// The functions of libnativewindow.so.
class NativeWindow {
 public:
  explicit NativeWindow(const std::string& path)
      : library_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(::dlerror());
    find(allocate, "AHardwareBuffer_allocate");
    find(release, "AHardwareBuffer_release");
    find(lock, "AHardwareBuffer_lock");
    find(unlock, "AHardwareBuffer_unlock");
    find(native_handle, "AHardwareBuffer_getNativeHandle");
  }

  int (*allocate)(const Description*, AHardwareBuffer**) = nullptr;
  void (*release)(AHardwareBuffer*) = nullptr;
  /// Buffer, usage, fence or -1, rectangle or null, address.
  int (*lock)(AHardwareBuffer*, std::uint64_t, std::int32_t, const void*, void**) = nullptr;
  int (*unlock)(AHardwareBuffer*, std::int32_t*) = nullptr;
  const NativeHandle* (*native_handle)(const AHardwareBuffer*) = nullptr;

 private:
  template <class Function>
  void find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library_.get(), name));
    if (function == nullptr) throw std::runtime_error(::dlerror());
  }
  struct Close {
    void operator()(void* library) const noexcept { ::dlclose(library); }
  };
  std::unique_ptr<void, Close> library_;
};

/// A buffer as its producer has it.
class HardwareBuffer {
 public:
  HardwareBuffer(const NativeWindow& window, std::uint64_t bytes) : window_(window) {
    const Description description{.width = static_cast<std::uint32_t>(bytes)};
    if (window_.allocate(&description, &buffer_) != 0)
      throw std::runtime_error(fmt::format("no AHardwareBuffer of {} B", bytes));
  }
  HardwareBuffer(const HardwareBuffer&) = delete;
  HardwareBuffer& operator=(const HardwareBuffer&) = delete;
  ~HardwareBuffer() { window_.release(buffer_); }

  void write(const void* from, std::size_t bytes) const {
    void* to = nullptr;
    if (window_.lock(buffer_, Description{}.usage, -1, nullptr, &to) != 0)
      throw std::runtime_error("the AHardwareBuffer cannot be locked");
    std::memcpy(to, from, bytes);
    window_.unlock(buffer_, nullptr);  // Synchronises the caches.
  }
  /// The descriptor of the memory. The AHardwareBuffer owns it.
  [[nodiscard]] int fd() const {
    const NativeHandle* const handle = window_.native_handle(buffer_);
    if (handle == nullptr || handle->descriptors < 1)
      throw std::runtime_error("the AHardwareBuffer has no descriptor");
    return handle->data[0];
  }

 private:
  const NativeWindow& window_;
  AHardwareBuffer* buffer_ = nullptr;
};

void run(const digits::Arguments& arguments, const std::string& native_window) {
  const digits::Task task = digits::load_task(arguments.data);
  const auto backend = value_or_throw(Backend<Htp>::load({.library = arguments.backend}));
  const auto rpcmem = value_or_throw(RpcmemAllocator::load(arguments.rpcmem));
  const auto context = value_or_throw(
      ContextBinary::map(arguments.folder + "/classifier.bin").and_then([&](ContextBinary binary) {
        return Context<Finalized>::restore(backend, std::move(binary));
      }));
  auto graph = value_or_throw(Graph<Retrieved, RegisteredIo>::retrieve(context, "classifier"));
  const TensorSpec positions = graph.inputs()[0];
  const std::uint64_t bytes = value_or_throw(positions.size_bytes());

  const NativeWindow window(native_window);
  const HardwareBuffer produced(window, bytes);
  // The buffer has a duplicate of the descriptor, so the AHardwareBuffer could be released now. The
  // producer synchronises the caches.
  const auto input = value_or_throw(
      DmaBuffer::from_native(produced.fd(), bytes)
          .and_then(
              [](DmaBuffer buffer) { return MemRegion<TensorIo>::from_buffer(std::move(buffer)); })
          .and_then([&](MemRegion<TensorIo> region) {
            return SharedBuffer<PerTensor>::from_region(std::move(region), positions);
          }));
  const auto inputs = value_or_throw(RegisteredTensors::create(context, input));
  const auto output = value_or_throw(SharedBuffer<PerTensor>::allocate(rpcmem, graph.outputs()));
  const auto outputs = value_or_throw(RegisteredTensors::create(context, output));
  auto bound = value_or_throw(std::move(graph).bind(
      {registered(inputs, "positions"), registered(outputs, "probabilities")}));

  produced.write(task.input.data(), task.input.size() * sizeof(float));
  value_or_throw(bound.execute());

  const auto probabilities =
      value_or_throw(output.access<const float>("probabilities", CpuUse::read));
  fmt::print("{}: {} B in an AHardwareBuffer\n", positions, bytes);
  digits::report(task, probabilities.elements(), tool::tolerance(backend).digits);
  digits::print_copied(arguments.backend);
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Classifies four digits, whose input is in an AHardwareBuffer", "hardware_buffer");
  digits::Arguments arguments;
  std::string native_window = "libnativewindow.so";
  digits::add_options(app, arguments);
  app.add_option("--native-window", native_window, "libnativewindow.so")->take_last();
  return digits::run_and_count(app, argc, argv, arguments, [&] {
    run(arguments, native_window);
    return 0;
  });
}
