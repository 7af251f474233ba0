// T: memory of tensors.
#include <unistd.h>

#include "host.hpp"

namespace conformance {
namespace {

/// Initialized context, and 64 KiB of memory.
struct Ground {
  Context context;
  Buffer buffer;
};
Ground ground(Host& host) {
  host.start();
  return {host.create(), host.allocate(65536)};
}

/// Context with its graph retrieved and every tensor registered.
struct Ready {
  Context context;
  GraphHandle graph;
  std::vector<MemHandle> handles;
  std::vector<Buffer> buffers;
};
Ready ready(Host& host) {
  host.start();
  Ready made{host.create(), nullptr, {}, {}};
  made.graph = made.context.retrieve();
  made.handles = host.add_tensors(made.context, &made.buffers);
  return made;
}

unsigned number_of(const void* handle) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(handle));
}

}  // namespace

void ask_tensors(Catalogue& ask) {
  ask("T-1a", "the same ION descriptor twice", [](Host& host) {
    const auto [context, buffer] = ground(host);
    const MemHandle first = context.add(ion(buffer.fd, {64, 64}));
    context.add(ion(buffer.fd, {64, 64}));
    host.deregister({first});
    host.deregister({first});
  });
  ask("T-1b", "the same shared buffer descriptor twice", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, 65536, 4096, {64, 64}));
    context.add(shared(buffer.fd, 65536, 4096, {64, 64}));
  });
  ask("T-1c", "the same descriptor twice in one call", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add({ion(buffer.fd, {64, 64}), ion(buffer.fd, {64, 64})});
  });
  ask("T-2a", "one ION fd with another shape, another type, as one dimension", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(ion(buffer.fd, {64, 64}));
    context.add(ion(buffer.fd, {32, 128}));
    context.add(ion(buffer.fd, {64, 64}, DataType::int_8));
    context.add(ion(buffer.fd, {4096}));
  });
  ask("T-2b", "one shared buffer with another offset, shape, type, size", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, 65536, 0, {64, 64}));
    context.add(shared(buffer.fd, 65536, 4096, {64, 64}));
    context.add(shared(buffer.fd, 65536, 0, {32, 128}));
    context.add(shared(buffer.fd, 65536, 0, {64, 64}, DataType::int_8));
    context.add(shared(buffer.fd, 32768, 0, {64, 64}));
  });
  ask("T-2c", "one fd as ION and as shared buffer", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(ion(buffer.fd, {64, 64}));
    context.add(shared(buffer.fd, 65536, 0, {64, 64}));
  });
  ask("T-2d", "the same memory by another number of its fd", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(ion(buffer.fd, {64, 64}));
    context.add(ion(::dup(buffer.fd), {64, 64}));
  });
  ask("T-2e", "other memory by the number of an fd that was closed", [](Host& host) {
    const auto [context, buffer] = ground(host);
    const int number = ::dup(buffer.fd);
    context.add(ion(number, {64, 64}));
    ::dup2(host.allocate(4096).fd, number);
    context.add(ion(number, {64, 64}));
  });
  ask("T-3", "the same descriptor in another context", [](Host& host) {
    const auto [context, buffer] = ground(host);
    const MemHandle first = context.add(ion(buffer.fd, {64, 64}));
    const MemHandle second = host.create().add(ion(buffer.fd, {64, 64}));
    say("%s", first == second ? "the same handle" : "its own handle");
  });
  ask("T-4a", "shared buffer: offset and bytes just fit", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, 65536, 65536 - 4096, {64, 64}));
  });
  ask("T-4b", "shared buffer: one byte too far", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, 65536, 65536 - 4095, {64, 64}));
  });
  ask("T-4c", "shared buffer: size larger than the fd", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, 1 << 20, 1 << 19, {64, 64}));
  });
  ask("T-4d", "shared buffer: offset 1, and overlap with another", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, 65536, 0, {64, 64}));
    context.add(shared(buffer.fd, 65536, 1, {64, 64}));
  });
  ask("T-4e", "shared buffer: size and offset above 4 GiB", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, std::uint64_t{6} << 30, std::uint64_t{5} << 30, {64, 64}));
  });
  ask("T-4f", "shared buffer: offset larger than the size", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, 65536, 131072, {64, 64}));
  });
  ask("T-5a", "shared buffer: a tensor of 2 GiB - 32 KiB", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, std::uint64_t{8} << 30, 0, {65535, 32768}));
  });
  ask("T-5b", "shared buffer: a tensor of 2 GiB", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, std::uint64_t{8} << 30, 0, {65536, 32768}));
  });
  ask("T-5c", "shared buffer: a tensor of 65536 x 65536 bytes", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, std::uint64_t{8} << 30, 0, {65536, 65536}));
  });
  ask("T-5d", "ION: a tensor of 2 GiB", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(ion(buffer.fd, {65536, 32768}));
  });
  ask("T-5e", "ION: a tensor of 65536 x 65536 bytes", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(ion(buffer.fd, {65536, 65536}));
  });
  ask("T-6a", "a dimension of 0", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(ion(buffer.fd, {64, 0}));
  });
  ask("T-6b", "no shape", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(ion(buffer.fd, {}));
  });
  ask("T-6c", "no data type", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(ion(buffer.fd, {64, 64}, DataType::undefined));
  });
  ask("T-6d", "shared buffer: no data type, then no shape", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(shared(buffer.fd, 65536, 0, {64, 64}, DataType::undefined));
    context.add(shared(buffer.fd, 65536, 0, {}));
  });
  ask("T-6e", "rank 2 with NULL extents", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(with_shape(ion(buffer.fd, {64, 64}), 2, false));
  });
  ask("T-7a", "ION with fd -1", [](Host& host) { ground(host).context.add(ion(-1, {64, 64})); });
  ask("T-7b", "ION with an fd that is not open",
      [](Host& host) { ground(host).context.add(ion(987, {64, 64})); });
  ask("T-7c", "shared buffer with fd -1",
      [](Host& host) { ground(host).context.add(shared(-1, 65536, 0, {64, 64})); });
  ask("T-7d", "ION fd smaller than the tensor", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add(ion(buffer.fd, {1024, 1024}));
  });
  ask("T-8", "a good and a bad descriptor in one call, then the good one alone", [](Host& host) {
    const auto [context, buffer] = ground(host);
    context.add({ion(buffer.fd, {64, 64}), ion(-1, {64, 64})});
    context.add(ion(buffer.fd, {64, 64}));
  });
  ask("T-8b", "two good descriptors in one call, deregistered in one call", [](Host& host) {
    const auto [context, buffer] = ground(host);
    const auto handles =
        context.add({ion(buffer.fd, {64, 64}), ion(host.allocate(4096).fd, {64, 64})});
    host.deregister(handles);
  });
  ask("T-9a", "deregister an array with an unknown handle, then the good one", [](Host& host) {
    const auto [context, buffer] = ground(host);
    const MemHandle good = context.add(ion(buffer.fd, {64, 64}));
    host.deregister({good, no_such<MemHandle>()});
    host.deregister({good});
  });
  ask("T-9b", "the unknown handle first", [](Host& host) {
    const auto [context, buffer] = ground(host);
    const MemHandle good = context.add(ion(buffer.fd, {64, 64}));
    host.deregister({no_such<MemHandle>(), good});
    host.deregister({good});
  });
  ask("T-9c", "deregister an array with the same handle twice", [](Host& host) {
    const auto [context, buffer] = ground(host);
    const MemHandle good = context.add(ion(buffer.fd, {64, 64}));
    host.deregister({good, good});
  });
  ask("T-9d", "deregister handles of two contexts in one array", [](Host& host) {
    const auto [context, buffer] = ground(host);
    const MemHandle first = context.add(ion(buffer.fd, {64, 64}));
    const MemHandle second = host.create().add(ion(buffer.fd, {64, 64}));
    host.deregister({first, second});
  });
  ask("T-10", "free with live tensor handles, then deregister", [](Host& host) {
    const auto [context, buffer] = ground(host);
    const MemHandle handle = context.add(ion(buffer.fd, {64, 64}));
    context.free();
    host.deregister({handle});
    host.tear_down();
  });
  ask("T-11a", "execute with memory handles", [](Host& host) {
    const Ready r = ready(host);
    host.execute(r.graph, r.handles);
    host.execute(r.graph, r.handles);
  });
  ask("T-11b", "execute with a NULL handle", [](Host& host) {
    Ready r = ready(host);
    r.handles[0] = nullptr;
    host.execute(r.graph, r.handles);
  });
  ask("T-11c", "execute with a handle that was deregistered", [](Host& host) {
    const Ready r = ready(host);
    host.deregister({r.handles[0]});
    host.execute(r.graph, r.handles);
  });
  ask("T-11d", "execute with an unknown handle", [](Host& host) {
    Ready r = ready(host);
    r.handles[0] = no_such<MemHandle>();
    host.execute(r.graph, r.handles);
  });
  ask("T-11e", "execute with another context's handle", [](Host& host) {
    Ready r = ready(host);
    const Tensor input = host.tensors().inputs[0];
    r.handles[0] = host.create().add(ion(r.buffers[0].fd, shape_of(input), input.v1.data_type));
    host.execute(r.graph, r.handles);
  });
  ask("T-11f", "execute with a handle of another shape and size", [](Host& host) {
    Ready r = ready(host);
    r.handles[0] = r.context.add(ion(host.allocate(page_bytes).fd, {7}));
    host.execute(r.graph, r.handles);
  });
  ask("T-11g", "execute with a spill-fill handle", [](Host& host) {
    host.start();
    const Context context = host.deferred();
    const MemHandle spill = context.add(spill_fill(host.spill_buffer()));
    context.finalize();
    const GraphHandle graph = context.retrieve();
    std::vector<MemHandle> handles = host.add_tensors(context);
    handles[0] = spill;
    host.execute(graph, handles);
  });
  ask("T-11h", "one handle for all inputs and outputs", [](Host& host) {
    Ready r = ready(host);
    r.handles.assign(r.handles.size(), r.handles[0]);
    host.execute(r.graph, r.handles);
  });
  ask("T-12a", "execute with ordinary memory, then with handles, then with ordinary memory",
      [](Host& host) {
        const Ready r = ready(host);
        host.execute(r.graph);
        host.execute(r.graph, r.handles);
        host.execute(r.graph);
      });
  ask("T-12b", "execute with all tensors in one shared buffer", [](Host& host) {
    host.start();
    const Context context = host.create();
    const GraphHandle graph = context.retrieve();
    const GraphTensors all = host.tensors();
    std::uint64_t size = 0;
    std::vector<std::uint64_t> offsets;
    for (const auto* const side : {&all.inputs, &all.outputs})
      for (const Tensor& tensor : *side)
        offsets.push_back(size),
            size += (bytes_of(tensor) + page_bytes - 1) / page_bytes * page_bytes;
    const Buffer buffer = host.allocate(size);
    std::vector<MemHandle> handles;
    for (const auto* const side : {&all.inputs, &all.outputs})
      for (const Tensor& tensor : *side)
        handles.push_back(context.add(shared(buffer.fd, size, offsets[handles.size()],
                                             shape_of(tensor), tensor.v1.data_type)));
    host.execute(graph, handles);
  });
  ask("T-13a", "numbers of the first three memory handles; of one after the first is deregistered",
      [](Host& host) {
        const auto [context, buffer] = ground(host);
        std::vector<MemHandle> handles;
        for (const std::uint64_t offset : {0u, 4096u, 8192u})
          handles.push_back(context.add(shared(buffer.fd, 65536, offset, {64, 64})));
        for (const MemHandle handle : handles) say("%u", number_of(handle));
        host.deregister({handles[0]});
        say("%u", number_of(context.add(shared(buffer.fd, 65536, 12288, {64, 64}))));
      });
  ask("T-13b", "numbers of the first three contexts; of one after the first is freed",
      [](Host& host) {
        host.start();
        const Context first = host.create();
        for (const Context& context : {first, host.create(), host.create()})
          say("%u", number_of(context.handle));
        first.free();
        say("%u", number_of(host.create().handle));
      });
  ask("T-14a", "register with no descriptors", [](Host& host) {
    host.need_memory();
    const auto [context, buffer] = ground(host);
    MemHandle handle = preset<MemHandle>();
    say_code("register", host.qnn.mem_register(context.handle, nullptr, 0, &handle));
    const MemDescriptor descriptor = ion(buffer.fd, {64, 64});
    say_code("register", host.qnn.mem_register(context.handle, &descriptor, 0, &handle));
  });
  ask("T-14b", "the raw memory of an input: NULL", [](Host& host) {
    const Ready r = ready(host);
    GraphTensors all = host.tensors();
    for (auto* const side : {&all.inputs, &all.outputs})
      for (Tensor& tensor : *side)
        tensor.v1.mem_type = TensorMemType::raw,
        tensor.v1.client_buf = {nullptr, static_cast<std::uint32_t>(bytes_of(tensor))};
    say_code("execute", host.qnn.graph_execute(
                            r.graph, all.inputs.data(),
                            static_cast<std::uint32_t>(all.inputs.size()), all.outputs.data(),
                            static_cast<std::uint32_t>(all.outputs.size()), nullptr, nullptr));
  });
  ask("T-14c", "the raw memory of an input: one byte too small, one byte too large",
      [](Host& host) {
        const Ready r = ready(host);
        for (const int difference : {-1, 1}) {
          GraphTensors all = host.tensors();
          for (auto* const side : {&all.inputs, &all.outputs})
            for (Tensor& tensor : *side)
              tensor.v1.mem_type = TensorMemType::raw,
              tensor.v1.client_buf = {Pages::of(bytes_of(tensor) + 1).data,
                                      static_cast<std::uint32_t>(bytes_of(tensor))};
          all.inputs[0].v1.client_buf.data_size += static_cast<std::uint32_t>(difference);
          say_code("execute", host.qnn.graph_execute(r.graph, all.inputs.data(),
                                                     static_cast<std::uint32_t>(all.inputs.size()),
                                                     all.outputs.data(),
                                                     static_cast<std::uint32_t>(all.outputs.size()),
                                                     nullptr, nullptr));
        }
      });
  ask("T-14d", "a tensor id that the graph does not have", [](Host& host) {
    const Ready r = ready(host);
    GraphTensors all = host.tensors();
    all.inputs[0].v1.id = 987654;
    all.inputs[0].v1.mem_type = TensorMemType::memhandle;
    all.inputs[0].v1.mem_handle = r.handles[0];
    say_code("execute", host.qnn.graph_execute(r.graph, all.inputs.data(), 1, all.outputs.data(), 0,
                                               nullptr, nullptr));
  });
  ask("T-14e", "no inputs and no outputs", [](Host& host) {
    const Ready r = ready(host);
    say_code("execute", host.qnn.graph_execute(r.graph, nullptr, 0, nullptr, 0, nullptr, nullptr));
  });
}

}  // namespace conformance
