// What every program uses. Include by name: graphs composed online (graph/compose.hpp), contexts
// that take turns (model/residency.hpp), tensors that share bytes (memory/scheduled_tensors.hpp,
// memory/tensor_arena.hpp), lists of contexts (context/restore_list.hpp), surveys
// (model/survey.hpp), plans (model/domain_plan.hpp), manifests (model/json.hpp) and their digests
// (model/digest.hpp), {fmt} formatters (format.hpp, model/format.hpp), exceptions (throw.hpp).
#pragma once

#include "qnnpp/platform.hpp"

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
#include "qnnpp/graph/pipeline.hpp"
#include "qnnpp/memory/cpu_access.hpp"
#include "qnnpp/memory/dma_heap_allocator.hpp"
#include "qnnpp/memory/mem_region.hpp"
#include "qnnpp/memory/memfd_allocator.hpp"
#include "qnnpp/memory/rpcmem_allocator.hpp"
#include "qnnpp/memory/shared_buffer.hpp"
#include "qnnpp/memory/shared_spill_fill.hpp"
#include "qnnpp/memory/tensor_access.hpp"
#include "qnnpp/model/load.hpp"
#include "qnnpp/version.hpp"
