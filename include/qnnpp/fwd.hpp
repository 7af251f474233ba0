// Names of qnnpp's types, without their definitions.
#pragma once

#include "qnnpp/core/states.hpp"

namespace qnnpp {

struct Error;
struct TensorSpec;
struct GraphSpec;
struct BufferRequirements;
struct ExternalBuffers;

template <class Target>
class Backend;
template <class State>
class Context;
template <class State>
class Graph;
template <class Purpose>
class MemRegion;

class Binding;
class ContextBinary;
class DmaBuffer;
class DmaHeapAllocator;
class MemfdAllocator;
class RegisteredTensor;
class RpcmemAllocator;
class SharedSpillFill;
class SpillFillLease;

}  // namespace qnnpp
