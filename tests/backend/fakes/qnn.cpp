// A backend library whose tables have exactly the slots of their version: the memory after them
// cannot be read.
#include "fakes/qnn.hpp"

#include <sys/mman.h>

#include <cstdarg>
#include <cstddef>
#include <cstring>

namespace {

namespace c_api = qnnpp::c_api;

fakes::Control* the_control();

fakes::Record& record() { return the_control()->record; }
fakes::Behaviour& behaviour() { return the_control()->behaviour; }

void note(const char* call) {
  fakes::Record& into = record();
  if (into.call_count < sizeof into.calls / sizeof into.calls[0])
    into.calls[into.call_count++] = call;
}

constexpr std::uintptr_t log_mark = 0x1000;
constexpr std::uintptr_t backend_mark = 0x2000;
constexpr std::uintptr_t device_mark = 0x3000;
constexpr std::uintptr_t profile_mark = 0x5000;

void expect_handle(const void* handle, std::uintptr_t mark) {
  if (reinterpret_cast<std::uintptr_t>(handle) != mark) ++record().foreign_handles;
}

c_api::ErrorHandle log_create(c_api::LogCallback callback, c_api::LogLevel level,
                              c_api::LogHandle* log) {
  note("QnnLog_create");
  record().callback = callback;
  record().level = level;
  if ((behaviour().log_create_result & 0xFFFFu) == 0) {
    ++record().live_logs;
    *log = reinterpret_cast<c_api::LogHandle>(log_mark);
  }
  return behaviour().log_create_result;
}

c_api::ErrorHandle log_free(c_api::LogHandle log) {
  note("QnnLog_free");
  expect_handle(log, log_mark);
  --record().live_logs;
  return behaviour().log_free_result;
}

c_api::ErrorHandle backend_create(c_api::LogHandle log, const c_api::BackendConfig**,
                                  c_api::BackendHandle* backend) {
  note("QnnBackend_create");
  record().backend_log = log;
  if ((behaviour().backend_create_result & 0xFFFFu) == 0) {
    ++record().live_backends;
    *backend = reinterpret_cast<c_api::BackendHandle>(backend_mark);
  }
  return behaviour().backend_create_result;
}

c_api::ErrorHandle backend_free(c_api::BackendHandle backend) {
  note("QnnBackend_free");
  expect_handle(backend, backend_mark);
  --record().live_backends;
  return behaviour().backend_free_result;
}

c_api::ErrorHandle device_create(c_api::LogHandle log, const c_api::DeviceConfig**,
                                 c_api::DeviceHandle* device) {
  note("QnnDevice_create");
  record().device_log = log;
  if (behaviour().device_create_begins != nullptr) behaviour().device_create_begins();
  if (behaviour().device_create_log != nullptr && record().callback != nullptr)
    the_control()->emit(c_api::LogLevel::error, "%s", behaviour().device_create_log);
  if ((behaviour().device_create_result & 0xFFFFu) == 0) {
    ++record().live_devices;
    *device = reinterpret_cast<c_api::DeviceHandle>(device_mark);
  }
  return behaviour().device_create_result;
}

c_api::ErrorHandle device_free(c_api::DeviceHandle device) {
  note("QnnDevice_free");
  expect_handle(device, device_mark);
  --record().live_devices;
  return behaviour().device_free_result;
}

c_api::ErrorHandle has_capability(c_api::PropertyKey key) {
  record().asked_capability = static_cast<std::uint32_t>(key);
  return behaviour().capability_result;
}

c_api::ErrorHandle get_build_id(const char** id) {
  *id = behaviour().build_id;
  return behaviour().build_id_result;
}

c_api::ErrorHandle get_platform_info(c_api::LogHandle, const c_api::DevicePlatformInfo** info) {
  *info = behaviour().platform_info;
  if (*info == nullptr) return 1000;
  ++record().live_platform_infos;
  return 0;
}

c_api::ErrorHandle free_platform_info(c_api::LogHandle, const c_api::DevicePlatformInfo*) {
  --record().live_platform_infos;
  return 0;
}

c_api::ErrorHandle profile_create(c_api::BackendHandle backend, c_api::ProfileLevel level,
                                  c_api::ProfileHandle* profile) {
  note("QnnProfile_create");
  expect_handle(backend, backend_mark);
  record().profile_level = level;
  if (behaviour().profile_create_result == 0) {
    ++record().live_profiles;
    *profile = reinterpret_cast<c_api::ProfileHandle>(profile_mark);
  }
  return behaviour().profile_create_result;
}

c_api::ErrorHandle profile_set_config(c_api::ProfileHandle profile,
                                      const c_api::ProfileConfig** configs) {
  note("QnnProfile_setConfig");
  expect_handle(profile, profile_mark);
  record().op_trace = configs[0]->option == c_api::ProfileConfigOption::enable_optrace &&
                      configs[0]->enable_optrace == 1 && configs[1] == nullptr;
  return behaviour().profile_set_config_result;
}

c_api::ErrorHandle profile_get_events(c_api::ProfileHandle profile,
                                      const c_api::ProfileEventId** events, std::uint32_t* count) {
  expect_handle(profile, profile_mark);
  *events = behaviour().top_level;
  *count = behaviour().top_level_count;
  return 0;
}

c_api::ErrorHandle profile_get_sub_events(c_api::ProfileEventId id,
                                          const c_api::ProfileEventId** events,
                                          std::uint32_t* count) {
  const fakes::Event& event = behaviour().events[id - 1];
  *events = event.null_list ? nullptr : event.below;
  *count = event.below_count;
  return 0;
}

c_api::ErrorHandle profile_get_event_data(c_api::ProfileEventId id, c_api::ProfileEventData* data) {
  ++record().plain_events;
  const auto& from = behaviour().events[id - 1].data.v1;
  *data = {from.type, from.unit, from.value.uint64_value, from.identifier};
  return 0;
}

c_api::ErrorHandle profile_get_extended_event_data(c_api::ProfileEventId id,
                                                   c_api::ProfileExtendedEventData* data) {
  ++record().extended_events;
  *data = behaviour().events[id - 1].data;
  return behaviour().extended_event_result;
}

c_api::ErrorHandle profile_free(c_api::ProfileHandle profile) {
  note("QnnProfile_free");
  expect_handle(profile, profile_mark);
  --record().live_profiles;
  return behaviour().profile_free_result;
}

void stand_in() {}

void emit(c_api::LogLevel level, const char* format, ...) {
  if (record().callback == nullptr) return;
  std::va_list arguments;
  va_start(arguments, format);
  record().callback(format, level, 0, arguments);
  va_end(arguments);
}

/// Writes a provider so that its last slot ends where unreadable memory begins.
c_api::Interface* place(const fakes::Provider& from) {
  constexpr std::size_t page = 4096;
  void* area =
      ::mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED || ::mprotect(static_cast<std::byte*>(area) + page, page, PROT_NONE) != 0)
    return nullptr;

  c_api::Interface whole;
  std::memset(&whole, 0, sizeof whole);
  whole.backend_id = from.backend_id;
  whole.provider_name = from.name;
  whole.api_version = {from.core, from.backend};
  void (*slots[sizeof(c_api::InterfaceTable) / sizeof(void (*)())])();
  for (auto& slot : slots) slot = &stand_in;
  std::memcpy(&whole.table, slots, sizeof whole.table);
  whole.table.log_create = &log_create;
  whole.table.log_free = &log_free;
  whole.table.backend_create = &backend_create;
  whole.table.backend_free = &backend_free;
  whole.table.device_create = &device_create;
  whole.table.device_free = &device_free;
  whole.table.device_get_platform_info = &get_platform_info;
  whole.table.device_free_platform_info = &free_platform_info;
  whole.table.property_has_capability = &has_capability;
  whole.table.backend_get_build_id = &get_build_id;
  whole.table.profile_create = &profile_create;
  whole.table.profile_set_config = &profile_set_config;
  whole.table.profile_get_events = &profile_get_events;
  whole.table.profile_get_sub_events = &profile_get_sub_events;
  whole.table.profile_get_event_data = &profile_get_event_data;
  whole.table.profile_get_extended_event_data = &profile_get_extended_event_data;
  whole.table.profile_free = &profile_free;
  auto* bytes = reinterpret_cast<std::byte*>(&whole);
  for (const std::int32_t index : behaviour().null_slots)
    if (index >= 0)
      std::memset(bytes + offsetof(c_api::Interface, table) +
                      static_cast<std::size_t>(index) * sizeof(void*),
                  0, sizeof(void*));

  const std::size_t size =
      offsetof(c_api::Interface, table) + fakes::slot_count(from.core.minor) * sizeof(void*);
  std::byte* start = static_cast<std::byte*>(area) + page - size;
  std::memcpy(start, bytes, size);
  return reinterpret_cast<c_api::Interface*>(start);
}

fakes::Control* the_control() {
  static fakes::Control control{{}, {}, &emit};
  return &control;
}

const c_api::Interface* list[3];

/// Logs when the process ends, as the HTP library does.
struct LogsAtExit {
  LogsAtExit() = default;
  LogsAtExit(const LogsAtExit&) = delete;
  LogsAtExit& operator=(const LogsAtExit&) = delete;
  ~LogsAtExit() {
    if (behaviour().logs_at_exit) emit(c_api::LogLevel::error, "%s", "the process ends");
  }
} const logs_at_exit;

}  // namespace

extern "C" fakes::Control* fake_control() { return the_control(); }

extern "C" c_api::ErrorHandle QnnInterface_getProviders(const c_api::Interface*** providers,
                                                        std::uint32_t* count) {
  for (std::uint32_t i = 0; i < behaviour().provider_count; ++i)
    list[i] = behaviour().providers[i].listed_as_null ? nullptr : place(behaviour().providers[i]);
  *providers = behaviour().null_list ? nullptr : list;
  *count =
      behaviour().said_providers != 0 ? behaviour().said_providers : behaviour().provider_count;
  return behaviour().get_providers_result;
}
