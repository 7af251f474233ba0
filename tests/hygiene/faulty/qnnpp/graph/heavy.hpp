// Includes what is too heavy, a foreign library, and what only a supported system has.
#pragma once
#include <iostream>
#include <boost/any.hpp>
#include <sys/mman.h>

#include "qnnpp/config.hpp"
