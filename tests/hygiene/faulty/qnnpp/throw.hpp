// FAULT layers: includes format.hpp, which needs <fmt/format.h>
#pragma once

#include "qnnpp/format.hpp"
