// A function of a user's program that two units share.
#pragma once

#include "qnnpp/fwd.hpp"

bool use(const qnnpp::Context<qnnpp::Finalized>& context);
