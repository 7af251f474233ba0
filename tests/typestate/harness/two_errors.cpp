// EXPECT: the door is open; close() it first
#include "harness/door.hpp"
void use(Door& door) {
#ifdef MISUSE
  door.lock();
  door.lock();
#else
  door.open();
#endif
}
