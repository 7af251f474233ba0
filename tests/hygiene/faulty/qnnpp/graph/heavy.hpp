// FAULT budget: includes <iostream>, which is too heavy for graph
// FAULT budget: includes <boost/any.hpp>, which users may lack
// FAULT budget: includes <nlohmann/json.hpp>, which users may lack
// FAULT budget: includes <xxhash.h>, which users may lack
// FAULT platform: includes <sys/mman.h> before a header of qnnpp
// FAULT layers: includes report/json.hpp, which needs <nlohmann/json.hpp>
#pragma once

#include <iostream>
#include <boost/any.hpp>
#include <nlohmann/json.hpp>
#include <sys/mman.h>
#include <xxhash.h>

#include "qnnpp/config.hpp"
#include "qnnpp/report/json.hpp"
