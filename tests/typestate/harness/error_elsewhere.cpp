// EXPECT: the door is open; close() it first
#include "harness/door.hpp"
void use(Door& door) {
#ifdef MISUSE
  lock_in_a_header(door);
#else
  door.open();
#endif
}
