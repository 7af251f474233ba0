// A declaration that depends on the macros of the library.
#pragma once
#include "qnnpp/config.hpp"
