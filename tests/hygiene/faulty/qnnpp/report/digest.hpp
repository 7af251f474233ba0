// Includes a second library beside the one that it may include.
#pragma once

#include "qnnpp/config.hpp"

#include <fmt/format.h>
#include <xxhash.h>
