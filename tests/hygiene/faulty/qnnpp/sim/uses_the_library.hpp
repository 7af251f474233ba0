// Is part of the simulated HTP, and includes what is compared with it.
// FAULT layers: includes core/error.hpp, which is not below sim
#pragma once

#include "qnnpp/core/error.hpp"
