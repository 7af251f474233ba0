// FAULT layers: includes config.hpp, but sim stands alone
#include "qnnpp/config.hpp"
