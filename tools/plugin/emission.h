/*
 * Checks as instructions.
 */
#ifndef PLUGIN_EMISSION_H
#define PLUGIN_EMISSION_H

#include "cold.h"
#include "placement.h"

/* Emit the checks of a function. Each splits a block, and adds one out of line at the end of its part of the
 * function. */
void checks_emit(flow &flow, cold_ends &ends);

#endif
