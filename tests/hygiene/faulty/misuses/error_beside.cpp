#include "door.hpp"

// EXPECT: the door is open; close() it first
void a_door_is_open(Door& door) {
#if MISUSE == 1
#define LOCK lock
#else
#define LOCK open
#endif
  door.LOCK();
}
