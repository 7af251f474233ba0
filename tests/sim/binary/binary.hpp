// Context binaries of the simulated HTP: what they hold, how they are written and read.
#pragma once

#include "sim/binary/binary_format.hpp"
#include "sim/binary/binary_parse.hpp"
#include "sim/binary/binary_write.hpp"
