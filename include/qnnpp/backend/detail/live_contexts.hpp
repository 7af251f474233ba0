// LiveContexts: the contexts of a backend and who holds them, for errors of room and of use.
#pragma once

#include "qnnpp/config.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "qnnpp/backend/detail/epoch.hpp"
#include "qnnpp/core/error.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

class LiveContexts;
struct LiveContext;

/// LiveContext::kept_by of the contexts of a load that goes on, of a model and of a residency.
inline constexpr char kept_by_load[] = "a load";
inline constexpr char kept_by_model[] = "a model";
inline constexpr char kept_by_residency[] = "a residency";

/// Nodes in the order in which they were added; a node has members `next` and `previous`, null
/// while it is not listed.
template <class Node>
struct LinkedNodes {
  Node* first = nullptr;
  Node* last = nullptr;

  void add(Node& node) noexcept {
    node.previous = last;
    (last != nullptr ? last->next : first) = &node;
    last = &node;
  }
  void remove(Node& node) noexcept {
    (node.previous != nullptr ? node.previous->next : first) = node.next;
    (node.next != nullptr ? node.next->previous : last) = node.previous;
    node.next = node.previous = nullptr;
  }
};

/// Place of an object that holds one reference to a context, such as a graph, in the list of the
/// context's users: from its construction to its destruction, which may be on any thread.
struct ContextUser {
  /// `what_it_is` is in static storage; `called` must outlive this.
  ContextUser(LiveContext& used, const char* what_it_is, const std::string& called) noexcept;
  ContextUser(const ContextUser&) = delete;
  ContextUser& operator=(const ContextUser&) = delete;
  ~ContextUser();

  LiveContext& context;
  const char* const kind;  ///< Words before the name, such as "graph ".
  const std::string& name;
  ContextUser* next = nullptr;
  ContextUser* previous = nullptr;
};

/// A context as its backend lists it: from the call that creates it to the call that frees it.
struct LiveContext {
  /// `reference_count` returns the number of references to the context.
  LiveContext(std::string label,
              std::uint32_t (*reference_count)(const LiveContext&) noexcept) noexcept
      : name(std::move(label)), references(reference_count) {}

  std::string name;
  Epoch epoch;
  /// Weights, spill-fill, inputs and outputs, as the metadata state them; 0: not known. Constant
  /// while the context is listed.
  std::uint64_t live_bytes = 0;
  /// Whether QNN has initialised it: a deferred context is finalized.
  std::atomic<bool> is_initialised{false};
  bool is_listed = false;  ///< Written by the thread that creates or frees the context.
  /// What has the Context object, see kept_by_load; null: the program.
  std::atomic<const char*> kept_by{nullptr};
  std::uint32_t (*references)(const LiveContext&) noexcept;
  LiveContexts* list = nullptr;  ///< That of its backend.

  // Guarded by the mutex of the list.
  const LiveContext* head = nullptr;  ///< Head of its group, to which it has a reference.
  LinkedNodes<ContextUser> users;
  LiveContext* next = nullptr;
  LiveContext* previous = nullptr;
};

/// The contexts of one backend, oldest first. Thread-safe; a thread that locks its mutex locks no
/// other one. Only texts allocate. Does nothing in a forked child, which calls no QNN (PRC-01):
/// another thread of the parent may have held the mutex.
class LiveContexts {
 public:
  /// Lists a context that was created, unless it is listed. `group_head`: null outside a group.
  void add(LiveContext& context, const LiveContext* group_head) noexcept;
  /// Removes a context, if it is listed.
  static void remove(LiveContext& context) noexcept;

  /// Whether `is_wanted` accepts a listed context. It runs under the mutex.
  template <class IsWanted>
  [[nodiscard]] bool has(IsWanted is_wanted) noexcept {
    const std::lock_guard guard(mutex_);
    const LiveContext* context = contexts_.first;
    while (context != nullptr && !is_wanted(*context)) context = context->next;
    return context != nullptr;
  }

  /// Whether the program could make room by freeing a context other than `except`: one that is not
  /// dead, and belongs to no load that goes on.
  [[nodiscard]] bool has_others(const LiveContext* except = nullptr) noexcept;

  /// Which contexts a text names.
  enum class Which : std::uint8_t {
    all,
    with_room,  ///< Not the dead ones, nor those that a load has not finalized yet.
  };
  /// Returns "2 live contexts: a.bin (4096 bytes, held by graph a), b.bin (held by a model)": at
  /// most three, and the number of the others. Empty if there is none other than `except`.
  [[nodiscard]] std::string text(Which which, const LiveContext* except = nullptr);
  /// Returns what text() says of one context, without what has its Context object.
  [[nodiscard]] std::string text_of(const LiveContext& context);
  /// Returns "graph a, the registration of x": at most three objects that hold a context, and the
  /// number of the others. Leaves out what has its Context object, and its first `skipped`
  /// users. Empty if there is none.
  [[nodiscard]] std::string holders_of(const LiveContext& context, std::uint32_t skipped = 0);

 private:
  friend struct ContextUser;

  // These require the mutex. `skips_object`: whether they leave out what has the Context object.
  [[nodiscard]] std::string holders(const LiveContext& context, bool skips_object,
                                    std::uint32_t skipped = 0) const;
  [[nodiscard]] std::string words(const LiveContext& context, bool skips_object) const;

  std::mutex mutex_;
  LinkedNodes<LiveContext> contexts_;
};

/// Says in an error of no room which other contexts of the backend occupy the device, before what
/// the error says already. Adds nothing to an error that says so.
void name_live_contexts(Error& error, LiveContexts& contexts, const LiveContext* except = nullptr);

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail

#if !defined(QNNPP_SEPARATE)
#include "qnnpp/impl/backend/live_contexts.ipp"
#endif
