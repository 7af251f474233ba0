// A library that is none of QNN's.
extern "C" int nothing_of_qnn() { return 42; }
