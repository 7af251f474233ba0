// Owners of C handles that are freed by a function with one parameter.
#pragma once

#include <cstdint>

#include "qnnpp/abi/interface.hpp"
#include "qnnpp/backend/detail/epoch.hpp"
#include "qnnpp/core/owner.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// C handle and the function that frees it, unless `log` has ended (PRC-04) or this is a forked
/// child (PRC-01). The function's library must stay open until then.
template <class Handle>
struct HandlePolicy {
  struct Value {
    c_api::ErrorHandle (*free)(Handle) = nullptr;
    Handle handle = nullptr;
    const RestartLog* log = nullptr;  ///< Outlives the handle. Null: the handle is freed always.
    bool operator==(const Value&) const = default;
  };
  static Value null() noexcept { return {}; }
  static std::uint64_t close(Value value) noexcept {
    const bool is_left = is_forked() || (value.log != nullptr && value.log->has_ended());
    return is_left ? 0 : value.free(value.handle);
  }
};

using LogOwner = Owner<HandlePolicy<c_api::LogHandle>>;
using BackendOwner = Owner<HandlePolicy<c_api::BackendHandle>>;
using DeviceOwner = Owner<HandlePolicy<c_api::DeviceHandle>>;

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
