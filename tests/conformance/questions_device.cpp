// W: what only a DSP decides: results and times of executions, room, memory of other kinds, and the
// end of the DSP's process.
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "qnnpp/abi/htp/system.hpp"
#include "qnnpp/abi/op.hpp"

#include "results.hpp"

namespace conformance {
namespace {

/// Starts, and returns the result without buffers of the application.
Result start_with_result(Host& host) {
  host.need_dsp();
  host.start();
  const Context context = host.create();
  const Result result = result_of(host, context.retrieve());
  say_code("execute", result.code);
  return result;
}

/// Creates a deferred context with these buffers, and reports its result.
void say_result_with(Host& host, const std::vector<MemDescriptor>& buffers,
                     const Result& expected) {
  const Context context = host.deferred();
  for (const MemDescriptor& buffer : buffers) context.add(buffer);
  if (context.finalize() == 0) say_result(result_of(host, context.retrieve()), expected);
}

/// Registers a buffer for each tensor, from `describe(buffer, tensor)`, and reports the result.
template <class Allocate, class Describe>
void say_result_of_tensors(Host& host, Allocate allocate, Describe describe) {
  const Result expected = start_with_result(host);
  const Context context = host.create();
  const GraphTensors all = host.tensors();
  std::vector<MemDescriptor> descriptors;
  std::vector<char*> starts;
  for (const auto* const side : {&all.inputs, &all.outputs})
    for (const Tensor& tensor : *side) {
      const Buffer buffer = allocate(bytes_of(tensor));
      descriptors.push_back(describe(buffer, tensor));
      starts.push_back(buffer.start);
    }
  const std::vector<MemHandle> handles = context.add(descriptors);
  if (handles.front() != nullptr && handles.front() != preset<MemHandle>())
    say_result(result_of(host, context.retrieve(), handles, starts), expected);
}
MemDescriptor ion_of(const Buffer& buffer, const Tensor& tensor) {
  return ion(buffer.fd, shape_of(tensor), tensor.v1.data_type);
}

/// Allocates memory that is no DMA memory.
Buffer ordinary_memory(std::uint64_t size) {
  const int fd = static_cast<int>(::syscall(SYS_memfd_create, "conformance", 0));
  if (fd < 0 || ::ftruncate(fd, static_cast<off_t>(size)) != 0)
    give_up("not asked: no memory file");
  void* const start = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (start == MAP_FAILED) give_up("not asked: no memory");
  return {static_cast<char*>(start), fd, size};
}

/// Ends the process of this program on the DSP, as a restart of the DSP does.
void end_dsp_process(Host& host) {
  if (host.session_control == nullptr) {
    host.need(host.standin.fail_return);
    return host.standin.fail_return(0, 2, rpc_restart);
  }
  constexpr std::uint32_t kill = 6, raise_exception = 9;  // FASTRPC_REMOTE_PROCESS_*
  int domain = 3;                                         // CDSP_DOMAIN_ID
  const int ended = host.session_control(raise_exception, &domain, sizeof domain);
  say("end %d", ended);
  if (ended != 0) say("kill %d", host.session_control(kill, &domain, sizeof domain));
}

/// Whether the binary's first graph states compression of activations.
bool states_dlbc(Host& host, const Binary& binary) {
  const SystemContextGraphInfo& info = host.graph_info(&binary);
  HtpSystemContextGraphBlobInfo blob{};
  if (info.version != SystemContextGraphInfoVersion::v3 ||
      info.graph_info_v3.graph_blob_info == nullptr ||
      info.graph_info_v3.graph_blob_info_size < sizeof blob)
    return false;
  std::memcpy(&blob, info.graph_info_v3.graph_blob_info, sizeof blob);
  return blob.version == HtpSystemContextGraphInfoBlobVersion::version_v1 &&
         blob.context_binary_graph_blob_info_v1.htp_dlbc != 0;
}

/// Returns a tensor of 64 codes, of which 128 stands for 0.
Tensor codes(const char* name, TensorType type, std::uint32_t* dimensions) {
  Tensor tensor{};
  tensor.version = TensorVersion::v1;
  tensor.v1.name = name;
  tensor.v1.type = type;
  tensor.v1.data_type = DataType::ufixed_point_8;
  tensor.v1.quantize_params.encoding_definition = Definition::defined;
  tensor.v1.quantize_params.quantization_encoding = QuantizationEncoding::scale_offset;
  tensor.v1.quantize_params.scale_offset_encoding = {0.5F, -128};
  tensor.v1.rank = 4;
  tensor.v1.dimensions = dimensions;
  return tensor;
}

void ask_results(Catalogue& ask) {
  ask("W-1a", "the result with external spill-fill", [](Host& host) {
    const Result expected = start_with_result(host);
    say_result_with(host, {spill_fill(host.spill_buffer())}, expected);
  });
  ask("W-1b", "the result with external weights and spill-fill", [](Host& host) {
    const Result expected = start_with_result(host);
    say_result_with(host, {weights(host.weights_buffer()), spill_fill(host.spill_buffer())},
                    expected);
  });
  ask("W-1c", "the result of tensors as handles (ION)", [](Host& host) {
    say_result_of_tensors(host, [&](std::uint64_t size) { return host.allocate(size); }, ion_of);
  });
  ask("W-1d", "the result of tensors as handles of one shared buffer", [](Host& host) {
    std::uint64_t used = 0;
    host.need_dsp();
    const Buffer whole = host.allocate(std::uint64_t{8} << 20);
    say_result_of_tensors(
        host,
        [&](std::uint64_t size) {
          const Buffer part{whole.start + used, static_cast<int>(used), size};
          used += (size + page_bytes - 1) / page_bytes * page_bytes;
          if (used > whole.size) give_up("not asked: tensors of more than 8 MiB");
          return part;
        },
        [&](const Buffer& part, const Tensor& tensor) {
          return shared(whole.fd, whole.size, static_cast<std::uint64_t>(part.fd), shape_of(tensor),
                        tensor.v1.data_type);
        });
  });
  ask("W-1e", "the result of tensors as DMA-BUF (memory type 3)", [](Host& host) {
    say_result_of_tensors(
        host, [&](std::uint64_t size) { return host.allocate(size); },
        [](const Buffer& buffer, const Tensor& tensor) {
          MemDescriptor descriptor = ion_of(buffer, tensor);
          descriptor.mem_type = MemType::dma_buf;
          descriptor.dma_buf_info = {buffer.fd, buffer.start};
          return descriptor;
        });
  });
  ask("W-1f", "the results of two contexts over one spill-fill buffer, in turn", [](Host& host) {
    const Result expected = start_with_result(host);
    const Buffer buffer = host.spill_buffer();
    say_result_with(host, {spill_fill(buffer)}, expected);
    say_result_with(host, {spill_fill(buffer)}, expected);
  });
  ask("W-1g", "the results of two contexts of a group, in turn", [](Host& host) {
    const Result expected = start_with_result(host);
    const Context head = host.create(Options().group(nullptr, given.main->spill_fill + (1 << 20)));
    const Context member = host.create(Options().group(head.handle, 0));
    for (const Context& each : {head, member})
      if (each.created == 0) say_result(result_of(host, each.retrieve()), expected);
  });
  ask("W-2a", "the result with external spill-fill at offset 64", [](Host& host) {
    const Result expected = start_with_result(host);
    say_result_with(host, {spill_fill(host.allocate(given.main->spill_fill + page_bytes), 64)},
                    expected);
  });
  ask("W-2b", "the result with external spill-fill that is no DMA memory", [](Host& host) {
    const Result expected = start_with_result(host);
    say_result_with(host, {spill_fill(ordinary_memory(given.main->spill_fill + page_bytes))},
                    expected);
  });
  ask("W-2c", "the result of tensors as handles of no DMA memory",
      [](Host& host) { say_result_of_tensors(host, ordinary_memory, ion_of); });
}

}  // namespace

void ask_device(Catalogue& ask) {
  ask_results(ask);
  ask("W-3", "contexts until one is refused, at most 256 in 20 seconds", [](Host& host) {
    host.need_dsp();
    host.start();
    const Pages binary = Pages::copy(given.main->bytes.data(), given.main->bytes.size());
    int made = 0;
    ErrorHandle code = 0;
    double used = 0;
    while (made < 256 && used < 20e6) {
      used += time_of([&] {
        ContextHandle context = nullptr;
        code = host.qnn.context_create_from_binary(host.backend, host.device, nullptr, binary.data,
                                                   binary.size, &context, nullptr);
      });
      if (code != 0) break;
      ++made;
    }
    note("%d contexts of a binary with %llu bytes of weights, in %.1f s", made,
         static_cast<unsigned long long>(given.main->weights), used / 1e6);
    say("%s %llu", made == 0 ? "none" : "some", static_cast<unsigned long long>(code));
  });
  ask("W-4", "the program's process on the DSP ends: execute, twice; free; a new context",
      [](Host& host) {
        host.need_dsp();
        host.start();
        const Context context = host.create();
        const GraphHandle graph = context.retrieve();
        host.execute(graph);
        end_dsp_process(host);
        host.execute(graph), host.execute(graph);
        context.free();
        const Context again = host.create();
        if (again.created == 0) host.execute(again.retrieve());
        host.tear_down();
      });
  ask("W-5", "50 executions each of two contexts over one spill-fill buffer, at once",
      [](Host& host) {
        const Result expected = start_with_result(host);
        const Buffer buffer = host.spill_buffer();
        GraphHandle graphs[2];
        for (GraphHandle& graph : graphs) {
          const Context context = host.deferred();
          context.add(spill_fill(buffer));
          if (context.finalize() != 0) return;
          graph = context.retrieve();
        }
        int failed[2]{}, other[2]{};
        const auto run = [&](int which) {
          for (int i = 0; i < 50; ++i) {
            const Result result = result_of(host, graphs[which]);
            failed[which] += result.code != 0;
            other[which] += result.code == 0 && result.outputs != expected.outputs;
          }
        };
        std::thread one(run, 0), two(run, 1);
        one.join(), two.join();
        note("%d executions fail, %d outputs are wrong", failed[0] + failed[1],
             other[0] + other[1]);
        host.tear_down();
      });
  ask("W-6", "a binary with DLBC: the result with external spill-fill", [](Host& host) {
    host.need_dsp();
    for (const Binary& binary : given.binaries) {
      if (binary.created != 0 || binary.graphs != 1 || binary.spill_fill == 0) continue;
      if (!states_dlbc(host, binary)) continue;
      given.main = &binary;
      const Result expected = start_with_result(host);
      return say_result_with(host, {spill_fill(host.spill_buffer())}, expected);
    }
    give_up("no such binary");
  });
  ask("W-7", "a composed Relu: its result", [](Host& host) {
    host.need_dsp();
    host.start();
    ContextHandle context = nullptr;
    GraphHandle graph = nullptr;
    say_code("create", host.qnn.context_create(host.backend, host.device, nullptr, &context));
    if (say_code("graphCreate", host.qnn.graph_create(context, "relu", nullptr, &graph)) != 0)
      return;
    std::uint32_t dimensions[] = {1, 1, 1, 64};
    Tensor in = codes("in", TensorType::app_write, dimensions);
    Tensor out = codes("out", TensorType::app_read, dimensions);
    host.qnn.tensor_create_graph_tensor(graph, &in);
    host.qnn.tensor_create_graph_tensor(graph, &out);
    OpConfig node{};
    node.version = OpConfigVersion::v1;
    node.v1 = {"node", op_names::package_qti_aisw, op_names::relu::type, 0, nullptr, 1, &in, 1,
               &out};
    say_code("addNode", host.qnn.graph_add_node(graph, node));
    if (say_code("graphFinalize", host.qnn.graph_finalize(graph, nullptr, nullptr)) != 0) return;
    unsigned char input[64], output[64]{};
    for (unsigned i = 0; i < 64; ++i) input[i] = static_cast<unsigned char>(i * 4);
    in.v1.client_buf = {input, sizeof input}, out.v1.client_buf = {output, sizeof output};
    say_code("execute", host.qnn.graph_execute(graph, &in, 1, &out, 1, nullptr, nullptr));
    int wrong = 0;
    for (unsigned i = 0; i < 64; ++i) wrong += output[i] != std::max<unsigned char>(input[i], 128);
    say("%d of 64 values wrong", wrong);
  });
  ask("W-8", "times of a creation, a deferred one and its finalize, executions, a release",
      [](Host& host) {
        host.need_dsp();
        host.start();
        Context context, late;
        note("creation: %.0f us", time_of([&] { context = host.create(); }));
        const GraphHandle graph = context.retrieve();
        time_executions(host, graph, "ordinary memory");
        note("deferred creation: %.0f us", time_of([&] { late = host.deferred(); }));
        late.add(spill_fill(host.spill_buffer()));
        note("finalize: %.0f us", time_of([&] { late.finalize(); }));
        time_executions(host, late.retrieve(), "external spill-fill");
        note("release: %.0f us", time_of([&] { late.free(); }));
      });
}

}  // namespace conformance
