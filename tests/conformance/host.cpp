#include "host.hpp"

#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstring>

namespace conformance {

// ---- memory that can be made inaccessible

Pages Pages::of(std::size_t size) {
  const std::size_t rounded = (size + page_bytes - 1) / page_bytes * page_bytes;
  void* const data = ::mmap(nullptr, rounded == 0 ? page_bytes : rounded, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) give_up("not asked: no memory");
  return {static_cast<char*>(data), size};
}
Pages Pages::copy(const void* bytes, std::size_t size) {
  const Pages pages = of(size);
  std::memcpy(pages.data, bytes, size);
  return pages;
}
void Pages::protect() const {
  if (::mprotect(data, (size + page_bytes - 1) / page_bytes * page_bytes, PROT_NONE) != 0)
    give_up("not asked: memory cannot be protected");
}
void Pages::fill(int byte) const { std::memset(data, byte, size); }

// ---- options

Options& Options::core(ContextConfigOption option, std::uint64_t value) {
  if (array.data == nullptr)
    array = Pages::of(page_bytes), structs = Pages::of(page_bytes), customs = Pages::of(page_bytes);
  auto* const config = reinterpret_cast<ContextConfig*>(structs.data) + count;
  config->option = option;
  std::memcpy(&config->custom_config, &value, sizeof value);
  reinterpret_cast<ContextConfig**>(array.data)[count++] = config;
  return *this;
}
Options& Options::core(ContextConfigOption option, const void* value) {
  return core(option, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(value)));
}
Options& Options::custom(HtpContextConfigOption option, std::uint64_t value, std::uint64_t second) {
  core(ContextConfigOption::custom, std::uint64_t{0});
  auto* const config = reinterpret_cast<HtpContextCustomConfig*>(customs.data) + custom_count++;
  config->option = option;
  const std::uint64_t values[] = {value, second};
  std::memcpy(&config->group_registration, values, sizeof values);
  (reinterpret_cast<ContextConfig*>(structs.data) + (count - 1))->custom_config = config;
  return *this;
}
Options& Options::group(ContextHandle head, std::uint64_t max) {
  return custom(HtpContextConfigOption::register_multi_contexts,
                static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(head)), max);
}
const ContextConfig** Options::get() const {
  return reinterpret_cast<const ContextConfig**>(array.data);
}

// ---- descriptors

MemDescriptor external(HtpMemType type, int fd, std::uint64_t size, std::uint64_t offset) {
  // In a zeroed page, because a newer library may read a longer descriptor.
  auto* const htp = reinterpret_cast<HtpMemDescriptor*>(Pages::of(sizeof(HtpMemDescriptor)).data);
  htp->type = type;
  htp->size = size;
  htp->shared_buffer_config = {fd, offset};
  MemDescriptor descriptor{};
  descriptor.data_type = DataType::undefined;
  descriptor.mem_type = MemType::custom;
  descriptor.custom_info = htp;
  return descriptor;
}
MemDescriptor weights(const Buffer& buffer, std::uint64_t offset) {
  return external(HtpMemType::weights_buffer, buffer.fd, buffer.size, offset);
}
MemDescriptor spill_fill(const Buffer& buffer, std::uint64_t offset) {
  return external(HtpMemType::shared_spillfill_buffer, buffer.fd, buffer.size, offset);
}
namespace {
void set_tensor(MemDescriptor& descriptor, std::vector<std::uint32_t> shape, DataType type) {
  const auto* const kept = new std::vector<std::uint32_t>(std::move(shape));
  descriptor.mem_shape = {static_cast<std::uint32_t>(kept->size()),
                          const_cast<std::uint32_t*>(kept->data()), nullptr};
  descriptor.data_type = type;
}
}  // namespace
MemDescriptor ion(int fd, std::vector<std::uint32_t> shape, DataType type) {
  MemDescriptor descriptor{};
  descriptor.mem_type = MemType::ion;
  descriptor.ion_info.fd = fd;
  set_tensor(descriptor, std::move(shape), type);
  return descriptor;
}
MemDescriptor shared(int fd, std::uint64_t size, std::uint64_t offset,
                     std::vector<std::uint32_t> shape, DataType type) {
  MemDescriptor descriptor = external(HtpMemType::shared_buffer, fd, size, offset);
  set_tensor(descriptor, std::move(shape), type);
  return descriptor;
}
MemDescriptor with_shape(MemDescriptor descriptor, std::uint32_t rank, bool has_extents) {
  auto* const extents = new std::uint32_t[8]{64, 64, 64, 64, 64, 64, 64, 64};
  descriptor.mem_shape = {rank, has_extents ? extents : nullptr, nullptr};
  return descriptor;
}

// ---- contexts

ErrorHandle Context::finalize() const { return host->finalize(handle); }
ErrorHandle Context::free() const { return host->free(handle); }
ErrorHandle Context::property(HtpContextPropertyOption option, std::uint64_t* value) const {
  HtpContextCustomProperty custom{};
  custom.option = option;
  ContextProperty property{};
  property.option = ContextPropertyOption::custom;
  property.custom_property = &custom;
  ContextProperty* list[] = {&property, nullptr};
  const ErrorHandle code = host->qnn.context_get_property(handle, list);
  if (value != nullptr) *value = custom.weights_buffer_size;
  return code;
}
std::vector<MemHandle> Context::add(const std::vector<MemDescriptor>& descriptors) const {
  host->need_memory();
  std::vector<MemHandle> handles(descriptors.size(), preset<MemHandle>());
  const Pages copy = Pages::copy(descriptors.data(), descriptors.size() * sizeof(MemDescriptor));
  const ErrorHandle code = say_code(
      "register",
      host->qnn.mem_register(handle, reinterpret_cast<const MemDescriptor*>(copy.data),
                             static_cast<std::uint32_t>(descriptors.size()), handles.data()));
  if (code != 0)
    for (const MemHandle made : handles) say("handle %s", word_for(made));
  return handles;
}
GraphHandle Context::retrieve() const {
  GraphHandle graph = nullptr;
  const std::string name = host->tensors().name;
  say_code("retrieve", host->qnn.graph_retrieve(handle, name.c_str(), &graph));
  return graph;
}

// ---- the libraries

namespace {

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = library == nullptr ? nullptr : reinterpret_cast<Function>(::dlsym(library, name));
}
void* open(const char* path) {
  void* const library = ::dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) give_up(std::string("not asked: ") + ::dlerror());
  return library;
}
void print_log(const char* format, LogLevel level, std::uint64_t, std::va_list arguments) {
  char text[4096];
  std::vsnprintf(text, sizeof text, format, arguments);
  std::fprintf(stderr, "    log %u: %s\n", static_cast<unsigned>(level), text);
}

}  // namespace

void Host::load() {
  rpcmem_library_ = open(given.rpcmem);
  find(rpcmem_library_, "rpcmem_alloc", alloc_);
  find(rpcmem_library_, "rpcmem_alloc2", alloc2_);
  find(rpcmem_library_, "rpcmem_free", free_);
  find(rpcmem_library_, "rpcmem_to_fd", to_fd_);
  find(rpcmem_library_, "standin_fail_open", standin.fail_open);
  find(rpcmem_library_, "standin_fail_status", standin.fail_status);
  find(rpcmem_library_, "standin_fail_return", standin.fail_return);
  find(rpcmem_library_, "standin_fail_map", standin.fail_map);
  find(rpcmem_library_, "standin_fail_allocation", standin.fail_allocation);
  find(rpcmem_library_, "standin_delay", standin.delay);
  find(rpcmem_library_, "standin_most_at_once", standin.most_at_once);
  find(rpcmem_library_, "standin_calls", standin.calls);
  find(rpcmem_library_, "standin_allocations", standin.allocations);
  find(rpcmem_library_, "standin_live_maps", standin.live_maps);
  find(rpcmem_library_, "standin_maps", standin.maps);
  find(rpcmem_library_, "remote_session_control", session_control);
  computes_ = standin.maps == nullptr;
  if (standin.maps != nullptr) {
    standin.domain_bytes = [] { return std::uint64_t{3'650'722'201}; };
    standin.forget_chip = [] { ::setenv("STANDIN_SOC", "/nowhere", 1); };
    standin.change_sdk = [] { ::setenv("STANDIN_ID", "v1.2.3.200101000000_1", 1); };
  }
  if (alloc_ == nullptr || free_ == nullptr || to_fd_ == nullptr) give_up("not asked: no rpcmem");

  void* const library = open(given.htp);
  if (given.no_memory)
    standin = {};  // The library does not call FastRPC.
  else if (standin.maps == nullptr)
    standin = simulated_stand_in(library, rpcmem_library_);
  InterfaceGetProvidersFn providers = nullptr;
  find(library, "QnnInterface_getProviders", providers);
  const Interface** list = nullptr;
  std::uint32_t count = 0;
  if (providers == nullptr || providers(&list, &count) != 0 || count == 0)
    give_up("not asked: no providers");
  core = list[0]->api_version.core_api_version;
  htp = list[0]->api_version.backend_api_version;
  // An older library's table is shorter; copies only its slots.
  const std::size_t slots = core.minor >= 39   ? 75
                            : core.minor >= 32 ? 71
                            : core.minor >= 28 ? 69
                            : core.minor >= 27 ? 68
                            : core.minor >= 23 ? 64
                                               : 62;
  std::memcpy(static_cast<void*>(&qnn), &list[0]->table, slots * sizeof(void*));

  SystemInterfaceGetProvidersFn system_providers = nullptr;
  find(open(given.system), "QnnSystemInterface_getProviders", system_providers);
  const SystemInterface** system_list = nullptr;
  if (system_providers == nullptr || system_providers(&system_list, &count) != 0 || count == 0)
    give_up("not asked: no system providers");
  const std::uint32_t minor = system_list[0]->system_api_version.minor;
  const std::size_t system_slots = minor >= 6 ? 16 : minor >= 4 ? 13 : 4;
  std::memcpy(static_cast<void*>(&system), &system_list[0]->table, system_slots * sizeof(void*));
}

void Host::start(LogCallback errors) {
  if (errors != nullptr)
    qnn.log_create(errors, LogLevel::error, &logger);
  else if (given.log)
    qnn.log_create(print_log, LogLevel::info, &logger);
  ErrorHandle code = qnn.backend_create(logger, nullptr, &backend);
  if (code != 0) give_up("not asked: backendCreate " + std::to_string(code));
  code = qnn.device_create(logger, nullptr, &device);
  if (code != 0) give_up("not asked: deviceCreate " + std::to_string(code));
}

Context Host::create(Options options, const Binary* binary) {
  if (binary == nullptr) give_up("no such binary");
  return create(options, Pages::copy(binary->bytes.data(), binary->bytes.size()));
}
Context Host::create(Options options, Pages binary) {
  Context context{this, options, binary, nullptr, nullptr, 0};
  context.out = reinterpret_cast<ContextHandle*>(Pages::of(page_bytes).data);
  *context.out = preset<ContextHandle>();
  context.created =
      say_code("create", qnn.context_create_from_binary(backend, device, options.get(), binary.data,
                                                        binary.size, context.out, nullptr));
  context.handle = *context.out;
  return context;
}
ErrorHandle Host::free(ContextHandle context) {
  return say_code("free", qnn.context_free(context, nullptr));
}
ErrorHandle Host::finalize(ContextHandle context) {
  need_core(27);
  return say_code("finalize", qnn.context_finalize(context, nullptr));
}
ErrorHandle Host::deregister(std::vector<MemHandle> handles) {
  return say_code("deregister",
                  qnn.mem_de_register(handles.data(), static_cast<std::uint32_t>(handles.size())));
}
ErrorHandle Host::free_device() { return say_code("deviceFree", qnn.device_free(device)); }
ErrorHandle Host::free_backend() { return say_code("backendFree", qnn.backend_free(backend)); }

// ---- memory and graphs

Buffer Host::allocate(std::uint64_t size) {
  size = size == 0 ? page_bytes : size;
  void* const start =
      alloc2_ != nullptr
          ? alloc2_(rpcmem_heap_id_system, rpcmem_default_flags, size)
          : alloc_(rpcmem_heap_id_system, rpcmem_default_flags, static_cast<int>(size));
  if (start == nullptr) give_up("not asked: rpcmem has no memory");
  return {static_cast<char*>(start), to_fd_(start), size};
}
void Host::release(const Buffer& buffer) { free_(buffer.start); }

const SystemContextGraphInfo& Host::graph_info(const Binary* binary) {
  if (binary == nullptr) give_up("no such binary");
  SystemContextHandle context = nullptr;
  const SystemContextBinaryInfo* info = nullptr;
  ContextBinarySize size = 0;
  if (system.system_context_create(&context) != 0 ||
      system.system_context_get_binary_info(context, const_cast<char*>(binary->bytes.data()),
                                            binary->bytes.size(), &info, &size) != 0)
    give_up("not asked: no metadata");
  if (info->version == SystemContextBinaryInfoVersion::v1)
    return *info->context_binary_info_v1.graphs;
  if (info->version == SystemContextBinaryInfoVersion::v2)
    return *info->context_binary_info_v2.graphs;
  return *info->context_binary_info_v3.graphs;
}
GraphTensors Host::tensors(const Binary* binary) {
  // V2 and V3 begin with the same members.
  const SystemContextGraphInfoV1& first = graph_info(binary).graph_info_v1;
  return {first.graph_name,
          {first.graph_inputs, first.graph_inputs + first.num_graph_inputs},
          {first.graph_outputs, first.graph_outputs + first.num_graph_outputs}};
}

std::uint64_t bytes_of(const Tensor& tensor) {
  const auto type = static_cast<std::uint32_t>(tensor.v1.data_type);
  const std::uint64_t bits = type == 0x0226 ? 16 : (type >> 4 & 15) * 10 + (type & 15);
  std::uint64_t bytes = bits == 4 ? 1 : bits / 8;
  for (std::uint32_t i = 0; i < tensor.v1.rank; ++i) bytes *= tensor.v1.dimensions[i];
  return bytes;
}
std::vector<std::uint32_t> shape_of(const Tensor& tensor) {
  return {tensor.v1.dimensions, tensor.v1.dimensions + tensor.v1.rank};
}

GraphTensors Host::raw_tensors() {
  GraphTensors all = tensors();
  for (auto* const side : {&all.inputs, &all.outputs})
    for (Tensor& tensor : *side) {
      const Pages memory = Pages::of(bytes_of(tensor));
      tensor.v1.mem_type = TensorMemType::raw;
      tensor.v1.client_buf = {memory.data, static_cast<std::uint32_t>(bytes_of(tensor))};
    }
  return all;
}
ErrorHandle Host::run(GraphHandle graph, ProfileHandle profile) {
  GraphTensors all = raw_tensors();
  return qnn.graph_execute(graph, all.inputs.data(), static_cast<std::uint32_t>(all.inputs.size()),
                           all.outputs.data(), static_cast<std::uint32_t>(all.outputs.size()),
                           profile, nullptr);
}
ErrorHandle Host::execute(GraphHandle graph) { return say_code("execute", run(graph)); }
GraphTensors Host::tensors(const std::vector<MemHandle>& handles) {
  GraphTensors all = tensors();
  std::size_t next = 0;
  for (auto* const side : {&all.inputs, &all.outputs})
    for (Tensor& tensor : *side) {
      tensor.v1.mem_type = TensorMemType::memhandle;
      tensor.v1.mem_handle = handles[next++];
    }
  return all;
}
ErrorHandle Host::execute(GraphHandle graph, const std::vector<MemHandle>& handles) {
  GraphTensors all = tensors(handles);
  return say_code("execute", qnn.graph_execute(
                                 graph, all.inputs.data(),
                                 static_cast<std::uint32_t>(all.inputs.size()), all.outputs.data(),
                                 static_cast<std::uint32_t>(all.outputs.size()), nullptr, nullptr));
}
std::vector<MemHandle> Host::add_tensors(const Context& context, std::vector<Buffer>* buffers) {
  std::vector<MemDescriptor> descriptors;
  const GraphTensors all = tensors();
  for (const auto* const side : {&all.inputs, &all.outputs})
    for (const Tensor& tensor : *side) {
      const Buffer buffer = allocate(bytes_of(tensor));
      if (buffers != nullptr) buffers->push_back(buffer);
      descriptors.push_back(ion(buffer.fd, shape_of(tensor), tensor.v1.data_type));
    }
  return context.add(descriptors);
}

void Host::need_core(unsigned minor) {
  if (core.minor < minor) give_up("not asked: not in this version of the API");
}

void Host::need_memory() {
  if (given.no_memory) give_up("not asked: no QnnMem");
}

void Host::need_dsp() {
  if (!computes_) give_up("not asked: needs a DSP");
}

const char* word_for(const void* pointer) {
  if (pointer == nullptr) return "NULL";
  return pointer == preset<const void*>() ? "untouched" : "set";
}

}  // namespace conformance
