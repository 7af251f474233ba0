// Facts of a failed call and kinds of steps, as bits, and the log lines that state facts.
#pragma once

#include "qnnpp/config.hpp"

#include <cstdint>

#include "qnnpp/abi/interface.hpp"

namespace qnnpp { inline namespace QNNPP_NAMESPACE { namespace detail {

/// Bits of Error::facts: what qnnpp knows of a failed call. A bit that is not set means "no" or
/// "not known". The code that makes an error sets the bits that it can prove.
namespace fact {

/// No other context of this backend is alive.
inline constexpr std::uint32_t alone = 1u << 0;
/// The context initializes one graph only.
inline constexpr std::uint32_t one_graph = 1u << 1;
/// The context shares spill-fill memory, or needs none.
inline constexpr std::uint32_t spill_fill_shared = 1u << 2;
/// The context has no external weights.
inline constexpr std::uint32_t own_weights = 1u << 3;
/// The backend has finalized a context with external weights before.
inline constexpr std::uint32_t weights_worked = 1u << 4;
/// The memory in question is from rpcmem.
inline constexpr std::uint32_t rpcmem = 1u << 5;
/// The memory in question is from a DMA-BUF heap.
inline constexpr std::uint32_t dma_heap = 1u << 6;
/// The execution copies tensors in raw memory.
inline constexpr std::uint32_t raw_tensors = 1u << 7;
/// All tensors of the execution are registered.
inline constexpr std::uint32_t registered = 1u << 8;
/// The device executes binaries of the binary's architecture, by its metadata (RES-04).
inline constexpr std::uint32_t arch_fits = 1u << 9;
/// The library is at least as new as the one that made the binary (BIN-01).
inline constexpr std::uint32_t not_newer = 1u << 10;
/// The binary has the digest of the whole file that a manifest states.
inline constexpr std::uint32_t digest_matches = 1u << 11;
/// The library is the one for x86-64, which has no process domains.
inline constexpr std::uint32_t emulation = 1u << 12;
/// The error names the file of the library that the loader opened.
inline constexpr std::uint32_t library_named = 1u << 13;
/// The limit of a `too_large` is a number of the library or of a type: nobody can raise it.
inline constexpr std::uint32_t fixed_limit = 1u << 14;
/// The error is of a function of the program, which BinarySource::function() was given.
inline constexpr std::uint32_t of_source = 1u << 15;

// facts_of() adds these: they follow from the code, the step and the log.
/// is_exhausted() holds.
inline constexpr std::uint32_t no_room = 1u << 16;
/// The log says that the stub library cannot be loaded.
inline constexpr std::uint32_t log_no_stub = 1u << 17;
/// The log says that the DSP cannot load the skel library.
inline constexpr std::uint32_t log_no_skel = 1u << 18;
/// The log says that the library does not know the chip of an option.
inline constexpr std::uint32_t log_unknown_soc = 1u << 19;
/// The log says that no Snapdragon chip was detected.
inline constexpr std::uint32_t log_no_soc = 1u << 20;

}  // namespace fact

/// Kinds of steps, as bits, for which one code may mean different things.
namespace step {

inline constexpr std::uint16_t start = 1u << 0;         ///< Creating a logger, backend or device.
inline constexpr std::uint16_t create = 1u << 1;        ///< Creating a context from a binary.
inline constexpr std::uint16_t list = 1u << 2;          ///< Creating contexts from a list.
inline constexpr std::uint16_t new_context = 1u << 3;   ///< Creating a context to compose in.
inline constexpr std::uint16_t finalize = 1u << 4;      ///< Finalizing a context.
inline constexpr std::uint16_t register_mem = 1u << 5;  ///< Registering memory.
inline constexpr std::uint16_t compose = 1u << 6;       ///< Adding graphs, tensors and nodes.
inline constexpr std::uint16_t prepare = 1u << 7;       ///< Finalizing a composed graph.
inline constexpr std::uint16_t execute = 1u << 8;       ///< Executing a graph.
inline constexpr std::uint16_t system = 1u << 9;        ///< Calls of the system library.
inline constexpr std::uint16_t other = 1u << 10;        ///< Every other step.
inline constexpr std::uint16_t all = (1u << 11) - 1;    ///< Each step.

/// Steps that bring a context up.
inline constexpr std::uint16_t loads = create | list | new_context | finalize;
/// Steps that read a binary.
inline constexpr std::uint16_t reads = create | list;

}  // namespace step

/// Kind of the steps that call one function.
struct StepKind {
  c_api::Slot slot;
  std::uint16_t kind;  ///< A bit of detail::step.
};
/// Functions that have a kind of their own.
inline constexpr StepKind step_kinds[] = {
    {c_api::Slot::log_create, step::start},
    {c_api::Slot::backend_create, step::start},
    {c_api::Slot::device_create, step::start},
    {c_api::Slot::context_create_from_binary, step::create},
    {c_api::Slot::context_create_from_binary_list_async, step::list},
    {c_api::Slot::context_create, step::new_context},
    {c_api::Slot::context_finalize, step::finalize},
    {c_api::Slot::mem_register, step::register_mem},
    {c_api::Slot::graph_create, step::compose},
    {c_api::Slot::tensor_create_graph_tensor, step::compose},
    {c_api::Slot::graph_add_node, step::compose},
    {c_api::Slot::backend_validate_op_config, step::compose},
    {c_api::Slot::graph_finalize, step::prepare},
    {c_api::Slot::graph_execute, step::execute},
};

/// Words of QNN's log that state a fact.
struct LogWords {
  const char* words;
  std::uint32_t fact;
};
/// As host libraries 2.43 to 2.51 write them.
inline constexpr LogWords log_words[] = {
    {"Failed in loading stub", fact::log_no_stub},
    {"Failed to load skel", fact::log_no_skel},
    {"config socModel", fact::log_unknown_soc},
    {"No Snapdragon SOC detected", fact::log_no_soc},
};

}}}  // namespace qnnpp::QNNPP_NAMESPACE::detail
