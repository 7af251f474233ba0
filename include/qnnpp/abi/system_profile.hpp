// Profile data written to files.
#pragma once

#include "qnnpp/abi/profile.hpp"

namespace qnnpp::c_api {

/// Which member of SystemProfileSerializationTarget's union is set.
/// C: QnnSystemProfile_SerializationTargetType_t. System 1.6.
enum class SystemProfileSerializationTargetType : std::uint32_t {
  file = 1,
  undefined = 0x7FFFFFFF,
};

/// A file to write to. C: QnnSystemProfile_SerializationTargetFile_t. System 1.6.
struct SystemProfileSerializationTargetFile {
  const char* file_name;       ///< Its name.
  const char* file_directory;  ///< Its folder.
};

/// Where profile data is written. C: QnnSystemProfile_SerializationTarget_t. System 1.6.
struct SystemProfileSerializationTarget {
  SystemProfileSerializationTargetType type;  ///< Selects the union member.
  union {
    SystemProfileSerializationTargetFile file;
  };
};

/// What the file says about its maker. C: QnnSystemProfile_SerializationFileHeader_t. System 1.6.
struct SystemProfileSerializationFileHeader {
  const char* app_name;         ///< The program.
  const char* app_version;      ///< Its version.
  const char* backend_version;  ///< Version of the backend.
};

/// Which member of SystemProfileSerializationTargetConfig's union is set.
/// C: QnnSystemProfile_SerializationTargetConfigType_t. System 1.6.
enum class SystemProfileSerializationTargetConfigType : std::uint32_t {
  max_num_messages = 0,
  serialization_header = 1,
  undefined = 0x7FFFFFFF,
};

/// An option of a serialization target. C: QnnSystemProfile_SerializationTargetConfig_t.
/// System 1.6.
struct SystemProfileSerializationTargetConfig {
  SystemProfileSerializationTargetConfigType type;  ///< Selects the union member.
  union {
    std::uint32_t max_num_messages;                             ///< Most events in a file.
    SystemProfileSerializationFileHeader serialization_header;  ///< Header of the file.
  };
};

/// Who sees an event. C: QnnSystemProfile_Visibility_t. System 1.6.
enum class SystemProfileVisibility : std::uint32_t {
  public_ = 0,   ///< Everybody.
  private_ = 1,  ///< Qualcomm's tools.
};

/// The call that events come from. C: QnnSystemProfile_MethodType_t. System 1.6.
enum class SystemProfileMethodType : std::uint32_t {
  none = 0,
  backend_execute = 1,
  backend_finalize = 2,
  backend_execute_async = 3,
  backend_create_from_binary = 4,
  backend_deinit = 5,
  app_context_create = 6,
  app_compose_graphs = 7,
  app_execute_ips = 8,
  backend_graph_component = 9,
  app_backend_lib_load = 10,
  backend_apply_binary_section = 11,
  context_finalize = 12,
  context_get_binary_size = 13,
  context_get_binary = 14,
  context_get_binary_section_size = 15,
  backend_finalize_tensor_updates = 16,  ///< System 1.7.
  backend_update_binary_section = 17,    ///< System 1.7.
};

/// Which member of SystemProfileProfileEventV1's union is set. C: QnnSystemProfile_EventDataType_t.
/// System 1.6.
enum class SystemProfileEventDataType : std::uint32_t {
  event_data = 0,
  extended_event_data = 1,
  undefined = 0x7FFFFFFF,
};

/// The call that events come from, and what it cost. C: QnnSystemProfile_HeaderV1_t. System 1.6.
struct SystemProfileHeaderV1 {
  std::uint64_t start_time;             ///< When it began.
  std::uint64_t stop_time;              ///< When it ended.
  std::uint64_t start_mem;              ///< Memory in use before.
  std::uint64_t stop_mem;               ///< Memory in use after.
  SystemProfileMethodType method_type;  ///< The call.
  SystemProfileVisibility visibility;   ///< Who sees it.
  const char* graph_name;               ///< The graph, or NULL.
};

/// An event with its sub-events. C: QnnSystemProfile_ProfileEventV1_t. System 1.6.
struct SystemProfileProfileEventV1 {
  SystemProfileEventDataType type;  ///< Selects the union member.
  union {
    ProfileEventData event_data;
    ProfileExtendedEventData extended_event_data;
  };
  SystemProfileProfileEventV1* profile_sub_event_data;  ///< num_sub_events events.
  std::uint32_t num_sub_events;                         ///< Length of profile_sub_event_data.
};

/// Which member of SystemProfileProfileData's union is set.
/// C: QnnSystemProfile_ProfileDataVersion_t. System 1.6.
enum class SystemProfileProfileDataVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// The events of one call. C: QnnSystemProfile_ProfileDataV1_t. System 1.6.
struct SystemProfileProfileDataV1 {
  SystemProfileHeaderV1 header;                   ///< The call.
  SystemProfileProfileEventV1* profiling_events;  ///< num_profiling_events events.
  std::uint32_t num_profiling_events;             ///< Length of profiling_events.
};

/// The events of one call, any version. C: QnnSystemProfile_ProfileData_t. System 1.6.
struct SystemProfileProfileData {
  SystemProfileProfileDataVersion version;  ///< Selects the union member.
  union {
    SystemProfileProfileDataV1 v1;
  };
};

struct OpaqueSystemProfileSerializationTarget;
/// An open place to write to. C: QnnSystemProfile_SerializationTargetHandle_t. System 1.6.
using SystemProfileSerializationTargetHandle = OpaqueSystemProfileSerializationTarget*;

/// Opens a place to write profile data to. C: QnnSystemProfile_createSerializationTarget.
/// System 1.6.
using SystemProfileCreateSerializationTargetFn =
    ErrorHandle (*)(SystemProfileSerializationTarget serialization_target_info,
                    SystemProfileSerializationTargetConfig* configs, std::uint32_t num_configs,
                    SystemProfileSerializationTargetHandle* serialization_target);

/// Writes events. C: QnnSystemProfile_serializeEventData. System 1.6.
using SystemProfileSerializeEventDataFn =
    ErrorHandle (*)(SystemProfileSerializationTargetHandle serialization_target,
                    const SystemProfileProfileData** event_data, std::uint32_t num_events);

/// Closes the place. C: QnnSystemProfile_freeSerializationTarget. System 1.6.
using SystemProfileFreeSerializationTargetFn =
    ErrorHandle (*)(SystemProfileSerializationTargetHandle serialization_target);

}  // namespace qnnpp::c_api
