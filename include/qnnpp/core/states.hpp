// The vocabulary of the types: states of contexts and graphs, the target, purposes of memory.
//
// Each is a name, never an object.
#pragma once

#include "qnnpp/config.hpp"

namespace qnnpp::inline QNNPP_NAMESPACE {

// clang-format off: one line a name

// States of a context.
//   Deferred -> Queried -> Registered -> Finalized      from a binary, with external buffers
//   Composing -> Composed                               made online, graph by graph
struct Deferred { Deferred() = delete; };      ///< Created from a binary; nothing is brought up yet.
struct Queried { Queried() = delete; };        ///< Its buffer requirements are known.
struct Registered { Registered() = delete; };  ///< Its external buffers are registered.
struct Finalized { Finalized() = delete; };    ///< Complete: graphs can be retrieved.
struct Composing { Composing() = delete; };    ///< Empty or growing; of contexts and of graphs.
struct Composed { Composed() = delete; };      ///< All its graphs are finalized: it can be serialised.

// States of a graph. A graph being made is Composing too.
struct Retrieved { Retrieved() = delete; };  ///< Final; its tensors are known, none has memory yet.
struct Bound { Bound() = delete; };          ///< Every input and output has memory: it can execute.

// Target of a backend.
struct Htp { Htp() = delete; };  ///< Hexagon tensor processor: libQnnHtp.so

// Purposes of memory. A file descriptor has one purpose for its whole life (BUF-07).
struct Weights { Weights() = delete; };      ///< All constants of one context (BUF-08).
struct SpillFill { SpillFill() = delete; };  ///< Intermediates that do not fit the VTCM.
struct TensorIo { TensorIo() = delete; };    ///< Inputs and outputs of graphs.

// Forms of tensor memory.
struct PerTensor { PerTensor() = delete; };      ///< A DMA buffer each: QNN_MEM_TYPE_ION (ION-03).
struct MultiTensor { MultiTensor() = delete; };  ///< One, by offsets: QNN_HTP_MEM_SHARED_BUFFER.
struct DmaBuf { DmaBuf() = delete; };            ///< A dma-buf each: QNN_MEM_TYPE_DMA_BUF.

// How a graph takes its inputs and outputs (QMEM-01 to QMEM-04).
struct RawIo { RawIo() = delete; };                ///< Plain memory, copied at every inference.
struct RegisteredIo { RegisteredIo() = delete; };  ///< Registered memory, used in place.
struct AnyIo { AnyIo() = delete; };                ///< Either; what a mismatch costs is told.

// clang-format on

}  // namespace qnnpp::inline QNNPP_NAMESPACE
