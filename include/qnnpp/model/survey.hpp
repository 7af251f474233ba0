// survey(): reports the memory that a context binary needs and its graphs, without loading it.
#pragma once

#include "qnnpp/config.hpp"

#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/system.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

namespace detail {

/// Adds what the metadata states of the enabled `graphs`, and the needs of their binary, to
/// `memory`. Keeps numbers that are already known.
void add_told(const std::vector<GraphSpec>& graphs, const qnnpp::detail::BinaryNeeds& binary,
              ContextMemory& memory);

/// Adds the backend's answer to `memory`.
void add_queried(const BufferRequirements& need, ContextMemory& memory);

}  // namespace detail

/// Reads needs and graphs from a binary's metadata with the backend's system library. Errors:
/// `file_unreadable`, `empty`, `stale` as in load(), the system library's errors; if the library
/// could not be loaded, the error of loading it.
[[nodiscard]] Result<Survey> read_metadata(const Backend<Htp>& backend, const BinarySource& source);

/// Whether the backend can defer the initialisation of graphs (capability 217), and so report needs
/// before a context is finalized.
[[nodiscard]] bool can_defer(const Backend<Htp>& backend);

/// Whether the backend takes the limit of ContextSettings::one_graph_at_a_time, with
/// LoadOptions::in_one_call or without: HTP 5.43; from 5.44 to 5.48 with it only; not an emulation.
[[nodiscard]] bool takes_io_limit(const Backend<Htp>& backend, bool in_one_call) noexcept;

/// Returns needs and graphs of a binary without finalizing a context. Queries a deferred context,
/// which is then freed, and adds numbers from the metadata. If the backend cannot defer, reads the
/// metadata only. Errors: `file_unreadable`, `empty`, `stale` as in load(), the errors of creating
/// and querying the context, or the errors of read_metadata().
[[nodiscard]] Result<Survey> survey(const Backend<Htp>& backend, const BinarySource& source);

/// Returns needs and graphs of a binary from its metadata. Needs a system library, but no backend.
/// Errors: `file_unreadable`, `empty`, `stale` as in load(), and the errors of the system library.
[[nodiscard]] Result<Survey> survey(const System& system, const BinarySource& source);

/// Returns the external buffers that the backend asks for, as a residency takes them from
/// BinarySource::expected. Without a start alignment, it is 4096. Error: `no_metadata` if the bytes
/// of weights or of spill-fill are not known.
[[nodiscard]] Result<BufferRequirements> requirements_of(const ContextMemory& memory);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/survey.ipp"
#endif
