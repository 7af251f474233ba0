// Misuses of Backend<Htp>.
#include "qnnpp/backend/backend.hpp"

using namespace qnnpp;

// EXPECT: a backend has one owner; write std::move(backend)
Backend<Htp> a_backend_is_not_copied(Backend<Htp>& backend) {
#if MISUSE == 1
  return Backend<Htp>(backend);
#else
  return Backend<Htp>(std::move(backend));
#endif
}

// EXPECT: close() consumes the backend; write std::move(backend).close()
Result<void> a_backend_is_not_closed_while_it_keeps_its_name(Backend<Htp> backend) {
#if MISUSE == 2
  return backend.close();
#else
  return std::move(backend).close();
#endif
}

// CLANG-CONSUMED: while it is in the 'consumed' state
bool a_closed_backend_is_not_used(Backend<Htp> backend) {
#if MISUSE == 3
  const bool closed = std::move(backend).close().has_value();
  return closed && backend.build_id().has_value();
#else
  const bool identified = backend.build_id().has_value();
  return std::move(backend).close().has_value() && identified;
#endif
}

// EXPECT: a path is no BackendOptions; write load({.library = path})
bool a_path_is_no_backend_options() {
#if MISUSE == 4
  return Backend<Htp>::load("libQnnHtp.so").has_value();
#else
  return Backend<Htp>::load({.library = "libQnnHtp.so"}).has_value();
#endif
}

// EXPECT: native() of a temporary would dangle; name the backend first
c_api::BackendHandle the_handle_of_a_temporary_backend_is_not_handed_out() {
#if MISUSE == 5
  return Backend<Htp>::load().value().native();
#else
  static const auto backend = Backend<Htp>::load();
  return backend->native();
#endif
}

// EXPECT: native_device() of a temporary would dangle; name the backend first
c_api::DeviceHandle the_device_of_a_temporary_backend_is_not_handed_out() {
#if MISUSE == 6
  return Backend<Htp>::load().value().native_device();
#else
  static const auto backend = Backend<Htp>::load();
  return backend->native_device();
#endif
}

// EXPECT: native_log() of a temporary would dangle; name the backend first
c_api::LogHandle the_log_of_a_temporary_backend_is_not_handed_out() {
#if MISUSE == 7
  return Backend<Htp>::load().value().native_log();
#else
  static const auto backend = Backend<Htp>::load();
  return backend->native_log();
#endif
}

// EXPECT: provider() of a temporary would dangle; name the backend first
const Interface& the_provider_of_a_temporary_backend_is_not_handed_out(
    const Backend<Htp>& backend) {
#if MISUSE == 8
  return std::move(backend).provider();
#else
  return backend.provider();
#endif
}

// EXPECT: not a log sink; pass a callable void(c_api::LogLevel, std::string_view)
LogOptions a_function_of_a_text_alone_is_no_log_sink() {
#if MISUSE == 9
  return log_to([](std::string_view) {}, c_api::LogLevel::warn);
#else
  return log_to([](c_api::LogLevel, std::string_view) {}, c_api::LogLevel::warn);
#endif
}

// EXPECT: release() consumes the backend; write std::move(backend).release()
Result<BackendHandles> a_backend_is_not_released_while_it_keeps_its_name(Backend<Htp> backend) {
#if MISUSE == 10
  return backend.release();
#else
  return std::move(backend).release();
#endif
}
