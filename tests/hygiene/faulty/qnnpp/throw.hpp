// Exceptions that need {fmt}.
#pragma once

#include "qnnpp/format.hpp"
