// Forward declarations of qnnpp's types.
#pragma once

#include "qnnpp/core/states.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

struct Error;
struct TensorSpec;
struct GraphSpec;
struct BufferRequirements;
struct ExternalBuffers;
struct IoCost;
struct DeviceOptions;
struct ExecuteOptions;
struct PerformanceSettings;
struct ProfileEvent;
struct ProfileRecord;
struct TensorPlacement;

template <class Target>
class Backend;
template <class Io>
class Binding;
template <class State>
class Context;
template <class State, class Io>
class Graph;
template <class Purpose>
class MemRegion;
template <class Form>
class SharedBuffer;
template <class Purpose>
class SharedRegion;

class AnyAllocator;
class ContextBinary;
class DmaBuffer;
class DmaHeapAllocator;
class KvCache;
class MemfdAllocator;
class Performance;
class Pipeline;
class Profile;
class ProfileFile;
class RegisteredTensors;
class RpcmemAllocator;
using SharedSpillFill = SharedRegion<SpillFill>;
using SharedVtcmBackup = SharedRegion<VtcmBackup>;
class SpillFillLease;
class TensorArena;

namespace model {

struct BinarySource;
struct LoadOptions;
struct Manifest;
struct MemoryReport;
struct Progress;
struct ResidencyStats;

class Model;
class Trace;
template <class Payload>
struct ResidencyOptions;
template <class Payload>
class Pinned;

}  // namespace model

}}  // namespace qnnpp::QNNPP_NAMESPACE
