// Profiles: collections of events, and the calls on profiles.
#pragma once

#include "qnnpp/abi/common.hpp"

namespace qnnpp::c_api {

/// Level of detail of a profile; profile_level has the values. C: QnnProfile_Level_t.
using ProfileLevel = std::uint32_t;

/// Values of ProfileLevel. C: QNN_PROFILE_LEVEL_...
namespace profile_level {
inline constexpr ProfileLevel basic = 1;       ///< Times of calls.
inline constexpr ProfileLevel detailed = 2;    ///< Times of calls and of single nodes.
inline constexpr ProfileLevel backend = 1000;  ///< First level that a backend may define.
}  // namespace profile_level

/// Event; valid until its profile is freed. C: QnnProfile_EventId_t.
using ProfileEventId = std::uint64_t;

/// Type of an event; profile_event_type has the values. C: QnnProfile_EventType_t.
using ProfileEventType = std::uint32_t;

/// Values of ProfileEventType. C: QNN_PROFILE_EVENTTYPE_...
namespace profile_event_type {
/// Creating a context, from a binary or by composing.
inline constexpr ProfileEventType init = 100;
/// Finalizing a graph.
inline constexpr ProfileEventType finalize = 300;
/// Executing a graph.
inline constexpr ProfileEventType execute = 400;
/// One node; sub-event of execute.
inline constexpr ProfileEventType node = 404;
/// Waiting in the queue; sub-event of execute.
inline constexpr ProfileEventType execute_queue_wait = 405;
/// Work before the execution on the device; sub-event of execute.
inline constexpr ProfileEventType execute_preprocess = 406;
/// Execution on the device; sub-event of execute.
inline constexpr ProfileEventType execute_device = 407;
/// Work after the execution on the device; sub-event of execute.
inline constexpr ProfileEventType execute_postprocess = 408;
/// Freeing a context.
inline constexpr ProfileEventType deinit = 500;
/// Trace of preparation and execution.
inline constexpr ProfileEventType trace = 600;
/// First type that a backend may define.
inline constexpr ProfileEventType backend = 1000;
}  // namespace profile_event_type

/// Unit of an event's value; profile_event_unit has the values. C: QnnProfile_EventUnit_t.
using ProfileEventUnit = std::uint32_t;

/// Values of ProfileEventUnit. C: QNN_PROFILE_EVENTUNIT_...
namespace profile_event_unit {
/// Microseconds; also the unit of events without a unit.
inline constexpr ProfileEventUnit microsec = 1;
/// Bytes.
inline constexpr ProfileEventUnit bytes = 2;
/// Cycles of the processor.
inline constexpr ProfileEventUnit cycles = 3;
/// A count.
inline constexpr ProfileEventUnit count = 4;
/// Bytes instead of a number, in ProfileExtendedEventDataV1::backend_opaque_object.
inline constexpr ProfileEventUnit object = 5;
/// First unit that a backend may define.
inline constexpr ProfileEventUnit backend = 1000;
}  // namespace profile_event_unit

/// Value of an event. C: QnnProfile_EventValue_t.
using ProfileEventValue = std::uint64_t;

/// Pointer to an option that the backend defines. C: QnnProfile_CustomConfig_t.
using ProfileCustomConfig = void*;

/// Data of an event. C: QnnProfile_EventData_t.
struct ProfileEventData {
  ProfileEventType type;    ///< Type: profile_event_type, or a type that the backend defines.
  ProfileEventUnit unit;    ///< Unit of value: profile_event_unit.
  ProfileEventValue value;  ///< Measured value.
  const char* identifier;   ///< Name of the node or step; the profile owns it.
};

/// Bytes for a tool of the SDK. C: QnnProfile_BackendOpaqueObject_t.
struct ProfileBackendOpaqueObject {
  OpaqueObject opaque_object;  ///< The bytes; the profile owns them.
  const char* file_name;       ///< Name of a file with more data, or NULL.
};

/// Selects the member of ProfileExtendedEventData's union.
/// C: QnnProfile_ExtendedEventDataVersion_t.
enum class ProfileExtendedEventDataVersion : std::uint32_t {
  v1 = 1,  ///< v1.
  undefined = 0x7FFFFFFF,
};

/// Data of an extended event. C: QnnProfile_ExtendedEventDataV1_t.
struct ProfileExtendedEventDataV1 {
  ProfileEventType type;  ///< Type of the event.
  /// Unit of the value; profile_event_unit::object selects backend_opaque_object.
  ProfileEventUnit unit;
  union {
    Scalar value;                                      ///< Measured value.
    ProfileBackendOpaqueObject backend_opaque_object;  ///< Bytes instead of a number.
  };
  std::uint64_t timestamp;  ///< Time of the event.
  const char* identifier;   ///< Name of the node or step; the profile owns it.
};

/// Data of an extended event, any version. C: QnnProfile_ExtendedEventData_t.
struct ProfileExtendedEventData {
  ProfileExtendedEventDataVersion version;  ///< Selects the union member.
  union {
    ProfileExtendedEventDataV1 v1;  ///< By value.
  };
};

/// Selects the member of ProfileConfig's union. C: QnnProfile_ConfigOption_t.
enum class ProfileConfigOption : std::uint32_t {
  custom = 0,          ///< custom_config, defined by the backend.
  max_events = 1,      ///< num_max_events.
  enable_optrace = 2,  ///< enable_optrace.
  undefined = 0x7FFFFFFF,
};

/// Option of a profile. Calls use a NULL-ended array of pointers to options.
/// C: QnnProfile_Config_t.
struct ProfileConfig {
  ProfileConfigOption option;  ///< Selects the union member.
  union {
    ProfileCustomConfig custom_config;  ///< Option that the backend defines.
    std::uint64_t num_max_events;       ///< Number of events to keep; 0 is no limit.
    std::uint8_t enable_optrace;        ///< Nonzero: traces every op.
  };
};

/// Creates a profile, which is an argument of later calls. C: QnnProfile_create. Codes: 1000, 1002,
/// 1004, 12000.
using ProfileCreateFn = ErrorHandle (*)(BackendHandle backend, ProfileLevel level,
                                        ProfileHandle* profile);

/// Changes options of a profile. C: QnnProfile_setConfig. Codes: 1000, 1004, 12000, 12001.
using ProfileSetConfigFn = ErrorHandle (*)(ProfileHandle profile_handle,
                                           const ProfileConfig** config);

/// Returns the events collected so far. The profile owns the ids. C: QnnProfile_getEvents. Codes:
/// 1002, 1004, 12000.
using ProfileGetEventsFn = ErrorHandle (*)(ProfileHandle profile,
                                           const ProfileEventId** profile_event_ids,
                                           std::uint32_t* num_events);

/// Returns the sub-events of an event. The profile owns the ids. C: QnnProfile_getSubEvents. Codes:
/// 1002, 1004, 12000.
using ProfileGetSubEventsFn = ErrorHandle (*)(ProfileEventId event_id,
                                              const ProfileEventId** sub_event_ids,
                                              std::uint32_t* num_sub_events);

/// Returns the data of an event. The profile owns the identifier. C: QnnProfile_getEventData.
/// Codes: 1000, 1002, 1004, 12000, 12002.
using ProfileGetEventDataFn = ErrorHandle (*)(ProfileEventId event_id,
                                              ProfileEventData* event_data);

/// Returns the data of an event with its time. The profile owns everything that the data points to.
/// C: QnnProfile_getExtendedEventData. Codes: 1000, 1002, 1004, 12000.
using ProfileGetExtendedEventDataFn = ErrorHandle (*)(ProfileEventId event_id,
                                                      ProfileExtendedEventData* event_data);

/// Frees a profile and its events. Requires that no graph uses it. C: QnnProfile_free. Codes: 1002,
/// 12000, 12001.
using ProfileFreeFn = ErrorHandle (*)(ProfileHandle profile);

}  // namespace qnnpp::c_api
