// Includes a layer above, the umbrella, and a path that is not from the include root.
#pragma once
#include "qnnpp/graph/heavy.hpp"
#include "qnnpp/qnnpp.hpp"
#include "beside.hpp"
