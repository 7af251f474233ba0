// Definitions of all functions of memory/ that are not templates. One source of a separate program
// includes it.
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/impl/memory/cpu_access.ipp"
#include "qnnpp/impl/memory/dma_buffer.ipp"
#include "qnnpp/impl/memory/dma_heap_allocator.ipp"
#include "qnnpp/impl/memory/kv_cache.ipp"
#include "qnnpp/impl/memory/memfd_allocator.ipp"
#include "qnnpp/impl/memory/open_ranges.ipp"
#include "qnnpp/impl/memory/rpcmem_allocator.ipp"
#include "qnnpp/impl/memory/shared_buffer.ipp"
#include "qnnpp/impl/memory/shared_spill_fill.ipp"
#include "qnnpp/impl/memory/spill_fill_lease.ipp"
#include "qnnpp/impl/memory/tensor_arena.ipp"
#include "qnnpp/impl/memory/tensor_memory.ipp"
