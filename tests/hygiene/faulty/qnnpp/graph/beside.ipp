// Definitions beside their header.
#pragma once

#include "qnnpp/platform.hpp"
