// Declarations for the faulty cases of the harness.
#pragma once
#include "qnnpp/config.hpp"

class Door {
 public:
  void open() {}
  QNNPP_REFUSE("the door is open; close() it first", void, lock());
  QNNPP_REFUSE("isn't locked; lock() it first", void, unlock());
  QNNPP_REFUSE(
      "A sentence in upper case, too long for one line of a message, which nobody reads to its "
      "end",
      void, knock());
};

template <class T>
void lock_in_a_header(T& door) {
  door.lock();
}
