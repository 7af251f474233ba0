// A declaration that depends on the macros of the library.
// FAULT layers: includes config.hpp, but abi stands alone
#pragma once

#include "qnnpp/config.hpp"
