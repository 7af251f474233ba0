#include "door.hpp"

void before_all_misuses(Door& door) { door.lock(); }

// EXPECT: the door is open; close() it first
void a_door_is_open(Door& door) {
#if MISUSE == 1
  door.lock();
#else
  door.open();
#endif
}
