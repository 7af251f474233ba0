// Definitions of all functions that are not templates, for programs that define QNNPP_SEPARATE.
// Exactly one source of the program includes this header:
//
//   #include "qnnpp/definitions.hpp"
//
// In all other sources the headers only declare the functions, and compile in a third of the time.
// Define QNNPP_SEPARATE for all sources of a program or for none. Without it, this header adds
// nothing.
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/impl/backend/definitions.ipp"
#include "qnnpp/impl/context/definitions.ipp"
#include "qnnpp/impl/core/definitions.ipp"
#include "qnnpp/impl/graph/definitions.ipp"
#include "qnnpp/impl/memory/definitions.ipp"
#include "qnnpp/impl/model/definitions.ipp"
#include "qnnpp/impl/report/definitions.ipp"
