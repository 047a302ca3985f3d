/*
 * Faults.
 */
#ifndef MACHINE_FAULTS_H
#define MACHINE_FAULTS_H

/* Before the first processor runs. */
void faults_start(void);

#endif
