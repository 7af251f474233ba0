#include "use.hpp"

bool use(const qnnpp::Context<qnnpp::Finalized>&) { return true; }
