// Survey: what a context binary will take, without loading it.
#pragma once

#include "qnnpp/config.hpp"

#include <span>
#include <vector>

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/system.hpp"
#include "qnnpp/core/context_spec.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/model/binary_source.hpp"
#include "qnnpp/model/memory_report.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE::model {

namespace detail {

/// Adds what the graphs of a binary tell of themselves.
void add_told(std::span<const GraphSpec> graphs, ContextMemory& memory);

/// Adds what the backend answered.
void add_queried(const BufferRequirements& need, ContextMemory& memory);

}  // namespace detail

/// What a binary takes, and its graphs: those that are enabled.
struct Survey {
  ContextMemory memory;
  std::vector<GraphSpec> graphs;
};

/// What a binary's metadata tells, with its graphs, by a system library alone: there may be no
/// backend. Errors: `file_unreadable`, `empty`, the system library's.
[[nodiscard]] Result<Survey> read_graphs(const System& system, const BinarySource& source);

/// What a binary's metadata tells, with its graphs. Errors: those of read_metadata().
[[nodiscard]] Result<Survey> read_graphs(const Backend<Htp>& backend, const BinarySource& source);

/// What a binary's metadata tells. Errors: `file_unreadable`, `empty`, the system library's; the
/// error for a missing system library.
[[nodiscard]] Result<ContextMemory> read_metadata(const Backend<Htp>& backend,
                                                  const BinarySource& source);

/// Whether the backend can be asked for needs without bringing a context up.
[[nodiscard]] bool can_defer(const Backend<Htp>& backend);

/// survey(), with the graphs. Errors: the same.
[[nodiscard]] Result<Survey> survey_graphs(const Backend<Htp>& backend, const BinarySource& source);

/// What a binary will take: asked of a deferred context, which is dropped again, and completed from
/// the metadata; where the backend cannot defer, from the metadata alone. Nothing is brought up.
/// Errors: `file_unreadable`, `empty`, what creating and querying return.
[[nodiscard]] Result<ContextMemory> survey(const Backend<Htp>& backend, const BinarySource& source);

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/model/survey.ipp"
#endif
