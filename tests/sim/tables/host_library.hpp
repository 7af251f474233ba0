// The host libraries that the simulated HTP answers as (Config::host_library): versions, layouts,
// and the answers that are not the same in all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "qnnpp/abi/common.hpp"
#include "qnnpp/abi/error.hpp"
#include "qnnpp/sim/control.hpp"

#include "sim/objects/signal.hpp"

namespace qnnpp::sim {

// The same for every host library.
inline constexpr c_api::Version system_api_version{1, 7, 0};
inline constexpr const char* htp_provider_name = "HTP_QTI_AISW";
inline constexpr const char* system_provider_name = "SYSTEM_QTI_AISW";
inline constexpr const char* build_id = "qnnpp-sim";
inline constexpr std::uint32_t htp_backend_id = 6;
inline constexpr std::uint32_t system_backend_id = 0;

/// One host library.
struct HostAnswers {
  c_api::Version core_api;
  c_api::Version htp_api;
  std::size_t slots;  ///< functions in the table
  /// The union of HtpDeviceCustomConfig begins at byte 8, not 4.
  bool has_wide_device_options = false;
  /// Each creation from a binary, deferred ones too, begins with a remote call. If that call fails,
  /// the creation fails and leaves a number. The older libraries make no remote call in a deferred
  /// creation.
  bool creation_asks_dsp = false;
  /// contextFree of what such a deferred creation leaves is fatal: device and backend can then
  /// never be freed (ORD-17).
  bool failed_deferral_is_fatal_to_free = false;
  /// deviceFree ends the contexts of failed creations and those that wait for contextFinalize,
  /// and no failed creation leaves remnants. The older libraries return 14003.
  bool device_free_ends_contexts = false;
  /// contextFinalize reads the creation's out variable (ORD-12).
  bool finalize_reads_variable = true;
  /// The creation after one that failed on every process domain returns UNDEFINED once, and a
  /// context of a list lacks its graphs there (RES-03).
  bool failed_load_confuses_next = true;
  /// A load that failed on every process domain leaves a half-made one: later loads that fail so
  /// return 14001, not 1002.
  bool failed_load_leaves_half_domain = false;
  /// A file stays mapped with its first size: memRegister of a tensor in it with another size
  /// returns 8000, contextFinalize with a spill-fill buffer of another size 1002. The latter maps
  /// the buffer itself, so it returns 1002 for a freed one, too. The older libraries do not notice.
  bool checks_mapped_size = false;
  /// If the call before the last one of contextFinalize fails as well, the code is 1003, and the
  /// number is marked all the same. The other libraries mark no number then.
  bool call_before_last_marks = false;
  /// A member may join a group whose head was freed. The older libraries return 5010.
  bool dead_head_takes_members = false;
  /// HTP options of contexts, of devices, by 1 << option, that the other libraries refuse.
  std::uint32_t more_context_options = 0;
  std::uint32_t more_device_options = 0;
  /// A list with an entry that is no context binary fails. The older libraries crash.
  bool checks_list_entries = false;
  /// Highest number of a power option that it knows.
  std::uint32_t newest_power_option = 7;
  /// Answer of memRegister to a VTCM backup buffer; 0: it is registered. From 5.46 on the library
  /// knows property 6, and says 0 bytes.
  std::uint32_t vtcm_backup = static_cast<std::uint32_t>(c_api::MemError::invalid_handle);
  /// createPowerConfigId needs no device. The older libraries return 13001 without one.
  bool votes_without_device = false;
  /// What a creation from a binary that is not deferred does with its signal at its begin.
  Heed heed_of_creation = {.aborts = false, .trigger_waits = false};
  /// The same for a list.
  Heed heed_of_list = {.aborts = false, .trigger_waits = false};
  /// An abort during the first remote call of a creation has no effect, and signalTrigger returns
  /// 9001. Afterwards the creation ends, and signalTrigger waits for that.
  bool first_call_ignores_aborts = true;
  /// A timeout that expires in the course of a creation ends it only after its last remote call.
  bool timeouts_end_late = false;
  /// A signal ends a whole list with its own code, and no context of it is made. Otherwise it ends
  /// the creation of one entry; the others are made, and the call returns 5005.
  bool signal_ends_list = false;
  /// A timeout that has ended the creation of one entry of a list ends the next ones, too.
  bool timeout_ends_each_entry = false;
};

/// The libraries in the order of HostLibrary, and their names in QNNPP_SIM_HOST_LIBRARY.
inline constexpr std::string_view host_library_names[] = {"2.43.1", "2.46.0", "2.48.40", "2.51.0",
                                                          "2.43.1-android"};
inline constexpr HostAnswers host_libraries[] = {
    {.core_api = {2, 32, 0},
     .htp_api = {5, 43, 0},
     .slots = 71,
     .more_context_options = 1u << 17,
     .heed_of_creation = {.trigger_waits = false},
     .heed_of_list = {.trigger_waits = false},
     .first_call_ignores_aborts = false,
     .timeouts_end_late = true,
     .timeout_ends_each_entry = true},
    {.core_api = {2, 35, 0},
     .htp_api = {5, 46, 0},
     .slots = 72,
     .creation_asks_dsp = true,
     .failed_deferral_is_fatal_to_free = true,
     .failed_load_confuses_next = false,
     .failed_load_leaves_half_domain = true,
     .more_context_options = 1u << 19,
     .newest_power_option = 8,
     .vtcm_backup = 1000},
    {.core_api = {2, 37, 0},
     .htp_api = {5, 48, 0},
     .slots = 72,
     .has_wide_device_options = true,
     .creation_asks_dsp = true,
     .failed_deferral_is_fatal_to_free = true,
     .failed_load_confuses_next = false,
     .failed_load_leaves_half_domain = true,
     .checks_mapped_size = true,
     .dead_head_takes_members = true,
     .more_context_options = 1u << 19 | 1u << 21,
     .newest_power_option = 10,
     .vtcm_backup = 0},
    {.core_api = {2, 40, 0},
     .htp_api = {5, 51, 0},
     .slots = 75,
     .has_wide_device_options = true,
     .creation_asks_dsp = true,
     .device_free_ends_contexts = true,
     .finalize_reads_variable = false,
     .failed_load_confuses_next = false,
     .checks_mapped_size = true,
     .dead_head_takes_members = true,
     .more_context_options =
         1u << 17 | 1u << 19 | 1u << 20 | 1u << 21 | 1u << 22 | 1u << 25 | 1u << 26,
     .more_device_options = 1u << 4 | 1u << 5 | 1u << 6,
     .checks_list_entries = true,
     .newest_power_option = 10,
     .vtcm_backup = 0,
     .votes_without_device = true,
     .heed_of_list = {},
     .signal_ends_list = true},
    {.core_api = {2, 32, 0},
     .htp_api = {5, 43, 0},
     .slots = 71,
     .failed_load_confuses_next = false,
     .failed_load_leaves_half_domain = true,
     .call_before_last_marks = true,
     .more_context_options = 1u << 17,
     .heed_of_creation = {.trigger_waits = false},
     .heed_of_list = {.trigger_waits = false},
     .first_call_ignores_aborts = false,
     .timeouts_end_late = true},
};
static_assert(std::size(host_library_names) == std::size(host_libraries));

/// The library of an unconfigured device.
inline constexpr HostLibrary default_host_library = HostLibrary::v2_43_1;

/// Returns the answers of a valid configuration's library.
[[nodiscard]] inline const HostAnswers& host_of(const Config& config) noexcept {
  return host_libraries[config.host_library];
}
static_assert(table_slots == host_libraries[static_cast<std::size_t>(default_host_library)].slots);

}  // namespace qnnpp::sim
