// What every program uses. Asked for by name: pipelines (graph/pipeline.hpp), tensors that share bytes
// (memory/scheduled_tensors.hpp), graphs composed online (graph/compose.hpp), models of many contexts
// (model/), text (format.hpp), exceptions (throw.hpp).
#pragma once

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/context/context.hpp"
#include "qnnpp/context/context_binary.hpp"
#include "qnnpp/context/context_options.hpp"
#include "qnnpp/context/external_buffers.hpp"
#include "qnnpp/context/registered_tensors.hpp"
#include "qnnpp/core/result.hpp"
#include "qnnpp/fwd.hpp"
#include "qnnpp/graph/binding.hpp"
#include "qnnpp/graph/graph.hpp"
#include "qnnpp/graph/io_cost.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/dma_heap_allocator.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/memory/shared_buffer.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/version.hpp"
