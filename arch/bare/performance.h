/*
 * performance=on: ask processors for their highest frequency, and not to save power while idle, as far as they say
 * that this is possible.
 */
#ifndef ARCH_BARE_PERFORMANCE_H
#define ARCH_BARE_PERFORMANCE_H

/* Ask the running processor, if the command line says so. Called by each processor when it starts. */
void performance_ask(void);

/* On the boot processor, after all others: what it was asked for, for the log and the results: "nothing". */
const char *performance_asked(void);

#endif
