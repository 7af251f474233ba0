// A libQnnHtp.so of an SDK before 2.25, for a program that finds another copy of the library first.
#include "qnnpp/abi/interface.hpp"

namespace c_api = qnnpp::c_api;

extern "C" c_api::ErrorHandle QnnInterface_getProviders(const c_api::Interface*** providers,
                                                        std::uint32_t* count) {
  // SDK 2.20: core API 2.14, and 5.20 of the HTP.
  static const c_api::Interface provider{.backend_id = c_api::backend_id::htp,
                                         .provider_name = "HTP_QTI_AISW",
                                         .api_version = {{2, 14, 0}, {5, 20, 0}},
                                         .table = {}};
  static const c_api::Interface* list[] = {&provider};
  *providers = list;
  *count = 1;
  return 0;
}
