// A declaration that leans on the macros of the library.
#pragma once
#include "qnnpp/config.hpp"
