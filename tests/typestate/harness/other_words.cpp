// EXPECT: the door is closed; open() it first
#include "harness/door.hpp"
void use(Door& door) {
#ifdef MISUSE
  door.lock();
#else
  door.open();
#endif
}
