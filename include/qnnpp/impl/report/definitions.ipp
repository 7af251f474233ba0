// Definitions of all functions of report/ that are not templates. One source of a separate program
// includes it.
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/impl/report/domain_plan.ipp"
#include "qnnpp/impl/report/manifest.ipp"
#include "qnnpp/impl/report/profile_file.ipp"
