// NeverDestroyed and NodeList: objects that the whole process shares.
#pragma once

#include "qnnpp/config.hpp"

#include <mutex>

#include "qnnpp/core/detail/forked.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Object of static storage that exit() does not destroy: QNN's threads and older objects of the
/// program may use it until the process ends. Some standard libraries destroy a std::mutex.
template <class T>
union NeverDestroyed {
  constexpr NeverDestroyed() noexcept : object() {}
  NeverDestroyed(const NeverDestroyed&) = delete;
  NeverDestroyed& operator=(const NeverDestroyed&) = delete;
  ~NeverDestroyed() {}

  [[nodiscard]] constexpr T* operator->() noexcept { return &object; }

  T object;
};

/// List of all nodes of one kind that exist in the process; a node has a member `Node* next`.
template <class Node>
struct NodeList {
  ForkableMutex mutex;  ///< Locked by the caller of find() and add().
  Node* first = nullptr;

  /// Returns the first node that `is_wanted` accepts, or null.
  template <class IsWanted>
  [[nodiscard]] Node* find(IsWanted is_wanted) const {
    Node* node = first;
    while (node != nullptr && !is_wanted(*node)) node = node->next;
    return node;
  }
  void add(Node& node) noexcept {
    node.next = first;
    first = &node;
  }
  /// Locks the mutex and removes a node that was added.
  void remove(const Node& node) noexcept {
    const std::lock_guard guard(mutex);
    Node** at = &first;
    while (*at != &node) at = &(*at)->next;
    *at = node.next;
  }
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
