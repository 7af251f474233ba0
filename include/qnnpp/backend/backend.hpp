// Backend<Htp>: the loaded QNN library of the HTP with its log, backend and device.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

// First of qnnpp's headers here: a compiler's message about a refusal lists the chain of includes
// that leads to config.hpp.
#include "qnnpp/config.hpp"

#include "qnnpp/abi/property.hpp"
#include "qnnpp/backend/detail/epoch.hpp"
#include "qnnpp/backend/detail/handle.hpp"
#include "qnnpp/backend/detail/live_contexts.hpp"
#include "qnnpp/backend/detail/log_sink.hpp"
#include "qnnpp/backend/device.hpp"
#include "qnnpp/backend/external_weights.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/backend/log.hpp"
#include "qnnpp/backend/ownership.hpp"
#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/backend/system.hpp"
#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/concepts.hpp"
#include "qnnpp/core/detail/contract.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/states.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// How RegisteredTensors give QNN their memory. Libraries that run on the CPU, such as Qualcomm's
/// for x86-64, register no memory, although their capabilities say so.
enum class TensorMemory : std::uint8_t {
  /// By handles of QnnMem_register: an execution copies nothing.
  registered,
  /// By the CPU's addresses, without a call of QNN: each execution copies the tensors. IoCost
  /// counts
  /// this.
  by_address,
  /// Registered, unless the first registration returns 1000 (not supported). Holds for all contexts
  /// of the backend from then on.
  either,
};

/// Options of Backend::load().
struct BackendOptions {
  /// Path or name of the backend library. Empty: libQnnHtp.so.
  std::string library = {};
  /// Path or name of the system library, which reads the metadata of context binaries. Empty:
  /// libQnnSystem.so from the backend library's folder, or none if that cannot be opened.
  std::string system_library = {};
  /// Level and destination of the backend's log messages.
  LogOptions log = {};
  /// Options of the device: chip to prepare for, process domain, devices to use.
  DeviceOptions device = {};
  /// How RegisteredTensors give QNN their memory.
  TensorMemory tensor_memory = TensorMemory::registered;
};

/// What Backend::adopt() cannot learn from the C objects.
struct AdoptOptions {
  /// Path or name of the system library, which reads the metadata of context binaries. Empty: none,
  /// because adopt() opens no library that the program does not name. The graphs of binaries are
  /// not known then: model::load() and a residency need a manifest, or this library.
  std::string system_library = {};
  /// Options with which the program has created the device. QNN gets none of them: a secure process
  /// domain excludes external buffers (EXT-06), and composed binaries are compared with the chip or
  /// the architecture (CFG-05).
  DeviceOptions device = {};
  /// How RegisteredTensors give QNN their memory.
  TensorMemory tensor_memory = TensorMemory::registered;
};

/// Whether a backend has a feature (QnnProperty_hasCapability).
enum class Capability : std::uint8_t {
  supported,    ///< The backend has the feature.
  unsupported,  ///< The backend does not have the feature.
  unknown,      ///< The backend gives no answer, usually because it is older than the feature.
};

namespace detail {

/// Contract message for a backend that owns nothing.
inline constexpr char moved_backend[] =
    "the backend was moved from or closed; use the object it was moved to, or create another";

/// Owns the C objects of a backend. Closes its members from the last to the first: device, backend,
/// log; then the system library; then the backend library, unless it is pinned (ORD-08). After some
/// failed creations it closes the backend before the device (ORD-17).
struct BackendBlock : RefCounted<BackendBlock> {
  BackendBlock(SharedLibrary opened, Interface chosen);
  ~BackendBlock();

  SharedLibrary library;
  Interface provider;
  /// Restarts of the DSP that calls of this backend reported (SSR-01), and the exit of the process.
  Ref<RestartLog> restart_log = Ref<RestartLog>::make();
  std::optional<System> system;
  /// Reason why `system` is empty.
  std::optional<Error> system_error;
  /// Ends after the log, so that every line of QnnLog_free reaches the sink.
  std::optional<LogSlotUse> log_slot;
  LogOwner log;
  BackendOwner backend;
  DeviceOwner device;
  /// Locked by each call that creates, finalizes or frees a context, or registers its external
  /// buffers (THR-01), and by nothing else. While it is locked, a log sink is the only function of
  /// the user that runs. No thread locks it and a context's `objects` at the same time.
  mutable SetupMutex setup;
  /// The contexts that exist, for errors.
  mutable LiveContexts live_contexts;
  /// Key of the feature that require() last found, so that QNN is asked once, not for each context.
  mutable std::atomic<std::uint32_t> granted{0};
  /// Whether a failed creation has left a context that only QnnBackend_free ends; QnnDevice_free
  /// fails before that (ORD-17).
  std::atomic<bool> frees_device_last{false};
  /// How tensors are registered; `either` until the first registration or graph decides.
  mutable std::atomic<TensorMemory> tensor_memory{TensorMemory::registered};
  /// Evidence that this backend supports external weights (EXT-08).
  mutable ExternalWeightsRecord external_weights;
  /// Whether the device was opened with a secure process domain, which excludes external buffers
  /// (EXT-06).
  bool is_secure = false;
  /// Architecture for which graphs are to be prepared (asked_arch()).
  std::optional<std::uint32_t> prepares_for = {};

  /// Opens the library, chooses the provider of the HTP and creates log, backend and device.
  [[nodiscard]] static Result<Ref<BackendBlock>> load(BackendOptions options);

  /// Makes a block of C objects that exist; see Backend::adopt(). After an error they are as
  /// before.
  [[nodiscard]] static Result<Ref<BackendBlock>> adopt(const c_api::Interface* interface,
                                                       const BackendHandles& handles,
                                                       Ownership ownership,
                                                       const AdoptOptions& options);

  [[nodiscard]] Capability capability(c_api::PropertyKey key) const;

  /// Succeeds if the backend has the feature that `object` needs (LOAD-04). Errors:
  /// `capability_missing`, which names the feature; `slot_null`; `qnn` if the question fails, for
  /// example after a restart of the DSP.
  [[nodiscard]] Result<void> require(c_api::PropertyKey key, const char* feature,
                                     const std::string& object) const;

  /// Replaces `either` by `decided`. Returns what holds now.
  TensorMemory decide(TensorMemory decided) const noexcept;

  [[nodiscard]] Result<std::string> build_id() const;

  /// SDK of the library, such as "2.51.0"; empty if the build id names none.
  [[nodiscard]] std::string sdk() const;

  [[nodiscard]] bool is_emulation() const;

  [[nodiscard]] Result<std::vector<DeviceInfo>> platform_info() const;

  /// Checks that the platform has devices and their cores, as require_device(). Succeeds if the
  /// library does not list its platform. Error also: `qnn` if it cannot tell.
  [[nodiscard]] Result<void> check_devices(std::span<const DeviceInfo> wanted, const char* option,
                                           const char* step) const;

  /// The first on-chip device; empty if the backend reports none.
  [[nodiscard]] std::optional<DeviceInfo> chip() const;

  /// Error of a call that is not made because the process exits (PRC-04) or is a forked child
  /// (PRC-01).
  [[nodiscard]] Error after_exit(const char* step) const;

  /// Error `in_use` of `step`, which ends a backend with so many references; names its contexts.
  [[nodiscard]] Error used_by_others(const char* step, std::uint32_t references) const;

  /// Frees device, backend and log, even if one of the calls fails. Returns the first error.
  [[nodiscard]] Result<void> close();

  /// Gives up the C objects, and what qnnpp holds beside them. Errors: `dead`, `foreign_process`.
  [[nodiscard]] Result<BackendHandles> release();

 private:
  /// Frees the contexts that hold numbers of lost contexts (RES-05).
  void end_holding() const noexcept;
  [[nodiscard]] Result<void> create(const BackendOptions& options);
  /// Creates the log. Fails only if `options` name a destination.
  [[nodiscard]] Result<void> create_log(const LogOptions& options);
  [[nodiscard]] Result<void> create_device(const DeviceOptions& options);
};

}  // namespace detail

/// Owner of a QNN backend with its log and device. The only target is Htp.
///
/// Move-only. Every object made from a backend keeps the backend alive, so the Backend object may
/// be destroyed at any time.
///
/// Threads: any number of threads may use one backend at the same time, and may destroy objects
/// made from it. Contexts of one backend are created, finalized and freed one after another
/// (THR-01): each of these calls blocks while another one runs. Executing graphs and registering
/// tensors never blocks for them. A log sink runs inside these calls and must not make one.
/// Moving, closing or destroying a Backend while another thread uses it is a data race; share()
/// returns a separate owner for each thread.
///
/// Exit: objects of static storage that existed before the backend was loaded are destroyed after
/// QNN's library has destroyed its own. By then the backend and all objects made from it are dead
/// (PRC-04): their destructors and close() make no C call, other calls return `dead`, and the end
/// of the process frees what they own. Objects that are destroyed earlier are freed as usual.
/// Composing makes the library destroy more at exit, so it moves this point: a backend that is
/// older than the first composed context of another backend must be closed before the process
/// exits. Each load and each composed context keeps some 40 bytes for this until the process ends.
/// No thread may be in a call of QNN when the process exits.
///
/// Fork: in a child of a process that has loaded a backend, the objects belong to the parent
/// (PRC-01). Their destructors and close() make no C call, and every other call, also load(),
/// returns `foreign_process`. Fork before the first load(), or call exec() in the child.
template <class Target>
class QNNPP_LINEAR Backend {
  static_assert(std::is_same_v<Target, Htp>, "no such target; write Backend<Htp>");

 public:
  QNNPP_MOVE_ONLY(Backend, "a backend has one owner; write std::move(backend)");
  template <detail::ResultOf<Backend> R>
  QNNPP_REFUSE_CONSTRUCTOR("this is a Result; test it and pass *backend, or use value_or_throw()",
                           Backend, const R&);
  template <detail::PathLike Path>
  QNNPP_REFUSE_CONSTRUCTOR("a path is no backend; pass *Backend<Htp>::load({.library = path})",
                           Backend, const Path&);

  /// Opens the library, chooses its provider and creates log, backend and device (QnnLog_create,
  /// QnnBackend_create, QnnDevice_create). A backend that has no devices is not an error, unless
  /// BackendOptions::device has options.
  ///
  /// Errors: `foreign_process` (PRC-01); `library_not_found`, `library_unusable`, `symbol_missing`,
  /// `not_qnn`, `version_unsupported`, `slot_null`; `invalid_argument` for an unknown log level or
  /// process domain, for a log sink that is a null function, for log options that contradict each
  /// other and for a platform without devices; the errors of LogOptions::sink; `qnn` with the code
  /// of the C function, 1000 if the device refuses its options; `invalid_argument` for a chip or an
  /// architecture that the library logs as unknown or unsupported (CFG-05). On an error every C
  /// object is freed.
  ///
  /// All copies of qnnpp in the process, one in each shared library, share one right to execute a
  /// buffer. Errors if they cannot find each other: `file_unreadable` without /proc/self/maps;
  /// `allocation_failed`; `version_unsupported` if another copy is too old or too new to share.
  [[nodiscard]] static Result<Backend> load(BackendOptions options = {}) {
    QNNPP_LET(block, detail::BackendBlock::load(std::move(options)));
    return Backend(std::move(*block));
  }

  template <detail::PathLike Path>
  static QNNPP_REFUSE("a path is no BackendOptions; write load({.library = path})", Result<Backend>,
                      load(const Path&));

  /// Makes a Backend of C objects that the program has created itself. Creates none, and opens no
  /// library except AdoptOptions::system_library; keeps the backend's library loaded, as load()
  /// does (LOAD-05).
  ///
  /// `interface` is a pointer that QnnInterface_getProviders has returned. A copy of the structure
  /// is too short if the program was compiled with older headers than the library's.
  ///
  /// Borrowed objects are never freed; destructors and close() then make no call for them. Owned
  /// ones are freed as those of load() are, and stay the caller's if adopt() fails. Either way the
  /// program must not, until the last object made from the backend is destroyed or release() has
  /// returned the handles:
  /// - free the objects or configure them (QnnBackend_setConfig, QnnDevice_setConfig);
  /// - create, finalize or free a context, or register external buffers, while another thread makes
  ///   such a call by qnnpp: its lock covers its own calls only (THR-01);
  /// - close the library.
  ///
  /// The log stays as the program has made it: qnnpp registers no callback. Error::log is empty, so
  /// that messages name more possible causes (RES-05). A restart of the DSP that only the program's
  /// own calls report is known to qnnpp after its own next call (SSR-01).
  ///
  /// Errors: `foreign_process` (PRC-01); `invalid_argument` for a null interface or backend, and
  /// for an unknown process domain; `not_qnn` for a provider of another backend than the HTP's;
  /// `version_unsupported` (LOAD-02); `in_use` if a Backend has this handle, which share() shares;
  /// `slot_missing` and `slot_null` for a function that frees an owned object; the errors of
  /// System::load(); those of copies of qnnpp that cannot find each other, as for load().
  [[nodiscard]] static Result<Backend> adopt(const c_api::Interface* interface,
                                             const BackendHandles& handles, Ownership ownership,
                                             const AdoptOptions& options = {}) {
    QNNPP_LET(block, detail::BackendBlock::adopt(interface, handles, ownership, options));
    return Backend(std::move(*block));
  }
  /// Takes a `const QnnInterface_t*` of QNN's own headers.
  template <detail::ProviderOfSdk Provider>
  [[nodiscard]] static Result<Backend> adopt(const Provider* interface,
                                             const BackendHandles& handles, Ownership ownership,
                                             const AdoptOptions& options = {}) {
    return adopt(reinterpret_cast<const c_api::Interface*>(interface), handles, ownership, options);
  }

  /// Whether the backend has a feature (QnnProperty_hasCapability, LOAD-04); `unknown` once the
  /// process exits.
  [[nodiscard]] QNNPP_LIVE Capability capability(c_api::PropertyKey key) const {
    return block().capability(key);
  }

  /// Evidence that the backend supports external weights, which no capability reports (EXT-08).
  [[nodiscard]] QNNPP_LIVE ExternalWeights external_weights() const {
    return block().external_weights.get();
  }

  /// How RegisteredTensors give QNN their memory: BackendOptions::tensor_memory, or what replaced
  /// `either`.
  [[nodiscard]] QNNPP_LIVE TensorMemory tensor_memory() const {
    return block().tensor_memory.load(std::memory_order_relaxed);
  }

  /// Build of the library, such as "v2.43.0.260127..." (QnnBackend_getBuildId). Errors:
  /// `slot_null`, `qnn`; `not_qnn` for a text that is too long; `dead` once the process exits.
  [[nodiscard]] QNNPP_LIVE Result<std::string> build_id() const { return block().build_id(); }

  /// Whether the library is Qualcomm's for x86-64, which emulates the HTP: it executes binaries of
  /// every architecture, whatever chip it reports, has no context groups and registers no memory.
  [[nodiscard]] QNNPP_LIVE bool is_emulation() const { return block().is_emulation(); }

  /// Devices of the platform in the backend's order (QnnDevice_getPlatformInfo). Errors:
  /// `slot_null`, `qnn`; `malformed` for a description that cannot be read; `dead` once the process
  /// exits.
  [[nodiscard]] QNNPP_LIVE Result<std::vector<DeviceInfo>> platform_info() const {
    return block().platform_info();
  }

  /// The first HTP of platform_info(); empty if the backend reports none.
  [[nodiscard]] QNNPP_LIVE std::optional<DeviceInfo> chip() const { return block().chip(); }

  /// Version of the core API that the provider was built for.
  [[nodiscard]] QNNPP_LIVE c_api::Version core_version() const {
    return block().provider.core_version();
  }
  /// Version of the backend itself. For the HTP, the minor version is the SDK's.
  [[nodiscard]] QNNPP_LIVE c_api::Version backend_version() const {
    return block().provider.backend_version();
  }

  /// The provider's function table and versions. Valid until the backend is freed.
  [[nodiscard]] QNNPP_LIVE const Interface& provider() const& { return block().provider; }
  QNNPP_REFUSE("provider() of a temporary would dangle; name the backend first", const Interface&,
               provider() const&&);

  /// The C handle, owned by the backend.
  [[nodiscard]] QNNPP_LIVE c_api::BackendHandle native() const& {
    return block().backend.get().handle;
  }
  QNNPP_REFUSE("native() of a temporary would dangle; name the backend first", c_api::BackendHandle,
               native() const&&);
  /// The C handle of the device, owned by the backend; null if the backend has no devices.
  [[nodiscard]] QNNPP_LIVE c_api::DeviceHandle native_device() const& {
    return block().device.get().handle;
  }
  QNNPP_REFUSE("native_device() of a temporary would dangle; name the backend first",
               c_api::DeviceHandle, native_device() const&&);
  /// The C handle of the log, owned by the backend; null if there is no log.
  [[nodiscard]] QNNPP_LIVE c_api::LogHandle native_log() const& { return block().log.get().handle; }
  QNNPP_REFUSE("native_log() of a temporary would dangle; name the backend first", c_api::LogHandle,
               native_log() const&&);

  /// Frees device, backend and log now (QnnDevice_free, QnnBackend_free, QnnLog_free) and returns
  /// the first error. Error: `in_use` while contexts or other owners of the backend live, which
  /// names the contexts and their holders; the last of them frees it.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close() && {
    Ref<detail::BackendBlock> last = std::move(block_);
    qnnpp::detail::expects(last, detail::moved_backend);
    if (last.use_count() != 1)
      return fail(last->used_by_others("closing a backend", last.use_count()));
    return last->close();
  }
  QNNPP_REFUSE("close() consumes the backend; write std::move(backend).close()", Result<void>,
               close() const&);

  /// Gives the C objects back, whether they were adopted or made by load(); the caller then frees
  /// them: device, backend, log; after a deferred creation that failed, the backend first (ORD-17).
  /// Makes no call of QNN, except to free contexts that qnnpp keeps (RES-05). The library stays
  /// loaded. A log of load() loses its sink. Errors, with which the backend ends as by its
  /// destructor: `in_use` while contexts or other owners of the backend live, which names them;
  /// `dead` once the process exits; `foreign_process`.
  [[nodiscard]] QNNPP_CONSUMES Result<BackendHandles> release() && {
    Ref<detail::BackendBlock> last = std::move(block_);
    qnnpp::detail::expects(last, detail::moved_backend);
    if (last.use_count() != 1)
      return fail(last->used_by_others("releasing a backend", last.use_count()));
    return last->release();
  }
  QNNPP_REFUSE("release() consumes the backend; write std::move(backend).release()",
               Result<BackendHandles>, release() const&);

  /// Returns another owner of the same backend, for objects that create contexts later. The last
  /// owner frees the backend.
  [[nodiscard]] QNNPP_LIVE Backend share() const {
    qnnpp::detail::expects(block_, detail::moved_backend);
    return Backend(block_);
  }

 private:
  friend struct detail::Access;
  explicit Backend(Ref<detail::BackendBlock> block) : block_(std::move(block)) {}

  [[nodiscard]] const detail::BackendBlock& block() const {
    qnnpp::detail::expects(block_, detail::moved_backend);
    return *block_;
  }

  Ref<detail::BackendBlock> block_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/backend.ipp"
#include "qnnpp/impl/backend/backend_adoption.ipp"
#endif
