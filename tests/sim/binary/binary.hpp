// Context binaries of the simulated HTP: contents, writer and reader.
#pragma once

#include "sim/binary/binary_format.hpp"
#include "sim/binary/binary_parse.hpp"
#include "sim/binary/binary_write.hpp"
