#include "door.hpp"

// EXPECT: the door is open; close() it first
void a_door_is_open(Door& door) {
#if MISUSE == 1
  lock_in_a_header(door);
#else
  door.open();
#endif
}
