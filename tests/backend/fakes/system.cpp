// A system library whose metadata has the requested stride and version: the memory after it cannot
// be read.
#include "fakes/system.hpp"

#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <cstring>

#include "qnnpp/abi/htp/system.hpp"

namespace {

namespace c_api = qnnpp::c_api;

fakes::SystemControl control;

const char* const graph_names[fakes::most_graphs] = {"graph0", "graph1", "graph2", "graph3",
                                                     "graph4"};
const char* const input_names[fakes::most_graphs] = {"in0", "in1", "in2", "in3", "in4"};
std::uint32_t input_dimensions[fakes::most_graphs][2] = {{1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}};
std::uint32_t output_dimensions[1] = {2};
c_api::Tensor inputs[fakes::most_graphs];
c_api::Tensor output;
c_api::SystemContextBinaryInfo info;
/// A blob as newer SDKs write it: the second version behind the first, and room for versions that
/// are not known.
struct Blob {
  c_api::HtpSystemContextGraphBlobInfo first;
  c_api::HtpSystemContextGraphBlobInfoV2 second;
  std::byte newer[48];
};
static_assert(offsetof(Blob, newer) == 112);
Blob blobs[fakes::most_graphs];
c_api::HtpSystemContextContextBlobInfo context_blob;
c_api::HtpSystemContextHwBlobInfo hardware[fakes::most_graphs];

/// Returns the reported count, or the real one if none is set.
std::uint32_t said(std::uint32_t instead, std::uint32_t truth) {
  return instead != 0 ? instead : truth;
}

/// Fills the blob of graph i. Fields that must not be read contain rubbish.
void fill_blob(c_api::SystemContextGraphInfoV3& graph, std::uint32_t i) {
  const fakes::SystemBehaviour& asked = control.behaviour;
  Blob& blob = blobs[i];
  std::memset(static_cast<void*>(&blob), 0xA5, sizeof blob);
  const bool both = asked.blob_version == 12;
  blob.first.version =
      static_cast<c_api::HtpSystemContextGraphInfoBlobVersion>(both ? 1 : asked.blob_version);
  blob.first.context_binary_graph_blob_info_v1.spill_fill_buffer_size =
      asked.spill_fill_bytes * (i + 1);
  blob.first.context_binary_graph_blob_info_v1.vtcm_size = asked.vtcm_size;
  blob.second.version = c_api::HtpSystemContextGraphInfoBlobVersion::version_v2;
  blob.second.io_tensor_size = 16384 * (i + 1);
  blob.second.const_size = 100 * (i + 1);
  blob.second.op_data_size = 10 * (i + 1);
  blob.second.shared_weights_size = 1000;
  const bool second = asked.blob_version == 2;
  graph.graph_blob_info = asked.blob_version == 0 ? nullptr
                          : second                ? static_cast<void*>(&blob.second)
                                                  : static_cast<void*>(&blob);
  const std::size_t size = both     ? offsetof(Blob, newer)
                           : second ? sizeof blob.second
                                    : sizeof blob.first;
  graph.graph_blob_info_size =
      asked.blob_bytes != 0 ? asked.blob_bytes : static_cast<std::uint32_t>(size);
}

/// Fills the fields that all versions of the info have.
template <class Info>
void fill_info(Info& of_version, c_api::SystemContextGraphInfo* graphs) {
  const fakes::SystemBehaviour& asked = control.behaviour;
  of_version.backend_id = asked.backend_id;
  of_version.num_graphs = said(asked.said_graphs, asked.graph_count);
  of_version.graphs = asked.without_graphs_array ? nullptr : graphs;
  of_version.build_id = asked.build_id;
  of_version.core_api_version = asked.core_api;
  of_version.backend_api_version = asked.backend_api;
  of_version.context_blob_size = 123456;
}

template <class Info>
void fill_hardware(Info& of_version) {
  const fakes::SystemBehaviour& asked = control.behaviour;
  for (std::uint32_t i = 0; i < asked.hardware_entries && i < fakes::most_graphs; ++i) {
    const std::uint32_t graph = asked.hardware_entries - 1 - i;
    hardware[i].version =
        static_cast<c_api::HtpSystemContextHwInfoBlobVersion>(asked.hardware_version);
    hardware[i].context_binary_hw_info_blob_v1_t = {graph, asked.spill_fill_bytes * (graph + 1)};
  }
  of_version.hw_info_blob = asked.hardware_entries == 0 ? nullptr : hardware;
  of_version.hw_info_blob_size =
      said(asked.said_hardware_bytes,
           static_cast<std::uint32_t>(asked.hardware_entries * sizeof hardware[0]));
}

template <class CTensor>
void fill(CTensor& tensor, std::uint32_t id, const char* name, c_api::TensorType type,
          c_api::DataType data_type, std::uint32_t* dimensions, std::uint32_t rank) {
  tensor.id = id;
  tensor.name = name;
  tensor.type = type;
  tensor.data_type = data_type;
  tensor.dimensions = dimensions;
  tensor.rank = rank;
}

void make(c_api::Tensor& tensor, std::uint32_t id, const char* name, c_api::TensorType type,
          c_api::DataType data_type, std::uint32_t* dimensions, std::uint32_t rank) {
  std::memset(&tensor, 0, sizeof tensor);
  tensor.version = static_cast<c_api::TensorVersion>(control.behaviour.tensor_version);
  if (tensor.version == c_api::TensorVersion::v2)
    fill(tensor.v2, id, name, type, data_type, dimensions, rank);
  else
    fill(tensor.v1, id, name, type, data_type, dimensions, rank);
}

/// Makes graph infos with the requested stride. The last one ends where unreadable memory begins.
c_api::SystemContextGraphInfo* make_graphs() {
  constexpr std::size_t page = 4096;
  void* area =
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED || ::mprotect(static_cast<std::byte*>(area) + page, page, PROT_NONE) != 0)
    return nullptr;
  const fakes::SystemBehaviour& asked = control.behaviour;

  for (std::uint32_t i = 0; i < fakes::most_graphs; ++i)
    make(inputs[i], i, input_names[i], c_api::TensorType::app_write, c_api::DataType::float_32,
         input_dimensions[i], said(asked.said_rank, 2));
  if (asked.input_name != nullptr) inputs[0].v1.name = asked.input_name;
  make(output, 9, "out", c_api::TensorType::app_read, c_api::DataType::uint_8, output_dimensions,
       1);

  std::byte* start =
      static_cast<std::byte*>(area) + page - std::size_t{asked.graph_count} * asked.graph_stride;
  for (std::uint32_t i = 0; i < asked.graph_count; ++i) {
    c_api::SystemContextGraphInfo whole;
    std::memset(&whole, 0xA5, sizeof whole);
    whole.version = static_cast<c_api::SystemContextGraphInfoVersion>(asked.graph_info_version);
    whole.graph_info_v1 = {asked.graph_name != nullptr ? asked.graph_name : graph_names[i],
                           said(asked.said_inputs, i + 1),
                           asked.without_inputs_array ? nullptr : inputs, 1, &output};
    if (asked.graph_info_version == 3) fill_blob(whole.graph_info_v3, i);
    std::memcpy(start + std::size_t{i} * asked.graph_stride, static_cast<const void*>(&whole),
                asked.graph_stride);
  }
  return reinterpret_cast<c_api::SystemContextGraphInfo*>(start);
}

constexpr std::uintptr_t context_mark = 0x4000;

c_api::ErrorHandle context_create(c_api::SystemContextHandle* context) {
  if ((control.behaviour.create_result & 0xFFFFu) == 0) {
    ++control.live_contexts;
    *context = reinterpret_cast<c_api::SystemContextHandle>(context_mark);
  }
  return control.behaviour.create_result;
}

c_api::ErrorHandle get_metadata(c_api::SystemContextHandle, const void* binary, std::uint64_t bytes,
                                const c_api::SystemContextBinaryInfo** out) {
  const fakes::SystemBehaviour& asked = control.behaviour;
  control.binary = binary;
  control.binary_bytes = bytes;
  std::memset(&info, 0xA5, sizeof info);
  info.version = static_cast<c_api::SystemContextBinaryInfoVersion>(asked.info_version);
  c_api::SystemContextGraphInfo* graphs = make_graphs();
  switch (asked.info_version) {
    case 1:
      fill_info(info.context_binary_info_v1, graphs);
      fill_hardware(info.context_binary_info_v1);
      break;
    case 2:
      fill_info(info.context_binary_info_v2, graphs);
      fill_hardware(info.context_binary_info_v2);
      break;
    default:
      fill_info(info.context_binary_info_v3, graphs);
      context_blob.version = c_api::HtpSystemContextContextInfoBlobVersion::version_v1;
      context_blob.context_binary_context_blob_info_v1.dsp_arch = 79;
      info.context_binary_info_v3.context_metadata = &context_blob;
      info.context_binary_info_v3.context_metadata_size = sizeof context_blob;
      info.context_binary_info_v3.soc_model = 69;
  }
  *out = asked.null_info ? nullptr : &info;
  return asked.metadata_result;
}

c_api::ErrorHandle context_free(c_api::SystemContextHandle context) {
  if (reinterpret_cast<std::uintptr_t>(context) != context_mark) return 30000;
  --control.live_contexts;
  return 0;
}

constexpr std::uintptr_t target_mark = 0x6000;

c_api::ErrorHandle create_target(c_api::SystemProfileSerializationTarget target,
                                 c_api::SystemProfileSerializationTargetConfig* configs,
                                 std::uint32_t count,
                                 c_api::SystemProfileSerializationTargetHandle* out) {
  if (control.behaviour.create_target_result != 0) return control.behaviour.create_target_result;
  ++control.live_targets;
  std::snprintf(control.path, sizeof control.path, "%s/%s", target.file.file_directory,
                target.file.file_name);
  const auto& header = configs[0].serialization_header;
  std::snprintf(control.header, sizeof control.header, "%u: %s %s %s", count, header.app_name,
                header.app_version, header.backend_version);
  *out = reinterpret_cast<c_api::SystemProfileSerializationTargetHandle>(target_mark);
  return 0;
}

template <class... Values>
void put(const char* format, Values... values) {
  const std::size_t length = std::strlen(control.written);
  std::snprintf(control.written + length, sizeof control.written - length, format, values...);
}

void put(const char* text) { put("%s", text); }

void put(const c_api::SystemProfileProfileEventV1& event) {
  const auto& extended = event.extended_event_data.v1;
  if (event.type == c_api::SystemProfileEventDataType::event_data)
    put(" %u=%llu:%s", event.event_data.type,
        static_cast<unsigned long long>(event.event_data.value), event.event_data.identifier);
  else if (extended.unit == c_api::profile_event_unit::object)
    put(" %u=object of %llu", extended.type,
        static_cast<unsigned long long>(extended.backend_opaque_object.opaque_object.len));
  else
    put(" %u=%llu@%llu:%s", extended.type,
        static_cast<unsigned long long>(extended.value.uint64_value),
        static_cast<unsigned long long>(extended.timestamp), extended.identifier);
  if (event.num_sub_events == 0) return;
  put("[");
  for (std::uint32_t i = 0; i < event.num_sub_events; ++i) put(event.profile_sub_event_data[i]);
  put("]");
}

c_api::ErrorHandle serialize(c_api::SystemProfileSerializationTargetHandle target,
                             const c_api::SystemProfileProfileData** data, std::uint32_t count) {
  if (reinterpret_cast<std::uintptr_t>(target) != target_mark || data == nullptr || count != 1)
    return 30001;
  const c_api::SystemProfileProfileDataV1& call = data[0]->v1;
  put("%u %llu-%llu %s:", static_cast<unsigned>(call.header.method_type),
      static_cast<unsigned long long>(call.header.start_time),
      static_cast<unsigned long long>(call.header.stop_time), call.header.graph_name);
  for (std::uint32_t i = 0; i < call.num_profiling_events; ++i) put(call.profiling_events[i]);
  put("\n");
  return control.behaviour.serialize_result;
}

c_api::ErrorHandle free_target(c_api::SystemProfileSerializationTargetHandle target) {
  if (reinterpret_cast<std::uintptr_t>(target) != target_mark) return 30000;
  --control.live_targets;
  if (control.behaviour.writes_file)
    if (std::FILE* file = std::fopen(control.path, "wb")) {
      const auto bytes = static_cast<std::uint32_t>(std::strlen(control.written));
      std::fwrite(&bytes, sizeof bytes, 1, file);
      std::fputs(control.written, file);
      std::fclose(file);
    }
  return control.behaviour.free_target_result;
}

c_api::SystemInterface providers[3];
const c_api::SystemInterface* list[3];

}  // namespace

extern "C" fakes::SystemControl* fake_system_control() { return &control; }

extern "C" c_api::ErrorHandle QnnSystemInterface_getProviders(const c_api::SystemInterface*** out,
                                                              std::uint32_t* count) {
  const fakes::SystemBehaviour& asked = control.behaviour;
  for (std::uint32_t i = 0; i < asked.provider_count; ++i) {
    const bool last = i + 1 == asked.provider_count;
    std::memset(&providers[i], 0, sizeof providers[i]);
    providers[i].provider_name = "FAKE_SYSTEM";
    providers[i].system_api_version = last ? asked.version : asked.other_version;
    providers[i].table.system_context_create = &context_create;
    providers[i].table.system_context_get_meta_data =
        asked.without_get_metadata ? nullptr : &get_metadata;
    providers[i].table.system_context_free = &context_free;
    if (!asked.without_profiles) {
      providers[i].table.system_profile_create_serialization_target = &create_target;
      providers[i].table.system_profile_serialize_event_data = &serialize;
      providers[i].table.system_profile_free_serialization_target = &free_target;
    }
    list[i] = i == 0 && asked.first_is_null ? nullptr : &providers[i];
  }
  *out = list;
  *count = said(asked.said_providers, asked.provider_count);
  return asked.get_providers_result;
}
