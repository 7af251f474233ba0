// Definitions of all functions of model/ that are not templates. One source of a separate program
// includes it.
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/impl/model/binary_source.ipp"
#include "qnnpp/impl/model/context_loader.ipp"
#include "qnnpp/impl/model/context_loader_ahead.ipp"
#include "qnnpp/impl/model/load.ipp"
#include "qnnpp/impl/model/load_helper.ipp"
#include "qnnpp/impl/model/memory_report.ipp"
#include "qnnpp/impl/model/model.ipp"
#include "qnnpp/impl/model/survey.ipp"
