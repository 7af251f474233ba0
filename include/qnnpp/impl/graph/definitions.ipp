// Definitions of all functions of graph/ that are not templates. One source of a separate program
// includes it.
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/impl/graph/compose.ipp"
#include "qnnpp/impl/graph/graph_block.ipp"
#include "qnnpp/impl/graph/graph_extents.ipp"
#include "qnnpp/impl/graph/graph_memory.ipp"
#include "qnnpp/impl/graph/graph_options.ipp"
#include "qnnpp/impl/graph/pipeline.ipp"
