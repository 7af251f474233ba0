#include "door.hpp"

// EXPECT: the door is closed; open() it first
void a_door_is_closed(Door& door) {
#if MISUSE == 1
  door.lock();
#else
  door.open();
#endif
}
