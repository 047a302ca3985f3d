/*
 * performance=on: processors are asked for their highest frequency, and not to save power while they idle, as far as
 * they say that they can be asked.
 */
#ifndef ARCH_BARE_PERFORMANCE_H
#define ARCH_BARE_PERFORMANCE_H

/* Ask the processor that runs, if the command line says so. Each processor, when it starts. */
void performance_ask(void);

/* On the boot processor, when all have: what it asked for, for the log and the results: "nothing". */
const char *performance_asked(void);

#endif
