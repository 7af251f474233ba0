// Definitions of all functions of core/ that are not templates. One source of a separate program
// includes it.
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/impl/core/context_spec.ipp"
#include "qnnpp/impl/core/contract.ipp"
#include "qnnpp/impl/core/error.ipp"
#include "qnnpp/impl/core/error_meaning.ipp"
#include "qnnpp/impl/core/joined.ipp"
#include "qnnpp/impl/core/process_wide.ipp"
#include "qnnpp/impl/core/quantisation.ipp"
#include "qnnpp/impl/core/quantise.ipp"
#include "qnnpp/impl/core/stop.ipp"
#include "qnnpp/impl/core/tensor_spec.ipp"
