// Definitions of backend.hpp.
#pragma once

#include "qnnpp/backend/backend.hpp"

#include <span>

#include "qnnpp/abi/device.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/abi/htp/device.hpp"
#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/binary_info.hpp"
#include "qnnpp/backend/detail/dsp_side.hpp"
#include "qnnpp/backend/detail/error_lines.hpp"
#include "qnnpp/backend/detail/lost_contexts.hpp"
#include "qnnpp/core/detail/error_facts.hpp"
#include "qnnpp/core/owner.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

QNNPP_INLINE BackendBlock::BackendBlock(SharedLibrary opened, Interface chosen)
    : library(std::move(opened)), provider(chosen) {}

QNNPP_INLINE BackendBlock::~BackendBlock() {
  end_holding();
  restart_log->disclaim();
  if (frees_device_last) (void)backend.close();
}

QNNPP_INLINE void BackendBlock::end_holding() const noexcept {
  if (lost_contexts->count() != 0 && !restart_log->has_ended()) lost_contexts->let_go(this);
}

QNNPP_INLINE Result<Ref<BackendBlock>> BackendBlock::load(BackendOptions options) {
  if (options.library.empty()) options.library = "libQnnHtp.so";
  constexpr const char* step = "loading a backend";
  if (is_forked()) return fail(Errc::foreign_process, step, options.library);
  QNNPP_TRY(ProcessRegistry::open(step));
  QNNPP_LET(opened, SharedLibrary::open(options.library));
  QNNPP_LET(provider, Interface::choose(*opened, c_api::backend_id::htp));
  auto block = Ref<BackendBlock>::make(std::move(*opened), *provider);
  block->tensor_memory = options.tensor_memory;
  QNNPP_TRY(block->create(options));
  return block;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error BackendBlock::after_exit(const char* step) const {
  const Epoch epoch{.log = restart_log.get()};
  return Error::make(epoch.kind(), step, library.path(), epoch.cause());
}

QNNPP_INLINE TensorMemory BackendBlock::decide(TensorMemory decided) const noexcept {
  TensorMemory holds = TensorMemory::either;
  return tensor_memory.compare_exchange_strong(holds, decided) ? decided : holds;
}

QNNPP_INLINE Result<std::string> BackendBlock::build_id() const {
  if (restart_log->has_ended()) return fail(after_exit(name_of(c_api::Slot::backend_get_build_id)));
  const char* text = nullptr;
  QNNPP_LET(get, provider.find<&c_api::InterfaceTable::backend_get_build_id>());
  QNNPP_TRY(check((*get)(&text), name_of(c_api::Slot::backend_get_build_id), library.path()));
  std::string build;
  QNNPP_TRY(read_name(text, build, Errc::not_qnn, name_of(c_api::Slot::backend_get_build_id),
                      library.path()));
  return build;
}

QNNPP_INLINE std::string BackendBlock::sdk() const {
  const auto build = build_id();
  return build ? sdk_of(std::string_view(*build)) : std::string();
}

QNNPP_INLINE bool BackendBlock::is_emulation() const {
#if defined(__x86_64__)
  return !sdk().empty();  // The simulated HTP names no SDK.
#else
  return false;
#endif
}

/// Frees a platform's description with the logger that requested it.
struct PlatformPolicy {
  struct Value {
    c_api::DeviceFreePlatformInfoFn free = nullptr;
    c_api::LogHandle logger = nullptr;
    const c_api::DevicePlatformInfo* info = nullptr;
    bool operator==(const Value&) const = default;
  };
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept { return value.free(value.logger, value.info); }
};

QNNPP_INLINE Result<std::vector<DeviceInfo>> BackendBlock::platform_info() const {
  if (restart_log->has_ended())
    return fail(after_exit(name_of(c_api::Slot::device_get_platform_info)));
  QNNPP_LET(get, provider.find<&c_api::InterfaceTable::device_get_platform_info>());
  QNNPP_LET(free, provider.find<&c_api::InterfaceTable::device_free_platform_info>());
  const c_api::LogHandle logger = log.get().handle;
  const std::uint64_t logged = error_lines->count();
  const c_api::DevicePlatformInfo* info = nullptr;
  QNNPP_TRY(with_log(
      check((*get)(logger, &info), name_of(c_api::Slot::device_get_platform_info), library.path()),
      logged));
  if (info == nullptr)
    return fail(Errc::malformed, name_of(c_api::Slot::device_get_platform_info), library.path(),
                "the platform's description is null");
  Owner<PlatformPolicy> owned({*free, logger, info});
  auto platform = read_platform(*info, library.path());
  if (auto freed =
          check(owned.close(), name_of(c_api::Slot::device_free_platform_info), library.path());
      !freed && platform)
    return fail(with_log(std::move(freed).error(), logged));
  return platform;
}

QNNPP_INLINE Result<void> BackendBlock::check_devices(std::span<const DeviceInfo> wanted,
                                                      const char* option, const char* step) const {
  if (wanted.empty()) return {};
  const auto platform = platform_info();
  if (!platform && platform.error().kind == Errc::qnn &&
      platform.error().code != code_of(c_api::DeviceError::unsupported_feature))
    return fail(platform.error());
  if (!platform || platform->empty()) return {};  // Nothing to compare with.
  for (const DeviceInfo& each : wanted)
    QNNPP_TRY(require_device(*platform, each, option, step, library.path()));
  return {};
}

QNNPP_INLINE std::optional<DeviceInfo> BackendBlock::chip() const {
  auto devices = platform_info();
  if (!devices) return std::nullopt;
  for (DeviceInfo& each : *devices)
    if (each.is_on_chip) return std::move(each);
  return std::nullopt;
}

[[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
BackendBlock::used_by_others(const char* step, std::uint32_t references) const {
  Error error = Error::mismatch(Errc::in_use, step, library.path(), 1, references);
  error.detail = live_contexts.text(LiveContexts::Which::all);
  return error;
}

QNNPP_INLINE Result<void> BackendBlock::close() {
  const std::uint64_t logged = error_lines->count();
  end_holding();
  restart_log->disclaim();
  const std::uint64_t backend_first = frees_device_last ? backend.close() : 0;
  auto device_freed = check(device.close(), name_of(c_api::Slot::device_free), library.path());
  auto backend_freed = check(frees_device_last ? backend_first : backend.close(),
                             name_of(c_api::Slot::backend_free), library.path());
  auto log_freed = check(log.close(), name_of(c_api::Slot::log_free), library.path());
  log_slot.reset();
  auto& first = !device_freed ? device_freed : !backend_freed ? backend_freed : log_freed;
  return with_log(std::move(first), logged);
}

QNNPP_INLINE Capability BackendBlock::capability(c_api::PropertyKey key) const {
  const auto has = provider.find<&c_api::InterfaceTable::property_has_capability>();
  if (!has || restart_log->has_ended()) return Capability::unknown;
  switch ((*has)(key) & 0xFFFFu) {
    case 0: return Capability::supported;
    case static_cast<std::uint64_t>(c_api::PropertyError::not_supported):
      return Capability::unsupported;
    default: return Capability::unknown;
  }
}

QNNPP_INLINE Result<void> BackendBlock::require(c_api::PropertyKey key, const char* feature,
                                                const std::string& object) const {
  constexpr const char* step = name_of(c_api::Slot::property_has_capability);
  QNNPP_LET(has, provider.find<&c_api::InterfaceTable::property_has_capability>());
  if (restart_log->has_ended()) return fail(after_exit(step));
  if (granted.load(std::memory_order_relaxed) == static_cast<std::uint32_t>(key)) return {};
  const std::uint64_t answer = (*has)(key);
  switch (answer & 0xFFFFu) {
    case 0: granted.store(static_cast<std::uint32_t>(key), std::memory_order_relaxed); return {};
    case static_cast<std::uint64_t>(c_api::PropertyError::not_supported):
      return fail(Errc::capability_missing, step, object,
                  {feature, ": not supported by ", library.path()});
    case static_cast<std::uint64_t>(c_api::PropertyError::unknown_key): {
      Error older = Error::mismatch(Errc::capability_missing, step, object, first_minor_of(key),
                                    provider.core_version().minor);
      older.detail = detail::joined({feature, ": not known to ", library.path()});
      return fail(std::move(older));
    }
    default: return fail(Error::from_qnn(answer, step, object));
  }
}

/// Explains an error of starting the library of `block`. Adds the likely cause with the files and
/// builds of the libraries (dsp_side()), the library's version and the log's lines.
[[nodiscard]] [[gnu::cold, gnu::noinline]] QNNPP_INLINE Error
explain_start(const BackendBlock& block, Error error, std::uint64_t logged) {
  const c_api::Version& version = block.provider.backend_version();
  error = with_log(std::move(error), logged);
  const std::string log = std::exchange(error.detail, {});
  const std::string& lines = error.log;
  const bool is_other_build = error.code == code_of(c_api::CommonError::incompatible_binaries);
  if (const std::string_view qairt = missing_qairt(lines); !qairt.empty())
    error.detail = qairt;
  else if (is_other_build || error.code == code_of(c_api::DeviceError::invalid_config))
    error.detail = dsp_side(is_other_build, lines);
  // Otherwise the log has no telling line, and the usual causes are left.
  if (error.detail.find(" is of build ") != std::string::npos ||
      error.detail.find(" cannot be loaded") != std::string::npos)
    error.facts |= fact::library_named;
  error.detail += detail::joined({"the backend library is ", block.provider.provider_name(),
                                  " with backend API ", version_text(version)});
  if (!log.empty()) error.detail += detail::joined({"; ", log});
  return error;
}

QNNPP_INLINE Result<void> BackendBlock::create_log(const LogOptions& options) {
  const bool is_wanted = options.to != LogOptions::To::nobody;
  const bool has_sink = options.to == LogOptions::To::sink;
  const auto invalid = [this](const char* why) {
    return fail(Errc::invalid_argument, name_of(c_api::Slot::log_create), library.path(), why);
  };
  if (has_sink && !options.sink) return invalid("LogOptions has no sink; give log_to() a function");
  if (!has_sink && options.sink)
    return invalid("the log sink is not used; set .to to LogOptions::To::sink, or use log_to()");
  if (is_wanted &&
      (options.level < c_api::LogLevel::error || options.level > c_api::LogLevel::debug))
    return invalid("no such log level; use error, warn, info, verbose or debug");
  const auto create = provider.find<&c_api::InterfaceTable::log_create>();
  const auto free = provider.find<&c_api::InterfaceTable::log_free>();
  if (!create || !free) {
    if (!is_wanted) return {};
    return fail(create ? free.error() : create.error());
  }
  c_api::LogCallback callback = is_wanted ? nullptr : &keep_error_line;
  c_api::LogLevel level = is_wanted ? options.level : c_api::LogLevel::warn;
  if (has_sink) {
    // The warning that is_kept() keeps must arrive. The slot does not pass it to a sink of errors.
    if (level == c_api::LogLevel::error) level = c_api::LogLevel::warn;
    const auto slot = log_slots->take(options.sink, options.level);
    if (!slot) return fail(slot.error());
    log_slot.emplace(*slot);
    callback = LogSlots::callback(*slot);
  }
  // QNN may call the callback until the process ends, even if this call fails.
  if (callback != nullptr) pin_object_of(reinterpret_cast<const void*>(callback));
  const std::uint64_t logged = error_lines->count();
  c_api::LogHandle handle = nullptr;
  const auto native = (*create)(callback, level, &handle);
  if (is_success(native)) {
    log = LogOwner({*free, handle, restart_log.get()});
    return {};
  }
  // 1000: the backend does not log. Errors then only have less detail.
  constexpr auto silent = static_cast<std::uint64_t>(c_api::CommonError::not_supported);
  if (!is_wanted || (native & 0xFFFFu) == silent) return {};
  return fail(explain_start(
      *this, Error::from_qnn(native, name_of(c_api::Slot::log_create), library.path()), logged));
}

QNNPP_INLINE Result<void> BackendBlock::create_device(const DeviceOptions& options) {
  const auto create = provider.find<&c_api::InterfaceTable::device_create>();
  const auto free = provider.find<&c_api::InterfaceTable::device_free>();
  if (!create || !free) {
    if (!options.any()) return {};
    return fail(create ? free.error() : create.error());
  }
  QNNPP_TRY(check_devices(options.platform, "DeviceOptions::platform",
                          name_of(c_api::Slot::device_create)));
  const std::uint64_t logged = error_lines->count();
  DeviceConfigs configs(options, provider.backend_version().minor);
  c_api::DeviceHandle handle = nullptr;
  const auto native = (*create)(log.get().handle, configs.native(), &handle);
  // 1000 without options: the backend has no devices and accepts NULL as the device. 1000 with
  // options: the device refuses one of them.
  constexpr auto unsupported = static_cast<std::uint64_t>(c_api::DeviceError::unsupported_feature);
  const bool is_unsupported = (native & 0xFFFFu) == unsupported;
  if (is_unsupported && !options.any()) return {};
  if (auto made = check(native, name_of(c_api::Slot::device_create), library.path()); !made) {
    const std::string lines = error_lines->since(logged, LinesOf::this_thread);
    if (options.soc_model && lines.find("Unknown config socModel") != std::string::npos)
      return fail(with_lines(
          Error::make(Errc::invalid_argument, name_of(c_api::Slot::device_create), library.path(),
                      {"DeviceOptions::soc_model ", *options.soc_model,
                       " is not known to the library; name a chip that it knows, or "
                       "use a library of a newer SDK"}),
          lines));
    Error error = explain_start(*this, std::move(made).error(), logged);
    if (is_unsupported)
      error.detail = joined({options.process_domain == ProcessDomainKind::secure
                                 ? "the device refused a secure process domain; "
                                 : "the device refused its options; ",
                             error.detail});
    return fail(std::move(error));
  }
  device = DeviceOwner({*free, handle, restart_log.get()});
  is_secure = options.process_domain == ProcessDomainKind::secure;
  prepares_for = asked_arch(options);
  // CFG-05: the call succeeds all the same, and the library then prepares for v68.
  if (const std::string lines = error_lines->since(logged, LinesOf::this_thread);
      options.arch && lines.find("Unsupported HTP Arch") != std::string::npos)
    return fail(with_lines(
        Error::make(Errc::invalid_argument, name_of(c_api::Slot::device_create), library.path(),
                    {"DeviceOptions::arch v", static_cast<std::uint32_t>(*options.arch),
                     " is not known to the library, which would prepare for another; name one that "
                     "it knows, or use a library of a newer SDK"}),
        lines));
  return {};
}

QNNPP_INLINE Result<void> BackendBlock::create(const BackendOptions& options) {
  QNNPP_LET(backend_create, provider.find<&c_api::InterfaceTable::backend_create>());
  QNNPP_LET(backend_free, provider.find<&c_api::InterfaceTable::backend_free>());
  const std::string& name = library.path();

  QNNPP_TRY(check_device_options(options.device, name));

  // From here on the library may run its own clean-up, so it stays loaded (LOAD-05).
  library.pin();

  QNNPP_TRY(create_log(options.log));

  const std::uint64_t logged = error_lines->count();
  c_api::BackendHandle backend_handle = nullptr;
  if (auto made = check((*backend_create)(log.get().handle, nullptr, &backend_handle),
                        name_of(c_api::Slot::backend_create), name);
      !made)
    return fail(explain_start(*this, std::move(made).error(), logged));
  backend = BackendOwner({*backend_free, backend_handle, restart_log.get()});
  restart_log->note(reinterpret_cast<const void*>(*backend_free), backend_handle);

  QNNPP_TRY(create_device(options.device));

  const bool asked_for = !options.system_library.empty();
  auto loaded = System::load(asked_for ? options.system_library
                                       : detail::joined({library.folder(), "libQnnSystem.so"}));
  if (loaded)
    system = std::move(*loaded);
  else if (asked_for)
    return fail(std::move(loaded).error());
  else
    system_error = std::move(loaded).error();
  // Last, so that the handler runs before the library destroys what these calls have made (PRC-04).
  RestartLog::end_at_exit(restart_log);
  return {};
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
