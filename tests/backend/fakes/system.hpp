// How the fake system library is told what to be, and what it tells.
#pragma once

#include <cstdint>

#include "qnnpp/abi/system_interface.hpp"

namespace fakes {

struct SystemBehaviour {
  std::uint64_t get_providers_result = 0;
  std::uint32_t provider_count = 1;
  bool first_is_null = false;
  /// Of the last provider listed; the ones before it have `other_version`.
  qnnpp::abi::Version version = {1, 2, 0};
  qnnpp::abi::Version other_version = {2, 0, 0};
  bool without_get_metadata = false;

  std::uint64_t create_result = 0;
  std::uint64_t metadata_result = 0;
  bool null_info = false;
  std::uint32_t info_version = 3;
  std::uint32_t graph_info_version = 3;
  std::uint32_t graph_count = 3;
  std::uint32_t graph_stride = 88;
  std::uint32_t tensor_version = 1;
};

struct SystemControl {
  SystemBehaviour behaviour;
  int live_contexts = 0;
  const void* binary = nullptr;
  std::uint64_t binary_bytes = 0;
};

using SystemControlFn = SystemControl* (*)();  ///< Exported as fake_system_control.

/// Graph i of the metadata is called "graph<i>", has i + 1 inputs "in<k>" of [1, k + 1] floats and one
/// output "out" of [2] bytes.
inline constexpr std::uint32_t most_graphs = 5;

}  // namespace fakes
