// A function of a user's program, which two of its units share.
#pragma once

#include "qnnpp/fwd.hpp"

bool use(const qnnpp::Context<qnnpp::Finalized>& context);
