// Answers that no host library confirms: the documents leave them open, or only a device knows
// them. Each default is a guess of the simulated HTP. Config::seed draws another candidate, so a
// client that passes with many seeds depends on no guess.
#pragma once

#include <cstddef>
#include <cstdint>

#include "qnnpp/abi/error.hpp"

#include "sim/tables/environment.hpp"

namespace qnnpp::sim {

/// One drawn answer. Its number is part of the draw, so append only.
enum class Unconfirmed : std::uint8_t {
  start_alignment,     ///< bytes
  process_domains,     ///< number of domains
  domain_bytes,        ///< room in one domain
  error_high_bits,     ///< above the 16 bits of every code
  run_list,            ///< per cent of a graph's op data
  first_handle,        ///< serial after which the numbers of handles start
  first_tensor_id,     ///< id of the first tensor of a composed context
  binary_slack,        ///< bytes that getBinarySize counts and getBinary does not write
  list_notifications,  ///< ListNotifications
  graph_order,         ///< GraphOrder
  error_text,          ///< ErrorText
  fd_not_open,         ///< a code, like all that follow
  fd_too_short,
  mapping_limit,
  external_refused,
  foreign_memory,
  no_io_copies,
  head_freed,
  binary_changed,
  composing,
  crash,
};

/// Thread and order of a list's notifications.
enum class ListNotifications : std::uint8_t {
  in_order,        ///< on the caller's thread
  reversed,        ///< on the caller's thread, the last entry first
  another_thread,  ///< in order, before the call returns
  later,           ///< in order, on another thread; a call that returns 0 does not wait for it
};

/// Order of a binary's graphs in the metadata.
enum class GraphOrder : std::uint8_t { as_composed, reversed, by_name };

/// Text that errorGetMessage returns for a code.
enum class ErrorText : std::uint8_t { name, other_words, none };

/// A row of the table.
struct UnconfirmedAnswer {
  Unconfirmed id;
  const char* what;
  const char* why;
  std::size_t count;             ///< of candidates
  std::uint64_t candidates[21];  ///< the default first; for a code, 0 is the call's own code
};

namespace detail {

template <class... Values>
constexpr UnconfirmedAnswer row(Unconfirmed id, const char* what, const char* why,
                                Values... candidates) {
  return {id, what, why, sizeof...(Values), {static_cast<std::uint64_t>(candidates)...}};
}

/// Adds no candidate above a page, because no allocator guarantees a larger alignment.
constexpr UnconfirmedAnswer alignment_row(Unconfirmed id, const char* what, const char* why) {
  UnconfirmedAnswer made = row(id, what, why, 4096);
  for (std::uint64_t bytes = 1; bytes < made.candidates[0]; bytes *= 2)
    made.candidates[made.count++] = bytes;
  return made;
}

}  // namespace detail

/// Every drawn answer, in the order of Unconfirmed. docs/simulated-htp.md has the same list.
inline constexpr UnconfirmedAnswer unconfirmed_answers[] = {
    detail::alignment_row(Unconfirmed::start_alignment, "BUFFER_START_ALIGNMENT, bytes",
                          "seen with three binaries of one device only"),
    detail::row(Unconfirmed::process_domains, "number of process domains",
                "the host library tries four; a device may open fewer or more", 4, 1, 2, 3, 5, 6, 7,
                8),
    detail::row(Unconfirmed::domain_bytes, "room in a process domain, bytes",
                "counted with host libraries for three chips, not on a device", 3'650'722'201,
                2'000'000'000, 3'000'000'000, 4'026'531'840, 8'589'934'592),
    detail::row(Unconfirmed::error_high_bits, "bits above the 16 of a code",
                "LOAD-06 leaves them to the backend", 0, 1, 0x8000, 0xFFFF),
    detail::row(Unconfirmed::run_list, "run list of a graph, per cent of its op data",
                "128 to 191 seen; no metadata has it", 150, 128, 175),
    detail::row(Unconfirmed::first_handle, "serial after which the numbers of handles begin",
                "seen for contexts, graphs and memory alone", 0, 16, 4095, 1048576),
    detail::row(Unconfirmed::first_tensor_id, "id of the first tensor that is composed",
                "composing needs libQnnHtpPrepare.so", 1, 7, 1000, 65536),
    detail::row(Unconfirmed::binary_slack,
                "bytes that getBinarySize counts and getBinary does not write",
                "composing needs libQnnHtpPrepare.so", 0, 1, 256, 65536),
    detail::row(Unconfirmed::list_notifications,
                "notifications of a list: in order, last entry first, on another thread, later",
                "seen without INIT_ACCELERATION alone", ListNotifications::in_order,
                ListNotifications::reversed, ListNotifications::another_thread,
                ListNotifications::later),
    detail::row(Unconfirmed::graph_order, "graphs in metadata: as composed, last first, by name",
                "every binary at hand has one graph", GraphOrder::as_composed, GraphOrder::reversed,
                GraphOrder::by_name),
    detail::row(Unconfirmed::error_text, "errorGetMessage: a name, other words, nothing",
                "the texts are no part of the API", ErrorText::name, ErrorText::other_words,
                ErrorText::none),
    detail::row(Unconfirmed::fd_not_open, "code of memRegister for a tensor whose fd is not open",
                "the host library leaves it to FastRPC", c_api::MemError::mapping,
                c_api::MemError::invalid_argument, c_api::CommonError::system),
    detail::row(Unconfirmed::fd_too_short,
                "code of memRegister for a tensor that its fd is too short for",
                "the host library leaves it to FastRPC", c_api::MemError::mapping,
                c_api::MemError::invalid_argument, c_api::CommonError::system),
    detail::row(Unconfirmed::mapping_limit, "code of memRegister if the device maps no more",
                "no device has been asked", c_api::MemError::mapping, c_api::CommonError::mem_alloc,
                c_api::CommonError::system, c_api::CommonError::resource_unavailable),
    detail::row(Unconfirmed::external_refused,
                "code for weights or spill-fill where no such memory can be registered",
                "no library without it has been asked", c_api::MemError::not_supported,
                c_api::MemError::invalid_handle, c_api::MemError::unsupported_memtype),
    detail::row(Unconfirmed::foreign_memory,
                "code of graphExecute for memory of another context, size or kind",
                "the host library leaves it to the DSP", c_api::GraphError::invalid_tensor,
                c_api::GraphError::invalid_argument, c_api::CommonError::general),
    detail::row(Unconfirmed::no_io_copies,
                "code of graphExecute without memory for the copies of raw tensors",
                "no device has been asked", c_api::CommonError::mem_alloc,
                c_api::CommonError::system, c_api::CommonError::general),
    detail::row(Unconfirmed::head_freed, "code of graphExecute after a group's head was freed",
                "the host library leaves it to the DSP", c_api::GraphError::invalid_context,
                c_api::GraphError::invalid_handle, c_api::CommonError::general),
    detail::row(Unconfirmed::binary_changed,
                "code of graphExecute if a persistent binary changed before a graph switch",
                "no binary with two graphs is at hand", c_api::CommonError::general,
                c_api::CommonError::system, c_api::ContextError::create_from_binary),
    detail::row(Unconfirmed::composing, "code of a composing call that fails",
                "composing needs libQnnHtpPrepare.so", 0, c_api::CommonError::general,
                c_api::CommonError::invalid_argument),
    detail::row(Unconfirmed::crash, "code where the host library crashes or hangs", "there is none",
                0, c_api::CommonError::general, c_api::CommonError::invalid_argument),
};

/// Returns the candidate that a seed draws: the default for seed 0, and always the same for one
/// seed.
[[nodiscard]] constexpr std::uint64_t drawn(std::uint64_t seed, Unconfirmed answer) noexcept {
  const UnconfirmedAnswer& entry = unconfirmed_answers[static_cast<std::size_t>(answer)];
  if (seed == 0) return entry.candidates[0];
  // splitmix64
  std::uint64_t z = seed + (static_cast<std::uint64_t>(answer) + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return entry.candidates[(z ^ (z >> 31)) % entry.count];
}

/// Returns QNNPP_SIM_SEED; 0 if it is unset or not a number, which libQnnHtp.so reports.
[[nodiscard]] inline std::uint64_t seed_of_environment() {
  return number_in(variable("QNNPP_SIM_SEED")).value_or(0);
}

/// Returns the code that a seed draws for a failure with the default `own_code`.
template <class Code>
[[nodiscard]] constexpr std::uint32_t drawn_code(std::uint64_t seed, Unconfirmed answer,
                                                 Code own_code) noexcept {
  const auto code = seed == 0 ? 0 : static_cast<std::uint32_t>(drawn(seed, answer));
  return code == 0 ? static_cast<std::uint32_t>(own_code) : code;
}

}  // namespace qnnpp::sim
