#include "door.hpp"

// EXPECT: the door is open; close() it first
void a_door_is_open(Door& door) {
#if MISUSE == 1
  door.lock();
#else
  door.open();
#endif
}

// EXPECT: the door is open; close() it first
void a_door_is_numbered_again(Door& door) {
#if MISUSE == 1
  door.lock();
#else
  door.open();
#endif
}
