// A header among the definitions.
#pragma once

#include "qnnpp/platform.hpp"
