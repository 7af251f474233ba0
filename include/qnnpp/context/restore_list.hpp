// restore_list(): restores contexts from many binaries in one call. QNN chooses the order.
#pragma once

#include "qnnpp/config.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/context/restore_list_options.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

/// Restores a context from each binary (QnnContext_createFromBinaryListAsync), all or none: if one
/// fails, the others are freed. Blocks until QNN has reported on all contexts. `enabled_graphs` has
/// a list for each binary with the names of the graphs to initialize. An empty list enables all
/// graphs of its binary; an empty `enabled_graphs` enables all graphs. No context is deferred
/// (ASY-03).
///
/// Reads the metadata of every binary before the call, because QNN crashes on an entry that is not
/// a context binary (ASY-02). Errors before the call:
/// - `empty` for no binaries; `slot_null` if the backend has no such call.
/// - `invalid_argument` for a backend that was moved from; for a binary that was moved from, with
///   its index; for a number of lists in `enabled_graphs` that is not the number of binaries; for
///   an unknown priority; for the name of an enabled graph that contains a NUL.
/// - `no_metadata` if there is no system library; the error of System::metadata() for a binary that
///   it cannot read.
/// - `unknown_name` for an enabled graph that its binary does not have (CFG-03).
/// - `capability_missing` if `share_resources` and a binary with spill-fill states a graph that was
///   prepared with DLBC, unless `share_without_dlbc` (BUF-18).
///
/// Errors of the call:
/// - `qnn` for the first binary that QNN reported as failed, with the reported status (always
///   5005). Error::detail has the last error lines of QNN's log, which contain the cause.
/// - `wrong_architecture` for a binary of a newer device (RES-04).
/// - `version_unsupported` for a binary of a newer SDK (BIN-01).
/// - `qnn` with the code of the C function; UNDEFINED for a context that QNN reported as made but
///   that lacks a graph of its binary, after the list was repeated twice (RES-03).
/// - `timed_out` for the first context that QNN did not report on in time. QNN may still report, so
///   everything that QNN received is kept until the process ends (ASY-01).
///
/// Threads: any thread may call this function. Until QNN has reported on all contexts or `patience`
/// ends, it blocks other threads that create, finalize or free a context of the same backend. The
/// destructor of a context's last owner frees the context, so it blocks too.
[[nodiscard]] Result<std::vector<Context<Finalized>>> restore_list(
    const Backend<Htp>& backend, std::vector<ContextBinary> binaries,
    const RestoreListOptions& options = {},
    const std::vector<std::vector<std::string>>& enabled_graphs = {});

/// Restores binaries in braces: `restore_list(backend, {std::move(a), std::move(b)})`.
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

}}  // namespace qnnpp::QNNPP_NAMESPACE

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/context/restore_list.ipp"
#endif
