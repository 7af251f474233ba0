// A library that does not belong to QNN.
extern "C" int nothing_of_qnn() { return 42; }
