// Fails on purpose: is part of the simulated HTP and includes what is compared with it.
#pragma once

#include "qnnpp/core/error.hpp"
