// Numbers of system_profile.hpp, as the C API has them.
#pragma once

#include "qnnpp/abi/system_profile.hpp"

#include "qnnpp/abi/check.hpp"

namespace qnnpp::c_api {

static_assert([] {
  using enum SystemProfileSerializationTargetType;
  using detail::is;
  return is(file, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum SystemProfileSerializationTargetConfigType;
  using detail::is;
  return is(max_num_messages, 0) && is(serialization_header, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum SystemProfileVisibility;
  using detail::is;
  return is(public_, 0) && is(private_, 1);
}());

static_assert([] {
  using enum SystemProfileMethodType;
  using detail::is;
  return is(none, 0) && is(backend_execute, 1) && is(backend_finalize, 2) &&
         is(backend_execute_async, 3) && is(backend_create_from_binary, 4) &&
         is(backend_deinit, 5) && is(app_context_create, 6) && is(app_compose_graphs, 7) &&
         is(app_execute_ips, 8) && is(backend_graph_component, 9) && is(app_backend_lib_load, 10) &&
         is(backend_apply_binary_section, 11) && is(context_finalize, 12) &&
         is(context_get_binary_size, 13) && is(context_get_binary, 14) &&
         is(context_get_binary_section_size, 15) && is(backend_finalize_tensor_updates, 16) &&
         is(backend_update_binary_section, 17);
}());

static_assert([] {
  using enum SystemProfileEventDataType;
  using detail::is;
  return is(event_data, 0) && is(extended_event_data, 1) && is(undefined, 0x7FFFFFFF);
}());

static_assert([] {
  using enum SystemProfileProfileDataVersion;
  using detail::is;
  return is(v1, 1) && is(undefined, 0x7FFFFFFF);
}());

}  // namespace qnnpp::c_api
