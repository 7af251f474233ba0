// The vocabulary of the questions: a library that is loaded, contexts, buffers and descriptors,
// each a thin skin over the C calls that says what they return. Nothing cleans up by itself,
// because what stays behind is part of the questions: the process ends with the question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "asking.hpp"
#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/rpcmem.hpp"
#include "qnnpp/abi/system_interface.hpp"

namespace conformance {

using namespace qnnpp::c_api;

inline constexpr std::uint64_t page_bytes = 4096;

/// A handle that no library has given out.
template <class Handle>
Handle no_such() {
  return reinterpret_cast<Handle>(std::uintptr_t{0x7ead});
}

/// Memory in pages of its own, so that it can be taken away.
struct Pages {
  char* data = nullptr;
  std::size_t size = 0;

  static Pages of(std::size_t size);
  static Pages copy(const void* bytes, std::size_t size);
  void protect() const;       ///< Every access is a SIGSEGV from now on.
  void fill(int byte) const;  ///< Overwrites it.
};

/// The options of a context: array, structs and custom structs in pages of their own.
struct Options {
  Pages array, structs, customs;
  unsigned count = 0, custom_count = 0;

  Options& core(ContextConfigOption option, std::uint64_t value);
  Options& core(ContextConfigOption option, const void* value);
  Options& custom(HtpContextConfigOption option, std::uint64_t value = 1, std::uint64_t second = 0);
  Options& deferred(std::uint64_t value = 1) {
    return core(ContextConfigOption::defer_graph_init, value);
  }
  Options& persistent() { return core(ContextConfigOption::persistent_binary, 1); }
  Options& hint() { return core(ContextConfigOption::memory_limit_hint, 1000); }
  Options& group(ContextHandle head, std::uint64_t max);
  const ContextConfig** get() const;
};

/// Memory of rpcmem.
struct Buffer {
  char* start = nullptr;
  int fd = -1;
  std::uint64_t size = 0;
};

// ---- descriptors; what they point to lives as long as the process
MemDescriptor external(HtpMemType type, int fd, std::uint64_t size, std::uint64_t offset = 0);
MemDescriptor weights(const Buffer& buffer, std::uint64_t offset = 0);
MemDescriptor spill_fill(const Buffer& buffer, std::uint64_t offset = 0);
MemDescriptor ion(int fd, std::vector<std::uint32_t> shape, DataType type = DataType::uint_8);
MemDescriptor shared(int fd, std::uint64_t size, std::uint64_t offset,
                     std::vector<std::uint32_t> shape, DataType type = DataType::uint_8);
/// The same descriptor with another memory shape.
MemDescriptor with_shape(MemDescriptor descriptor, std::uint32_t rank, bool has_extents);

/// One creation of a context: what it read and what it made.
struct Context {
  Host* host = nullptr;
  Options options;
  Pages binary;
  ContextHandle* out = nullptr;  ///< The variable given to create, in a page of its own.
  ContextHandle handle = nullptr;
  ErrorHandle created = 0;

  ErrorHandle finalize() const;
  ErrorHandle free() const;
  /// Code of getProperty; the value goes to `value`, if any.
  ErrorHandle property(HtpContextPropertyOption option, std::uint64_t* value = nullptr) const;
  /// Registers descriptors in one call, says "register code" and what became of the handles if it
  /// failed.
  std::vector<MemHandle> add(const std::vector<MemDescriptor>& descriptors) const;
  MemHandle add(const MemDescriptor& descriptor) const {
    return add(std::vector{descriptor}).front();
  }
  /// Retrieves the binary's first graph.
  GraphHandle retrieve() const;
};

/// Inputs and outputs of a graph as the metadata describes them.
struct GraphTensors {
  std::string name;
  std::vector<Tensor> inputs, outputs;
};

/// Failures and delays of the DSP: those that the stand-in for FastRPC can cause, or those that the
/// simulated HTP can (simulated_stand_in.cpp). NULL where nothing can.
struct StandIn {
  void (*forget_chip)();  ///< The library does not know the chip.
  void (*change_sdk)();   ///< The library on the DSP is of another SDK.
  void (*fail_open)(int skip, int count, int code);
  void (*fail_status)(int method, int skip, int count, int status);
  void (*fail_return)(int skip, int count, int code);
  void (*fail_map)(int skip, int count, int code);
  void (*fail_allocation)(int skip, int count);
  void (*delay)(int microseconds);
  int (*most_at_once)();
  int (*allocations)();
  int (*live_maps)();
  int (*maps)();
};

/// The simulated HTP's means to fail; all NULL where `htp` is another library.
StandIn simulated_stand_in(void* htp, void* rpcmem);

/// The three libraries, and a backend and a device as soon as a question wants them.
class Host {
 public:
  /// Loads the libraries; gives the question up if they cannot be loaded.
  void load();
  /// Creates a logger if wanted, a backend and a device; gives the question up if they cannot be
  /// created.
  void start();

  InterfaceTable qnn{};
  SystemInterfaceTable system{};
  StandIn standin{};
  Version core{};
  BackendHandle backend = nullptr;
  DeviceHandle device = nullptr;
  LogHandle logger = nullptr;

  // ---- contexts
  Context create(Options options = {}, const Binary* binary = given.main);
  Context create(Options options, Pages binary);
  Context deferred() { return create(Options().deferred()); }
  /// deferred(), without words unless it fails.
  Context quiet_deferred();
  ErrorHandle free(ContextHandle context);
  ErrorHandle finalize(ContextHandle context);
  ErrorHandle deregister(std::vector<MemHandle> handles);
  ErrorHandle free_device();
  ErrorHandle free_backend();
  /// Frees the device, then the backend.
  void tear_down() { free_device(), free_backend(); }

  // ---- memory
  Buffer allocate(std::uint64_t size);
  void release(const Buffer& buffer);
  Buffer weights_buffer() { return allocate(given.main->weights); }
  Buffer spill_buffer() { return allocate(given.main->spill_fill); }

  // ---- graphs
  /// Inputs and outputs of the binary's first graph, by the system library.
  GraphTensors tensors(const Binary* binary = given.main);
  /// Executes with ordinary memory and says "execute code".
  ErrorHandle execute(GraphHandle graph);
  /// Executes with memory handles: those given to inputs and outputs in this order.
  ErrorHandle execute(GraphHandle graph, const std::vector<MemHandle>& handles);
  /// Registers one buffer of its own for each input and output.
  std::vector<MemHandle> add_tensors(const Context& context,
                                     std::vector<Buffer>* buffers = nullptr);

  /// Gives the question up unless something can cause this failure: a member of `standin`.
  template <class Function>
  void need(Function* failure) {
    if (failure == nullptr) give_up("not asked: needs an injected failure");
  }
  /// Gives the question up unless the table is long enough for a slot of this core minor version.
  void need_core(unsigned minor);

 private:
  void* rpcmem_library_ = nullptr;
  RpcmemAllocFn alloc_ = nullptr;
  RpcmemAlloc2Fn alloc2_ = nullptr;
  RpcmemFreeFn free_ = nullptr;
  RpcmemToFdFn to_fd_ = nullptr;
};

/// Bytes of a tensor, and its shape as descriptors want it.
std::uint64_t bytes_of(const Tensor& tensor);
std::vector<std::uint32_t> shape_of(const Tensor& tensor);
/// The words for a pointer: "NULL", "untouched" for what it was preset to, or "set".
const char* word_for(const void* pointer);
/// What out variables are preset to, so that it can be seen whether a call wrote them.
template <class Handle>
Handle preset() {
  return reinterpret_cast<Handle>(std::uintptr_t{0xBEEF});
}

}  // namespace conformance
