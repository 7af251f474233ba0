// Calls of libQnnSystem.so that write the events of profiles to files. The format is this
// project's own text (docs/simulated-htp-format.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <system_error>

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/system_profile.hpp"

#include "sim/objects/handle_table.hpp"
#include "sim/tables/system.hpp"
#include "sim/tables/text.hpp"

namespace qnnpp::sim { namespace system_api {

inline c_api::ErrorHandle code(c_api::SystemProfileError error) noexcept {
  return static_cast<c_api::ErrorHandle>(error);
}

/// Returns a line for an event, and lines for its sub-events.
inline std::string lines_of(const c_api::SystemProfileProfileEventV1& event, unsigned depth) {
  c_api::ProfileEventData data{};
  if (event.type == c_api::SystemProfileEventDataType::event_data) {
    data = event.event_data;
  } else {
    const c_api::ProfileExtendedEventDataV1& extended = event.extended_event_data.v1;
    const bool is_object = extended.unit == c_api::profile_event_unit::object;
    data = {
        extended.type, extended.unit,
        is_object ? extended.backend_opaque_object.opaque_object.len : extended.value.uint64_value,
        extended.identifier};
  }
  std::string lines = text("event %u %u %u %llu %s\n", depth, data.type, data.unit,
                           static_cast<unsigned long long>(data.value),
                           data.identifier == nullptr ? "" : data.identifier);
  for (std::uint32_t i = 0; i < event.num_sub_events; ++i)
    lines += lines_of(event.profile_sub_event_data[i], depth + 1);
  return lines;
}

/// Returns the lines of one call of a client.
inline std::string lines_of(const c_api::SystemProfileProfileDataV1& data) {
  const c_api::SystemProfileHeaderV1& header = data.header;
  std::string lines =
      text("call %u %llu %llu %llu %llu %s\n", static_cast<unsigned>(header.method_type),
           static_cast<unsigned long long>(header.start_time),
           static_cast<unsigned long long>(header.stop_time),
           static_cast<unsigned long long>(header.start_mem),
           static_cast<unsigned long long>(header.stop_mem),
           header.graph_name == nullptr ? "" : header.graph_name);
  for (std::uint32_t i = 0; i < data.num_profiling_events; ++i)
    lines += lines_of(data.profiling_events[i], 0);
  return lines;
}

/// Opens a file and begins it with a header. Creates the folder; NULL is the folder profilelogs, as
/// in the host library. A name that is NULL, where the host library crashes, returns 30001.
inline c_api::ErrorHandle system_profile_create_serialization_target(
    c_api::SystemProfileSerializationTarget target,
    c_api::SystemProfileSerializationTargetConfig* configs, std::uint32_t num_configs,
    c_api::SystemProfileSerializationTargetHandle* out) {
  using Error = c_api::SystemProfileError;
  if (out == nullptr || target.type != c_api::SystemProfileSerializationTargetType::file ||
      target.file.file_name == nullptr || (configs == nullptr && num_configs != 0))
    return code(Error::invalid_argument);
  if (*target.file.file_name == '\0') return code(Error::unsupported_feature);
  const char* const given = target.file.file_directory;
  const std::filesystem::path folder = given == nullptr ? "profilelogs" : given;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  auto made = std::make_shared<SerializationTarget>();
  made->file = std::fopen((folder / target.file.file_name).c_str(), "wb");
  if (made->file == nullptr) return code(Error::unsupported_feature);
  for (std::uint32_t i = 0; i < num_configs; ++i) {
    if (configs[i].type != c_api::SystemProfileSerializationTargetConfigType::serialization_header)
      continue;
    const c_api::SystemProfileSerializationFileHeader& header = configs[i].serialization_header;
    const auto word = [](const char* words) { return words == nullptr ? "" : words; };
    made->lines += text("profile %s %s %s\n", word(header.app_name), word(header.app_version),
                        word(header.backend_version));
  }
  System& s = system();
  const std::lock_guard lock{s.mutex};
  *out =
      handle_of<c_api::SystemProfileSerializationTargetHandle>(s.targets.insert(std::move(made)));
  return 0;
}

inline c_api::ErrorHandle system_profile_serialize_event_data(
    c_api::SystemProfileSerializationTargetHandle handle,
    const c_api::SystemProfileProfileData** data, std::uint32_t count) {
  using Error = c_api::SystemProfileError;
  System& s = system();
  const std::lock_guard lock{s.mutex};
  const auto target = s.targets.find(handle);
  if (target == nullptr) return code(Error::invalid_handle);
  if (data == nullptr || count == 0) return code(Error::invalid_argument);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (data[i] == nullptr || data[i]->version != c_api::SystemProfileProfileDataVersion::v1)
      return code(Error::invalid_argument);
    target->lines += lines_of(data[i]->v1);
  }
  return 0;
}

inline c_api::ErrorHandle system_profile_free_serialization_target(
    c_api::SystemProfileSerializationTargetHandle handle) {
  System& s = system();
  const std::lock_guard lock{s.mutex};
  return s.targets.erase(id_of(handle)) ? 0 : code(c_api::SystemProfileError::invalid_handle);
}

}}  // namespace qnnpp::sim::system_api
