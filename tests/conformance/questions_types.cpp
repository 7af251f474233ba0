// T-15 to T-19: element types, buffers changed between executions, and one memory for several
// shapes.
#include <algorithm>

#include "host.hpp"

namespace conformance {
namespace {

using enum DataType;
constexpr DataType all_types[] = {
    int_8,           int_16,          int_32,          int_64,          uint_8,
    uint_16,         uint_32,         uint_64,         float_4,         float_8,
    float_16,        bfloat_16,       float_32,        float_64,        sfixed_point_4,
    sfixed_point_8,  sfixed_point_16, sfixed_point_32, ufixed_point_4,  ufixed_point_8,
    ufixed_point_16, ufixed_point_32, bool_8,          DataType::string};

/// Adds "type code" for each element type: registers [elements] of it, in `size` bytes.
void say_types(Host& host, bool as_ion, std::uint32_t elements,
               std::uint64_t (*size)(DataType type, std::uint32_t elements)) {
  host.need_memory();
  host.start();
  const Context context = host.create();
  const Buffer buffer = host.allocate(65536);
  for (const DataType type : all_types) {
    const std::vector<std::uint32_t> shape{elements};
    const MemDescriptor descriptor = as_ion
                                         ? ion(buffer.fd, shape, type)
                                         : shared(buffer.fd, size(type, elements), 0, shape, type);
    MemHandle handle = preset<MemHandle>();
    char name[16];
    std::snprintf(name, sizeof name, "%04x", static_cast<unsigned>(type));
    say_code(name, host.qnn.mem_register(context.handle, &descriptor, 1, &handle));
  }
}

std::uint64_t bits_of(DataType type) {
  const auto code = static_cast<std::uint32_t>(type);
  return type == bfloat_16 ? 16 : (code >> 4 & 15) * 10 + (code & 15);
}
std::uint64_t plenty(DataType, std::uint32_t) { return 65536; }
std::uint64_t exact(DataType type, std::uint32_t elements) {
  return (bits_of(type) * elements + 7) / 8;
}
std::uint64_t one_less(DataType type, std::uint32_t elements) { return exact(type, elements) - 1; }

/// Context with its graph retrieved, and two sets of registered memory for it.
struct Sets {
  Context context;
  GraphHandle graph;
  std::vector<MemHandle> first, second;
  std::vector<Buffer> buffers;
};
Sets two_sets(Host& host) {
  host.start();
  Sets made{host.create(), nullptr, {}, {}, {}};
  made.graph = made.context.retrieve();
  made.first = host.add_tensors(made.context, &made.buffers);
  made.second = host.add_tensors(made.context);
  return made;
}

/// Executes with memory handles after `change` has changed the C tensors.
void execute_changed(Host& host, GraphHandle graph, const std::vector<MemHandle>& handles,
                     void (*change)(GraphTensors& all)) {
  GraphTensors all = host.tensors(handles);
  change(all);
  say_code("execute", host.qnn.graph_execute(
                          graph, all.inputs.data(), static_cast<std::uint32_t>(all.inputs.size()),
                          all.outputs.data(), static_cast<std::uint32_t>(all.outputs.size()),
                          nullptr, nullptr));
}
void execute_changed(Host& host, void (*change)(GraphTensors& all)) {
  const Sets sets = two_sets(host);
  execute_changed(host, sets.graph, sets.first, change);
}

/// Makes the first input a version 2 tensor with these flags for its extents.
void make_dynamic(GraphTensors& all, std::uint8_t flag) {
  Tensor& tensor = all.inputs[0];
  const TensorV1 old = tensor.v1;
  auto* const flags = reinterpret_cast<std::uint8_t*>(Pages::of(page_bytes).data);
  for (std::uint32_t i = 0; i < old.rank; ++i) flags[i] = flag;
  tensor = {};
  tensor.version = TensorVersion::v2;
  tensor.v2.id = old.id;
  tensor.v2.name = old.name;
  tensor.v2.type = old.type;
  tensor.v2.data_format = old.data_format;
  tensor.v2.data_type = old.data_type;
  tensor.v2.quantize_params = old.quantize_params;
  tensor.v2.rank = old.rank;
  tensor.v2.dimensions = old.dimensions;
  tensor.v2.mem_type = old.mem_type;
  tensor.v2.mem_handle = old.mem_handle;
  tensor.v2.is_dynamic_dimensions = flags;
}

/// Gives a tensor ordinary memory instead of a handle.
void use_ordinary_memory(Tensor& tensor) {
  const std::uint64_t bytes = bytes_of(tensor);
  tensor.v1.mem_type = TensorMemType::raw;
  tensor.v1.client_buf = {Pages::of(bytes).data, static_cast<std::uint32_t>(bytes)};
}

/// Halves the first extent above 1 of the first input.
void halve(GraphTensors& all) {
  TensorV1& tensor = all.inputs[0].v1;
  for (std::uint32_t i = 0; i < tensor.rank; ++i)
    if (tensor.dimensions[i] > 1) {
      tensor.dimensions[i] /= 2;
      return;
    }
}

}  // namespace

void ask_types(Catalogue& ask) {
  // ---- element types
  ask("T-15a", "ION: 4096 elements of each type",
      [](Host& host) { say_types(host, true, 4096, plenty); });
  ask("T-15b", "shared buffer: 4096 elements of each type",
      [](Host& host) { say_types(host, false, 4096, plenty); });
  ask("T-15c", "shared buffer: 4097 elements of each type in just their bytes",
      [](Host& host) { say_types(host, false, 4097, exact); });
  ask("T-15d", "shared buffer: 4097 elements of each type in one byte less",
      [](Host& host) { say_types(host, false, 4097, one_less); });
  ask("T-15e", "shared buffer: 4-bit types, one byte for each element", [](Host& host) {
    host.start();
    const Context context = host.create();
    const Buffer buffer = host.allocate(65536);
    for (const DataType type : {sfixed_point_4, ufixed_point_4})
      for (const std::uint64_t size : {4097u, 4096u, 2049u, 2048u, 1u, 0u})
        context.add(shared(buffer.fd, size, 0, {4097}, type));
  });

  // ---- what execution reads of a C tensor
  ask("T-16a", "execute with another data type", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) { all.inputs[0].v1.data_type = int_32; });
  });
  ask("T-16b", "execute with another quantisation", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) {
      QuantizeParams& params = all.inputs[0].v1.quantize_params;
      params.encoding_definition = Definition::defined;
      params.quantization_encoding = QuantizationEncoding::scale_offset;
      params.scale_offset_encoding = {123.0f, -7};
    });
  });
  ask("T-16c", "execute without quantisation", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) {
      all.inputs[0].v1.quantize_params.encoding_definition = Definition::undefined;
    });
  });
  ask("T-16d", "execute with another data format", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) {
      all.inputs[0].v1.data_format = tensor_data_format::hmx_weight_layout;
    });
  });
  ask("T-16e", "execute with half an extent", [](Host& host) { execute_changed(host, halve); });
  ask("T-16f", "execute with rank 0", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) { all.inputs[0].v1.rank = 0; });
  });
  ask("T-16g", "execute with a rank of one less, and with an extent of 1 more", [](Host& host) {
    const Sets sets = two_sets(host);
    execute_changed(host, sets.graph, sets.first,
                    [](GraphTensors& all) { --all.inputs[0].v1.rank; });
    execute_changed(host, sets.graph, sets.first, [](GraphTensors& all) {
      TensorV1& tensor = all.inputs[0].v1;
      auto* const more = reinterpret_cast<std::uint32_t*>(Pages::of(page_bytes).data);
      std::copy_n(tensor.dimensions, tensor.rank, more);
      more[tensor.rank++] = 1;
      tensor.dimensions = more;
    });
  });
  ask("T-16h", "execute with an output of half an extent", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) {
      std::swap(all.inputs[0], all.outputs[0]);
      halve(all);
      std::swap(all.inputs[0], all.outputs[0]);
    });
  });
  ask("T-16i", "execute with ordinary memory and half an extent", [](Host& host) {
    const Sets sets = two_sets(host);
    execute_changed(host, sets.graph, sets.first, [](GraphTensors& all) {
      use_ordinary_memory(all.inputs[0]);
      halve(all);
    });
  });
  ask("T-16j", "execute with dimensions NULL", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) { all.inputs[0].v1.dimensions = nullptr; });
  });
  ask("T-16k", "execute with the name NULL, and with another name", [](Host& host) {
    const Sets sets = two_sets(host);
    execute_changed(host, sets.graph, sets.first,
                    [](GraphTensors& all) { all.inputs[0].v1.name = nullptr; });
    execute_changed(host, sets.graph, sets.first,
                    [](GraphTensors& all) { all.inputs[0].v1.name = "other"; });
  });
  ask("T-16l", "execute with an input as input and output, and as output", [](Host& host) {
    const Sets sets = two_sets(host);
    execute_changed(host, sets.graph, sets.first,
                    [](GraphTensors& all) { all.inputs[0].v1.type = TensorType::app_readwrite; });
    execute_changed(host, sets.graph, sets.first,
                    [](GraphTensors& all) { all.inputs[0].v1.type = TensorType::app_read; });
  });
  ask("T-16m", "execute without the first output", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) { all.outputs.erase(all.outputs.begin()); });
  });
  ask("T-16n", "execute with the first output twice", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) { all.outputs.push_back(all.outputs[0]); });
  });
  ask("T-16o", "execute with inputs and outputs in reverse order", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) {
      all.inputs = {all.inputs.rbegin(), all.inputs.rend()};
      all.outputs = {all.outputs.rbegin(), all.outputs.rend()};
    });
  });

  // ---- rebinding
  ask("T-17a", "execute with one set of handles, with another, with the first again",
      [](Host& host) {
        const Sets sets = two_sets(host);
        for (const auto* const handles : {&sets.first, &sets.second, &sets.first})
          host.execute(sets.graph, *handles);
      });
  ask("T-17b", "change the first input alone between executions", [](Host& host) {
    Sets sets = two_sets(host);
    host.execute(sets.graph, sets.first);
    sets.first[0] = sets.second[0];
    host.execute(sets.graph, sets.first);
  });
  ask("T-17c", "deregister the set that is no longer used, execute with the other", [](Host& host) {
    const Sets sets = two_sets(host);
    host.execute(sets.graph, sets.first);
    host.deregister(sets.first);
    host.execute(sets.graph, sets.second);
  });
  ask("T-17d", "register a third set after executions, execute with it", [](Host& host) {
    const Sets sets = two_sets(host);
    host.execute(sets.graph, sets.first);
    host.execute(sets.graph, host.add_tensors(sets.context));
  });
  ask("T-17e", "the first input as ordinary memory, the others as handles, then all as handles",
      [](Host& host) {
        const Sets sets = two_sets(host);
        execute_changed(host, sets.graph, sets.first,
                        [](GraphTensors& all) { use_ordinary_memory(all.inputs[0]); });
        host.execute(sets.graph, sets.first);
      });
  ask("T-17f", "maps after registration, after an execution, after deregistration", [](Host& host) {
    host.need(host.standin.live_maps);
    const Sets sets = two_sets(host);
    const int before = host.standin.live_maps();
    host.execute(sets.graph, sets.first);
    const int executed = host.standin.live_maps();
    host.deregister(sets.first);
    say("%+d by execution", executed - before);
    say("%+d by deregistration", host.standin.live_maps() - executed);
  });

  // ---- one memory for several shapes
  ask("T-18a", "one shared buffer, an input and an output over the same bytes", [](Host& host) {
    Sets sets = two_sets(host);
    const GraphTensors all = host.tensors();
    const std::uint64_t size = std::max(bytes_of(all.inputs[0]), bytes_of(all.outputs[0]));
    const Buffer buffer = host.allocate(size);
    sets.first[0] = sets.context.add(
        shared(buffer.fd, size, 0, shape_of(all.inputs[0]), all.inputs[0].v1.data_type));
    sets.first[all.inputs.size()] = sets.context.add(
        shared(buffer.fd, size, 0, shape_of(all.outputs[0]), all.outputs[0].v1.data_type));
    host.execute(sets.graph, sets.first);
  });
  ask("T-18b", "a larger shape of the same bytes registered beside, execute, deregister the larger",
      [](Host& host) {
        Sets sets = two_sets(host);
        const Tensor input = host.tensors().inputs[0];
        const std::uint64_t size = 2 * bytes_of(input);
        const Buffer buffer = host.allocate(size);
        std::vector<std::uint32_t> larger = shape_of(input);
        larger[0] *= 2;
        const MemHandle twice =
            sets.context.add(shared(buffer.fd, size, 0, larger, input.v1.data_type));
        sets.first[0] =
            sets.context.add(shared(buffer.fd, size, 0, shape_of(input), input.v1.data_type));
        host.execute(sets.graph, sets.first);
        host.deregister({twice});
        host.execute(sets.graph, sets.first);
      });
  ask("T-18c", "the same bytes in two contexts, with other shapes, both executed", [](Host& host) {
    Sets sets = two_sets(host);
    const Tensor input = host.tensors().inputs[0];
    const Buffer buffer = host.allocate(bytes_of(input));
    const Context other = host.create();
    other.add(ion(buffer.fd, {static_cast<std::uint32_t>(bytes_of(input))}));
    sets.first[0] = sets.context.add(ion(buffer.fd, shape_of(input), input.v1.data_type));
    host.execute(sets.graph, sets.first);
    other.free();
    host.execute(sets.graph, sets.first);
  });
  ask("T-18d", "a tensor of one byte less than a page at the end of a shared buffer",
      [](Host& host) {
        host.start();
        const Buffer buffer = host.allocate(65536);
        host.create().add(shared(buffer.fd, 65536, 65536 - 4095, {4095}));
      });

  // ---- dynamic extents
  ask("T-19a", "execute with extents marked as dynamic, as prepared",
      [](Host& host) { execute_changed(host, [](GraphTensors& all) { make_dynamic(all, 1); }); });
  ask("T-19b", "execute with half an extent, marked as dynamic", [](Host& host) {
    execute_changed(host, [](GraphTensors& all) { halve(all), make_dynamic(all, 1); });
  });
  ask("T-19c", "execute with flags that are all 0",
      [](Host& host) { execute_changed(host, [](GraphTensors& all) { make_dynamic(all, 0); }); });
  ask("T-19d", "whether the metadata marks extents of the inputs as dynamic", [](Host& host) {
    host.start();
    for (const Tensor& tensor : host.tensors().inputs)
      say("%s", tensor.version == TensorVersion::v2 && tensor.v2.is_dynamic_dimensions != nullptr
                    ? "yes"
                    : "no");
  });
}

}  // namespace conformance
