// Tags for template parameters: states of contexts and graphs, the target, purposes of memory.
//
// Each tag is only a type: no object of it can be made.
#pragma once

#include "qnnpp/config.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE {

// clang-format off: one tag per line

// States of a context.
//   Deferred -> Queried -> Registered -> Finalized      from a binary, with external buffers
//   Composing -> Composed                               made online, graph by graph
struct Deferred { Deferred() = delete; };      ///< Created from a binary; not brought up yet.
struct Queried { Queried() = delete; };        ///< Its buffer requirements are known.
struct Registered { Registered() = delete; };  ///< Its external buffers are registered.
struct Finalized { Finalized() = delete; };    ///< Complete: graphs can be retrieved.
struct Composing { Composing() = delete; };    ///< Accepts new parts: a context or a graph.
struct Composed { Composed() = delete; };      ///< All its graphs are finalized; serialisable.

// States of a graph. A graph that is being composed has the state Composing.
struct Retrieved { Retrieved() = delete; };  ///< Final; its tensors have no memory yet.
struct Bound { Bound() = delete; };          ///< Every input and output has memory: it can execute.

// Target of a backend.
struct Htp { Htp() = delete; };  ///< Hexagon tensor processor: libQnnHtp.so

// Purposes of memory. A file descriptor has one purpose during its whole life (BUF-07).
struct Weights { Weights() = delete; };      ///< All constants of one context (BUF-08).
struct SpillFill { SpillFill() = delete; };  ///< Intermediates that do not fit the VTCM.
struct VtcmBackup { VtcmBackup() = delete; };  ///< VTCM of a graph that another one interrupts.
struct TensorIo { TensorIo() = delete; };    ///< Inputs and outputs of graphs.

// Kinds of tensor memory.
struct PerTensor { PerTensor() = delete; };      ///< A buffer per tensor: QNN_MEM_TYPE_ION (ION-03).
struct MultiTensor { MultiTensor() = delete; };  ///< Tensors at offsets: QNN_HTP_MEM_SHARED_BUFFER.
struct DmaBuf { DmaBuf() = delete; };            ///< A dma-buf per tensor: QNN_MEM_TYPE_DMA_BUF.

// Kinds of memory for a graph's inputs and outputs (QMEM-01 to QMEM-04).
struct RawIo { RawIo() = delete; };                ///< Plain memory, copied at every inference.
struct RegisteredIo { RegisteredIo() = delete; };  ///< Registered memory, used in place.
struct AnyIo { AnyIo() = delete; };                ///< Both kinds; io_cost() reports a mismatch.

// clang-format on

}}  // namespace qnnpp::QNNPP_NAMESPACE
