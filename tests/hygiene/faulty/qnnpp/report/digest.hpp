// Includes a second library beside the one that it may include.
// FAULT budget: includes <fmt/format.h>, which users may lack
#pragma once

#include "qnnpp/config.hpp"

#include <fmt/format.h>
#include <xxhash.h>
