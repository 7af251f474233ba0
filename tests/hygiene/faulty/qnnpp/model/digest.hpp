// Includes another library than the one that it is asked for.
#pragma once

#include "qnnpp/config.hpp"

#include <fmt/format.h>
#include <xxhash.h>
