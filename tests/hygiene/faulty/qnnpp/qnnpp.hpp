// A faulty umbrella.
#pragma once
#include "qnnpp/core/upward.hpp"
