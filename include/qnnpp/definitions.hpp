// The definitions of a program that defines QNNPP_SEPARATE, for exactly one of its sources:
//
//   #include "qnnpp/definitions.hpp"
//
// All others get declarations from the headers, which then compile in half the time. QNNPP_SEPARATE
// is for all sources of a program or for none; without it this header adds nothing.
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/impl/backend/backend.ipp"
#include "qnnpp/impl/backend/binary_info.ipp"
#include "qnnpp/impl/backend/error_lines.ipp"
#include "qnnpp/impl/backend/interface.ipp"
#include "qnnpp/impl/backend/shared_library.ipp"
#include "qnnpp/impl/backend/system.ipp"
#include "qnnpp/impl/context/context.ipp"
#include "qnnpp/impl/context/context_binary.ipp"
#include "qnnpp/impl/context/context_block.ipp"
#include "qnnpp/impl/context/context_configs.ipp"
#include "qnnpp/impl/context/context_options.ipp"
#include "qnnpp/impl/context/external_buffers.ipp"
#include "qnnpp/impl/context/refused_binary.ipp"
#include "qnnpp/impl/context/registered_tensors.ipp"
#include "qnnpp/impl/core/context_spec.ipp"
#include "qnnpp/impl/core/contract.ipp"
#include "qnnpp/impl/core/error.ipp"
#include "qnnpp/impl/core/tensor_spec.ipp"
#include "qnnpp/impl/graph/binding.ipp"
#include "qnnpp/impl/graph/graph_block.ipp"
#include "qnnpp/impl/memory/cpu_access.ipp"
#include "qnnpp/impl/memory/dma_buffer.ipp"
#include "qnnpp/impl/memory/dma_heap_allocator.ipp"
#include "qnnpp/impl/memory/memfd_allocator.ipp"
#include "qnnpp/impl/memory/rpcmem_allocator.ipp"
#include "qnnpp/impl/memory/shared_buffer.ipp"
#include "qnnpp/impl/memory/shared_spill_fill.ipp"
#include "qnnpp/impl/memory/tensor_memory.ipp"
#include "qnnpp/impl/model/manifest.ipp"
#include "qnnpp/impl/model/memory_report.ipp"
