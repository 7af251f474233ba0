// Functions for the questions: loaded libraries, contexts, buffers and descriptors. Each is a thin
// layer over the C calls that adds their codes to the answer. There is no automatic cleanup,
// because leftovers are part of the questions. The process ends with the question.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "qnnpp/abi/htp/context.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/htp/memory.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/rpcmem.hpp"
#include "qnnpp/abi/system_interface.hpp"

#include "asking.hpp"

namespace conformance {

using namespace qnnpp::c_api;

inline constexpr std::uint64_t page_bytes = 4096;

/// Returns a handle that no library has created.
template <class Handle>
Handle no_such() {
  return reinterpret_cast<Handle>(std::uintptr_t{0x7ead});
}

/// Memory in separate pages, which can be made inaccessible.
struct Pages {
  char* data = nullptr;
  std::size_t size = 0;

  static Pages of(std::size_t size);
  static Pages copy(const void* bytes, std::size_t size);
  void protect() const;       ///< Makes every later access a SIGSEGV.
  void fill(int byte) const;  ///< Overwrites all bytes.
};

/// Options of a context: array, structs and custom structs, each in separate pages.
struct Options {
  Pages array, structs, customs;
  unsigned count = 0, custom_count = 0;

  Options& core(ContextConfigOption option, std::uint64_t value);
  Options& core(ContextConfigOption option, const void* value);
  Options& custom(HtpContextConfigOption option, std::uint64_t value = 1, std::uint64_t second = 0);
  /// Ends the question if the library creates no deferred contexts.
  Options& deferred(std::uint64_t value = 1) {
    if (given.no_deferral) give_up("not asked: no deferred creation");
    return core(ContextConfigOption::defer_graph_init, value);
  }
  Options& persistent() { return core(ContextConfigOption::persistent_binary, 1); }
  Options& hint() { return core(ContextConfigOption::memory_limit_hint, 1000); }
  Options& group(ContextHandle head, std::uint64_t max);
  const ContextConfig** get() const;
};

/// Memory from rpcmem.
struct Buffer {
  char* start = nullptr;
  int fd = -1;
  std::uint64_t size = 0;
};

// ---- descriptors; their targets are valid until the process ends
MemDescriptor external(HtpMemType type, int fd, std::uint64_t size, std::uint64_t offset = 0);
MemDescriptor weights(const Buffer& buffer, std::uint64_t offset = 0);
MemDescriptor spill_fill(const Buffer& buffer, std::uint64_t offset = 0);
MemDescriptor ion(int fd, std::vector<std::uint32_t> shape, DataType type = DataType::uint_8);
MemDescriptor shared(int fd, std::uint64_t size, std::uint64_t offset,
                     std::vector<std::uint32_t> shape, DataType type = DataType::uint_8);
/// Returns the descriptor with another memory shape.
MemDescriptor with_shape(MemDescriptor descriptor, std::uint32_t rank, bool has_extents);

/// Creation of a context: its arguments and its result.
struct Context {
  Host* host = nullptr;
  Options options;
  Pages binary;
  ContextHandle* out = nullptr;  ///< The variable passed to create, in a separate page.
  ContextHandle handle = nullptr;
  ErrorHandle created = 0;

  ErrorHandle finalize() const;
  ErrorHandle free() const;
  /// Queries a property. Returns the code, and writes the value to `value` unless it is NULL.
  ErrorHandle property(HtpContextPropertyOption option, std::uint64_t* value = nullptr) const;
  /// Registers descriptors in one call. Adds "register code" to the answer and, on failure, the
  /// state of the handles.
  std::vector<MemHandle> add(const std::vector<MemDescriptor>& descriptors) const;
  MemHandle add(const MemDescriptor& descriptor) const {
    return add(std::vector{descriptor}).front();
  }
  /// Retrieves the binary's first graph.
  GraphHandle retrieve() const;
};

/// Inputs and outputs of a graph, from the metadata.
struct GraphTensors {
  std::string name;
  std::vector<Tensor> inputs, outputs;
};

inline constexpr int rpc_failed = 1;    ///< code of a remote call that fails
inline constexpr int rpc_restart = 39;  ///< code of a remote call after a restart of the DSP
inline constexpr int for_ever = 1000;   ///< count of a failure that lasts

/// Functions that cause failures and delays of the DSP, from the stand-in for FastRPC or from the
/// simulated HTP (simulated_stand_in.cpp). NULL if the library has no such function.
struct StandIn {
  void (*forget_chip)();  ///< Makes the chip unknown to the library.
  void (*change_sdk)();   ///< Makes the DSP's library one of another SDK.
  void (*fail_open)(int skip, int count, int code);
  void (*fail_status)(int method, int skip, int count, int status);
  void (*fail_return)(int skip, int count, int code);
  void (*fail_map)(int skip, int count, int code);
  void (*fail_allocation)(int skip, int count);
  void (*delay)(int microseconds);
  int (*most_at_once)();
  int (*calls)();
  int (*allocations)();
  int (*live_maps)();
  int (*maps)();
  /// Room of a process domain. Makes that of the simulated HTP smaller, whose contexts are small.
  std::uint64_t (*domain_bytes)();
};

/// Returns the functions of the simulated HTP; all NULL if `htp` is another library.
StandIn simulated_stand_in(void* htp, void* rpcmem);

/// The three libraries, and a backend and a device if a question needs them.
class Host {
 public:
  /// Loads the libraries. Ends the question if loading fails.
  void load();
  /// Creates a backend, a device and, if requested, a logger. `errors` gets the lines of errors.
  /// Ends the question if creation fails.
  void start(LogCallback errors = nullptr);

  InterfaceTable qnn{};
  SystemInterfaceTable system{};
  StandIn standin{};
  Version core{};
  Version htp{};  ///< Version of the HTP's own API.
  BackendHandle backend = nullptr;
  DeviceHandle device = nullptr;
  LogHandle logger = nullptr;
  /// FastRPC's function for a process domain; NULL if the library has none.
  int (*session_control)(std::uint32_t request, void* data, std::uint32_t size) = nullptr;

  // ---- contexts
  Context create(Options options = {}, const Binary* binary = given.main);
  Context create(Options options, Pages binary);
  Context deferred() { return create(Options().deferred()); }
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
  /// Returns the system library's information about the binary's first graph.
  const SystemContextGraphInfo& graph_info(const Binary* binary = given.main);
  /// Returns the inputs and outputs of the binary's first graph, from the system library.
  GraphTensors tensors(const Binary* binary = given.main);
  /// Returns the same tensors, each with ordinary memory.
  GraphTensors raw_tensors();
  /// Returns the same tensors, with these memory handles.
  GraphTensors tensors(const std::vector<MemHandle>& handles);
  /// Executes with ordinary memory and adds nothing to the answer.
  ErrorHandle run(GraphHandle graph, ProfileHandle profile = nullptr);
  /// Executes with ordinary memory and adds "execute code" to the answer.
  ErrorHandle execute(GraphHandle graph);
  /// Executes with memory handles: first the handles of the inputs, then of the outputs.
  ErrorHandle execute(GraphHandle graph, const std::vector<MemHandle>& handles);
  /// Registers a separate buffer for each input and output.
  std::vector<MemHandle> add_tensors(const Context& context,
                                     std::vector<Buffer>* buffers = nullptr);

  /// Ends the question unless this failure, a member of `standin`, is available.
  template <class Function>
  void need(Function* failure) {
    if (failure == nullptr) give_up("not asked: needs an injected failure");
  }
  /// Ends the question unless the table has the slots of this core minor version.
  void need_core(unsigned minor);
  /// Ends the question if the library registers no memory.
  void need_memory();
  /// Ends the question if nothing computes: neither a DSP nor the simulated HTP.
  void need_dsp();

 private:
  void* rpcmem_library_ = nullptr;
  RpcmemAllocFn alloc_ = nullptr;
  RpcmemAlloc2Fn alloc2_ = nullptr;
  RpcmemFreeFn free_ = nullptr;
  RpcmemToFdFn to_fd_ = nullptr;
  bool computes_ = true;
};

/// Return a tensor's bytes, and its shape for descriptors.
std::uint64_t bytes_of(const Tensor& tensor);
std::vector<std::uint32_t> shape_of(const Tensor& tensor);
/// Returns the word for a pointer: "NULL", "untouched" for the preset value, or "set".
const char* word_for(const void* pointer);
/// Returns the preset value of out variables, which reveals whether a call wrote them.
template <class Handle>
Handle preset() {
  return reinterpret_cast<Handle>(std::uintptr_t{0xBEEF});
}

}  // namespace conformance
