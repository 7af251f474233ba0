// restore_list(): contexts from many binaries in one call of QNN, which brings them up as it likes.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/config.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/context/context_options.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

/// How the contexts of a list are restored; see RestoreOptions.
struct RestoreListOptions {
  c_api::Priority priority = c_api::Priority::default_;
  bool persistent_binary = false;
  /// The contexts share resources of the device (SHARE_RESOURCES): their graphs never execute at
  /// the same time.
  bool share_resources = false;
  /// How long to wait for QNN's report on all of them; milliseconds::max(): without a limit.
  std::chrono::milliseconds patience = std::chrono::minutes(10);
};

/// Restores a context from each binary (QnnContext_createFromBinaryListAsync) and waits until QNN
/// has reported on all of them; binaries and options live until then (ASY-01). All or none: if one
/// fails, the others are freed. `enabled_graphs`: by binary, names of the graphs to bring up;
/// empty, or an empty list: all. No entry is deferred (ASY-03).
///
/// The metadata of every binary is read before the call, because QNN crashes on an entry that is no
/// context binary (ASY-02). Errors before the call: `empty`, `slot_missing`; `invalid_argument`
/// for a backend that was moved from, for a binary that was moved from, which the error names by
/// its place, and with both counts for more or fewer lists of enabled graphs than binaries; what
/// the system library answers to a binary, which the error names; `no_metadata` if there is no
/// system library; `unknown_name` for an enabled graph that its binary lacks (CFG-03). Errors of
/// the call: the first binary that QNN reported as failed, with the status it reported (always
/// 5005) and, in Error::detail, the last error lines of QNN's log, which say why; else what the C
/// function returns. `timed_out` names the first context that QNN did not report on: as it may
/// still do so, everything that QNN received is kept for good.
///
/// Threads: any thread may call it. Other threads that create, finalize or free a context of the
/// same backend wait until QNN has reported on all, or `patience` ends; so does the destructor of
/// the last object of a context.
QNNPP_ON_USE [[nodiscard]] Result<std::vector<Context<Finalized>>> restore_list(
    const Backend<Htp>& backend, std::vector<ContextBinary> binaries,
    const RestoreListOptions& options = {},
    const std::vector<std::vector<std::string>>& enabled_graphs = {});

/// The same for binaries written in place: `restore_list(backend, {std::move(a), std::move(b)})`.
template <std::size_t count>
[[nodiscard]] Result<std::vector<Context<Finalized>>> restore_list(
    const Backend<Htp>& backend, ContextBinary (&&binaries)[count],
    const RestoreListOptions& options = {},
    const std::vector<std::vector<std::string>>& enabled_graphs = {}) {
  std::vector<ContextBinary> list;
  list.reserve(count);
  for (ContextBinary& binary : binaries) list.push_back(std::move(binary));
  return restore_list(backend, std::move(list), options, enabled_graphs);
}

}  // namespace qnnpp::inline QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/restore_list.ipp"
#endif
