// Definitions of context_loader.hpp: what a thread prepares for the next contexts of a load.
#pragma once

#include <exception>
#include <utility>

#include "qnnpp/core/detail/access.hpp"
#include "qnnpp/core/detail/joined.hpp"
#include "qnnpp/model/detail/context_loader.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model::detail {

QNNPP_INLINE void ContextLoader::prepare_ahead(std::size_t ahead, std::size_t first) {
  if (ahead == 0 || size() == 1 || !allocator_.is_thread_safe()) return;
  std::vector<std::size_t> order{first};
  for (std::size_t i = 0; i < size(); ++i)
    if (i != first) order.push_back(i);
  helper_ = LoadHelper(allocator_, std::move(order), ahead);
  opened_ = std::vector<std::optional<ContextBinary>>(size());
}

QNNPP_INLINE void ContextLoader::prepare_beside(std::size_t i, std::size_t next, bool has_room) {
  if (!allocator_.is_thread_safe()) return;
  prepared_ = helper_.take(i);
  helper_ = LoadHelper(allocator_, {i, next}, 1);
  may_allocate_next_ = has_room;
  opened_.resize(size());
  for (std::size_t other = 0; other < size(); ++other)
    if (other != i) opened_[other].reset();
}

QNNPP_INLINE Preparation ContextLoader::preparation_of(std::size_t i) {
  Preparation what;
  if (shares(i) && uses_external_buffers()) {
    if (gives_weights() && may_allocate_next_) what.need = needs_[i];
    if (!deferred_.empty()) {
      if (deferred_[i])
        if (const auto& binary = qnnpp::detail::Access::block(*deferred_[i])->binary)
          what.bytes = binary->bytes();
      return what;
    }
  }
  const BinarySource& source = sources_[i];
  const bool is_mapped = source.range || (source.is_file() && source.use == FileUse::map);
  if (!is_mapped) return what;
  // The load of the context opens the file again after an error, and reports it.
  if (auto opened = source.open()) what.bytes = opened_[i].emplace(std::move(*opened)).bytes();
  return what;
}

QNNPP_INLINE void ContextLoader::prepare_next() {
  while (const auto next = helper_.next()) helper_.prepare(preparation_of(*next));
}

QNNPP_INLINE Result<MemRegion<Weights>> ContextLoader::weights_of(std::size_t i,
                                                                  const BufferRequirements& need,
                                                                  Prepared prepared) const {
  const auto named_error = [&](Error error) {
    return fail(for_what(std::move(error), qnnpp::detail::joined({"the weights of ", name(i)})));
  };
  // A residency may have freed memory since it was prepared: allocates again after a failure.
  const bool is_over = watch_ == nullptr && (prepared.error || prepared.thrown);
  if (prepared.is_for(need) && !is_over) {
#ifdef __cpp_exceptions
    if (prepared.thrown) std::rethrow_exception(prepared.thrown);
#endif
    if (prepared.error) return named_error(std::move(*prepared.error));
    return std::move(prepared.weights);
  }
  prepared = {};  // Frees a buffer for other needs first.
  auto allocated = MemRegion<Weights>::allocate(allocator_, need);
  if (!allocated) return named_error(std::move(allocated).error());
  return allocated;
}

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model::detail
