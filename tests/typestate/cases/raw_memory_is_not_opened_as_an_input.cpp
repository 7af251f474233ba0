// EXPECT: raw memory is yours; use what you gave to bind()
#include "qnnpp/graph/graph.hpp"

using namespace qnnpp;

#ifdef MISUSE
bool open(const Graph<Bound, RawIo>& graph) { return graph.input<float>("image").has_value(); }
#else
bool open(const Graph<Bound, RegisteredIo>& graph) { return graph.input<float>("image").has_value(); }
#endif
