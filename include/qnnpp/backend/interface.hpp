// Interface: one provider's function table, handed out slot by slot behind the version gate.
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

namespace qnnpp::inline QNNPP_NAMESPACE {

class Interface;

namespace detail {
/// A version as text: "2.27.0".
[[nodiscard]] std::string version_text(const c_api::Version& version);
}  // namespace detail

/// Type of the function in a slot.
template <auto Slot>
using FunctionOf = std::remove_cvref_t<decltype(std::declval<c_api::InterfaceTable>().*Slot)>;

/// A function of a provider, or why there is none. To be tested before use, as a Result; but a
/// light one: every slot has a type of its own.
template <class Function>
class [[nodiscard]] FoundSlot {
 public:
  FoundSlot(Function function, const Interface& provider, std::size_t index) noexcept
      : function_(function), provider_(&provider), index_(index) {}

  [[nodiscard]] explicit operator bool() const noexcept { return function_ != nullptr; }
  [[nodiscard]] Function operator*() const noexcept { return function_; }
  /// `slot_missing` or `slot_null`, see Interface::slot().
  template <class Provider = Interface>
  [[nodiscard]] Error error() const {
    return static_cast<const Provider*>(provider_)->missing(index_);
  }

 private:
  Function function_;
  const Interface* provider_;
  std::size_t index_;
};

/// A provider of the QNN interface: the versions it has and the functions it gives.
///
/// A view: the provider's memory belongs to its library, which must stay open.
class Interface {
 public:
  /// Chooses a provider of `library` (QnnInterface_getProviders).
  ///
  /// `backend_id` is the wanted one, 0 for any; a provider that leaves its id 0 is taken for every
  /// id. Only core major 2, minor 18 or later is taken (LOAD-02). Errors: `symbol_missing`,
  /// `not_qnn`, `version_unsupported` with both versions in words.
  [[nodiscard]] static Result<Interface> choose(const SharedLibrary& library,
                                                std::uint32_t backend_id);

  /// The function in slot `Slot`, e.g. `slot<&c_api::InterfaceTable::context_finalize>()`.
  ///
  /// The provider's version is looked at first: the memory of a slot past the end of an older table
  /// is never read (LOAD-03). Errors: `slot_missing` naming the C function, the core minor needed
  /// and the one found; `slot_null` where the provider left it out.
  template <auto Slot>
  [[nodiscard]] auto slot() const -> Result<FunctionOf<Slot>> {
    const auto found = find<Slot>();
    if (!found) return fail(found.error());
    return *found;
  }
  /// The same for callers that make the error only where they return it.
  template <auto Slot>
  [[nodiscard]] FoundSlot<FunctionOf<Slot>> find() const noexcept {
    const std::size_t index = index_of<Slot>();
    const bool has_it = core_version().minor >= first_minor(index);
    return {has_it ? provider_->table.*Slot : nullptr, *this, index};
  }
  /// Why slot `index` has no function.
  [[nodiscard]] Error missing(std::size_t index) const;

  /// Name of the C function in `Slot`.
  template <auto Slot>
  [[nodiscard]] const char* slot_name() const noexcept {
    return c_api::slots[index_of<Slot>()].name;
  }

  /// The core minor that first has slot `index`.
  [[nodiscard]] static constexpr std::uint32_t first_minor(std::size_t index) noexcept {
    const std::uint32_t minor = c_api::slots[index].first_minor;
    return minor < core_api_oldest_minor ? core_api_oldest_minor : minor;
  }

  [[nodiscard]] const c_api::Version& core_version() const noexcept {
    return provider_->api_version.core_api_version;
  }
  /// The backend's own version; of the HTP, the minor is the SDK's.
  [[nodiscard]] const c_api::Version& backend_version() const noexcept {
    return provider_->api_version.backend_api_version;
  }
  /// The provider's name, such as HTP_QTI_AISW; "(unnamed)" where it has none.
  [[nodiscard]] const char* provider_name() const noexcept {
    return provider_->provider_name == nullptr ? "(unnamed)" : provider_->provider_name;
  }
  /// The C object. Read its table only as far as core_version() says.
  [[nodiscard]] const c_api::Interface* native() const noexcept { return provider_; }

 private:
  explicit Interface(const c_api::Interface* provider) : provider_(provider) {}

  template <auto Slot>
  [[nodiscard]] std::size_t index_of() const noexcept {
    // Address arithmetic only: the slot itself is not read.
    const auto* start = reinterpret_cast<const std::byte*>(&provider_->table);
    const auto* slot = reinterpret_cast<const std::byte*>(&(provider_->table.*Slot));
    return static_cast<std::size_t>(slot - start) / sizeof(void (*)());
  }

  const c_api::Interface* provider_;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/interface.ipp"
#endif
