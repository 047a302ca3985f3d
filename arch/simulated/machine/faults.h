/*
 * Faults of simulated code (faults.c).
 */
#ifndef MACHINE_FAULTS_H
#define MACHINE_FAULTS_H

/* Install the handlers, before the first processor runs. */
void faults_start(void);

#endif
