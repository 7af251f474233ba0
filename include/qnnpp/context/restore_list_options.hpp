// Options of restore_list(), apart from it: <chrono> is large.
#pragma once

#include "qnnpp/config.hpp"

#include <chrono>
#include <cstdint>

#include "qnnpp/abi/context.hpp"
#include "qnnpp/core/stop.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Options of restore_list(), for all contexts of the list.
struct RestoreListOptions {
  /// Priority of the contexts' graphs.
  c_api::Priority priority = c_api::Priority::default_;
  /// Lets QNN read the binaries until their contexts are freed; the contexts own them until then.
  bool persistent_binary = false;
  /// Lets the contexts share resources of the device (SHARE_RESOURCES). Their graphs then never
  /// execute at the same time.
  bool share_resources = false;
  /// Lets contexts with DLBC share resources; see DeferredOptions::share_without_dlbc.
  bool share_without_dlbc = false;
  /// Most megabytes of inputs and outputs that are registered at a time, with all contexts
  /// together; 0: all count. See RestoreOptions::reused_io_limit_mb. HTP 5.43.
  std::uint64_t reused_io_limit_mb = 0;
  /// Longest time to wait for QNN's reports on all contexts; milliseconds::max(): no limit.
  std::chrono::milliseconds patience = std::chrono::minutes(10);
  /// Ends the call when it is pulled; see RestoreOptions.
  detail::StopOption stop = {};
  /// Longest time that the call may last; see RestoreOptions.
  detail::TimeLimit at_most = {};
};

}}  // namespace qnnpp::QNNPP_NAMESPACE
