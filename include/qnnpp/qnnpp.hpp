// Includes the headers that most programs use. Include the others separately:
//
//   context/restore_list.hpp       contexts from many binaries in one call
//   core/quantise.hpp              numbers as elements of quantised tensors, and back
//   format.hpp, report/format.hpp  {fmt} formatters
//   graph/compose.hpp              graphs composed online
//   memory/tensor_arena.hpp        tensors that share bytes
//   model/residency.hpp            models whose contexts do not all fit the device
//   model/survey.hpp               needs of a context binary, without loading it
//   report/digest.hpp              digests of files, for manifests
//   report/domain_plan.hpp         contexts that fit a process domain together
//   report/json.hpp                manifests and reports as JSON
//   report/profile_file.hpp        profiles as a file for the SDK's viewer
//   report/trace.hpp               calls and memory over time, for Perfetto and Chrome
//   throw.hpp                      exceptions
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/backend/backend.hpp"
#include "qnnpp/backend/device.hpp"
#include "qnnpp/backend/performance.hpp"
#include "qnnpp/backend/profile.hpp"
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
#include "qnnpp/memory/any_allocator.hpp"
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
