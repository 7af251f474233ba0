// Broken contracts in tests: the sentence that each one prints, and a macro that expects it.
#pragma once

#include <gtest/gtest.h>

#include <csignal>
#include <string>

/// Expects that a broken contract prints the sentence support::broken::<name> as a separate line
/// and ends the program with std::terminate(), not with an accidental crash.
#define EXPECT_CONTRACT(name, ...)                           \
  EXPECT_EXIT(__VA_ARGS__, testing::KilledBySignal(SIGABRT), \
              "qnnpp: " + std::string(::support::broken::name) + "\n")

namespace support::broken {

inline constexpr char moved_backend[] =
    "the backend was moved from or closed; use the object it was moved to, or create another";
inline constexpr char moved_library[] =
    "the shared library was moved from; use the object it was moved to";
inline constexpr char moved_binary[] =
    "the context binary was moved from; pass the object it was moved to, or map the file again";
inline constexpr char moved_context[] =
    "the context was moved from or consumed by a transition; use the object that the transition "
    "returned";
inline constexpr char moved_graph[] =
    "the graph was moved from or consumed by a transition; use the object that the transition "
    "returned";
inline constexpr char moved_model[] =
    "the model was moved from or closed; use the object it was moved to";
inline constexpr char moved_pipeline[] =
    "the pipeline was moved from; use the object it was moved to";
inline constexpr char moved_dma_buffer[] =
    "the DMA buffer was moved from; use the object it was moved to";
inline constexpr char moved_allocator[] =
    "the rpcmem allocator was moved from; use the object it was moved to";
inline constexpr char moved_heap[] =
    "the DMA heap allocator was moved from; use the object it was moved to";
inline constexpr char moved_buffer[] =
    "the tensor buffer was moved from; use the object it was moved to";
inline constexpr char moved_registration[] =
    "the registered tensors were moved from or closed; use the object they were moved to";
inline constexpr char moved_spill_fill[] =
    "the shared buffer was moved from; use the object it was moved to";
inline constexpr char lease_of_another[] =
    "the lease does not cover the graph; pass the lease of the graph's own context";
inline constexpr char lease_of_another_pipeline[] =
    "the lease does not cover the pipeline; pass the lease of the buffer its contexts share";
inline constexpr char lease_executes[] =
    "the lease ends while a graph executes under it; let the execution end first";
inline constexpr char outside_tensor[] = "the index is outside the tensor; use one below its size";
inline constexpr char closed_access[] =
    "the tensor's access was moved from or closed; open the tensor again";
inline constexpr char view_extents[] =
    "the tensor view's extents do not fit; their product must be the number of elements";
inline constexpr char view_index[] =
    "an index of the tensor view is beyond its extent; use one below the extent";
inline constexpr char view_dimension[] =
    "the tensor view has no such dimension; use one below its rank";
inline constexpr char model_place[] =
    "the model has no context with this index; use an index below its size";
inline constexpr char residency_place[] =
    "the residency has no context with this index; use an index below its size";
inline constexpr char residency_in_load[] =
    "the residency ends in a function that its load calls; let the load end first";
inline constexpr char moved_residency[] =
    "the residency was moved from; use the object it was moved to";
inline constexpr char moved_pinned[] =
    "the pinned context was moved from; use the object it was moved to";

}  // namespace support::broken
