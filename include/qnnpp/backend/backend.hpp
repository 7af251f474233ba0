// Backend<Htp>: the loaded QNN library of the HTP with its log, backend and device.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

// Before other headers of qnnpp: a compiler's message about a refusal lists how config.hpp was
// included.
#include "qnnpp/config.hpp"

#include "qnnpp/abi/property.hpp"
#include "qnnpp/backend/detail/epoch.hpp"
#include "qnnpp/backend/detail/handle.hpp"
#include "qnnpp/backend/external_weights.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/backend/log.hpp"
#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/backend/system.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/states.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// The usual name of a target's library, and the backend id that its provider must carry.
template <class Target>
struct TargetTraits {
  static_assert(std::is_same_v<Target, Htp>, "no such target; write Backend<Htp>");
  static constexpr const char* library = "libQnnHtp.so";
  static constexpr std::uint32_t backend_id = c_api::backend_id::htp;
};

/// How a backend is loaded.
struct BackendOptions {
  /// Path or name of the backend library; empty: the target's usual name.
  std::string library = {};
  /// Path or name of the system library, which tells the tensors of a context binary. Empty:
  /// libQnnSystem.so from the backend library's folder, and none if that cannot be opened.
  std::string system_library = {};
  LogOptions log = {};
};

/// Answer to a question for a capability (QnnProperty_hasCapability).
enum class Capability : std::uint8_t {
  supported,
  unsupported,
  unknown,  ///< The backend does not know the key: it is older than the feature.
};

/// The chip of a device, as the backend reports it.
struct DeviceChip {
  std::uint32_t dsp_arch = 0;   ///< Hexagon architecture, such as 79.
  std::uint32_t soc_model = 0;  ///< c_api::SocModel as a number.
};

namespace detail {

/// What a broken contract says of a backend.
inline constexpr char moved_backend[] =
    "the backend was moved from or closed; use the object it was moved to, or create another";

/// The C objects of a backend. Members are closed from the last to the first: device, backend, log;
/// then the system library; then the backend library, unless it is pinned (ORD-08).
struct BackendBlock : RefCounted<BackendBlock> {
  BackendBlock(SharedLibrary opened, Interface chosen);
  ~BackendBlock();

  SharedLibrary library;
  Interface provider;
  std::optional<System> system;
  /// Why there is no system library.
  std::optional<Error> system_error;
  LogOwner log;
  BackendOwner backend;
  DeviceOwner device;
  /// Held by each call that creates, finalizes or frees a context, or registers its external
  /// buffers (THR-01), and by nothing else: no function of the user's runs meanwhile, except a log
  /// callback. Neither this nor a context's `objects` is taken while the other is held.
  mutable std::mutex setup;
  /// The feature that was last found to be there: it is asked for once, not once a context.
  mutable std::atomic<std::uint32_t> granted{0};
  /// Restarts of the DSP that its calls reported (SSR-01).
  mutable RestartLog restart_log;
  /// What contexts with external weights have shown of it (EXT-08).
  mutable ExternalWeightsRecord external_weights;

  [[nodiscard]] const c_api::InterfaceTable& table() const noexcept {
    return provider.native()->table;
  }

  /// Opens `options.library`, or `library` where that is empty, with the provider of `backend_id`.
  [[nodiscard]] static Result<Ref<BackendBlock>> load(BackendOptions options, const char* library,
                                                      std::uint32_t backend_id);

  [[nodiscard]] Capability capability(c_api::PropertyKey key) const;

  /// Success if the backend has the feature that `object` needs (LOAD-04). Errors:
  /// `capability_missing` naming it; `qnn` where the question itself failed, as after a restart of
  /// the DSP.
  [[nodiscard]] Result<void> require(c_api::PropertyKey key, const char* feature,
                                     const std::string& object) const;

  [[nodiscard]] Result<std::string> build_id() const;

  /// The first device that is on a chip (QnnDevice_getPlatformInfo); nothing if the backend does
  /// not report it.
  [[nodiscard]] std::optional<DeviceChip> chip() const;

  /// Frees device, backend and log, whatever the others answer. The first error.
  [[nodiscard]] Result<void> close();

 private:
  [[nodiscard]] Result<void> create(const BackendOptions& options);
  /// A log that nobody asked for is no error where it cannot be created.
  [[nodiscard]] Result<void> create_log(const LogOptions& options);
};

}  // namespace detail

/// A QNN backend, with its log and device. Its target is Htp.
///
/// Move-only, but everything made from it keeps it alive: it may be destroyed at any time.
///
/// Threads: any number of them may use one backend at the same time, and destroy what is made from
/// it. Contexts of one backend are created, finalized and freed one after another (THR-01), so that
/// such a call may wait for one of another thread; executions and tensors wait for none of them. A
/// log callback is called meanwhile and must not do so itself. Moving, closing or destroying the
/// object while another thread uses it is a race, as for any object; share() gives each its own.
template <class Target>
class QNNPP_LINEAR Backend {
 public:
  QNNPP_MOVE_ONLY(Backend, "a backend has one owner; write std::move(backend)");
  template <detail::ResultOf<Backend> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *backend, or use value_or_throw()",
                           Backend, const R&);
  template <detail::PathLike Path>
  QNNPP_REFUSE_CONSTRUCTOR("a path is no backend; pass *Backend<Htp>::load({.library = path})",
                           Backend, const Path&);

  /// Opens the library, chooses its provider, creates log, backend and device (QnnLog_create,
  /// QnnBackend_create, QnnDevice_create). A backend without devices of its own is not an error.
  ///
  /// Errors: `library_not_found`, `library_unusable`, `symbol_missing`, `not_qnn`,
  /// `version_unsupported`, and what the C functions return. Nothing stays open then.
  [[nodiscard]] static Result<Backend> load(BackendOptions options = {}) {
    auto block = detail::BackendBlock::load(std::move(options), TargetTraits<Target>::library,
                                            TargetTraits<Target>::backend_id);
    if (!block) return fail(std::move(block).error());
    return Backend(std::move(*block));
  }

  template <detail::PathLike Path>
  static QNNPP_REFUSE("a path is no BackendOptions; write load({.library = path})", Result<Backend>,
                      load(const Path&));

  /// Whether the backend has a feature (QnnProperty_hasCapability, LOAD-04).
  [[nodiscard]] QNNPP_LIVE Capability capability(c_api::PropertyKey key) const {
    return block().capability(key);
  }

  /// What it has shown of external weights; no capability says (EXT-08).
  [[nodiscard]] QNNPP_LIVE ExternalWeights external_weights() const {
    return block().external_weights.get();
  }

  /// The library's build, such as "v2.43.0.260127..." (QnnBackend_getBuildId).
  [[nodiscard]] QNNPP_LIVE Result<std::string> build_id() const { return block().build_id(); }

  /// The device's chip (QnnDevice_getPlatformInfo); nothing if the backend does not report it.
  [[nodiscard]] QNNPP_LIVE std::optional<DeviceChip> chip() const { return block().chip(); }

  /// Version of the core API that the provider was built for.
  [[nodiscard]] QNNPP_LIVE c_api::Version core_version() const {
    return block().provider.core_version();
  }
  /// Version of the backend itself; of the HTP, the minor is the SDK's.
  [[nodiscard]] QNNPP_LIVE c_api::Version backend_version() const {
    return block().provider.backend_version();
  }

  /// The provider's function table and versions. Lives as long as the backend.
  [[nodiscard]] QNNPP_LIVE const Interface& provider() const& { return block().provider; }
  QNNPP_REFUSE("provider() of a temporary would dangle; name the backend first", const Interface&,
               provider() const&&);

  /// The C handles. Owned by this object; the device is null where the backend has none.
  [[nodiscard]] QNNPP_LIVE c_api::BackendHandle native() const& {
    return block().backend.get().handle;
  }
  QNNPP_REFUSE("native() of a temporary would dangle; name the backend first", c_api::BackendHandle,
               native() const&&);
  [[nodiscard]] QNNPP_LIVE c_api::DeviceHandle native_device() const& {
    return block().device.get().handle;
  }
  QNNPP_REFUSE("native_device() of a temporary would dangle; name the backend first",
               c_api::DeviceHandle, native_device() const&&);
  [[nodiscard]] QNNPP_LIVE c_api::LogHandle native_log() const& { return block().log.get().handle; }
  QNNPP_REFUSE("native_log() of a temporary would dangle; name the backend first", c_api::LogHandle,
               native_log() const&&);

  /// Frees device, backend and log now and returns the first error. While contexts of it live it is
  /// `in_use`: the last of them frees it then.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close() && {
    Ref<detail::BackendBlock> last = std::move(block_);
    QNNPP_EXPECTS(last, detail::moved_backend);
    if (last.use_count() != 1)
      return fail(Error::mismatch(Errc::in_use, "closing a backend", last->library.path(), 1,
                                  last.use_count()));
    return last->close();
  }
  QNNPP_REFUSE("close() consumes the backend; write std::move(backend).close()", Result<void>,
               close() const&);

  /// Another owner of the same backend, which lives as long as one of them: for objects that make
  /// contexts later on.
  [[nodiscard]] QNNPP_LIVE Backend share() const {
    QNNPP_EXPECTS(block_, detail::moved_backend);
    return Backend(block_);
  }

 private:
  friend struct detail::Access;
  QNNPP_FRESH explicit Backend(Ref<detail::BackendBlock> block) : block_(std::move(block)) {}

  [[nodiscard]] const detail::BackendBlock& block() const {
    QNNPP_EXPECTS(block_, detail::moved_backend);
    return *block_;
  }

  Ref<detail::BackendBlock> block_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/backend.ipp"
#endif
