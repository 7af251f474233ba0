// ProfileFile: writes the records of profiles to a file for the profile viewer of the SDK.
#pragma once

#include "qnnpp/config.hpp"

#include <string>
#include <utility>

#include "qnnpp/abi/system_profile.hpp"
#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/detail/handle.hpp"
#include "qnnpp/backend/profile.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {

/// Contract message for a profile file that owns nothing.
inline constexpr char moved_profile_file[] =
    "the profile file was moved from or closed; use the object that it was moved to, or create "
    "another";

}  // namespace detail

/// Owner of an open file in the format of the SDK, which libQnnSystem.so writes. Move-only. Keeps
/// its backend alive. Threads: only one thread at a time may use a file.
class ProfileFile {
 public:
  QNNPP_MOVE_ONLY(ProfileFile, "a profile file has one owner; write std::move(file)");
  template <detail::ResultOf<ProfileFile> R>
  QNNPP_REFUSE_CONSTRUCTOR(
      "this is a Result; test it and pass *std::move(file), or use value_or_throw()", ProfileFile,
      const R&);

  /// Creates a file, or empties one, in a folder that exists, and opens it
  /// (QnnSystemProfile_createSerializationTarget). Uses the system library of `backend`. A relative
  /// path is a path of the folder in which the process works during this call. `app_name` is the
  /// name of the program in the file's header.
  ///
  /// Errors:
  /// - `slot_missing` if the system API is older than 1.6; `slot_null`; the error of
  ///   loading the system library.
  /// - `version_unsupported` with core API 2.33 (SDK 2.44), whose system library has its functions
  ///   in another order.
  /// - `file_unwritable` with errno, or because the path is not one of a regular file.
  ///   `invalid_argument` for a path that is empty, ends in '/' or contains a NUL.
  /// - `qnn`.
  [[nodiscard]] static Result<ProfileFile> create(const Backend<Htp>& backend, std::string path,
                                                  const std::string& app_name = "qnnpp");

  /// Writes a call with its events (QnnSystemProfile_serializeEventData). Writes nothing for a call
  /// without events. The times are written in microseconds. Errors: `qnn`; `invalid_argument` if
  /// the parent of an event does not stand before it.
  [[nodiscard]] Result<void> write(const ProfileRecord& record);
  /// Writes all calls that the profile has recorded. Returns the first error.
  [[nodiscard]] Result<void> write(const Profile& profile);

  /// Completes the file (QnnSystemProfile_freeSerializationTarget), as the destructor does, and
  /// returns the error; then checks the file, because the library does not report a full disk, and
  /// synchronises it (fsync). Errors: `qnn`; `file_unwritable` with errno, or if the file is empty
  /// although calls were written, or shorter than the size in its first bytes.
  [[nodiscard]] Result<void> close() &&;
  QNNPP_REFUSE("close() consumes the file; write std::move(file).close()", Result<void>,
               close() const&);

 private:
  ProfileFile(Ref<detail::BackendBlock> backend, std::string path)
      : block_(std::move(backend)), path_(std::move(path)) {}

  using Target = detail::HandlePolicy<c_api::SystemProfileSerializationTargetHandle>;

  // Destroyed from the last to the first: the target before its library.
  Ref<detail::BackendBlock> block_;
  std::string path_;
  c_api::SystemProfileSerializeEventDataFn serialize_ = nullptr;
  bool has_calls_ = false;  ///< Whether a call was written.
  Owner<Target> target_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/report/profile_file.ipp"
#endif
