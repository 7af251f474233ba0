// Backend<Target>: a loaded QNN library with its log, backend and device.
#pragma once

#include <gsl/assert>
#include <atomic>
#include <optional>
#include <string>
#include <utility>

// Before the others: messages about refusals tell how it came to be included.
#include "qnnpp/config.hpp"

#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/property.hpp"
#include "qnnpp/backend/handle.hpp"
#include "qnnpp/backend/interface.hpp"
#include "qnnpp/backend/lives.hpp"
#include "qnnpp/backend/log.hpp"
#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/backend/system.hpp"
#include "qnnpp/core/ref.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/core/states.hpp"

namespace qnnpp {

/// What a target's library is called, and the backend id its provider must carry (0: any).
template <class Target>
struct TargetTraits;
template <>
struct TargetTraits<Htp> {
  static constexpr const char* library = "libQnnHtp.so";
  static constexpr std::uint32_t backend_id = 6;
};
template <>
struct TargetTraits<Cpu> {
  static constexpr const char* library = "libQnnCpu.so";
  static constexpr std::uint32_t backend_id = 0;
};
template <>
struct TargetTraits<Saver> {
  static constexpr const char* library = "libQnnSaver.so";
  static constexpr std::uint32_t backend_id = 0;
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

namespace detail {

/// The C objects of a backend. Members are closed from the last to the first: device, backend, log;
/// then the system library; then the backend library, unless it is pinned (ORD-08).
struct BackendBlock : RefCounted<BackendBlock> {
  BackendBlock(SharedLibrary opened, Interface chosen)
      : library(std::move(opened)), provider(chosen) {}

  SharedLibrary library;
  Interface provider;
  std::optional<System> system;
  /// Why there is no system library.
  std::optional<Error> system_error;
  LogOwner log;
  BackendOwner backend;
  DeviceOwner device;
  /// The feature that was last found to be there: it is asked for once, not once a context.
  mutable std::atomic<std::uint32_t> granted{0};
  /// Which of its contexts live (SSR-01).
  mutable Lives lives;

  [[nodiscard]] const abi::InterfaceTable& table() const noexcept {
    return provider.native()->table;
  }

  [[nodiscard]] Capability capability(abi::PropertyKey key) const {
    const auto has = provider.find<&abi::InterfaceTable::property_has_capability>();
    if (!has) return Capability::unknown;
    switch ((*has)(key) & 0xFFFFu) {
      case 0: return Capability::supported;
      case static_cast<std::uint64_t>(abi::PropertyError::not_supported):
        return Capability::unsupported;
      default: return Capability::unknown;
    }
  }

  /// Success if the backend has the feature that `object` needs (LOAD-04). Errors:
  /// `capability_missing` naming it; `qnn` where the question itself failed, as after a restart of
  /// the DSP.
  [[nodiscard]] Result<void> require(abi::PropertyKey key, const char* feature,
                                     const std::string& object) const {
    constexpr const char* step = "QnnProperty_hasCapability";
    const auto has = provider.find<&abi::InterfaceTable::property_has_capability>();
    if (!has) return fail(has.error());
    if (granted.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(key)) return {};
    const std::uint64_t answer = (*has)(key);
    switch (answer & 0xFFFFu) {
      case 0:
        granted.store(static_cast<std::uint32_t>(key), std::memory_order_relaxed);
        return {};
      case static_cast<std::uint64_t>(abi::PropertyError::not_supported):
        return fail(Error::make(Errc::capability_missing, step, object,
                                std::string(feature) + ": not supported by " + library.path()));
      case static_cast<std::uint64_t>(abi::PropertyError::unknown_key):
        return fail(Error::make(Errc::capability_missing, step, object,
                                std::string(feature) + ": not known to " + library.path()));
      default: return fail(Error::from_qnn(answer, step, object));
    }
  }

  [[nodiscard]] Result<void> create(const BackendOptions& options);
};

}  // namespace detail

/// A QNN backend of one target, with its log and device.
///
/// Move-only, but everything made from it keeps it alive: it may be destroyed at any time. Setup
/// calls on one backend and what is made from it are serialised by the caller.
template <class Target>
class QNNPP_LINEAR Backend {
 public:
  QNNPP_MOVE_ONLY(Backend, "a backend has one owner; write std::move(backend)");

  /// Opens the library, chooses its provider, creates log, backend and device (QnnLog_create,
  /// QnnBackend_create, QnnDevice_create). A backend without devices of its own is not an error.
  ///
  /// Errors: `library_not_found`, `symbol_missing`, `not_qnn`, `version_unsupported`, and what the C
  /// functions return. Nothing stays open then.
  [[nodiscard]] static Result<Backend> load(BackendOptions options = {}) {
    if (options.library.empty()) options.library = TargetTraits<Target>::library;
    auto library = SharedLibrary::open(options.library);
    if (!library) return fail(std::move(library).error());
    auto provider = Interface::choose(*library, TargetTraits<Target>::backend_id);
    if (!provider) return fail(std::move(provider).error());
    auto block = Ref<detail::BackendBlock>::make(std::move(*library), *provider);
    if (auto created = block->create(options); !created) return fail(std::move(created).error());
    return Backend(std::move(block));
  }

  /// Whether the backend has a feature (QnnProperty_hasCapability, LOAD-04).
  [[nodiscard]] QNNPP_LIVE Capability capability(abi::PropertyKey key) const {
    return block().capability(key);
  }

  /// The library's build, such as "v2.43.0.260127..." (QnnBackend_getBuildId).
  [[nodiscard]] QNNPP_LIVE Result<std::string> build_id() const {
    const char* text = nullptr;
    const auto get = block().provider.template find<&abi::InterfaceTable::backend_get_build_id>();
    if (!get) return fail(get.error());
    if (auto got = check((*get)(&text), "QnnBackend_getBuildId", block().library.path()); !got)
      return fail(std::move(got).error());
    return std::string(text == nullptr ? "" : text);
  }

  /// Version of the core API that the provider was built for.
  [[nodiscard]] QNNPP_LIVE abi::Version core_version() const {
    return block().provider.core_version();
  }
  /// Version of the backend itself; of the HTP, the minor is the SDK's.
  [[nodiscard]] QNNPP_LIVE abi::Version backend_version() const {
    return block().provider.backend_version();
  }

  /// The provider's function table and versions. Lives as long as the backend.
  [[nodiscard]] QNNPP_LIVE const Interface& provider() const& { return block().provider; }
  QNNPP_REFUSE("provider() of a temporary would dangle; name the backend first", const Interface&,
               provider() const&&);

  /// The C handles. Owned by this object; the device is null where the backend has none.
  [[nodiscard]] QNNPP_LIVE abi::BackendHandle native() const& {
    return block().backend.get().handle;
  }
  QNNPP_REFUSE("native() of a temporary would dangle; name the backend first", abi::BackendHandle,
               native() const&&);
  [[nodiscard]] QNNPP_LIVE abi::DeviceHandle native_device() const& {
    return block().device.get().handle;
  }
  QNNPP_REFUSE("native_device() of a temporary would dangle; name the backend first",
               abi::DeviceHandle, native_device() const&&);
  [[nodiscard]] QNNPP_LIVE abi::LogHandle native_log() const& { return block().log.get().handle; }
  QNNPP_REFUSE("native_log() of a temporary would dangle; name the backend first", abi::LogHandle,
               native_log() const&&);

  /// Frees device, backend and log now and returns the first error. While contexts of it live it is
  /// `in_use`: the last of them frees it then.
  [[nodiscard]] QNNPP_CONSUMES Result<void> close() && {
    Ref<detail::BackendBlock> last = std::move(block_);
    Expects(last);
    const std::string name = last->library.path();
    if (last.use_count() != 1)
      return fail(Error::mismatch(Errc::in_use, "closing a backend", name, 1, last.use_count()));
    auto device = check(last->device.close(), "QnnDevice_free", name);
    auto backend = check(last->backend.close(), "QnnBackend_free", name);
    auto log = check(last->log.close(), "QnnLog_free", name);
    return !device ? device : !backend ? backend : log;
  }
  QNNPP_REFUSE("close() consumes the backend; write std::move(backend).close()", Result<void>,
               close() const&);

  /// Another owner of the same backend, which lives as long as one of them: for objects that make
  /// contexts later on.
  [[nodiscard]] QNNPP_LIVE Backend share() const {
    Expects(block_);
    return Backend(block_);
  }

  /// For the layers above: the control block that their objects keep alive.
  [[nodiscard]] QNNPP_LIVE const Ref<detail::BackendBlock>& control() const noexcept {
    return block_;
  }

 private:
  QNNPP_FRESH explicit Backend(Ref<detail::BackendBlock> block) : block_(std::move(block)) {}

  [[nodiscard]] const detail::BackendBlock& block() const {
    Expects(block_);
    return *block_;
  }

  Ref<detail::BackendBlock> block_;
};

// ---------------------------------------------------------------------------------------------

namespace detail {

inline Result<void> BackendBlock::create(const BackendOptions& options) {
  const auto backend_create = provider.find<&abi::InterfaceTable::backend_create>();
  const auto backend_free = provider.find<&abi::InterfaceTable::backend_free>();
  if (!backend_create) return fail(backend_create.error());
  if (!backend_free) return fail(backend_free.error());
  const std::string& name = library.path();

  // From here on the library runs code of its own: it stays loaded (LOAD-05).
  library.pin();

  if (options.log.to != LogOptions::To::nobody) {
    if (options.log.to == LogOptions::To::callback && options.log.callback == nullptr)
      return fail(Error::make(Errc::invalid_argument, "QnnLog_create", name, "no log callback"));
    const auto log_create = provider.find<&abi::InterfaceTable::log_create>();
    const auto log_free = provider.find<&abi::InterfaceTable::log_free>();
    if (!log_create) return fail(log_create.error());
    if (!log_free) return fail(log_free.error());
    abi::LogHandle handle = nullptr;
    const auto native = (*log_create)(options.log.callback, options.log.level, &handle);
    // 1000: the backend does not log.
    constexpr auto silent = static_cast<std::uint64_t>(abi::CommonError::not_supported);
    if ((native & 0xFFFFu) != silent) {
      if (auto made = check(native, "QnnLog_create", name); !made) return made;
      log = LogOwner({*log_free, handle});
    }
  }

  abi::BackendHandle backend_handle = nullptr;
  if (auto made = check((*backend_create)(log.get().handle, nullptr, &backend_handle),
                        "QnnBackend_create", name);
      !made)
    return made;
  backend = BackendOwner({*backend_free, backend_handle});

  const auto device_create = provider.find<&abi::InterfaceTable::device_create>();
  const auto device_free = provider.find<&abi::InterfaceTable::device_free>();
  if (device_create && device_free) {
    abi::DeviceHandle device_handle = nullptr;
    const auto native = (*device_create)(log.get().handle, nullptr, &device_handle);
    // 1000: the backend knows no devices, and takes NULL for one.
    constexpr auto unsupported = static_cast<std::uint64_t>(abi::DeviceError::unsupported_feature);
    if ((native & 0xFFFFu) != unsupported) {
      if (auto made = check(native, "QnnDevice_create", name); !made) return made;
      device = DeviceOwner({*device_free, device_handle});
    }
  }

  const bool asked_for = !options.system_library.empty();
  auto loaded = System::load(asked_for ? options.system_library
                                       : library.folder() + "libQnnSystem.so");
  if (loaded) system = std::move(*loaded);
  else if (asked_for) return fail(std::move(loaded).error());
  else system_error = std::move(loaded).error();
  return {};
}

}  // namespace detail
}  // namespace qnnpp
