/*
 * Work like a scheduler's, all of it in the nearest cache. host.c finds with it how many instructions the host executes
 * in a nanosecond. The file is compiled as it is, and once more with its instructions counted by the plugin.
 */
#ifndef SIMULATED_MIX_H
#define SIMULATED_MIX_H

#include <stdint.h>

uint64_t mix_run(uint64_t rounds);
uint64_t mix_run_counted(uint64_t rounds);

#endif
