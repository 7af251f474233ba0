// Definitions of profile_file.hpp.
#pragma once

#include "qnnpp/report/profile_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>
#include <vector>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/abi/system_interface.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/clock.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/detail/joined.hpp"
#include "qnnpp/core/tensor_spec.hpp"
#include "qnnpp/memory/dma_buffer.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// Names of the C functions.
inline constexpr const char* create_target = "QnnSystemProfile_createSerializationTarget";
inline constexpr const char* serialize_events = "QnnSystemProfile_serializeEventData";
inline constexpr const char* free_target = "QnnSystemProfile_freeSerializationTarget";

/// First minor version of the system API with these functions.
inline constexpr std::uint32_t first_minor_with_profiles = 6;
/// Minor version of the core API of the SDK whose system library has another order of functions.
inline constexpr std::uint32_t core_minor_of_sdk_2_44 = 33;

[[nodiscard]] inline Error unwritable(const std::string& path, int cause,
                                      std::string_view why = "") {
  Error error = Error::make(Errc::file_unwritable, "writing a profile file", path, why);
  error.code = static_cast<std::uint16_t>(cause);
  return error;
}

/// Creates a regular file, or empties it. The library reports no cause if it cannot write a file,
/// and an old text could pass for a new one. Error: `file_unwritable`.
[[nodiscard]] inline Result<void> make_empty_file(const std::string& path) {
  struct stat found = {};
  if (::stat(path.c_str(), &found) == 0 && !S_ISREG(found.st_mode))
    return fail(unwritable(path, 0, "not a regular file"));
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC;
  const int file = ::open(path.c_str(), flags, 0666);
  if (file < 0) return fail(unwritable(path, errno));
  (void)::close(file);
  return {};
}

/// Checks that the library has written a whole file, and synchronises it. The file begins with the
/// number of bytes that follow the number. The library ignores the errors of its writes, such as a
/// full disk. `has_calls`: whether calls were written. Error: `file_unwritable`.
[[nodiscard]] inline Result<void> check_written(const std::string& path, bool has_calls) {
  // Not blocked by a named pipe that has replaced the file.
  const Owner<FilePolicy> file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  struct stat found = {};
  if (!file || ::fstat(file.get(), &found) != 0) return fail(unwritable(path, errno));
  const auto bytes = static_cast<std::uint64_t>(found.st_size);
  if (bytes == 0 && !has_calls) return {};
  if (bytes == 0) return fail(unwritable(path, 0, "the library wrote nothing"));
  std::uint32_t following = 0;
  const auto got = ::pread(file.get(), &following, sizeof following, 0);
  if (got < 0) return fail(unwritable(path, errno));
  const std::uint64_t whole = sizeof following + std::uint64_t{following};
  if (got < static_cast<ssize_t>(sizeof following) || bytes < whole)
    return fail(unwritable(
        path, 0,
        joined({"the library wrote ", bytes, " of ", whole, " bytes; is the disk full?"})));
  // Some file systems do not support it (EINVAL).
  if (::fsync(file.get()) != 0 && errno != EINVAL) return fail(unwritable(path, errno));
  return {};
}

/// Makes a path absolute. Error: `file_unwritable`.
[[nodiscard]] inline Result<std::string> absolute(std::string path) {
  if (path.starts_with('/')) return path;
  char folder[4096];
  if (::getcwd(folder, sizeof folder) == nullptr) return fail(unwritable(path, errno));
  return std::string(folder) + '/' + path;
}

/// Returns the kind of a recorded call.
[[nodiscard]] inline c_api::SystemProfileMethodType method_of(std::string_view call) noexcept {
  using Method = c_api::SystemProfileMethodType;
  if (call == name_of(c_api::Slot::graph_execute)) return Method::backend_execute;
  if (call == name_of(c_api::Slot::graph_finalize)) return Method::backend_finalize;
  if (call == name_of(c_api::Slot::context_finalize)) return Method::context_finalize;
  if (call == name_of(c_api::Slot::context_create_from_binary))
    return Method::backend_create_from_binary;
  if (call == name_of(c_api::Slot::context_free)) return Method::backend_deinit;
  return Method::none;
}

/// Returns an event as the C API has it, without the events below it. Points into `event`.
[[nodiscard]] inline c_api::SystemProfileProfileEventV1 c_event(const ProfileEvent& event) {
  c_api::SystemProfileProfileEventV1 made = {};
  const bool is_object = event.unit == c_api::profile_event_unit::object;
  if (!is_object && !event.time) {
    made.type = c_api::SystemProfileEventDataType::event_data;
    made.event_data = {event.type, event.unit, event.value, event.node.c_str()};
    return made;
  }
  made.type = c_api::SystemProfileEventDataType::extended_event_data;
  made.extended_event_data.version = c_api::ProfileExtendedEventDataVersion::v1;
  c_api::ProfileExtendedEventDataV1& data = made.extended_event_data.v1;
  data.type = event.type;
  data.unit = event.unit;
  if (is_object) {
    data.backend_opaque_object = {
        {const_cast<std::byte*>(event.object.data()), event.object.size()},
        event.file.empty() ? nullptr : event.file.c_str()};
  } else {
    data.value.data_type = c_api::DataType::uint_64;
    data.value.uint64_value = event.value;
  }
  data.timestamp = event.time.value_or(0);
  data.identifier = event.node.c_str();
  return made;
}

}  // namespace detail

QNNPP_INLINE Result<ProfileFile> ProfileFile::create(const Backend<Htp>& backend, std::string path,
                                                     const std::string& app_name) {
  const Ref<detail::BackendBlock>& parent = detail::Access::block(backend);
  qnnpp::detail::expects(parent, detail::moved_backend);  // ORD-09
  constexpr const char* step = detail::create_target;
  if (parent->restart_log->has_ended()) return fail(parent->after_exit(step));
  if (!parent->system)
    return fail(parent->system_error ? *parent->system_error
                                     : Error::make(Errc::library_not_found, step, path));
  if (const auto core = parent->provider.core_version();
      core.minor == detail::core_minor_of_sdk_2_44)
    return fail(Errc::version_unsupported, step, path,
                "the system library of core API " + detail::version_text(core) +
                    " has its functions in another order; use another SDK");
  const c_api::SystemInterface& system = *parent->system->provider_;
  if (system.system_api_version.minor < detail::first_minor_with_profiles)
    return fail(Error::mismatch(Errc::slot_missing, step, path, detail::first_minor_with_profiles,
                                system.system_api_version.minor));
  const c_api::SystemInterfaceTable& table = system.table;
  const auto create = table.system_profile_create_serialization_target;
  const auto free = table.system_profile_free_serialization_target;
  const auto serialize = table.system_profile_serialize_event_data;
  if (create == nullptr || free == nullptr || serialize == nullptr)
    return fail(Errc::slot_null, step, path);

  for (const std::string* text : {&std::as_const(path), &app_name})
    QNNPP_TRY(detail::check_name(*text, step));
  if (path.empty() || path.back() == '/')
    return fail(Errc::invalid_argument, step, path, "the path has no file name; add one");
  // The process may change its folder before close().
  QNNPP_LET(whole_path, detail::absolute(std::move(path)));
  ProfileFile file(parent, std::move(*whole_path));
  const std::size_t slash = file.path_.rfind('/');
  const std::string name = file.path_.substr(slash + 1);
  const std::string folder = slash == 0 ? "/" : file.path_.substr(0, slash);

  const std::string build =
      parent->build_id().value_or(detail::version_text(parent->provider.backend_version()));
  c_api::SystemProfileSerializationTarget target{
      .type = c_api::SystemProfileSerializationTargetType::file,
      .file = {.file_name = name.c_str(), .file_directory = folder.c_str()}};
  c_api::SystemProfileSerializationTargetConfig header{
      .type = c_api::SystemProfileSerializationTargetConfigType::serialization_header,
      .serialization_header = {
          .app_name = app_name.c_str(), .app_version = "0.0", .backend_version = build.c_str()}};
  QNNPP_TRY(detail::make_empty_file(file.path_));
  file.serialize_ = serialize;
  const std::uint64_t logged = detail::error_lines->count();
  c_api::SystemProfileSerializationTargetHandle handle = nullptr;
  if (auto made = check(create(target, &header, 1, &handle), step, file.path_); !made)
    return fail(detail::with_log(std::move(made).error(), logged));
  file.target_ = Owner<Target>({free, handle});
  return file;
}

QNNPP_INLINE Result<void> ProfileFile::write(const ProfileRecord& record) {
  qnnpp::detail::expects(block_, detail::moved_profile_file);
  const std::size_t count = record.events.size();
  if (count == 0) return {};
  if (detail::is_forked()) return fail(Errc::foreign_process, detail::serialize_events, path_);
  for (std::size_t i = 0; i < count; ++i)
    if (const std::size_t parent = record.events[i].parent;
        parent != ProfileEvent::none && parent >= i)
      return fail(Errc::invalid_argument, detail::serialize_events, record.object,
                  "event " + std::to_string(i) + " has the parent " + std::to_string(parent) +
                      "; its parent must stand before it, or be ProfileEvent::none");
  // The events below one event become neighbours: they are sorted by the event above them.
  const auto above = [&](std::size_t event) { return record.events[event].parent + 1; };
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(above(a), a) < std::pair(above(b), b);
  });
  std::vector<c_api::SystemProfileProfileEventV1> events(count);
  std::vector<std::size_t> index_of(count);
  for (std::size_t index = 0; index < count; ++index) {
    events[index] = detail::c_event(record.events[order[index]]);
    index_of[order[index]] = index;
  }
  std::uint32_t top_level = 0;
  for (std::size_t index = 0; index < count; ++index) {
    const std::size_t parent = record.events[order[index]].parent;
    if (parent == ProfileEvent::none) {
      ++top_level;
      continue;
    }
    c_api::SystemProfileProfileEventV1& upper = events[index_of[parent]];
    if (upper.num_sub_events++ == 0) upper.profile_sub_event_data = &events[index];
  }

  c_api::SystemProfileProfileData data = {};
  data.version = c_api::SystemProfileProfileDataVersion::v1;
  data.v1.header.start_time = record.start_ns / detail::ns_per_us;
  data.v1.header.stop_time = record.end_ns / detail::ns_per_us;
  data.v1.header.method_type = detail::method_of(record.call);
  data.v1.header.visibility = c_api::SystemProfileVisibility::public_;
  data.v1.header.graph_name = record.object.c_str();
  data.v1.profiling_events = events.data();
  data.v1.num_profiling_events = top_level;
  const c_api::SystemProfileProfileData* all[] = {&data};
  const std::uint64_t logged = detail::error_lines->count();
  auto done = check(serialize_(target_.get().handle, all, 1), detail::serialize_events, path_);
  if (done) has_calls_ = true;
  return detail::with_log(std::move(done), logged);
}

QNNPP_INLINE Result<void> ProfileFile::write(const Profile& profile) {
  for (const ProfileRecord& record : profile.records()) QNNPP_TRY(write(record));
  return {};
}

QNNPP_INLINE Result<void> ProfileFile::close() && {
  const Ref<detail::BackendBlock> backend = std::move(block_);
  qnnpp::detail::expects(backend, detail::moved_profile_file);
  const std::uint64_t logged = detail::error_lines->count();
  if (auto freed = check(target_.close(), detail::free_target, path_); !freed)
    return detail::with_log(std::move(freed), logged);
  if (detail::is_forked()) return {};  // The parent completes the file.
  return detail::check_written(path_, has_calls_);
}

}}  // namespace qnnpp::QNNPP_NAMESPACE
