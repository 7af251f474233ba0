// Exceptions that require {fmt}.
#pragma once

#include "qnnpp/format.hpp"
