// Refuses its platform in a way that a header of qnnpp must not: with two errors, or not at all.
#if defined(TWICE)
#error another platform
#error another platform
#elif !defined(FINE)
#include "another platform"
#endif
