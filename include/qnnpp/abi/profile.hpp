// Profiles: collections of events, and the calls that read them.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// How much is collected; the values are in profile_level. C: QnnProfile_Level_t.
using ProfileLevel = std::uint32_t;

/// Values of ProfileLevel. C: QNN_PROFILE_LEVEL_...
namespace profile_level {
inline constexpr ProfileLevel basic = 1;       ///< Times of whole calls.
inline constexpr ProfileLevel detailed = 2;    ///< Times of single nodes too.
inline constexpr ProfileLevel backend = 1000;  ///< Here the levels start that a backend defines.
}  // namespace profile_level

/// An event, valid as long as its profile. C: QnnProfile_EventId_t.
using ProfileEventId = std::uint64_t;

/// What an event measures; the values are in profile_event_type. C: QnnProfile_EventType_t.
using ProfileEventType = std::uint32_t;

/// Values of ProfileEventType. C: QNN_PROFILE_EVENTTYPE_...
namespace profile_event_type {
/// Creating a context, from a binary or up to finalize.
inline constexpr ProfileEventType init = 100;
/// Finalizing a graph.
inline constexpr ProfileEventType finalize = 300;
/// Executing a graph.
inline constexpr ProfileEventType execute = 400;
/// One node; below execute.
inline constexpr ProfileEventType node = 404;
/// Waiting in the queue; below execute.
inline constexpr ProfileEventType execute_queue_wait = 405;
/// Before the device; below execute.
inline constexpr ProfileEventType execute_preprocess = 406;
/// On the device; below execute.
inline constexpr ProfileEventType execute_device = 407;
/// After the device; below execute.
inline constexpr ProfileEventType execute_postprocess = 408;
/// Freeing a context.
inline constexpr ProfileEventType deinit = 500;
/// Trace of preparation and execution.
inline constexpr ProfileEventType trace = 600;
/// Here the types start that a backend defines.
inline constexpr ProfileEventType backend = 1000;
}  // namespace profile_event_type

/// Unit of an event's value; the values are in profile_event_unit. C: QnnProfile_EventUnit_t.
using ProfileEventUnit = std::uint32_t;

/// Values of ProfileEventUnit. C: QNN_PROFILE_EVENTUNIT_...
namespace profile_event_unit {
/// Microseconds; also meant where no unit is given.
inline constexpr ProfileEventUnit microsec = 1;
/// Bytes.
inline constexpr ProfileEventUnit bytes = 2;
/// Cycles of the processor.
inline constexpr ProfileEventUnit cycles = 3;
/// A count.
inline constexpr ProfileEventUnit count = 4;
/// No figure but bytes: ProfileExtendedEventDataV1::backend_opaque_object is set.
inline constexpr ProfileEventUnit object = 5;
/// Here the units start that a backend defines.
inline constexpr ProfileEventUnit backend = 1000;
}  // namespace profile_event_unit

/// Value of an event. C: QnnProfile_EventValue_t.
using ProfileEventValue = std::uint64_t;

/// Pointer to an option that the backend defines. C: QnnProfile_CustomConfig_t.
using ProfileCustomConfig = void*;

/// Data of an event. C: QnnProfile_EventData_t.
struct ProfileEventData {
  ProfileEventType type;    ///< What was measured: profile_event_type, or the backend's own.
  ProfileEventUnit unit;    ///< Unit of value: profile_event_unit.
  ProfileEventValue value;  ///< The figure.
  const char* identifier;   ///< Name of the node or step; belongs to the profile.
};

/// Bytes that a tool of the SDK reads. C: QnnProfile_BackendOpaqueObject_t.
struct ProfileBackendOpaqueObject {
  OpaqueObject opaque_object;  ///< The bytes; they belong to the profile.
  const char* file_name;       ///< Name of a file that holds more, or NULL.
};

/// Which member of ProfileExtendedEventData's union is set.
/// C: QnnProfile_ExtendedEventDataVersion_t.
enum class ProfileExtendedEventDataVersion : std::uint32_t {
  v1 = 1,
  undefined = 0x7FFFFFFF,
};

/// Data of an extended event. C: QnnProfile_ExtendedEventDataV1_t.
struct ProfileExtendedEventDataV1 {
  ProfileEventType type;  ///< What was measured.
  /// Unit of the value; profile_event_unit::object selects backend_opaque_object.
  ProfileEventUnit unit;
  union {
    Scalar value;                                      ///< The figure.
    ProfileBackendOpaqueObject backend_opaque_object;  ///< Bytes instead of a figure.
  };
  std::uint64_t timestamp;  ///< When it happened.
  const char* identifier;   ///< Name of the node or step; belongs to the profile.
};

/// Data of an extended event, any version. C: QnnProfile_ExtendedEventData_t.
struct ProfileExtendedEventData {
  ProfileExtendedEventDataVersion version;  ///< Selects the union member.
  union {
    ProfileExtendedEventDataV1 v1;
  };
};

/// Which member of ProfileConfig's union is set. C: QnnProfile_ConfigOption_t.
enum class ProfileConfigOption : std::uint32_t {
  custom = 0,      ///< custom_config, defined by the backend.
  max_events = 1,  ///< num_max_events.
  enable_optrace = 2,
  undefined = 0x7FFFFFFF,
};

/// An option of a profile. Calls take a NULL-ended array of pointers to these.
/// C: QnnProfile_Config_t.
struct ProfileConfig {
  ProfileConfigOption option;  ///< Selects the union member.
  union {
    ProfileCustomConfig custom_config;
    std::uint64_t num_max_events;  ///< Most events kept; 0 is no limit.
    std::uint8_t enable_optrace;   ///< Not 0: a trace of every op.
  };
};

/// Creates a profile for the calls that are given it. C: QnnProfile_create. Codes: 1000, 1002,
/// 1004, 12000.
using ProfileCreateFn = ErrorHandle (*)(BackendHandle backend, ProfileLevel level,
                                        ProfileHandle* profile);

/// Changes options of a profile. C: QnnProfile_setConfig. Codes: 1000, 1004, 12000, 12001.
using ProfileSetConfigFn = ErrorHandle (*)(ProfileHandle profile_handle,
                                           const ProfileConfig** config);

/// Events collected so far. The ids belong to the profile. C: QnnProfile_getEvents. Codes: 1002,
/// 1004, 12000.
using ProfileGetEventsFn = ErrorHandle (*)(ProfileHandle profile,
                                           const ProfileEventId** profile_event_ids,
                                           std::uint32_t* num_events);

/// Events below an event. The ids belong to the profile. C: QnnProfile_getSubEvents. Codes: 1002,
/// 1004, 12000.
using ProfileGetSubEventsFn = ErrorHandle (*)(ProfileEventId event_id,
                                              const ProfileEventId** sub_event_ids,
                                              std::uint32_t* num_sub_events);

/// Data of an event; the identifier belongs to the profile. C: QnnProfile_getEventData. Codes:
/// 1000, 1002, 1004, 12000, 12002.
using ProfileGetEventDataFn = ErrorHandle (*)(ProfileEventId event_id,
                                              ProfileEventData* event_data);

/// Data of an event with its time; what it points to belongs to the profile.
/// C: QnnProfile_getExtendedEventData. Codes: 1000, 1002, 1004, 12000.
using ProfileGetExtendedEventDataFn = ErrorHandle (*)(ProfileEventId event_id,
                                                      ProfileExtendedEventData* event_data);

/// Frees a profile with its events, once no graph is bound to it. C: QnnProfile_free. Codes: 1002,
/// 12000, 12001.
using ProfileFreeFn = ErrorHandle (*)(ProfileHandle profile);

}  // namespace qnnpp::c_api
