// Ownership and BackendHandles: C objects that a program made without qnnpp, and their way back.
#pragma once

#include "qnnpp/config.hpp"

#include <concepts>
#include <cstdint>

#include "qnnpp/abi/common.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Who frees a C object that qnnpp adopts.
enum class Ownership : std::uint8_t {
  borrowed,  ///< The program, after the last object of qnnpp that uses it. qnnpp never frees it.
  owned,     ///< qnnpp, as if it had created the object, unless release() gives it back.
};

/// C objects of a backend, for Backend::adopt() and from Backend::release(). Plain handles without
/// an owner. QNN's headers declare all of them as `void*`: convert each by a static_cast to its
/// type here, so that none is passed for another.
struct BackendHandles {
  c_api::BackendHandle backend = nullptr;  ///< From QnnBackend_create.
  c_api::DeviceHandle device = nullptr;    ///< From QnnDevice_create; null: no device.
  c_api::LogHandle log = nullptr;          ///< From QnnLog_create; null: no log.
};

namespace detail {

/// QnnInterface_t of QNN's headers, known by its members. It has the layout of c_api::Interface.
template <class Provider>
concept ProviderOfSdk = requires(const Provider& provider) {
  { provider.backendId } -> std::convertible_to<std::uint32_t>;
  { provider.providerName } -> std::convertible_to<const char*>;
  { provider.apiVersion.coreApiVersion.minor } -> std::convertible_to<std::uint32_t>;
};

}  // namespace detail

}}  // namespace qnnpp::QNNPP_NAMESPACE
