// FAULT layers: is in no layer
#pragma once

#include "qnnpp/platform.hpp"
