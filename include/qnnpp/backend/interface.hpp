// Interface: the function table of a provider, with a version check before each slot is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/shared_library.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/version.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

namespace detail {
/// Version as text, such as "2.27.0".
[[nodiscard]] std::string version_text(const c_api::Version& version);
}  // namespace detail

/// Type of the C function in a slot, given as a pointer to a member of c_api::InterfaceTable.
template <auto Slot>
using FunctionOf = std::remove_cvref_t<decltype(std::declval<c_api::InterfaceTable>().*Slot)>;

template <class Function>
class FoundSlot;

/// View of a QNN provider: its versions and its functions. The provider's memory belongs to its
/// library, which must stay open. Threads: const members are thread-safe.
class Interface {
 public:
  /// Chooses a provider of `library` (QnnInterface_getProviders).
  ///
  /// Accepts the first provider with core API 2.18 or a later 2.x (LOAD-02) and with `backend_id`.
  /// A `backend_id` of 0 matches every provider, and a provider whose id is 0 matches every
  /// `backend_id`. Errors: `symbol_missing`, `not_qnn`, `qnn`; `version_unsupported`, which names
  /// the needed version and those found.
  [[nodiscard]] static Result<Interface> choose(const SharedLibrary& library,
                                                std::uint32_t backend_id);

  /// Views a provider that the program has chosen. Accepts those that choose() accepts. Errors,
  /// with the step `step`: `invalid_argument` for null; `not_qnn`; `version_unsupported`.
  [[nodiscard]] static Result<Interface> from_native(const c_api::Interface* provider,
                                                     std::uint32_t backend_id, const char* step);

  /// Finds the function in a slot, as in `find<&c_api::InterfaceTable::context_finalize>()`.
  ///
  /// Checks the provider's version first: a slot past the end of an older table is never read
  /// (LOAD-03). Errors, which name the file of the provider's library: `slot_missing`, with the C
  /// function, the core minor version that it needs and the provider's; `slot_null` if the provider
  /// leaves the slot empty.
  template <auto Slot>
  [[nodiscard]] FoundSlot<FunctionOf<Slot>> find() const noexcept {
    const std::size_t index = index_of<Slot>();
    const bool has_slot = core_version().minor >= first_minor(index);
    return {has_slot ? provider_->table.*Slot : nullptr, *this, index};
  }

  /// First minor version of the core API that has slot `index`; at least core_api_oldest_minor.
  [[nodiscard]] static constexpr std::uint32_t first_minor(std::size_t index) noexcept {
    const std::uint32_t minor = c_api::slots[index].first_minor;
    return minor < core_api_oldest_minor ? core_api_oldest_minor : minor;
  }

  /// Version of the core API that the provider was built for.
  [[nodiscard]] const c_api::Version& core_version() const noexcept {
    return provider_->api_version.core_api_version;
  }
  /// Version of the backend itself. For the HTP, the minor version is the SDK's.
  [[nodiscard]] const c_api::Version& backend_version() const noexcept {
    return provider_->api_version.backend_api_version;
  }
  /// Name of the provider, such as "HTP_QTI_AISW"; "(unnamed)" if it has none.
  [[nodiscard]] const char* provider_name() const noexcept {
    return provider_->provider_name == nullptr ? "(unnamed)" : provider_->provider_name;
  }
  /// The C object. Do not read slots of its table that are newer than core_version().
  [[nodiscard]] const c_api::Interface* native() const noexcept { return provider_; }

 private:
  explicit Interface(const c_api::Interface* provider) : provider_(provider) {}

  /// Returns the error for slot `index`, which has no function.
  [[nodiscard]] Error missing(std::size_t index) const;
  /// File of the library that has the provider's functions; its name if that is not known.
  [[nodiscard]] std::string file() const;

  template <auto Slot>
  [[nodiscard]] std::size_t index_of() const noexcept {
    // Computes addresses only; does not read the slot.
    const auto* start = reinterpret_cast<const std::byte*>(&provider_->table);
    const auto* slot = reinterpret_cast<const std::byte*>(&(provider_->table.*Slot));
    return static_cast<std::size_t>(slot - start) / sizeof(void (*)());
  }

  template <class Function>
  friend class FoundSlot;

  const c_api::Interface* provider_;
};

/// The function of a slot, or why there is none. Used as a Result is; only error() makes an Error,
/// so that the many types of functions cost a compiler little. Threads: const members are
/// thread-safe.
template <class Function>
class [[nodiscard]] FoundSlot {
 public:
  /// Whether there is a function.
  explicit operator bool() const noexcept { return function_ != nullptr; }
  /// Whether there is a function.
  [[nodiscard]] bool has_value() const noexcept { return function_ != nullptr; }
  /// The function; null if there is none.
  [[nodiscard]] Function operator*() const noexcept { return function_; }
  /// Says why there is no function: `slot_missing` or `slot_null`.
  [[nodiscard]] Error error() const { return provider_.missing(index_); }

 private:
  friend Interface;
  FoundSlot(Function function, const Interface& provider, std::size_t index) noexcept
      : function_(function), provider_(provider), index_(index) {}

  Function function_;
  Interface provider_;
  std::size_t index_;
};

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/interface.ipp"
#endif
