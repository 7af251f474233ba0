// The definitions of a program that defines QNNPP_SEPARATE, for exactly one of its sources:
//
//   #include "qnnpp/definitions.hpp"
//
// All others get declarations from the headers, which then compile in half the time. QNNPP_SEPARATE
// is for all sources of a program or for none; without it this header adds nothing.
#pragma once

#include "qnnpp/backend/backend.ipp"
#include "qnnpp/backend/binary_info.ipp"
#include "qnnpp/backend/interface.ipp"
#include "qnnpp/backend/shared_library.ipp"
#include "qnnpp/backend/system.ipp"
#include "qnnpp/context/context.ipp"
#include "qnnpp/context/context_binary.ipp"
#include "qnnpp/context/context_block.ipp"
#include "qnnpp/context/context_configs.ipp"
#include "qnnpp/context/context_options.ipp"
#include "qnnpp/context/external_buffers.ipp"
#include "qnnpp/context/registered_tensors.ipp"
#include "qnnpp/core/context_spec.ipp"
#include "qnnpp/core/error.ipp"
#include "qnnpp/core/mutex.ipp"
#include "qnnpp/core/result.ipp"
#include "qnnpp/core/tensor_spec.ipp"
#include "qnnpp/graph/binding.ipp"
#include "qnnpp/graph/graph_block.ipp"
#include "qnnpp/memory/cpu_access.ipp"
#include "qnnpp/memory/dma_buffer.ipp"
#include "qnnpp/memory/dma_heap_allocator.ipp"
#include "qnnpp/memory/memfd_allocator.ipp"
#include "qnnpp/memory/rpcmem_allocator.ipp"
#include "qnnpp/memory/shared_buffer.ipp"
#include "qnnpp/memory/shared_spill_fill.ipp"
#include "qnnpp/memory/tensor_memory.ipp"
