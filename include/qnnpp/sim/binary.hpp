// Context binaries of the simulated HTP: what they hold, how they are written and read.
#pragma once

#include "qnnpp/sim/binary_format.hpp"
#include "qnnpp/sim/binary_parse.hpp"
#include "qnnpp/sim/binary_write.hpp"
