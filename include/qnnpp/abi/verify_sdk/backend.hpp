// Part of verify_sdk.hpp; do not include it alone. Compares abi/backend.hpp with an SDK.
// Written by tests/abi/verify_sdk/generate.sh; edit tests/abi/facts/backend.inc instead.
#pragma once

#if defined(QNNPP_VERIFY_PARTS)

#include "qnnpp/abi/backend.hpp"

// clang-format off
namespace qnnpp::c_api {

#if defined(QNN_BACKEND_ID_NULL)
QNNPP_SAME_VALUE(backend_id::null, QNN_BACKEND_ID_NULL);
#endif
#if defined(QNN_BACKEND_ID_HTP)
QNNPP_SAME_VALUE(backend_id::htp, QNN_BACKEND_ID_HTP);
#endif
QNNPP_SAME_VALUE(BackendConfigOption::custom, QNN_BACKEND_CONFIG_OPTION_CUSTOM);
QNNPP_SAME_VALUE(BackendConfigOption::error_reporting, QNN_BACKEND_CONFIG_OPTION_ERROR_REPORTING);
QNNPP_SAME_VALUE(BackendConfigOption::platform, QNN_BACKEND_CONFIG_OPTION_PLATFORM);
QNNPP_SAME_VALUE(BackendConfigOption::undefined, QNN_BACKEND_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(BackendConfig, QnnBackend_Config_t);
QNNPP_SAME_FIELD(BackendConfig, option, QnnBackend_Config_t, option);
QNNPP_SAME_FIELD(BackendConfig, custom_config, QnnBackend_Config_t, customConfig);
QNNPP_SAME_FIELD(BackendConfig, error_config, QnnBackend_Config_t, errorConfig);
QNNPP_SAME_FIELD(BackendConfig, platform_option, QnnBackend_Config_t, platformOption);
QNNPP_SAME_SIZE(BackendOperationName, QnnBackend_OperationName_t);
QNNPP_SAME_FIELD(BackendOperationName, package_name, QnnBackend_OperationName_t, packageName);
QNNPP_SAME_FIELD(BackendOperationName, name, QnnBackend_OperationName_t, name);
QNNPP_SAME_FIELD(BackendOperationName, target, QnnBackend_OperationName_t, target);
#if QNN_API_VERSION_MINOR >= 23
QNNPP_SAME_VALUE(BackendPropertyOption::custom, QNN_BACKEND_PROPERTY_OPTION_CUSTOM);
QNNPP_SAME_VALUE(BackendPropertyOption::undefined, QNN_BACKEND_PROPERTY_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(BackendProperty, QnnBackend_Property_t);
QNNPP_SAME_FIELD(BackendProperty, option, QnnBackend_Property_t, option);
QNNPP_SAME_FIELD(BackendProperty, custom_property, QnnBackend_Property_t, customProperty);
#endif
#if QNN_API_VERSION_MINOR >= 27
QNNPP_SAME_VALUE(GlobalConfigConfigOption::soc_model, QNN_GLOBAL_CONFIG_OPTION_SOC_MODEL);
QNNPP_SAME_VALUE(GlobalConfigConfigOption::undefined, QNN_GLOBAL_CONFIG_OPTION_UNDEFINED);
QNNPP_SAME_SIZE(GlobalConfig, QnnGlobalConfig_t);
QNNPP_SAME_FIELD(GlobalConfig, option, QnnGlobalConfig_t, option);
QNNPP_SAME_FIELD(GlobalConfig, soc_model, QnnGlobalConfig_t, socModel);
#endif
#if defined(QNN_BACKEND_CONFIG_INIT)
QNNPP_SAME_INIT(QnnBackend_Config_t, QNN_BACKEND_CONFIG_INIT, option, BackendConfigOption::undefined);
#endif

}  // namespace qnnpp::c_api

#endif
