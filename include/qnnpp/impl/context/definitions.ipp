// Definitions of all functions of context/ that are not templates. One source of a separate program
// includes it.
#pragma once

#include "qnnpp/platform.hpp"

#include "qnnpp/impl/context/context.ipp"
#include "qnnpp/impl/context/context_adoption.ipp"
#include "qnnpp/impl/context/context_binary.ipp"
#include "qnnpp/impl/context/context_block.ipp"
#include "qnnpp/impl/context/context_configs.ipp"
#include "qnnpp/impl/context/external_buffers.ipp"
#include "qnnpp/impl/context/failed_load.ipp"
#include "qnnpp/impl/context/lost_context.ipp"
#include "qnnpp/impl/context/registered_tensors.ipp"
#include "qnnpp/impl/context/restore_list.ipp"
