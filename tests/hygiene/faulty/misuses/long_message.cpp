#include "door.hpp"

// EXPECT: the door is open; close() it first
void a_door_is_open(Door& door) {
#if MISUSE == 1
#warning "one"
#warning "two"
#warning "three"
#warning "four"
  door.lock();
#else
  door.open();
#endif
}
