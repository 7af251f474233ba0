// UseOrder: the order in which contexts are used.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace model {

/// A sequence of contexts and the index of the next expected request. Contexts are named by
/// their indices in the list of binaries. Requests may depart from the sequence.
/// Threads: one at a time.
class UseOrder {
 public:
  /// Returned by distance() if no further request is known.
  static constexpr std::uint64_t never = UINT64_MAX;

  /// Makes an unknown order.
  UseOrder() = default;
  /// Returns an order that knows no future requests.
  [[nodiscard]] static UseOrder unknown() { return {}; }
  /// Returns an order that repeats `sequence`, as a pipeline that runs many times does. Empty:
  /// every context once, in the order of the binaries.
  [[nodiscard]] static UseOrder cyclic(std::vector<std::size_t> sequence = {}) {
    return UseOrder(Kind::cyclic, std::move(sequence));
  }
  /// Returns an order that ends after one `sequence`; later requests are unknown. Empty: every
  /// context once, in the order of the binaries.
  [[nodiscard]] static UseOrder once(std::vector<std::size_t> sequence = {}) {
    return UseOrder(Kind::once, std::move(sequence));
  }

  /// Whether the order is not unknown().
  [[nodiscard]] bool is_known() const noexcept { return kind_ != Kind::unknown; }

  /// Number of requests in the sequence.
  [[nodiscard]] std::uint64_t length() const noexcept { return sequence_.size(); }

  /// Prepares the order for this number of contexts and moves it to its start. Residency::create()
  /// calls it. Returns the first index in the sequence that is not below `contexts`, if any.
  [[nodiscard]] std::optional<std::size_t> begin(std::size_t contexts) {
    next_ = 0;
    indices_.assign(contexts, {});
    if (!is_known()) return {};
    if (sequence_.empty())
      for (std::size_t i = 0; i < contexts; ++i) sequence_.push_back(i);
    for (std::size_t at = 0; at < sequence_.size(); ++at) {
      if (sequence_[at] >= contexts) return sequence_[at];
      indices_[sequence_[at]].push_back(at);
    }
    return {};
  }

  /// Returns the index of the context expected after `ahead` other requests; nothing past the end.
  [[nodiscard]] std::optional<std::size_t> expected(std::uint64_t ahead = 0) const noexcept {
    if (kind_ == Kind::unknown || sequence_.empty()) return {};
    const std::uint64_t at = next_ + ahead;
    if (at < sequence_.size()) return sequence_[static_cast<std::size_t>(at)];
    if (kind_ == Kind::once) return {};
    return sequence_[static_cast<std::size_t>(at % sequence_.size())];
  }

  /// Returns how many requests are expected before the next request for `context`: 0 if it is the
  /// very next one, `never` if none is known. Ignores the first `skipped` requests in its search,
  /// but counts them.
  [[nodiscard]] std::uint64_t distance(std::size_t context,
                                       std::uint64_t skipped = 0) const noexcept {
    if (!is_known() || indices_[context].empty()) return never;
    const std::vector<std::uint64_t>& indices = indices_[context];
    const std::uint64_t length = sequence_.size();
    std::uint64_t from = next_ + skipped;
    if (kind_ == Kind::cyclic) from %= length;
    const auto next = std::lower_bound(indices.begin(), indices.end(), from);
    if (next != indices.end()) return skipped + (*next - from);
    return kind_ == Kind::once ? never : skipped + (length - from) + indices.front();
  }

  /// Records a request for `context` and moves the next request behind the next one of that context
  /// in the sequence. An unexpected request changes nothing if it repeats the last
  /// context, or if no further request for its context is known. Returns whether the order
  /// moved.
  bool note(std::size_t context) noexcept {
    if (!is_known() || sequence_.empty()) return false;
    const std::uint64_t length = sequence_.size();
    const bool again =
        (kind_ == Kind::cyclic || next_ > 0) &&
        sequence_[static_cast<std::size_t>((next_ + length - 1) % length)] == context;
    const std::uint64_t ahead = distance(context);
    if (ahead == never || (ahead != 0 && again)) return false;
    next_ += ahead + 1;
    if (kind_ == Kind::cyclic) next_ %= length;
    return true;
  }

 private:
  enum class Kind : std::uint8_t { unknown, cyclic, once };

  UseOrder(Kind kind, std::vector<std::size_t> sequence)
      : kind_(kind), sequence_(std::move(sequence)) {}

  Kind kind_ = Kind::unknown;
  std::vector<std::size_t> sequence_;
  /// For each context, its indices in the sequence, ascending.
  std::vector<std::vector<std::uint64_t>> indices_;
  std::uint64_t next_ = 0;
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::model
