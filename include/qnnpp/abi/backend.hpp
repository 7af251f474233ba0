// Backends: options, properties, supported ops and calls; and options of the whole library.
#pragma once

#include "qnnpp/abi/op.hpp"

namespace qnnpp::c_api {

/// Numbers that identify the backend of a provider or a binary. C: QNN_BACKEND_ID_...
namespace backend_id {
inline constexpr std::uint32_t null = 0;  ///< No backend; older libraries report this number.
inline constexpr std::uint32_t htp = 6;   ///< The Hexagon tensor processor.
}  // namespace backend_id

/// Selects the member of BackendConfig's union. C: QnnBackend_ConfigOption_t.
enum class BackendConfigOption : std::uint32_t {
  custom = 0,           ///< custom_config, defined by the backend.
  error_reporting = 1,  ///< error_config.
  platform = 2,         ///< platform_option.
  undefined = 0x7FFFFFFF,
};

/// Pointer to an option that the backend defines. C: QnnBackend_CustomConfig_t.
using BackendCustomConfig = void*;

/// Option of a backend. Calls use a NULL-ended array of pointers to options; NULL selects the
/// defaults. The last of repeated options applies. C: QnnBackend_Config_t.
struct BackendConfig {
  BackendConfigOption option;  ///< Selects the union member.
  union {
    BackendCustomConfig custom_config;  ///< Option that the backend defines.
    ErrorReportingConfig error_config;  ///< Amount of error information to keep.
    const char* platform_option;        ///< `key:value` text that the backend defines.
  };
};

/// Op that a backend supports. The backend owns it until backend_free.
/// C: QnnBackend_OperationName_t.
struct BackendOperationName {
  const char* package_name;  ///< Package of the op.
  const char* name;          ///< Type name of the op.
  const char* target;        ///< Hardware unit that runs the op; may be NULL.
};

/// Selects the member of BackendProperty's union. C: QnnBackend_PropertyOption_t. Core 2.23.
enum class BackendPropertyOption : std::uint32_t {
  custom = 0,  ///< custom_property, defined by the backend.
  undefined = 0x7FFFFFFF,
};

/// Pointer to a property that the backend defines. C: QnnBackend_CustomProperty_t.
using BackendCustomProperty = void*;

/// Property of a backend: the client sets option and the backend fills the rest.
/// C: QnnBackend_Property_t. Core 2.23.
struct BackendProperty {
  BackendPropertyOption option;  ///< Selects the union member.
  union {
    BackendCustomProperty custom_property;  ///< Property that the backend defines.
  };
};

/// Creates a backend. This is the only thread-safe backend call. A second backend of the process
/// requires the same configs. Free it with backend_free. C: QnnBackend_create. Codes: 1002, 1006,
/// 4000, 4003, 4010, 4011, 4012.
using BackendCreateFn = ErrorHandle (*)(LogHandle logger, const BackendConfig** config,
                                        BackendHandle* backend);

/// Changes options of a backend: all of them or, on failure, none. C: QnnBackend_setConfig. Codes:
/// 4003, 4011, 4012.
using BackendSetConfigFn = ErrorHandle (*)(BackendHandle backend, const BackendConfig** config);

/// Returns the API versions of the library. Callable at any time. C: QnnBackend_getApiVersion.
/// Codes: 4004.
using BackendGetApiVersionFn = ErrorHandle (*)(ApiVersion* p_version);

/// Returns the build id of the SDK that built the library, as text that the library owns. Callable
/// at any time. C: QnnBackend_getBuildId. Codes: 4003, 4004.
using BackendGetBuildIdFn = ErrorHandle (*)(const char** id);

/// Opens an op package library and registers the package that its provider symbol returns; target
/// may be NULL. C: QnnBackend_registerOpPackage. Codes: 1007, 1011, 4003, 4004, 4005, 4006, 4007,
/// 4008, 4009, 4011.
using BackendRegisterOpPackageFn = ErrorHandle (*)(BackendHandle backend, const char* package_path,
                                                   const char* interface_provider,
                                                   const char* target);

/// Registers an op package, as backend_register_op_package does, from a library in memory.
/// C: QnnBackend_registerOpPackageFromBinary. Core 2.39.
using BackendRegisterOpPackageFromBinaryFn = ErrorHandle (*)(BackendHandle backend,
                                                             const void* op_package_buffer,
                                                             std::uint64_t op_package_buffer_size,
                                                             const char* interface_provider,
                                                             const char* target);

/// Returns the ops of all packages registered so far. The backend owns the array until
/// backend_free. C: QnnBackend_getSupportedOperations. Codes: 1007, 1011, 4004, 4011.
using BackendGetSupportedOperationsFn = ErrorHandle (*)(BackendHandle backend,
                                                        std::uint32_t* num_operations,
                                                        const BackendOperationName** operations);

/// Reports whether the backend can run a node; requires no graph. C: QnnBackend_validateOpConfig.
/// Codes: 3110, 4003, 4005, 4011.
using BackendValidateOpConfigFn = ErrorHandle (*)(BackendHandle backend, OpConfig op_config);

/// Fills a NULL-ended array of pointers to properties. C: QnnBackend_getProperty. Core 2.23. Codes:
/// 4003, 4004, 4011.
using BackendGetPropertyFn = ErrorHandle (*)(BackendHandle backend_handle,
                                             BackendProperty** properties);

/// Frees a backend. Free its contexts, devices, profiles and signals first. C: QnnBackend_free.
/// Codes: 1002, 1007, 1011, 4002, 4011.
using BackendFreeFn = ErrorHandle (*)(BackendHandle backend);

/// Selects the member of GlobalConfig's union. C: QnnGlobalConfig_ConfigOption_t. Core 2.27.
enum class GlobalConfigConfigOption : std::uint32_t {
  soc_model = 0,  ///< soc_model.
  undefined = 0x7FFFFFFF,
};

/// Option of the whole library, set before a backend is created. C: QnnGlobalConfig_t. Core 2.27.
struct GlobalConfig {
  GlobalConfigConfigOption option;  ///< Selects the union member.
  union {
    SocModel soc_model;  ///< The chip to prepare for.
  };
};

/// Sets options of the library, before a backend is created. C: QnnGlobalConfig_set. Core 2.27.
using GlobalConfigSetFn = ErrorHandle (*)(const GlobalConfig** config);

}  // namespace qnnpp::c_api
