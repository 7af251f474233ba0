// EXPECT: the door is open; close() it first
#include "harness/door.hpp"
void use(Door& door) {
#ifdef MISUSE
#warning "one"
#warning "two"
#warning "three"
#warning "four"
  door.lock();
#else
  door.open();
#endif
}
