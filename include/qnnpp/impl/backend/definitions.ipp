// Definitions of all functions of backend/ that are not templates. One source of a separate program
// includes it.
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/impl/backend/backend.ipp"
#include "qnnpp/impl/backend/backend_adoption.ipp"
#include "qnnpp/impl/backend/binary_info.ipp"
#include "qnnpp/impl/backend/device.ipp"
#include "qnnpp/impl/backend/dsp_side.ipp"
#include "qnnpp/impl/backend/epoch.ipp"
#include "qnnpp/impl/backend/error_lines.ipp"
#include "qnnpp/impl/backend/interface.ipp"
#include "qnnpp/impl/backend/live_contexts.ipp"
#include "qnnpp/impl/backend/log.ipp"
#include "qnnpp/impl/backend/log_sink.ipp"
#include "qnnpp/impl/backend/lost_contexts.ipp"
#include "qnnpp/impl/backend/performance.ipp"
#include "qnnpp/impl/backend/profile.ipp"
#include "qnnpp/impl/backend/profile_log.ipp"
#include "qnnpp/impl/backend/profiled_call.ipp"
#include "qnnpp/impl/backend/shared_library.ipp"
#include "qnnpp/impl/backend/signalled_call.ipp"
#include "qnnpp/impl/backend/system.ipp"
