// Fails on purpose: is part of the simulated HTP and includes what is compared with it.
#include "qnnpp/config.hpp"
