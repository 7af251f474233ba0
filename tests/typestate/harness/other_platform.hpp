// Refuses its platform as a header of qnnpp must not: in two errors, or not at all.
#if defined(TWICE)
#error another platform
#error another platform
#elif !defined(FINE)
#include "another platform"
#endif
