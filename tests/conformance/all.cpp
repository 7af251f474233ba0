// The whole program as one translation unit, which compiles several times faster than separate
// files.
#include "conformance.cpp"
#include "host.cpp"
#include "questions_capabilities.cpp"
#include "questions_errors.cpp"
#include "questions_finalize.cpp"
#include "questions_lists.cpp"
#include "questions_options.cpp"
#include "questions_registration.cpp"
#include "questions_slots.cpp"
#include "questions_tensors.cpp"
#include "questions_threads.cpp"
#include "simulated_stand_in.cpp"
