// UseOrder: in which order the contexts of a model are used, and how far that has come.
#pragma once

#include "qnnpp/config.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace qnnpp::inline QNNPP_NAMESPACE::model {

/// A sequence of contexts, by their places in the list of binaries, and a position in it: which
/// request is expected next. Requests may depart from it.
class UseOrder {
 public:
  /// As distance(): no further request is known.
  static constexpr std::uint64_t never = UINT64_MAX;

  /// Nothing is known of future requests.
  UseOrder() = default;
  [[nodiscard]] static UseOrder unknown() { return {}; }
  /// The sequence over and over; empty: 0 to the last. A pipeline that is run many times.
  [[nodiscard]] static UseOrder cyclic(std::vector<std::size_t> sequence = {}) {
    return UseOrder(Kind::cyclic, std::move(sequence));
  }
  /// The sequence once; empty: 0 to the last. Nothing is known of what comes after it.
  [[nodiscard]] static UseOrder once(std::vector<std::size_t> sequence = {}) {
    return UseOrder(Kind::once, std::move(sequence));
  }

  [[nodiscard]] bool is_known() const noexcept { return kind_ != Kind::unknown; }

  /// Requests of the sequence.
  [[nodiscard]] std::uint64_t length() const noexcept { return sequence_.size(); }

  /// Makes it the order of `contexts` contexts, at its start. Returns a place of the sequence that
  /// is none of them, if there is one.
  [[nodiscard]] std::optional<std::size_t> begin(std::size_t contexts) {
    position_ = 0;
    places_.assign(contexts, {});
    if (!is_known()) return {};
    if (sequence_.empty())
      for (std::size_t i = 0; i < contexts; ++i) sequence_.push_back(i);
    for (std::size_t at = 0; at < sequence_.size(); ++at) {
      if (sequence_[at] >= contexts) return sequence_[at];
      places_[sequence_[at]].push_back(at);
    }
    return {};
  }

  /// The request that is expected after `ahead` others; none past the end.
  [[nodiscard]] std::optional<std::size_t> expected(std::uint64_t ahead = 0) const noexcept {
    if (kind_ == Kind::unknown || sequence_.empty()) return {};
    const std::uint64_t at = position_ + ahead;
    if (at < sequence_.size()) return sequence_[static_cast<std::size_t>(at)];
    if (kind_ == Kind::once) return {};
    return sequence_[static_cast<std::size_t>(at % sequence_.size())];
  }

  /// How many requests come before the next one of `context`, of which the first `skipped` are
  /// passed over: 0 is the next of all.
  [[nodiscard]] std::uint64_t distance(std::size_t context,
                                       std::uint64_t skipped = 0) const noexcept {
    if (!is_known() || places_[context].empty()) return never;
    const std::vector<std::uint64_t>& places = places_[context];
    const std::uint64_t length = sequence_.size();
    std::uint64_t from = position_ + skipped;
    if (kind_ == Kind::cyclic) from %= length;
    const auto next = std::lower_bound(places.begin(), places.end(), from);
    if (next != places.end()) return skipped + (*next - from);
    return kind_ == Kind::once ? never : skipped + (length - from) + places.front();
  }

  /// Takes note of a request. One that was not expected moves on behind the next place where the
  /// order has that context; another request of the last context, or one of a context that does
  /// not come any more, leaves the position as it is.
  void note(std::size_t context) noexcept {
    if (!is_known() || sequence_.empty()) return;
    const std::uint64_t length = sequence_.size();
    const bool again =
        (kind_ == Kind::cyclic || position_ > 0) &&
        sequence_[static_cast<std::size_t>((position_ + length - 1) % length)] == context;
    const std::uint64_t ahead = distance(context);
    if (ahead == never || (ahead != 0 && again)) return;
    position_ += ahead + 1;
    if (kind_ == Kind::cyclic) position_ %= length;
  }

 private:
  enum class Kind : std::uint8_t { unknown, cyclic, once };

  UseOrder(Kind kind, std::vector<std::size_t> sequence)
      : kind_(kind), sequence_(std::move(sequence)) {}

  Kind kind_ = Kind::unknown;
  std::vector<std::size_t> sequence_;
  /// By context: where in the sequence it stands.
  std::vector<std::vector<std::uint64_t>> places_;
  std::uint64_t position_ = 0;
};

}  // namespace qnnpp::inline QNNPP_NAMESPACE::model
