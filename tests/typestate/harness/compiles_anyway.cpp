// EXPECT: the door is open; close() it first
#include "harness/door.hpp"
void use(Door& door) { door.open(); }
