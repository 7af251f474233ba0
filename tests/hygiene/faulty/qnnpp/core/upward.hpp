// FAULT layers: includes graph/heavy.hpp, which is not below core
// FAULT layers: includes qnnpp.hpp, which no header includes
// FAULT layers: includes beside.hpp, which does not start with qnnpp/
#pragma once

#include "qnnpp/graph/heavy.hpp"
#include "qnnpp/qnnpp.hpp"
#include "beside.hpp"
