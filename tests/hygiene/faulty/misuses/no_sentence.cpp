#include "door.hpp"

void a_door_is_open(Door& door) {
#if MISUSE == 1
  door.lock();
#else
  door.open();
#endif
}
