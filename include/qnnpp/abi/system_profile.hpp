// Serialization of profile data to files.
#pragma once

#include "qnnpp/abi/profile.hpp"

namespace qnnpp::c_api {

/// Selects the member of SystemProfileSerializationTarget's union.
/// C: QnnSystemProfile_SerializationTargetType_t. System 1.6.
enum class SystemProfileSerializationTargetType : std::uint32_t {
  file = 1,  ///< file.
  undefined = 0x7FFFFFFF,
};

/// Output file. C: QnnSystemProfile_SerializationTargetFile_t. System 1.6.
struct SystemProfileSerializationTargetFile {
  const char* file_name;       ///< Name of the file.
  const char* file_directory;  ///< Folder of the file.
};

/// Output of profile data. C: QnnSystemProfile_SerializationTarget_t. System 1.6.
struct SystemProfileSerializationTarget {
  SystemProfileSerializationTargetType type;  ///< Selects the union member.
  union {
    SystemProfileSerializationTargetFile file;  ///< Output file.
  };
};

/// Header of an output file. C: QnnSystemProfile_SerializationFileHeader_t. System 1.6.
struct SystemProfileSerializationFileHeader {
  const char* app_name;         ///< Name of the program.
  const char* app_version;      ///< Version of the program.
  const char* backend_version;  ///< Version of the backend.
};

/// Selects the member of SystemProfileSerializationTargetConfig's union.
/// C: QnnSystemProfile_SerializationTargetConfigType_t. System 1.6.
enum class SystemProfileSerializationTargetConfigType : std::uint32_t {
  max_num_messages = 0,      ///< max_num_messages.
  serialization_header = 1,  ///< serialization_header.
  undefined = 0x7FFFFFFF,
};

/// Option of a serialization target. C: QnnSystemProfile_SerializationTargetConfig_t. System 1.6.
struct SystemProfileSerializationTargetConfig {
  SystemProfileSerializationTargetConfigType type;  ///< Selects the union member.
  union {
    std::uint32_t max_num_messages;  ///< Upper limit of events in a file.
    SystemProfileSerializationFileHeader serialization_header;  ///< Header of the file.
  };
};

/// Visibility of an event. C: QnnSystemProfile_Visibility_t. System 1.6.
enum class SystemProfileVisibility : std::uint32_t {
  public_ = 0,   ///< Visible to all.
  private_ = 1,  ///< Visible to Qualcomm's tools only.
};

/// Call that events belong to. Each enumerator is the call's name.
/// C: QnnSystemProfile_MethodType_t. System 1.6.
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

/// Selects the member of SystemProfileProfileEventV1's union. C: QnnSystemProfile_EventDataType_t.
/// System 1.6.
enum class SystemProfileEventDataType : std::uint32_t {
  event_data = 0,           ///< event_data.
  extended_event_data = 1,  ///< extended_event_data.
  undefined = 0x7FFFFFFF,
};

/// Call that events belong to, with its time and memory. C: QnnSystemProfile_HeaderV1_t.
/// System 1.6.
struct SystemProfileHeaderV1 {
  std::uint64_t start_time;             ///< Start time.
  std::uint64_t stop_time;              ///< End time.
  std::uint64_t start_mem;              ///< Memory in use before the call.
  std::uint64_t stop_mem;               ///< Memory in use after the call.
  SystemProfileMethodType method_type;  ///< The call.
  SystemProfileVisibility visibility;   ///< Visibility of the events.
  const char* graph_name;               ///< The graph, or NULL.
};

/// Event with its sub-events. C: QnnSystemProfile_ProfileEventV1_t. System 1.6.
struct SystemProfileProfileEventV1 {
  SystemProfileEventDataType type;  ///< Selects the union member.
  union {
    ProfileEventData event_data;                   ///< Plain event.
    ProfileExtendedEventData extended_event_data;  ///< Extended event.
  };
  SystemProfileProfileEventV1* profile_sub_event_data;  ///< num_sub_events events.
  std::uint32_t num_sub_events;                         ///< Length of profile_sub_event_data.
};

/// Selects the member of SystemProfileProfileData's union.
/// C: QnnSystemProfile_ProfileDataVersion_t. System 1.6.
enum class SystemProfileProfileDataVersion : std::uint32_t {
  v1 = 1,  ///< v1.
  undefined = 0x7FFFFFFF,
};

/// Events of one call. C: QnnSystemProfile_ProfileDataV1_t. System 1.6.
struct SystemProfileProfileDataV1 {
  SystemProfileHeaderV1 header;                   ///< The call.
  SystemProfileProfileEventV1* profiling_events;  ///< num_profiling_events events.
  std::uint32_t num_profiling_events;             ///< Length of profiling_events.
};

/// Events of one call, any version. C: QnnSystemProfile_ProfileData_t. System 1.6.
struct SystemProfileProfileData {
  SystemProfileProfileDataVersion version;  ///< Selects the union member.
  union {
    SystemProfileProfileDataV1 v1;  ///< By value.
  };
};

struct OpaqueSystemProfileSerializationTarget;
/// Open serialization target. C: QnnSystemProfile_SerializationTargetHandle_t. System 1.6.
using SystemProfileSerializationTargetHandle = OpaqueSystemProfileSerializationTarget*;

/// Opens a serialization target for profile data. C: QnnSystemProfile_createSerializationTarget.
/// System 1.6.
using SystemProfileCreateSerializationTargetFn =
    ErrorHandle (*)(SystemProfileSerializationTarget serialization_target_info,
                    SystemProfileSerializationTargetConfig* configs, std::uint32_t num_configs,
                    SystemProfileSerializationTargetHandle* serialization_target);

/// Writes the events of calls to a serialization target. C: QnnSystemProfile_serializeEventData.
/// System 1.6.
using SystemProfileSerializeEventDataFn =
    ErrorHandle (*)(SystemProfileSerializationTargetHandle serialization_target,
                    const SystemProfileProfileData** event_data, std::uint32_t num_events);

/// Closes a serialization target. C: QnnSystemProfile_freeSerializationTarget. System 1.6.
using SystemProfileFreeSerializationTargetFn =
    ErrorHandle (*)(SystemProfileSerializationTargetHandle serialization_target);

}  // namespace qnnpp::c_api
