/*
 * Checks as instructions.
 */
#ifndef PLUGIN_EMISSION_H
#define PLUGIN_EMISSION_H

#include "charges.h"
#include "cold.h"

/* Emit the checks of a function. Each splits a block. Those that are not part of a jump add one out of line, at the end
 * of their part of the function. */
void checks_emit(flow &flow, const charges &charges, cold_ends &ends);

#endif
