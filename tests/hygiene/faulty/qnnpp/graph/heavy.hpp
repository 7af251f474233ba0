// Includes heavy headers, other libraries, and a header that only a supported system has.
#pragma once
#include <iostream>
#include <boost/any.hpp>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <xxhash.h>

#include "qnnpp/config.hpp"
#include "qnnpp/report/json.hpp"
