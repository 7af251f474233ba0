// Part of verify_sdk.hpp; do not include it alone. Compares abi/profile.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/profile.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/profile.hpp"

// clang-format off
namespace qnnpp::c_api {

#if defined(QNN_PROFILE_LEVEL_BASIC)
QNNPP_SAME_VALUE(profile_level::basic, QNN_PROFILE_LEVEL_BASIC);
#endif
#if defined(QNN_PROFILE_LEVEL_DETAILED)
QNNPP_SAME_VALUE(profile_level::detailed, QNN_PROFILE_LEVEL_DETAILED);
#endif
#if defined(QNN_PROFILE_LEVEL_BACKEND)
QNNPP_SAME_VALUE(profile_level::backend, QNN_PROFILE_LEVEL_BACKEND);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_INIT)
QNNPP_SAME_VALUE(profile_event_type::init, QNN_PROFILE_EVENTTYPE_INIT);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_FINALIZE)
QNNPP_SAME_VALUE(profile_event_type::finalize, QNN_PROFILE_EVENTTYPE_FINALIZE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE)
QNNPP_SAME_VALUE(profile_event_type::execute, QNN_PROFILE_EVENTTYPE_EXECUTE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_NODE)
QNNPP_SAME_VALUE(profile_event_type::node, QNN_PROFILE_EVENTTYPE_NODE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_QUEUE_WAIT)
QNNPP_SAME_VALUE(profile_event_type::execute_queue_wait, QNN_PROFILE_EVENTTYPE_EXECUTE_QUEUE_WAIT);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_PREPROCESS)
QNNPP_SAME_VALUE(profile_event_type::execute_preprocess, QNN_PROFILE_EVENTTYPE_EXECUTE_PREPROCESS);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_DEVICE)
QNNPP_SAME_VALUE(profile_event_type::execute_device, QNN_PROFILE_EVENTTYPE_EXECUTE_DEVICE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_EXECUTE_POSTPROCESS)
QNNPP_SAME_VALUE(profile_event_type::execute_postprocess, QNN_PROFILE_EVENTTYPE_EXECUTE_POSTPROCESS);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_DEINIT)
QNNPP_SAME_VALUE(profile_event_type::deinit, QNN_PROFILE_EVENTTYPE_DEINIT);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_TRACE)
QNNPP_SAME_VALUE(profile_event_type::trace, QNN_PROFILE_EVENTTYPE_TRACE);
#endif
#if defined(QNN_PROFILE_EVENTTYPE_BACKEND)
QNNPP_SAME_VALUE(profile_event_type::backend, QNN_PROFILE_EVENTTYPE_BACKEND);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_MICROSEC)
QNNPP_SAME_VALUE(profile_event_unit::microsec, QNN_PROFILE_EVENTUNIT_MICROSEC);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_BYTES)
QNNPP_SAME_VALUE(profile_event_unit::bytes, QNN_PROFILE_EVENTUNIT_BYTES);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_CYCLES)
QNNPP_SAME_VALUE(profile_event_unit::cycles, QNN_PROFILE_EVENTUNIT_CYCLES);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_COUNT)
QNNPP_SAME_VALUE(profile_event_unit::count, QNN_PROFILE_EVENTUNIT_COUNT);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_OBJECT)
QNNPP_SAME_VALUE(profile_event_unit::object, QNN_PROFILE_EVENTUNIT_OBJECT);
#endif
#if defined(QNN_PROFILE_EVENTUNIT_BACKEND)
QNNPP_SAME_VALUE(profile_event_unit::backend, QNN_PROFILE_EVENTUNIT_BACKEND);
#endif
QNNPP_SAME_SIZE(ProfileEventData, QnnProfile_EventData_t);
QNNPP_SAME_FIELD(ProfileEventData, type, QnnProfile_EventData_t, type);
QNNPP_SAME_FIELD(ProfileEventData, unit, QnnProfile_EventData_t, unit);
QNNPP_SAME_FIELD(ProfileEventData, value, QnnProfile_EventData_t, value);
QNNPP_SAME_FIELD(ProfileEventData, identifier, QnnProfile_EventData_t, identifier);
QNNPP_SAME_SIZE(ProfileBackendOpaqueObject, QnnProfile_BackendOpaqueObject_t);
QNNPP_SAME_FIELD(ProfileBackendOpaqueObject, opaque_object, QnnProfile_BackendOpaqueObject_t, opaqueObject);
QNNPP_SAME_FIELD(ProfileBackendOpaqueObject, file_name, QnnProfile_BackendOpaqueObject_t, fileName);
QNNPP_SAME_VALUE(ProfileExtendedEventDataVersion::v1, QNN_PROFILE_DATA_VERSION_1);
QNNPP_SAME_VALUE(ProfileExtendedEventDataVersion::undefined, QNN_PROFILE_DATA_VERSION_UNDEFINED);
QNNPP_SAME_SIZE(ProfileExtendedEventDataV1, QnnProfile_ExtendedEventDataV1_t);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, type, QnnProfile_ExtendedEventDataV1_t, type);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, unit, QnnProfile_ExtendedEventDataV1_t, unit);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, value, QnnProfile_ExtendedEventDataV1_t, value);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, backend_opaque_object, QnnProfile_ExtendedEventDataV1_t, backendOpaqueObject);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, timestamp, QnnProfile_ExtendedEventDataV1_t, timestamp);
QNNPP_SAME_FIELD(ProfileExtendedEventDataV1, identifier, QnnProfile_ExtendedEventDataV1_t, identifier);
QNNPP_SAME_SIZE(ProfileExtendedEventData, QnnProfile_ExtendedEventData_t);
QNNPP_SAME_FIELD(ProfileExtendedEventData, version, QnnProfile_ExtendedEventData_t, version);
QNNPP_SAME_FIELD(ProfileExtendedEventData, v1, QnnProfile_ExtendedEventData_t, v1);
QNNPP_SAME_VALUE(ProfileConfigOption::custom, QNN_PROFILE_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(ProfileConfigOption::max_events, QNN_PROFILE_CONFIG_OPTION_MAX_EVENTS);
QNNPP_SAME_VALUE(ProfileConfigOption::enable_optrace, QNN_PROFILE_CONFIG_OPTION_ENABLE_OPTRACE);
QNNPP_SAME_VALUE(ProfileConfigOption::undefined, QNN_PROFILE_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(ProfileConfig, QnnProfile_Config_t);
QNNPP_SAME_FIELD(ProfileConfig, option, QnnProfile_Config_t, option);
QNNPP_SAME_FIELD(ProfileConfig, custom_config, QnnProfile_Config_t, customConfig);
QNNPP_SAME_FIELD(ProfileConfig, num_max_events, QnnProfile_Config_t, numMaxEvents);
QNNPP_SAME_FIELD(ProfileConfig, enable_optrace, QnnProfile_Config_t, enableOptrace);
#if defined(QNN_PROFILE_CONFIG_INIT)
QNNPP_SAME_INIT(QnnProfile_Config_t, QNN_PROFILE_CONFIG_INIT, option, ProfileConfigOption::undefined);
#endif

}  // namespace qnnpp::c_api

#endif
