// Controls the fake system library, and records its calls.
#pragma once

#include <cstdint>

#include "qnnpp/abi/system_interface.hpp"

namespace fakes {

struct SystemBehaviour {
  std::uint64_t get_providers_result = 0;
  std::uint32_t provider_count = 1;
  bool first_is_null = false;
  /// Version of the last provider in the list; the earlier providers have `other_version`.
  qnnpp::c_api::Version version = {1, 2, 0};
  qnnpp::c_api::Version other_version = {2, 0, 0};
  bool without_get_metadata = false;

  std::uint64_t create_result = 0;
  std::uint64_t metadata_result = 0;
  bool null_info = false;
  std::uint32_t info_version = 3;
  std::uint32_t backend_id = 6;
  bool without_graphs_array = false;
  bool without_inputs_array = false;
  std::uint32_t graph_info_version = 3;
  std::uint32_t graph_count = 3;
  std::uint32_t graph_stride = 88;
  std::uint32_t tensor_version = 1;
  /// Reported counts, which leave the real data unchanged; 0: the real count.
  std::uint32_t said_providers = 0;
  std::uint32_t said_graphs = 0;
  std::uint32_t said_inputs = 0;
  std::uint32_t said_rank = 0;
  std::uint32_t said_hardware_bytes = 0;
  /// Names of every graph and of the first tensor; null: the default name.
  const char* graph_name = nullptr;
  const char* input_name = nullptr;

  qnnpp::c_api::Version core_api = {2, 32, 0};
  qnnpp::c_api::Version backend_api = {5, 43, 0};
  const char* build_id = "v2.43.0";
  /// Blob of each graph info of version 3: 0 none, 1 or 2 its version, 12 both, 9 an unknown
  /// version.
  std::uint32_t blob_version = 1;
  /// Reported bytes of the blob; 0: the real size.
  std::uint32_t blob_bytes = 0;
  std::uint32_t vtcm_size = 8;  ///< in blobs of version 1
  /// Reported spill-fill bytes of graph i: this number times i + 1, in blobs of version 1 and in
  /// the array of infos of version 1 and 2.
  std::uint64_t spill_fill_bytes = 4096;
  /// Entries of that array. Entries of the last graphs come first.
  std::uint32_t hardware_entries = 3;
  std::uint32_t hardware_version = 1;

  bool without_profiles = false;
  std::uint64_t create_target_result = 0;
  std::uint64_t serialize_result = 0;
  std::uint64_t free_target_result = 0;
  bool writes_file = true;  ///< whether freeing a target creates its file
};

struct SystemControl {
  SystemBehaviour behaviour;
  int live_contexts = 0;
  const void* binary = nullptr;
  std::uint64_t binary_bytes = 0;
  int live_targets = 0;
  char path[512] = {};      ///< folder, a slash, and the name of the last target
  char header[256] = {};    ///< header of the last target
  char written[1024] = {};  ///< calls and events that were serialized, as text
};

using SystemControlFn = SystemControl* (*)();  ///< exported as fake_system_control

/// Graph i of the metadata has the name "graph<i>", i + 1 inputs "in<k>" of [1, k + 1] floats, and
/// one output "out" of [2] bytes.
inline constexpr std::uint32_t most_graphs = 5;

}  // namespace fakes
